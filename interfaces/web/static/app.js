// Keys for what the page offers as buttons and links anyway; without this script everything still works.
"use strict";

const find = (attribute, value) =>
  [...document.querySelectorAll(`[data-${attribute}]`)].find((one) => one.dataset[attribute] === value);
const items = () => [...document.querySelectorAll("main [data-item]")].filter((one) => one.offsetParent);
const rows = () => [...document.querySelectorAll("[data-row]")];
let going = false;

// down and up a list: the link of the next item gets the focus
function step(by) {
  const all = items();
  const here = all.findIndex((one) => one.contains(document.activeElement));
  const next = all[Math.min(Math.max(here + by, 0), all.length - 1)];
  (next?.querySelector("a") ?? next?.querySelector("summary, button"))?.focus();
}

// what a list offers to tick is ticked where the focus is; true where there was something
function tick() {
  const box = items().find((one) => one.contains(document.activeElement))?.querySelector("[data-tick]");
  box?.click();
  return Boolean(box);
}

// many at once: a key decides the note that has the focus, and goes on to the next
function decide(key) {
  const all = rows();
  const here = Math.max(all.findIndex((one) => one.contains(document.activeElement)), 0);
  const pick = { k: "keep", d: "discard", x: "" }[key];
  const radio = [...all[here].querySelectorAll("input[type=radio]")].find((one) => one.value === pick);
  radio.checked = true;
  focusRow(here + 1);
}

function focusRow(number) {
  const all = rows();
  const target = all[number]?.querySelector("input:checked") ?? document.getElementById("decide");
  target.focus();
  target.scrollIntoView({ block: "nearest" });
}

function press(wanted) {
  const folded = wanted.closest("details");
  if (folded) folded.open = true;
  if (wanted.matches("summary")) {
    wanted.parentElement.querySelector("textarea").focus();
  } else if (wanted.matches("input")) {
    wanted.focus();
    wanted.select();
  } else {
    wanted.click();
  }
}

// the keys of a page of many notes; true where the key was one
function onTray(event) {
  const here = rows().findIndex((one) => one.contains(document.activeElement));
  if ("kdx".includes(event.key)) {
    decide(event.key);
  } else if (event.key === "j" || event.key === "ArrowDown") {
    focusRow(here + 1);
  } else if (event.key === "ArrowUp") {
    focusRow(Math.max(here - 1, 0));
  } else if (event.key === "Enter" && here >= 0 && event.target.matches("input")) {
    document.getElementById("decide").click();
  } else {
    return false;
  }
  return true;
}

function handled(event) {
  if (going) {
    going = false;
    const place = find("go", event.key);
    if (place) place.click();
    return Boolean(place);
  }
  if (event.key === "?") {
    document.getElementById("keys").showModal();
    return true;
  }
  if (document.querySelector("[data-tray]") && onTray(event)) return true;
  if (event.key === "x" && tick()) return true;
  const wanted = find("key", event.key);
  if (wanted) {
    press(wanted);
  } else if (event.key === "g") {
    going = true;
  } else if (event.key === "j" || (event.key === "ArrowDown" && items().length)) {
    step(1);
  } else if (event.key === "k" || (event.key === "ArrowUp" && items().some((one) => one.contains(document.activeElement)))) {
    step(-1);
  } else {
    return false;
  }
  return true;
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (document.querySelector("dialog[open]")) return;
  const field = event.target.closest("input:not([type=radio], [type=checkbox]), textarea, select");
  if (field) {
    if (event.key === "Escape") field.blur();
    return;
  }
  if (handled(event)) event.preventDefault();
});

// one press, one act: the server would refuse the second, and say so
document.addEventListener("submit", (event) => {
  if (event.target.method !== "post") return;
  if (event.target.dataset.sent) event.preventDefault();
  event.target.dataset.sent = "yes";
});

// a page that the browser kept is out of date: its note may be decided by now
window.addEventListener("pageshow", (event) => {
  if (event.persisted) window.location.reload();
});

if (!window.location.hash) document.getElementById("note")?.focus({ preventScroll: true });
document.querySelector("mark.here")?.scrollIntoView({ block: "center" });
// a drawing wider than the screen begins where something is: at a year's last day with talk, at what was chosen
for (const part of document.querySelectorAll(".scroll")) {
  const wanted = [...part.querySelectorAll(".heat a rect, .chosen")].at(-1);
  const beyond = wanted ? wanted.getBoundingClientRect().right - part.getBoundingClientRect().right : 0;
  if (beyond > 0) part.scrollLeft += beyond + part.clientWidth / 3;
}
// on a narrow screen the pages stand in one line, which may begin before the one that is shown
document.querySelector(".places [aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
