// Charts in SVG: axes with thousands separators, hover, zoom, a legend that hides series, bands and box plots.
//
// const chart = Chart(place); chart.draw(spec) where spec is
//   { x: axis, y: axis, series: [series], lines: [{ at, label }], legend: true, height }
//   axis: { label, log, percent, range: [low, high], categories: [names] }
//   series: { kind: "line" | "points" | "box", name, number, x, y, low, high, step, text: [a line for each point] }
// Names are always text, never markup.
const Chart = (() => {
  const SVG = "http://www.w3.org/2000/svg";
  const DASHES = ["", "8 4", "2 4", "8 3 2 3", "14 5"];
  const SYMBOLS = ["M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z", "M-4-4h8v8h-8z", "M0-5.5l5 5.5l-5 5.5l-5-5.5z", "M0-5l5 9h-10z",
                   "M-5-3l2-2l3 3l3-3l2 2l-3 3l3 3l-2 2l-3-3l-3 3l-2-2l3-3z", "M-1.7-5h3.4v3.3h3.3v3.4h-3.3v3.3h-3.4v-3.3h-3.3v-3.4h3.3z"];
  const many = new Map();

  const fill = (made, attributes, children) => {
    for (const [name, value] of Object.entries(attributes)) if (value !== undefined && value !== "") made.setAttribute(name, value);
    made.append(...children);
    return made;
  };
  const svg = (name, attributes = {}, ...children) => fill(document.createElementNS(SVG, name), attributes, children);
  const html = (name, attributes = {}, ...children) => fill(document.createElement(name), attributes, children);
  const shorten = (text, length) => (text.length > length ? `${text.slice(0, Math.max(1, length - 1))}…` : text);
  const tone = (number) => `s${((number % 8) + 8) % 8}`;
  const dash = (number) => DASHES[(number + Math.floor(number / 8)) % DASHES.length];
  const symbol = (number) => SYMBOLS[number % SYMBOLS.length];

  const format = (value, digits = 6) => {
    if (!many.has(digits)) many.set(digits, new Intl.NumberFormat("en", { maximumSignificantDigits: digits }));
    return many.get(digits).format(value);
  };
  const shown = (axis, value, digits) => (axis.percent ? `${format(100 * value, Math.min(digits || 6, 4))} %` : format(value, digits));

  const linearTicks = (low, high, count) => {
    const raw = (high - low) / Math.max(1, count), power = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 2.5, 5, 10].map((m) => m * power).find((s) => s >= raw * 0.999);
    const ticks = [];
    for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9; k += 1) ticks.push(Number((k * step).toPrecision(12)));
    return ticks;
  };
  const logTicks = (low, high, count) => {
    const from = Math.floor(Math.log10(low)), to = Math.floor(Math.log10(high * 1.001)), every = Math.max(1, Math.ceil((to - from) / Math.max(1, count)));
    const within = (factors) => {
      const ticks = [];
      for (let power = to; power >= from; power -= every) ticks.push(...factors.map((factor) => Number((factor * 10 ** power).toPrecision(12))));
      return ticks.filter((tick) => tick >= low * 0.999 && tick <= high * 1.001).sort((a, b) => a - b);
    };
    const powers = within([1]), finer = within([1, 2, 5]);
    if (powers.length > 1 && (every > 1 || finer.length > count + 1)) return powers;
    return finer.length > 1 ? finer : linearTicks(low, high, count);
  };

  const scale = (axis, [low, high], from, to) => {
    const map = axis.log ? Math.log10 : (v) => v, a = map(low), b = map(high);
    const at = (value) => from + ((map(value) - a) / (b - a || 1)) * (to - from);
    const back = (pixel) => { const v = a + ((pixel - from) / (to - from)) * (b - a); return axis.log ? 10 ** v : v; };
    return { at, back, low, high };
  };
  const domain = (axis, values) => {
    if (axis.categories) return [axis.categories.length - 0.5, -0.5];
    if (axis.range) return axis.range;
    const usable = values.filter((v) => v !== null && Number.isFinite(v) && (!axis.log || v > 0));
    let low = Infinity, high = -Infinity;
    for (const v of usable) { if (v < low) low = v; if (v > high) high = v; }
    if (low > high) return axis.log ? [1, 10] : [0, 1];
    if (axis.zero) low = Math.min(0, low);
    if (axis.log) return low === high ? [low / 2, high * 2] : [low, high];
    const room = low === high ? Math.abs(low) * 0.02 || 1 : (high - low) * 0.05;
    return axis.tight && low !== high ? [low, high] : [axis.zero && low === 0 ? 0 : low - room, high + room];
  };

  const quantile = (sorted, q) => {
    const at = q * (sorted.length - 1), below = Math.floor(at);
    return sorted[below] + (at - below) * ((sorted[below + 1] ?? sorted[below]) - sorted[below]);
  };

  return Object.assign((place) => {
    let spec = null, zoomed = null, hidden = new Set(), cursor = null, frame = null, targets = [];
    place.classList.add("chart");
    const picture = svg("svg", { tabindex: 0, role: "img" });
    const tip = html("div", { class: "tip", role: "status" });
    const legend = html("div", { class: "legend" });
    tip.hidden = true;
    place.replaceChildren(picture, tip, legend);

    const limits = () => {
      const open = spec.series.filter((s) => !hidden.has(s.name));
      const xs = open.flatMap((s) => s.x), lines = (spec.lines || []).map((line) => line.at);
      const ys = [...open.flatMap((s) => [...(s.y || []), ...(s.low || []), ...(s.high || [])]), ...lines];
      return { x: domain(spec.x, xs), y: domain(spec.y, ys) };
    };
    const steps = (points) => {
      let path = "", before = null, open = false;
      for (const [x, y, fits] of points) {
        if (!fits) { open = false; continue; }
        const at = `${x.toFixed(1)} ${y.toFixed(1)}`;
        path += !open ? `M${at}` : before === null ? `L${at}` : `H${x.toFixed(1)}V${y.toFixed(1)}`;
        open = true;
        before = spec.straight ? null : y;
      }
      return path;
    };

    const render = () => {
      if (!spec) return;
      const width = Math.max(240, place.clientWidth || 640), height = spec.height || 360;
      const full = limits(), shownDomain = zoomed || full;
      const rows = spec.y.categories, names = rows ? rows.map((name) => shorten(name, Math.floor((width * 0.36) / 6.6))) : [];
      const tall = height - 52;
      const yTicks = rows ? rows.map((_, i) => i) : linearTicks(shownDomain.y[0], shownDomain.y[1], Math.max(2, Math.floor(tall / 48)));
      const yText = rows ? names : yTicks.map((tick) => shown(spec.y, tick));
      const left = 14 + 6.7 * Math.max(2, ...yText.map((t) => t.length)) + (spec.y.label ? 20 : 0);
      const box = { left, right: width - 14, top: 12, bottom: height - 42 };
      const x = scale(spec.x, shownDomain.x, box.left, box.right), y = scale(spec.y, shownDomain.y, box.bottom, box.top);
      const xCount = Math.max(2, Math.floor((box.right - box.left) / 90));
      const xTicks = (spec.x.log ? logTicks : linearTicks)(x.low, x.high, xCount);
      frame = { x, y, box, width, height };
      picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
      picture.setAttribute("height", height);
      picture.setAttribute("aria-label", spec.label || place.getAttribute("aria-label") || "chart");
      const clip = `clip-${place.id || Math.random().toString(36).slice(2)}`;
      const drawn = svg("g", { "clip-path": `url(#${clip})` });
      const parts = [svg("defs", {}, svg("clipPath", { id: clip }, svg("rect", { x: box.left - 6, y: box.top - 6, width: box.right - box.left + 12, height: box.bottom - box.top + 12 })))];
      let written = -Infinity;
      for (const tick of xTicks) {
        const label = shown(spec.x, tick), half = 3.5 * label.length, middle = Math.min(x.at(tick), width - half - 2);
        parts.push(svg("path", { class: "grid", d: `M${x.at(tick).toFixed(1)} ${box.top}V${box.bottom}` }));
        if (middle - half < written) continue;
        parts.push(svg("text", { class: "tick", x: middle.toFixed(1), y: box.bottom + 16, "text-anchor": "middle" }, label));
        written = middle + half + 6;
      }
      yTicks.forEach((tick, i) => {
        const text = svg("text", { class: rows ? "" : "tick", x: box.left - 8, y: (y.at(tick) + 4).toFixed(1), "text-anchor": "end" }, yText[i]);
        if (rows) text.append(svg("title", {}, rows[i]));
        parts.push(svg("path", { class: "grid", d: `M${box.left} ${y.at(tick).toFixed(1)}H${box.right}` }), text);
      });
      parts.push(svg("text", { x: (box.left + box.right) / 2, y: height - 6, "text-anchor": "middle" }, spec.x.label || ""));
      if (spec.y.label) parts.push(svg("text", { transform: `translate(13 ${(box.top + box.bottom) / 2}) rotate(-90)`, "text-anchor": "middle" }, spec.y.label));
      targets = [];
      for (const line of spec.lines || []) {
        const at = y.at(line.at).toFixed(1);
        drawn.append(svg("path", { class: "reference", d: `M${box.left} ${at}H${box.right}` }));
        parts.push(svg("text", { x: box.left + 6, y: Number(at) + (Number(at) < box.top + 20 ? 14 : -5) }, line.label));
      }
      for (const one of spec.series) if (!hidden.has(one.name)) drawSeries(one, drawn, x, y);
      if (cursor !== null) drawn.append(svg("path", { class: "cursor", d: `M${x.at(cursor).toFixed(1)} ${box.top}V${box.bottom}` }));
      picture.replaceChildren(...parts, drawn);
    };
    const drawSeries = (one, into, x, y) => {
      const group = svg("g", { class: `series ${tone(one.number)}` });
      const fits = (v) => v !== null && v !== undefined && Number.isFinite(v);
      const points = (ys) => one.x.map((v, i) => [fits(v) ? x.at(v) : 0, fits(ys[i]) ? y.at(ys[i]) : 0, fits(v) && fits(ys[i]) && (!spec.x.log || v > 0)]);
      if (one.kind === "line") {
        if (one.low) {
          const some = one.x.map((_, i) => i).filter((i) => fits(one.low[i]) && fits(one.high[i]));
          const upper = steps(some.map((i) => [x.at(one.x[i]), y.at(one.high[i]), true]));
          let lower = "";
          for (let k = some.length - 1; k >= 0; k -= 1) {
            const i = some[k];
            lower += `${k === some.length - 1 ? "L" : "H"}${x.at(one.x[i]).toFixed(1)}${k === some.length - 1 ? " " : "V"}${y.at(one.low[k > 0 && k < some.length ? some[k - 1] : i]).toFixed(1)}`;
          }
          if (some.length > 1) group.append(svg("path", { class: "band", d: `${upper}${lower}Z` }));
        }
        const all = points(one.y), last = all.filter((p) => p[2]).at(-1);
        group.append(svg("path", { class: "line", d: steps(all), "stroke-dasharray": dash(one.number) }));
        if (last) group.append(svg("path", { class: "dot", d: symbol(one.number), transform: `translate(${last[0].toFixed(1)} ${last[1].toFixed(1)})` }));
        all.forEach(([px, py, ok], i) => ok && targets.push([px, py, one, i]));
      } else if (one.kind === "points") {
        points(one.y).forEach(([px, py, ok], i) => {
          if (!ok) return;
          group.append(svg("path", { class: "dot", d: symbol(one.number), transform: `translate(${px.toFixed(1)} ${py.toFixed(1)})` }));
          targets.push([px, py, one, i]);
        });
      } else if (one.x.length) {
        const [a, b, c] = [0.25, 0.5, 0.75].map((q) => x.at(quantile(one.x, q))), mid = y.at(one.row), half = Math.min(14, Math.abs(y.at(1) - y.at(0)) * 0.3);
        group.append(svg("path", { class: "box", d: `M${a.toFixed(1)} ${mid - half}H${c.toFixed(1)}V${mid + half}H${a.toFixed(1)}Z` }),
                     svg("path", { class: "middle", d: `M${b.toFixed(1)} ${mid - half}v${2 * half}` }));
        one.x.forEach((v, i) => {
          const py = mid + (((i * 0.618) % 1) - 0.5) * 1.4 * half;
          group.append(svg("circle", { class: "dot", cx: x.at(v).toFixed(1), cy: py.toFixed(1), r: 2.6 }));
          targets.push([x.at(v), py, one, i]);
        });
      }
      into.append(group);
    };

    const place_of = (event) => {
      const area = picture.getBoundingClientRect();
      return [((event.clientX - area.left) / area.width) * frame.width, ((event.clientY - area.top) / area.height) * frame.height];
    };
    const nearest = ([px, py]) => {
      let best = null, least = 40 ** 2;
      for (const target of targets) {
        const far = (target[0] - px) ** 2 + ((target[1] - py) * 0.8) ** 2;
        if (far < least) { least = far; best = target; }
      }
      return best;
    };
    const say = (target) => {
      picture.querySelector(".chosen")?.remove();
      tip.hidden = !target;
      if (!target) return;
      const [px, py, one, i] = target;
      picture.append(svg("circle", { class: "chosen", cx: px, cy: py, r: 6 }));
      const where = `${shown(spec.x, one.x[i], 6)}${spec.x.percent ? "" : ` ${spec.x.unit || spec.x.label || ""}`}`;
      const what = one.kind === "line" ? `${shown(spec.y, one.y[i], 7)} after ${where}` : shown(spec.x, one.x[i], 7);
      tip.textContent = `${one.name}\n${what}${one.text ? `\n${one.text[i]}` : ""}`;
      tip.style.left = `${Math.max(0, Math.min(px + 12, frame.width - tip.offsetWidth - 4))}px`;
      tip.style.top = `${Math.max(0, py - tip.offsetHeight - 10)}px`;
    };
    const zoom = (to) => { zoomed = to; reset.hidden = !to; say(null); render(); };
    const zoomBy = (factor, shift = 0) => {
      const part = ({ back }, low, high) => {
        const middle = (low + high) / 2 + shift * (high - low), half = ((high - low) / 2) * factor;
        return [back(middle - half), back(middle + half)];
      };
      zoom({ x: part(frame.x, frame.box.left, frame.box.right), y: frame.y.low === undefined ? null : [frame.y.low, frame.y.high] });
    };
    let start = null, drag = null;
    picture.addEventListener("pointerdown", (event) => {
      if (!frame || event.button) return;
      start = place_of(event);
      if (spec.pick) spec.pick(frame.x.back(Math.min(frame.box.right, Math.max(frame.box.left, start[0]))));
    });
    picture.addEventListener("pointermove", (event) => {
      if (!frame) return;
      const here = place_of(event);
      if (start && !spec.pick && Math.abs(here[0] - start[0]) > 8) {
        if (!drag) { drag = svg("rect", { class: "drag" }); picture.append(drag); }
        for (const [name, value] of Object.entries({ x: Math.min(start[0], here[0]), y: frame.box.top, width: Math.abs(here[0] - start[0]), height: frame.box.bottom - frame.box.top })) drag.setAttribute(name, value);
      } else if (start && spec.pick) spec.pick(frame.x.back(Math.min(frame.box.right, Math.max(frame.box.left, here[0]))));
      else say(nearest(here));
    });
    const release = (event) => {
      if (drag && event.type === "pointerup") {
        const ends = [start[0], place_of(event)[0]].map((v) => Math.min(frame.box.right, Math.max(frame.box.left, v))).sort((a, b) => a - b).map(frame.x.back);
        const inside = { x: ends, y: [frame.y.low, frame.y.high] };
        if (!spec.y.categories && !spec.y.range) {
          const ys = spec.series.filter((s) => !hidden.has(s.name)).flatMap((s) => (s.y || []).filter((_, i) => s.x[i] >= ends[0] && s.x[i] <= ends[1]));
          if (ys.filter((v) => v !== null).length > 1) inside.y = domain(spec.y, ys);
        }
        zoom(inside);
      }
      drag?.remove();
      start = drag = null;
      if (event.type !== "pointerup") say(null);
    };
    ["pointerup", "pointercancel", "pointerleave"].forEach((name) => picture.addEventListener(name, release));
    picture.addEventListener("dblclick", () => zoom(null));
    picture.addEventListener("keydown", (event) => {
      const act = { "+": () => zoomBy(0.6), "=": () => zoomBy(0.6), "-": () => zoomBy(1 / 0.6), 0: () => zoom(null), Escape: () => zoom(null) }[event.key];
      if (!act || spec.pick) return;
      event.preventDefault();
      act();
    });
    const reset = html("button", { type: "button", class: "reset" }, "show all");
    reset.hidden = true;
    reset.addEventListener("click", () => zoom(null));

    const keys = () => {
      legend.replaceChildren(reset);
      if (spec.legend === false) return;
      for (const one of spec.series) {
        const sample = svg("svg", { width: 26, height: 12, class: tone(one.number), "aria-hidden": "true" },
          svg("path", { class: "line", d: "M0 6H26", "stroke-dasharray": dash(one.number) }), svg("path", { class: "dot", d: symbol(one.number), transform: "translate(13 6) scale(.9)" }));
        const key = html("button", { type: "button", "aria-pressed": String(!hidden.has(one.name)) }, sample, html("span", {}, one.name));
        key.addEventListener("click", () => {
          if (!hidden.delete(one.name)) hidden.add(one.name);
          key.setAttribute("aria-pressed", String(!hidden.has(one.name)));
          render();
        });
        legend.insertBefore(key, reset);
      }
    };
    let before = 0;
    if (typeof ResizeObserver === "function") new ResizeObserver(() => {
      if (place.clientWidth !== before) { before = place.clientWidth; render(); }
    }).observe(place);

    return {
      draw(given) { spec = given; zoomed = null; reset.hidden = true; keys(); before = place.clientWidth; render(); },
      cursor(at) {
        cursor = at;
        const line = picture.querySelector(".cursor");
        if (line && frame) line.setAttribute("d", `M${frame.x.at(at).toFixed(1)} ${frame.box.top}V${frame.box.bottom}`);
        else render();
      },
      zoom,
    };
  }, { svg, html, format, tone, shorten });
})();
