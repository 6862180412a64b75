"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const narrow = matchMedia("(max-width: 40rem)");
  // Okabe and Ito's colours, distinct to colour-blind readers; lighter ones on a dark page. Dashes and marks differ as well.
  const light = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#3a9bd9", "#7a5195", "#595959"];
  const night = ["#4da3e0", "#ff8c42", "#2bc4a0", "#f0a6ce", "#f0c04a", "#a6dcff", "#b79ced", "#c0c0c0"];
  const dashes = ["solid", "dash", "dot", "dashdot", "longdash"];
  const marks = ["circle", "square", "diamond", "triangle-up", "x", "cross", "star"];
  const colour = (m) => (dark.matches ? night : light)[m % light.length];
  const dash = (m) => dashes[(m + Math.floor(m / light.length)) % dashes.length];
  const faint = (m) => colour(m) + "2e";
  // Plotly interprets tags in names, so names are escaped.
  const plain = (text) => String(text).replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  const short = (text) => plain(text.length > 28 ? text.slice(0, 27) + "…" : text);
  const value = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const config = { responsive: true, displaylogo: false, displayModeBar: narrow.matches ? false : "hover",
                   modeBarButtonsToRemove: ["select2d", "lasso2d", "autoScale2d"] };
  const chosen = { instance: 0, anytime: data.unit, ecdf: data.unit };

  const layout = (more) => {
    const axis = { gridcolor: value("--rule"), linecolor: value("--rule"), zeroline: false, automargin: true };
    return { paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)", colorway: data.methods.map((_, m) => colour(m)),
             font: { family: getComputedStyle(document.body).fontFamily, size: 13, color: value("--ink") },
             margin: { l: 60, r: 16, t: 16, b: 48 }, hovermode: "closest",
             legend: { orientation: "h", yref: "container", y: 0, yanchor: "bottom", x: 0 }, ...more,
             modebar: { bgcolor: "rgba(0,0,0,0)", color: value("--dim"), activecolor: value("--ink") },
             hoverlabel: { bgcolor: value("--paper"), font: { color: value("--ink") } },
             xaxis: { ...axis, ...more.xaxis }, yaxis: { ...axis, ...more.yaxis } };
  };
  const work = (unit, when) => {
    const wide = Math.max(...when) / Math.min(...when) > 30;
    return { type: "log", title: { text: unit, standoff: 6 }, exponentformat: "power", ...(wide ? { dtick: 1 } : { nticks: 6 }) };
  };
  // Height of the legend, which is below the axis, in as many rows as the names need.
  const legend = (place) => {
    const each = 60 + 7 * Math.max(...data.methods.map((name) => name.length));
    return 20 * Math.ceil(data.methods.length / Math.max(1, Math.floor((place.clientWidth - 80) / each)));
  };

  const draw = {
    anytime() {
      const curves = data.anytime[chosen.anytime][chosen.instance];
      const traces = curves.flatMap(({ method: m, when: x, low, median, high }) => {
        const some = x.map((_, i) => i).filter((i) => low[i] !== null), of = (line) => some.map((i) => line[i]);
        const group = `m${m}`, band = { mode: "lines", hoverinfo: "skip", showlegend: false,
              legendgroup: group, line: { width: 0, shape: "hv", color: colour(m) }, x: of(x) };
        // A mark at the end of the runs, which shows a solver that finished early.
        const size = x.map((_, i) => (i === x.length - 1 ? 9 : 0));
        return [{ ...band, y: of(low) }, { ...band, y: of(high), fill: "tonexty", fillcolor: faint(m) },
                { x, y: median, mode: "lines+markers", cliponaxis: false, name: plain(data.methods[m]), legendgroup: group,
                  marker: { size, symbol: marks[m % 7], opacity: 1, line: { width: 0 } },
                  line: { color: colour(m), width: 2.25, shape: "hv", dash: dash(m) },
                  hovertemplate: `%{y:.6g} after %{x:,.4g} ${chosen.anytime}` }];
      });
      return [traces, layout({ xaxis: work(chosen.anytime, curves.flatMap(({ when }) => when)), yaxis: { title: { text: "best score so far" } } })];
    },
    ecdf() {
      const { when, share } = data.ecdf[chosen.ecdf];
      const traces = share.map((y, m) => ({ x: when, y, mode: when.length > 1 ? "lines" : "markers", name: plain(data.methods[m]),
        line: { color: colour(m), width: 2.25, shape: "hv", dash: dash(m) }, marker: { size: 9, symbol: marks[m % 7] },
        hovertemplate: `%{y:.1%} after %{x:,.4g} ${chosen.ecdf}` }));
      return [traces, layout({ xaxis: work(chosen.ecdf, when),
        yaxis: { title: { text: "share of targets reached" }, tickformat: ".0%", range: [-0.02, 1.02] } })];
    },
    scores() {
      const rows = data.scores[chosen.instance];
      const traces = rows.map((x, m) => ({ type: "box", x, y: x.map(() => m), name: plain(data.methods[m]), orientation: "h",
        boxpoints: "all", jitter: 0.5, pointpos: 0, line: { color: colour(m), width: 1.5 }, fillcolor: faint(m), showlegend: false,
        marker: { size: 5, opacity: 0.65, symbol: marks[m % 7] } }));
      return [traces, layout({ xaxis: { title: { text: "score" } }, yaxis: names() })];
    },
    gap() {
      const traces = data.gaps.map(({ method: m, gap, instance }) => ({ x: gap, y: gap.map(() => m), mode: "markers", type: "scatter", cliponaxis: false,
        name: plain(data.methods[m]), showlegend: false, text: instance.map(plain), hovertemplate: "%{x:.3%} on %{text}",
        marker: { color: colour(m), size: 11, opacity: 0.8, symbol: marks[m % 7] } }));
      return [traces, layout({ xaxis: { title: { text: "median gap" }, tickformat: ".3~%", rangemode: "tozero" }, yaxis: names() })];
    },
  };
  const names = () => ({ tickmode: "array", tickvals: data.methods.map((_, m) => m), ticktext: data.methods.map(short),
                         range: [data.methods.length - 0.5, -0.5] });
  const rows = new Set(["scores", "gap"]);

  const show = (name) => {
    const place = document.getElementById(`plot-${name}`);
    if (!place) return;
    const [traces, look] = draw[name](), below = rows.has(name) ? 0 : legend(place);
    place.style.height = `${rows.has(name) ? Math.max(220, 110 + 46 * data.methods.length) : 420 + below}px`;
    if (below) look.margin = { ...look.margin, b: 60 + below };
    Plotly.react(place, traces, look, config);
  };
  const all = () => {
    Object.keys(draw).forEach(show);
    document.querySelectorAll(".key").forEach((key) => {
      key.style[key.tagName === "circle" ? "fill" : "background"] = colour(Number(key.dataset.method));
    });
  };

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

  const compare = (a, b) => {
    if (a === "" || b === "") return (a === "") - (b === "");
    const x = Number(a), y = Number(b);
    return Number.isNaN(x) || Number.isNaN(y) ? a.localeCompare(b, undefined, { numeric: true }) : x - y;
  };
  document.querySelectorAll(".sortable").forEach((table) => {
    const heads = [...table.tHead.rows[0].cells], body = table.tBodies[0];
    heads.forEach((head, i) => head.querySelector("button").addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const at = (row) => row.cells[i].dataset.value;
      body.append(...[...body.rows].sort((a, b) =>
        at(a) === "" || at(b) === "" ? compare(at(a), at(b)) : (down ? -1 : 1) * compare(at(a), at(b))));
    }));
  });

  dark.addEventListener("change", all);
  narrow.addEventListener("change", all);
  all();
})();
