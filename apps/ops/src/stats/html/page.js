"use strict";
// Tables are whole without this script; it sorts them, filters their rows and folds long ones.
(() => {
  const ROWS_SHOWN = 25;
  const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });
  const formatted = new Intl.NumberFormat("en");

  const keyOf = (row, column) => {
    const cell = row.cells[column];
    const data = cell.querySelector("data");
    return data ? Number(data.value) : cell.textContent;
  };

  const element = (name, properties) => Object.assign(document.createElement(name), properties);

  const enliven = (table) => {
    const body = table.tBodies[0];
    const original = [...body.rows];
    const heads = [...table.tHead.querySelectorAll("th")];
    let rows = original;
    let needle = "";
    let isWhole = original.length <= ROWS_SHOWN;

    const status = element("span", {});
    status.setAttribute("role", "status");
    const more = element("button", { type: "button" });

    const draw = () => {
      let shown = 0;
      let found = 0;
      for (const row of rows) {
        const isFound = row.textContent.toLowerCase().includes(needle);
        const isFolded = !isWhole && found >= ROWS_SHOWN;
        row.hidden = !isFound;
        // A folded row is printed; one that is filtered out is not.
        row.classList.toggle("folded", isFolded);
        found += isFound ? 1 : 0;
        shown += isFound && !isFolded ? 1 : 0;
      }
      const isAll = shown === original.length;
      status.textContent = isAll ? "" : `Showing ${formatted.format(shown)} of ${formatted.format(original.length)}`;
      more.hidden = isWhole || found <= ROWS_SHOWN;
      more.textContent = `Show all ${formatted.format(found)}`;
    };

    const sort = (head) => {
      const column = head.cellIndex;
      const isNumber = typeof keyOf(original[0], column) === "number";
      const before = head.getAttribute("aria-sort");
      const isDown = before ? before === "ascending" : isNumber;
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", isDown ? "descending" : "ascending");
      const keyed = original.map((row) => [keyOf(row, column), row]);
      const sign = isDown ? -1 : 1;
      keyed.sort(([a], [b]) => sign * (isNumber ? a - b : collator.compare(a, b)));
      rows = keyed.map(([, row]) => row);
      // Emptied first: to move rows one by one takes the square of their number.
      body.replaceChildren();
      rows.forEach((row) => body.append(row));
      draw();
    };

    for (const head of heads) {
      const button = element("button", { type: "button", textContent: head.textContent });
      button.addEventListener("click", () => sort(head));
      head.replaceChildren(button);
    }

    if (original.length > ROWS_SHOWN) {
      const label = `Filter ${table.dataset.rows}`;
      const input = element("input", { type: "search", placeholder: `${label}…`, ariaLabel: label });
      input.addEventListener("input", () => {
        needle = input.value.trim().toLowerCase();
        draw();
      });
      more.addEventListener("click", () => {
        isWhole = true;
        draw();
      });
      const above = element("div", { className: "tools above" });
      const below = element("div", { className: "tools" });
      above.append(input);
      below.append(status, more);
      table.before(above);
      table.after(below);
      draw();
    }
  };

  document.querySelectorAll("table[data-rows]").forEach((table) => {
    if (table.tBodies[0].rows.length > 1) enliven(table);
  });
})();
