/* Give names and a place in the keyboard's order to what the theme leaves without: its search, its copy buttons, its wide tables. */
function label() {
  document.querySelector(".md-search")?.setAttribute("aria-label", "Search");
  for (const bar of document.querySelectorAll("nav.md-code__nav")) bar.ariaLabel = `Copy ${bar.querySelector("button")?.dataset.clipboardTarget}`;
  for (const wrap of document.querySelectorAll(".md-typeset__scrollwrap:not([tabindex])")) wrap.tabIndex = 0;
}
/* The theme adds buttons and wraps when they come into view. */
new MutationObserver(() => label()).observe(document.body, { childList: true, subtree: true });
label();
