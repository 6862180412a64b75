// The viewer of a recorded run: play, pause, step, speed, scrub; the scene beside the score over the work.
const Viewer = (place, data) => {
  const { html, format } = Chart, { frames, improvements, facts } = data;
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const speeds = [0.25, 0.5, 1, 2, 4, 8], objective = facts.objective === "score" ? "score" : facts.objective;
  let at = 0, timer = null, speed = 1;
  data.pace = () => 400 / speed;

  const button = (label, title, act) => {
    const made = html("button", { type: "button", title, "aria-label": label.length > 1 ? "" : title }, label);
    made.addEventListener("click", act);
    return made;
  };
  const play = button("Play", "Play or pause (space)", () => (timer ? pause() : start()));
  play.className = "play";
  const range = html("input", { type: "range", min: 0, max: frames.length - 1, value: 0, "aria-label": "moment of the run" });
  const choice = html("select", { "aria-label": "speed" }, ...speeds.map((s) => html("option", { value: s }, `${s}×`)));
  const count = html("span", { class: "count" });
  const says = html("p", { class: "says", role: "status", "aria-live": "polite" });
  const scenePlace = html("div", { class: "scene" }), chartPlace = html("div", { id: "over-work", "aria-label": `best ${objective} over ${data.unit}` }), values = html("dl", { class: "values" });
  const legend = html("p", { class: "help" });
  place.replaceChildren(
    html("h1", {}, `${facts.problem} by ${facts.solver}`), html("p", { class: "caption" }, facts.caption || ""),
    says, html("div", { class: "stage" }, html("div", {}, scenePlace, legend), html("div", {}, chartPlace, values)),
    html("div", { class: "controls", role: "group", "aria-label": "playback" },
      play, button("◀", "One frame back (left arrow)", () => { pause(); show(at - 1); }), button("▶", "One frame on (right arrow)", () => { pause(); show(at + 1); }),
      range, count, choice),
    html("p", { class: "help" }, "Keys: ", html("kbd", {}, "space"), " play or pause, ", html("kbd", {}, "←"), " ", html("kbd", {}, "→"), " step, ", html("kbd", {}, "Home"), " ", html("kbd", {}, "End"), ", ", html("kbd", {}, "+"), " ", html("kbd", {}, "−"), " speed."));
  const scene = Scenes.make(scenePlace, data), chart = Chart(chartPlace);
  legend.textContent = scene.legend || "";
  choice.value = "1";

  const bestAt = (looks) => { let found = null; for (const one of improvements) { if (one.looks > looks) break; found = one; } return found; };
  const scored = frames.filter((frame) => frame.score !== null);
  const nearest = (work) => frames.reduce((best, frame, k) => (Math.abs(Math.log((frame.work + 1) / (work + 1))) < Math.abs(Math.log((frames[best].work + 1) / (work + 1))) ? k : best), 0);
  const paintChart = () => chart.draw({
    height: 280, legend: false, x: { label: data.unit, log: true, tight: true }, y: { label: objective === "score" ? "best score so far" : `lowest ${objective} so far` },
    series: [{ kind: "line", name: `best ${objective}`, number: 0, x: scored.map((frame) => Math.max(1, frame.work)), y: scored.map((frame) => frame.score) }],
    pick: (work) => { pause(); show(nearest(work)); },
  });

  const sentence = (frame, best, k) => {
    const said = [`Frame ${k + 1} of ${frames.length}, after ${format(frame.work, 12)} ${data.unit}${frame.score === null ? ": no best solution yet" : `: best ${objective} ${format(frame.score, 8)}`}`];
    const before = k ? bestAt(frames[k - 1].looks) : null;
    if (best && before && best !== before) said.push(`improved from ${format(before.score, 8)}`);
    return [...said, ...(scene.says ? scene.says(frame, best) : [])].map((one) => one.charAt(0).toUpperCase() + one.slice(1)).join(". ") + ".";
  };
  const show = (number, still = false) => {
    at = Math.max(0, Math.min(frames.length - 1, number));
    const frame = frames[at], best = bestAt(frame.looks);
    scene.draw(frame, best, still || calm.matches);
    if (scored.length) chart.cursor(Math.max(1, frame.work));
    range.value = String(at);
    range.setAttribute("aria-valuetext", `frame ${at + 1} of ${frames.length}`);
    count.textContent = `${format(at + 1)} / ${format(frames.length)}`;
    says.textContent = sentence(frame, best, at);
    // While it plays, a reader of the screen hears only what changes for the better.
    says.setAttribute("aria-live", timer && !(at && best !== bestAt(frames[at - 1].looks)) ? "off" : "polite");
    const rows = [["iterations", frame.iterations], ["looks", frame.looks], ...Object.entries(frame.shown).filter(([name, value]) => typeof value === "number" && !["part", "hive"].includes(name))];
    if (frame.score !== null) rows.unshift([`best ${objective}`, frame.score]);
    values.replaceChildren(...rows.flatMap(([name, value]) => [html("dt", {}, name), html("dd", {}, format(value, 8))]));
    place.dataset.frame = String(at);
  };
  const tick = () => { if (at >= frames.length - 1) pause(); else show(at + 1); };
  const start = () => {
    if (at >= frames.length - 1) show(0);
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
  const keys = { " ": () => (timer ? pause() : start()), ArrowLeft: () => { pause(); show(at - 1); }, ArrowRight: () => { pause(); show(at + 1); },
                 Home: () => { pause(); show(0); }, End: () => { pause(); show(frames.length - 1); }, "+": () => faster(speeds.indexOf(speed) + 1), "-": () => faster(speeds.indexOf(speed) - 1) };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(keys, event.key)) return;
    if (event.target.closest?.("select") || (event.key === " " && event.target.closest?.("button"))) return;
    event.preventDefault();
    keys[event.key]();
  });
  const again = () => { scene.resize?.(); };
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
  addEventListener("resize", again);
  if (scored.length) paintChart();
  show(0, true);
  return { show, start, pause };
};

(() => {
  const place = document.getElementById("viewer");
  if (place?.dataset.recording) Viewer(place, JSON.parse(document.getElementById(place.dataset.recording).textContent));
})();
