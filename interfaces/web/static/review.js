// Keys for what the page offers as buttons and links anyway; without this script everything still works.
"use strict";

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const field = event.target.closest("input, textarea, select");
  if (field) {
    if (event.key === "Escape") field.blur();
    return;
  }
  const wanted = [...document.querySelectorAll("[data-key]")].find((one) => one.dataset.key === event.key);
  if (!wanted) return;
  event.preventDefault();
  for (const folded of [wanted.closest("details")]) if (folded) folded.open = true;
  if (wanted.matches("summary")) {
    wanted.parentElement.querySelector("textarea").focus();
  } else if (wanted.matches("input")) {
    wanted.focus();
  } else {
    wanted.click();
  }
});

// one press, one act: the server would refuse the second, and say so
document.addEventListener("submit", (event) => {
  if (event.target.dataset.sent) event.preventDefault();
  event.target.dataset.sent = "yes";
});

// a page that the browser kept is out of date: its note may be decided by now
window.addEventListener("pageshow", (event) => {
  if (event.persisted) window.location.reload();
});

document.getElementById("note")?.focus({ preventScroll: true });
