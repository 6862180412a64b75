// Return what a script element holds: JSON, compressed, in base64.
const unpacked = async (element) => {
  const bytes = Uint8Array.from(atob(element.textContent), (letter) => letter.charCodeAt(0));
  return JSON.parse(await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text());
};

(async () => {
  const data = await unpacked(document.getElementById("data")), { html } = Chart;
  const chosen = { instance: 0, anytime: data.unit, ecdf: data.unit };
  const row = 46;

  const specs = {
    anytime() {
      const curves = data.anytime[chosen.anytime][chosen.instance];
      return { height: 400, x: { label: chosen.anytime, log: true }, y: { label: `best ${data.objectives[chosen.instance]} so far` },
               lines: data.known[chosen.instance] === null ? [] : [{ at: data.known[chosen.instance], label: data.known_names[chosen.instance] }],
               series: curves.map(({ method, when, low, median, high }) =>
                 ({ kind: "line", name: data.methods[method], number: method, x: when, y: median, low, high })) };
    },
    ecdf() {
      const { when, share } = data.ecdf[chosen.ecdf];
      return { height: 400, x: { label: chosen.ecdf, log: true }, y: { label: "share of targets reached", percent: true, range: [0, 1] },
               series: share.map((y, m) => ({ kind: when.length > 1 ? "line" : "points", name: data.methods[m], number: m, x: when, y })) };
    },
    scores() {
      return { height: 60 + row * data.methods.length, legend: false, x: { label: data.objectives[chosen.instance] }, y: { categories: data.methods },
               series: data.scores[chosen.instance].map((x, m) => ({ kind: "box", name: data.methods[m], number: m, x, row: m })) };
    },
    gap() {
      return { height: 60 + row * data.methods.length, legend: false, x: { label: "median gap", percent: true, zero: true }, y: { categories: data.methods },
               series: data.gaps.map(({ method, gap, instance }) =>
                 ({ kind: "points", name: data.methods[method], number: method, x: gap, y: gap.map(() => method), text: instance.map((i) => `to the ${data.known_names[i]} of ${data.instances[i]}`) })) };
    },
  };
  const charts = {};
  const show = (name) => {
    const place = document.getElementById(`plot-${name}`);
    if (place) (charts[name] ||= Chart(place)).draw(specs[name]());
  };
  // All charts are drawn, seen or not, so that prints and screenshots have them; each in a task of its own, so that the first is seen at once.
  Object.keys(specs).forEach((name) => setTimeout(show, 0, name));

  document.querySelectorAll("select.instance").forEach((select) => select.addEventListener("change", () => {
    chosen.instance = Number(select.value);
    document.querySelectorAll("select.instance").forEach((other) => { other.value = select.value; });
    show("anytime"); show("scores");
  }));
  document.querySelectorAll(".unit input").forEach((input) => input.addEventListener("change", () => {
    const name = input.name.replace("-unit", "");
    chosen[name] = input.value;
    show(name);
  }));

  // What a cell is sorted by: its data, or its text, numbers without thousands separators.
  const key = (cell) => {
    const text = cell.dataset.value ?? cell.textContent.trim(), plain = text.replace(/,|\s*%$/g, "");
    return text === "–" ? "" : plain !== "" && !Number.isNaN(Number(plain)) ? plain : text;
  };
  const compare = (a, b) => {
    if (a === "" || b === "") return (a === "") - (b === "");
    const x = Number(a), y = Number(b);
    return Number.isNaN(x) || Number.isNaN(y) ? a.localeCompare(b, undefined, { numeric: true }) : x - y;
  };
  // The rows of the summary beyond the first: appended when they are asked for, or the table is sorted.
  const more = document.getElementById("more"), summary = [...document.querySelectorAll("#summary .sortable")].at(-1);
  const showAll = () => {
    if (!more?.isConnected) return;
    const names = [...summary.tHead.rows[0].cells].map((cell) => cell.textContent.trim());
    summary.tBodies[0].append(...data.rest.map((row) => html("tr", {}, ...row.map((cell, i) => {
      const [text, order, best] = Array.isArray(cell) ? cell : [cell, null, false];
      if (names[i] === "method") return html("th", { scope: "row" }, html("span", { class: `key ${Chart.tone(data.methods.indexOf(text))}` }), text);
      return html("td", { class: names[i] === "instance" ? "t" : "", "data-value": order ?? "" }, best ? html("strong", {}, text) : text);
    }))));
    more.parentNode.remove();
    every();
  };
  more?.addEventListener("click", showAll);
  document.querySelectorAll(".sortable").forEach((table) => {
    const heads = [...table.tHead.rows[0].cells], body = table.tBodies[0];
    heads.forEach((head, i) => head.querySelector("button").addEventListener("click", () => {
      if (table === summary) showAll();
      const down = head.getAttribute("aria-sort") === "ascending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const at = (row) => key(row.cells[i]);
      body.append(...[...body.rows].sort((a, b) =>
        at(a) === "" || at(b) === "" ? compare(at(a), at(b)) : (down ? -1 : 1) * compare(at(a), at(b))));
    }));
  });

  // Tables that are made when they are opened.
  const kinds = { n: "n", words: "words" };
  const fill = (place) => {
    const { columns, rows, marked } = data.tables[place.dataset.table], lit = new Set(marked);
    const head = html("thead", {}, html("tr", {}, ...columns.map(([name, kind]) => html("th", { scope: "col", class: kind === "n" ? "n" : "" }, name))));
    const body = rows.map((row, k) => html("tr", { class: lit.has(k) ? "differs" : "" }, ...row.map((text, i) =>
      columns[i][1] === "row" ? html("th", { scope: "row" }, text) : html("td", { class: kinds[columns[i][1]] || "" }, text))));
    place.replaceChildren(html("table", {}, head, html("tbody", {}, ...body)));
  };
  document.querySelectorAll("[data-table]").forEach((place) => {
    const around = place.closest("details");
    if (around.open) fill(place);
    else around.addEventListener("toggle", () => fill(place), { once: true });
  });

  // A table that is wider than the screen says so, and on which side more of it is.
  const cue = (frame) => {
    frame.classList.toggle("more-right", frame.scrollLeft + frame.clientWidth < frame.scrollWidth - 2);
    frame.classList.toggle("more-left", frame.scrollLeft > 2);
  };
  const frames = [...document.querySelectorAll(".wide")], every = () => frames.forEach(cue);
  frames.forEach((frame) => frame.addEventListener("scroll", () => cue(frame), { passive: true }));
  document.querySelectorAll("details").forEach((one) => one.addEventListener("toggle", every));
  addEventListener("resize", every);
  every();
})();
