// What is wrong with a page for who cannot see it, or not well: run in the page, gives lines, none where all is well.
({ named: () => {
  const problems = [];
  const name = (one) => (one.getAttribute('aria-label')
    || (one.getAttribute('aria-labelledby') || '').split(' ').map((id) => document.getElementById(id)?.textContent || '').join(' ')
    || [...(one.labels || [])].map((label) => label.textContent).join(' ') || one.textContent || one.title || '').trim();
  const shown = (one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest('[aria-hidden=true]');
  for (const one of document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, summary, [role=region], nav, dialog, section, article'))
    if (shown(one) && !name(one)) problems.push('no name: ' + one.outerHTML.slice(0, 120));
  const ids = [...document.querySelectorAll('[id]')].map((one) => one.id);
  if (new Set(ids).size !== ids.length) problems.push('an id twice: ' + ids.filter((id, at) => ids.indexOf(id) !== at));
  for (const [what, wanted] of [['h1', 1], ['main', 1], ['header', 1], ['[role=search]', null]])
    if (wanted !== null && document.querySelectorAll(what).length !== wanted) problems.push(`${what} not ${wanted} times`);
  let level = 0;
  for (const head of [...document.querySelectorAll('main h1, main h2, main h3')].filter(shown)) {
    const its = Number(head.tagName[1]);
    if (level && its > level + 1) problems.push('a level is skipped at: ' + head.textContent);
    level = its;
  }
  if (document.querySelector('[tabindex]:not([tabindex="0"], [tabindex="-1"])')) problems.push('a positive tabindex');
  for (const table of document.querySelectorAll('table'))
    if (!table.querySelector('th[scope=col]')) problems.push('a table without heads');
  for (const list of document.querySelectorAll('ul, ol'))
    if ([...list.children].some((one) => one.tagName !== 'LI')) problems.push('a list with what is no item');
  for (const part of document.querySelectorAll('.scroll'))
    if (part.scrollWidth > part.clientWidth && part.tabIndex !== 0) problems.push('what scrolls takes no focus');
  if (!document.documentElement.lang) problems.push('no language');
  if (!document.title.trim()) problems.push('no title');
  return problems;
}, contrasted: () => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const read = (css) => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = css; canvas.fillRect(0, 0, 1, 1);
    const d = canvas.getImageData(0, 0, 1, 1).data; return [d[0], d[1], d[2], d[3] / 255]; };
  const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
  const ground = (one) => { const stack = [];
    for (let at = one; at; at = at.parentElement) stack.push(read(getComputedStyle(at).backgroundColor));
    return stack.reverse().reduce((below, top) => over(top, below), read(getComputedStyle(document.body).backgroundColor)); };
  const light = (c) => { const [r, g, b] = c.map((v) => { v /= 255; return v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; });
    return .2126 * r + .7152 * g + .0722 * b; };
  const problems = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const one = node.parentElement;
    if (!node.data.trim() || one.closest('svg, .unseen, .jump, option') || !one.checkVisibility()) continue;
    const style = getComputedStyle(one), below = ground(one);
    let opacity = 1; for (let at = one; at; at = at.parentElement) opacity *= Number(getComputedStyle(at).opacity);
    const ink = read(style.color); ink[3] *= opacity;
    const [a, b] = [light(over(ink, below)), light(below)];
    const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    const large = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.66 && style.fontWeight >= 700);
    if (ratio < (large ? 3 : 4.5)) problems.add(`${ratio.toFixed(2)} ${one.tagName}.${one.className}: ${node.data.trim().slice(0, 40)}`);
  }
  return [...problems];
} })
