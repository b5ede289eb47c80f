// What is wrong with a page and no rule of axe-core: run in the page, gives lines, none where all is well.
(() => {
  const problems = [];
  const name = (one) => (one.getAttribute('aria-label')
    || (one.getAttribute('aria-labelledby') || '').split(' ').map((id) => document.getElementById(id)?.textContent || '').join(' ')).trim();
  const shown = (one) => one.checkVisibility({ visibilityProperty: true });
  for (const one of document.querySelectorAll('[role=region], nav, section, article'))
    if (shown(one) && !name(one)) problems.push('no name: ' + one.outerHTML.slice(0, 120));
  const ids = [...document.querySelectorAll('[id]')].map((one) => one.id);
  if (new Set(ids).size !== ids.length) problems.push('an id twice: ' + ids.filter((id, at) => ids.indexOf(id) !== at));
  for (const what of ['h1', 'header'])
    if (document.querySelectorAll(what).length !== 1) problems.push(`${what} not once`);
  for (const table of document.querySelectorAll('table'))
    if (!table.querySelector('th[scope=col]')) problems.push('a table without heads');
  for (const part of document.querySelectorAll('.scroll'))
    if (part.scrollWidth > part.clientWidth && part.tabIndex !== 0) problems.push('what scrolls takes no focus');
  return problems;
})()
