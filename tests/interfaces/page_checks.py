"""What is wrong with a page for who cannot see it, or not well: axe-core in a browser, and what that lacks.

axe-core is the file that axe-playwright-python brings. It is put into the page over the browser's debugging
protocol, which the page's content security policy does not bind: the policy stays as it is served.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
"""Every rule of axe-core is on but those of level AAA, the experimental ones, and laws that say the same."""
COLOURS = ("color-contrast", "link-in-text-block")
WIDE, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
FORMS: tuple[tuple[Any, Any, bool], ...] = (
    (WIDE, "light", True),
    (WIDE, "dark", False),
    (PHONE, "dark", True),
    (PHONE, "light", False),
)
"""(size, colours, whether every rule is run). Where not, those of colours are: no other looks at them."""
UNFOLD = "document.querySelectorAll('details').forEach((one) => { one.open = true; })"
RUN = """async ([tags, colours, all]) => {
  const options = { preload: false, resultTypes: ['violations', 'incomplete'] };
  const rules = all ? { type: 'tag', values: tags } : { type: 'rule', values: colours };
  const found = await axe.run({ ...options, runOnly: rules });
  const why = (node) => [...node.any, ...node.all, ...node.none].map((one) => one.message).join('; ');
  const lines = (kind) => found[kind].flatMap((rule) =>
    rule.nodes.map((node) => [rule.id, node.html.slice(0, 160), why(node)]));
  return [lines('violations'), lines('incomplete')];
}"""
UNDECIDED = (
    *("partially obscured by", "partially overlaps", "contains only non-text characters"),
    "too short to determine",
)
"""Where axe-core cannot tell a contrast: of what a phone's row of pages and the window of keys have beyond
their edges (told at 1280, and on the page of keys), of arrows, and of single digits. Nor can it tell that of
words in a drawing."""
_AXE = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
_OWN = Path(__file__).with_name("page_checks.js").read_text(encoding="utf-8")


def wrong_with(page: Page) -> list[str]:
    """A line for each thing that is wrong with the page, unfolded, at both widths and in both colours."""
    page.evaluate(UNFOLD)
    page.evaluate(_AXE)
    wrong = []
    for size, colours, every in FORMS:
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=colours)
        broken, undecided = page.evaluate(RUN, [TAGS, COLOURS, every])
        lines = [" · ".join(one) for one in broken] + list(page.evaluate(_OWN))
        for rule, words, why in undecided:
            if not (words.startswith("<text") or any(reason in why for reason in UNDECIDED)):
                lines.append(f"undecided: {rule} · {words} · {why}")
        if page.evaluate("document.documentElement.scrollWidth") > size["width"]:
            lines.append("wider than the window")
        wrong += [f"{size['width']} {colours}: {one}" for one in lines]
    page.set_viewport_size(WIDE)
    return wrong
