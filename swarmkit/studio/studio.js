"use strict";
// The studio: choose, start, watch, stop. Names and texts of others become text nodes, never markup.
(() => {
  const { html, format } = Chart, byId = (id) => document.getElementById(id);
  const parts = ["run", "text", "files"];
  let catalogue = null, files = [], viewer = null, source = null, shown = null, forms = {};

  const asked = async (path, options) => {
    let answer;
    try { answer = await fetch(path, options); } catch { throw new Error("The studio does not answer: has it ended?"); }
    const found = await answer.json();
    if (!answer.ok) throw new Error(found.error || `the studio answered ${answer.status}`);
    return found;
  };
  const get = (path) => asked(path, {});
  const post = (path, body) => asked(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });

  // Follow the events of a job; `over` is called when there will be no more.
  const follow = (job, told, over = () => {}) => {
    const events = new EventSource(`/api/jobs/${encodeURIComponent(job)}/events`);
    const end = () => { events.close(); over(); renew(); };
    events.addEventListener("message", (event) => { const news = JSON.parse(event.data); told(news); if (news.state) renew(); });
    events.addEventListener("over", end);
    events.addEventListener("error", () => { if (events.readyState === EventSource.CLOSED) end(); else renew(); });
    return { close: () => events.close() };
  };

  // The form of a run.
  const form = byId("run-form"), notice = byId("run-notice"), place = byId("run-viewer"), resultPlace = byId("run-result"), empty = byId("run-empty");
  const problem = html("select", { id: "problem" }), solver = html("select", { id: "solver" }), about = html("p", { class: "hint" }), method = html("p", { class: "hint" });
  const options = html("div", { id: "option" }), params = html("div", { id: "param" }), budget = html("div", { id: "limit" });
  const seed = html("input", { id: "seed", type: "number", min: 0, step: 1, value: 0 }), start = html("button", { type: "submit", class: "primary", id: "start" }, "Start");
  form.append(
    html("div", { class: "field" }, html("label", { for: "problem" }, "Problem"), problem, about), options,
    html("div", { class: "field" }, html("label", { for: "solver" }, "Solver"), solver, method),
    html("details", { id: "solver-settings" }, html("summary", {}, "Settings of the solver"), params),
    html("div", { class: "pair" }, html("div", { class: "field" }, html("label", { for: "seconds" }, "Seconds"), html("input", { id: "seconds", type: "number", min: 0.1, step: "any" })),
      html("div", { class: "field" }, html("label", { for: "seed" }, "Seed"), seed)),
    html("details", {}, html("summary", {}, "Other limits"), budget), start);

  form.addEventListener("invalid", (event) => { for (let at = event.target.closest("details"); at; at = at.parentElement.closest("details")) at.open = true; }, true);
  const say = (text) => { notice.textContent = text; notice.hidden = !text; };
  const schemas = new Map();
  const schema = async (kind, name) => {
    const key = `${kind}/${encodeURIComponent(name)}`;
    if (!schemas.has(key)) schemas.set(key, await get(`/api/schema/${key}`));
    return schemas.get(key);
  };
  const line = (text) => text.split("\n\n")[0].replaceAll("\n", " ");
  const showProblem = async (chosen = {}) => {
    const found = await schema("problem", problem.value);
    about.textContent = line(found.about);
    forms.options = SettingsForm(options, found.schema, files, chosen);
  };
  const showSolver = async () => {
    const found = await schema("solver", solver.value);
    method.textContent = [line(found.about), found.reference].filter(Boolean).join(" ");
    forms.params = SettingsForm(params, found.schema, files);
  };
  const guarded = (act) => async (...given) => { try { await act(...given); } catch (error) { say(error.message); } };
  problem.addEventListener("change", guarded(() => showProblem()));
  solver.addEventListener("change", guarded(() => showSolver()));

  form.addEventListener("submit", guarded(async (event) => {
    event.preventDefault();
    say("");
    if (!form.reportValidity()) return;
    start.disabled = true;
    try {
      const seconds = byId("seconds").value, limits = forms.budget.values();
      if (seconds) limits.seconds = Number(seconds);
      const job = await post("/api/jobs", { problem: problem.value, options: forms.options.values(), solver: solver.value, params: forms.params.values(), budget: limits, seed: Number(seed.value || 0) });
      watch(job);
    } finally { start.disabled = false; }
  }));

  // A run that is watched.
  const clear = () => { source?.close(); viewer?.close(); viewer = source = null; place.replaceChildren(); resultPlace.replaceChildren(); empty.hidden = true; say(""); };
  const waiting = (text) => place.replaceChildren(html("p", { class: "empty", role: "status" }, text));
  const watch = (job) => {
    clear();
    shown = job.id;
    waiting("Waiting…");
    source = follow(job.id, (news) => {
      if (news.begin) { viewer?.close(); viewer = Viewer(place, news.begin, { live: true, heading: "h2", keys: place, stop: () => stop(job.id) }); if (place.getBoundingClientRect().top > innerHeight / 2) place.scrollIntoView({ block: "start" }); }
      else if (news.more) viewer?.extend(news.more);
      else if (news.end) viewer?.finish(news.end);
      else if (news.result) showResult(job.id, news.result);
      else if (news.error) { if (viewer) viewer.fail(news.error); else place.replaceChildren(); say(news.error); }
      else if (news.state === "waiting") waiting(`Waiting for ${news.before} ${news.before === 1 ? "run" : "runs"}…`);
      else if (news.state === "running") waiting("The run is prepared: data are read and kernels compiled if need be.");
    });
    renew();
  };
  const stop = guarded((id) => post(`/api/jobs/${encodeURIComponent(id)}/stop`, {}));
  const cell = (value) => (value === null || value === undefined ? "" : typeof value === "number" ? format(value, 8) : String(value));
  const table = (rows) => {
    const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
    return html("div", { class: "wide" }, html("table", {}, html("thead", {}, html("tr", {}, ...names.map((name) => html("th", {}, name)))),
      html("tbody", {}, ...rows.map((row) => html("tr", {}, ...names.map((name) => html("td", {}, cell(row[name]))))))));
  };
  const showResult = (id, made) => {
    const link = (path, text, more = {}) => html("a", { href: `/view/${id}/${path}`, ...more }, text);
    const spent = `${format(made.looks, 12)} looks, ${format(made.iterations, 12)} iterations, ${format(made.seconds, 3)} s (and ${format(made.setup_seconds, 3)} s before the search)`;
    const metrics = Object.entries(made.metrics).map(([name, value]) => `${name} ${cell(value)}`).join(", ");
    const few = made.answer.slice(0, 12), rest = made.answer.slice(12);
    resultPlace.replaceChildren(html("div", { class: "card result" },
      html("h2", {}, made.score === null ? "No feasible solution" : `${made.objective} ${format(made.score, 10)}`), html("p", { class: "hint" }, `${spent}; ended: ${made.stopped}`),
      ...[metrics, ...made.said].filter(Boolean).map((text) => html("p", {}, text)),
      ...(few.length ? [table(few)] : []), ...(rest.length ? [html("details", {}, html("summary", {}, `${format(rest.length, 9)} more rows${made.rows > made.answer.length ? ` of ${format(made.rows - few.length, 9)}` : ""}`), table(rest))] : []),
      html("p", { class: "row links" }, link("movie", "Movie in a tab of its own", { target: "_blank", rel: "noopener" }), link("movie?keep", "Keep the movie"), link("recording", "Keep the recording"), link("result", "Keep the result"))));
  };

  // The list of jobs.
  const jobs = byId("jobs"), states = { waiting: "waits", running: "running", done: "done", failed: "failed", stopped: "stopped" };
  let asking = false, again = false;
  const renew = async () => {
    if (asking) { again = true; return; }
    asking = true;
    try {
      const list = await get("/api/jobs");
      jobs.hidden = !list.length;
      jobs.replaceChildren(html("h2", {}, "Runs"), html("ul", {}, ...list.reverse().map((job) => {
        const open = html("button", { type: "button", class: "job", "aria-current": String(job.id === shown) }, html("span", { class: `dot ${job.state}` }), html("span", { class: "name" }, job.title), html("span", { class: "hint" }, states[job.state]));
        open.disabled = job.kind === "text";
        open.addEventListener("click", () => watch(job));
        const end = html("button", { type: "button", class: "end" }, "Stop");
        end.addEventListener("click", () => stop(job.id));
        return html("li", {}, open, ...(job.state === "waiting" || job.state === "running" ? [end] : []));
      })));
    } catch (error) { say(error.message); }
    asking = false;
    if (again) { again = false; renew(); }
  };

  // The parts, by the address.
  const go = (part) => { location.hash = part; };
  const route = () => {
    const part = parts.find((name) => location.hash === `#${name}`) || "run";
    for (const name of parts) byId(name).hidden = name !== part;
    for (const link of document.querySelectorAll(".bar nav a")) { if (link.hash === `#${part}`) link.setAttribute("aria-current", "page"); else link.removeAttribute("aria-current"); }
    if (part === "run") viewer?.repaint();
  };
  addEventListener("hashchange", route);
  const choose = guarded(async (run) => {
    go("run");
    problem.value = run.problem;
    solver.value = run.solver;
    await Promise.all([showProblem(run.options), showSolver()]);
    form.requestSubmit();
  });

  const studio = { get, post, follow, renew, choose, go, files: (list) => { files = list.filter((one) => one.kind !== "recording" && one.kind !== "store"); for (const one of Object.values(forms)) one.files(files); shelf.show(list); } };
  const text = TextPart(byId("text"), studio), shelf = FilesPart(byId("files"), studio);

  const begin = async () => {
    route();
    catalogue = await get("/api/catalogue");
    const fill = (select, list, chosen) => { select.replaceChildren(...list.map((one) => html("option", { value: one.name, title: one.summary }, one.name))); if (list.some((one) => one.name === chosen)) select.value = chosen; };
    fill(problem, catalogue.problems, "wsd");
    fill(solver, catalogue.solvers, catalogue.default);
    const seconds = byId("seconds");
    seconds.max = catalogue.seconds;
    seconds.value = Math.min(10, catalogue.seconds);
    const { seconds: _, ...others } = catalogue.budget.properties;
    forms.budget = SettingsForm(budget, { ...catalogue.budget, properties: others }, []);
    shelf.limit(catalogue.upload);
    text.offer(catalogue.annotators);
    studio.files(catalogue.files);
    await Promise.all([showProblem(), showSolver()]);
    if (catalogue.broken.length) say(`Broken plugins: ${catalogue.broken.map((one) => `${one.plugin} (${one.error})`).join("; ")}`);
    await renew();
    document.body.dataset.ready = "yes";
  };
  guarded(begin)();
})();
