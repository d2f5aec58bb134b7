/* Add a filter to the gallery's index: it hides the thumbnails whose titles do not contain the text. */
const page = document.querySelector(".md-content article");
if (page?.querySelector("h1")?.firstChild.textContent === "The gallery") {
  /* Addresses of 0.3.0 had all puzzles on this page: follow them to the page of the family. */
  const old = location.hash && !document.getElementById(location.hash.slice(1)) && page.querySelector(`a[href$="${location.hash}"]`);
  if (old) location.replace(old.href);
  page.classList.add("gallery");
  const filter = Object.assign(document.createElement("input"), { type: "search", className: "filter", placeholder: "Filter, for example killer" });
  filter.setAttribute("aria-label", "Filter the puzzles by title");
  page.querySelector("h1 ~ p").after(filter);
  filter.addEventListener("input", () => {
    const text = filter.value.trim().toLowerCase();
    for (const heading of page.querySelectorAll("h2")) {
      const cells = [...heading.nextElementSibling.querySelectorAll("th, td")].filter((cell) => cell.textContent);
      for (const cell of cells) cell.hidden = !cell.textContent.toLowerCase().includes(text);
      heading.hidden = heading.nextElementSibling.hidden = cells.every((cell) => cell.hidden);
    }
  });
}
