// The viewer of a run: play, pause, step, speed, scrub; the scene beside the score over the work.
//
// const viewer = Viewer(place, data, options), where data is what `viewer_data` returns and options are
//   live: whether the run goes on; the viewer then plays from the beginning and catches up with the newest frame
//   stop: called when the user wants the run to end: a button that is shown while it goes on
//   keys: the element whose key presses count, by default the document; heading: the tag of the title, by default h1
// viewer.extend({ frames, improvements }) adds what a run has done since, viewer.replace(data) takes another recording of
// it, viewer.finish(data) the whole one, viewer.fail(text) says why there is none, viewer.repaint() draws again,
// viewer.close() forgets the page.
const Viewer = (place, data, options = {}) => {
  const { html, format } = Chart, most = 600;
  const calm = matchMedia("(prefers-reduced-motion: reduce)"), open = new AbortController(), { signal } = open;
  const speeds = [0.25, 0.5, 1, 2, 4, 8], objective = data.facts.objective;
  let at = 0, timer = null, speed = 1, live = Boolean(options.live), trouble = "";
  data.pace = () => 400 / speed;

  const button = (label, title, act) => {
    const made = html("button", { type: "button", title, "aria-label": label.length > 1 ? "" : title }, label);
    made.addEventListener("click", act);
    return made;
  };
  const play = button("Play", "Play or pause (space)", () => (timer ? pause() : start()));
  play.className = "play";
  const end = button("Stop run", "End the run after its current step", () => { end.disabled = true; options.stop(); });
  end.className = "end";
  end.hidden = !live || !options.stop;
  const range = html("input", { type: "range", min: 0, value: 0, "aria-label": "moment of the run" });
  const choice = html("select", { "aria-label": "speed" }, ...speeds.map((s) => html("option", { value: s }, `${s}×`)));
  const count = html("span", { class: "count" });
  const says = html("p", { class: "says", role: "status", "aria-live": "polite" });
  const scenePlace = html("div", { class: "scene" }), chartPlace = html("div", { id: "over-work", "aria-label": `best ${objective} over ${data.unit}` }), values = html("dl", { class: "values" });
  const legend = html("p", { class: "help" }), state = html("span", { class: "state" });
  place.classList.add("viewer");
  place.replaceChildren(
    html(options.heading || "h1", { class: "title" }, `${data.facts.problem} by ${data.facts.solver}`), html("p", { class: "caption" }, data.facts.caption || ""),
    says, html("div", { class: "stage" }, html("div", {}, scenePlace, legend), html("div", {}, chartPlace, values)),
    html("div", { class: "controls", role: "group", "aria-label": "playback" },
      play, button("◀", "One frame back (left arrow)", () => step(-1)), button("▶", "One frame on (right arrow)", () => step(1)),
      range, count, choice, end),
    html("p", { class: "help" }, state, "Keys: ", html("kbd", {}, "space"), " play or pause, ", html("kbd", {}, "←"), " ", html("kbd", {}, "→"), " step, ", html("kbd", {}, "Home"), " ", html("kbd", {}, "End"), ", ", html("kbd", {}, "+"), " ", html("kbd", {}, "−"), " speed."));
  const scene = Scenes.make(scenePlace, data), chart = Chart(chartPlace);
  choice.value = "1";

  const bestAt = (looks) => { let found = null; for (const one of data.improvements) { if (one.looks > looks) break; found = one; } return found; };
  const distance = (frame, work) => Math.abs(Math.log((frame.work + 1) / (work + 1)));
  const nearest = (work) => data.frames.reduce((best, frame, k) => (distance(frame, work) < distance(data.frames[best], work) ? k : best), 0);
  const paintChart = () => {
    const scored = data.frames.filter((frame) => frame.score !== null);
    if (scored.length) chart.draw({
      height: 280, legend: false, x: { label: data.unit, log: true, tight: true }, y: { label: objective === "score" ? "best score so far" : `lowest ${objective} so far` },
      series: [{ kind: "line", name: `best ${objective}`, number: 0, x: scored.map((frame) => Math.max(1, frame.work)), y: scored.map((frame) => frame.score) }],
      pick: (work) => { pause(); show(nearest(work)); },
    });
  };

  const sentence = (frame, best, k) => {
    const said = [`Frame ${k + 1} of ${data.frames.length}, after ${format(frame.work, 12)} ${data.unit}${frame.score === null ? ": no best solution yet" : `: best ${objective} ${format(frame.score, 8)}`}`];
    const before = k ? bestAt(data.frames[k - 1].looks) : null;
    if (best && before && best !== before) said.push(`improved from ${format(before.score, 8)}`);
    return [...said, ...(scene.says ? scene.says(frame, best) : [])].map((one) => one.charAt(0).toUpperCase() + one.slice(1)).join(". ") + ".";
  };
  const show = (number, still = false) => {
    const { frames } = data;
    range.max = String(Math.max(0, frames.length - 1));
    state.textContent = trouble || (live ? "The run goes on. " : data.facts.stopped ? `The run has ended (${data.facts.stopped}). ` : "");
    if (!frames.length) { says.textContent = trouble || "The run begins; there is no frame yet."; return; }
    at = Math.max(0, Math.min(frames.length - 1, number));
    const frame = frames[at], best = bestAt(frame.looks);
    scene.draw(frame, best, still || calm.matches);
    legend.textContent = typeof scene.legend === "function" ? scene.legend() : scene.legend || "";
    chart.cursor(Math.max(1, frame.work));
    range.value = String(at);
    range.setAttribute("aria-valuetext", `frame ${at + 1} of ${frames.length}`);
    count.textContent = `${format(at + 1)} / ${format(frames.length)}`;
    says.textContent = sentence(frame, best, at);
    // While it plays, a reader of the screen hears only what changes for the better.
    says.setAttribute("aria-live", timer && !(at && best !== bestAt(frames[at - 1].looks)) ? "off" : "polite");
    const rows = [["iterations", frame.iterations], ["looks", frame.looks], ...Object.entries(frame.shown).filter(([name, value]) => typeof value === "number" && !["part", "home"].includes(name))];
    if (frame.score !== null) rows.unshift([`best ${objective}`, frame.score]);
    values.replaceChildren(...rows.flatMap(([name, value]) => [html("dt", {}, name), html("dd", {}, format(value, 8))]));
    place.dataset.frame = String(at);
  };
  const step = (by) => { pause(); show(at + by); };
  const tick = () => {
    const behind = data.frames.length - 1 - at;
    if (behind > 0) show(at + (live ? Math.ceil(behind / 10) : 1));
    else if (!live) pause();
  };
  const start = () => {
    if (at >= data.frames.length - 1 && !live) show(0);
    timer = setInterval(tick, data.pace());
    play.textContent = "Pause";
    play.setAttribute("aria-pressed", "true");
  };
  const pause = () => {
    clearInterval(timer);
    timer = null;
    play.textContent = "Play";
    play.setAttribute("aria-pressed", "false");
  };
  const faster = (to) => {
    speed = speeds[Math.max(0, Math.min(speeds.length - 1, to))];
    choice.value = String(speed);
    if (timer) { clearInterval(timer); timer = setInterval(tick, data.pace()); }
  };
  range.addEventListener("input", () => { pause(); show(Number(range.value)); });
  choice.addEventListener("change", () => faster(speeds.indexOf(Number(choice.value))));
  const keys = { " ": () => (timer ? pause() : start()), ArrowLeft: () => step(-1), ArrowRight: () => step(1),
                 Home: () => { pause(); show(0); }, End: () => { pause(); show(data.frames.length - 1); }, "+": () => faster(speeds.indexOf(speed) + 1), "-": () => faster(speeds.indexOf(speed) - 1) };
  (options.keys || document).addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(keys, event.key)) return;
    if (event.target.closest?.("select, textarea, input:not([type=range])") || (event.key === " " && event.target.closest?.("button"))) return;
    event.preventDefault();
    if (options.keys) event.stopPropagation();
    keys[event.key]();
  }, { signal });
  const repaint = () => scene.resize?.();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repaint, { signal });
  let wide = 0;
  const size = new ResizeObserver(() => { if (scenePlace.clientWidth !== wide) { wide = scenePlace.clientWidth; repaint(); } });
  size.observe(scenePlace);

  const everySecond = (_, k, all) => k % 2 === 0 || k === all.length - 1;
  const extend = ({ frames = [], improvements = [] }) => {
    data.improvements.push(...improvements);
    data.frames.push(...frames);
    while (data.frames.length > most) {
      data.frames = data.frames.filter(everySecond);
      at = Math.floor(at / 2);
    }
    while (data.improvements.length > most) data.improvements = data.improvements.filter(everySecond);
    paintChart();
    show(at, true);
  };
  const replace = (whole) => {
    const looks = data.frames[at]?.looks ?? 0;
    Object.assign(data, { facts: whole.facts, frames: whole.frames, improvements: whole.improvements });
    at = Math.max(0, data.frames.findIndex((frame) => frame.looks >= looks));
    paintChart();
    show(at, true);
  };
  const ended = () => { live = false; end.hidden = true; };
  const finish = (whole) => { ended(); replace(whole); };
  const fail = (text) => { trouble = text; ended(); pause(); show(at, true); };
  paintChart();
  show(0, true);
  if (live) start();
  return { show, start, pause, extend, replace, finish, fail, repaint, close() { pause(); open.abort(); size.disconnect(); } };
};
