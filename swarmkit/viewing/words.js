// The scene of word senses: words in a row, their senses below, bees moving along their paths.
const Words = (place, data) => {
  const { svg, html } = Chart, { scene, parts, sizes } = data;
  const all = parts.length ? parts : [sizes.map((_, stage) => stage)];
  const box = html("div", { class: "words" }), text = html("p", { class: "text" }), columns = html("div", { class: "columns" });
  const ways = svg("svg", { "aria-hidden": "true" }), bees = svg("svg", { class: "bees", "aria-hidden": "true" });
  const scroll = html("p", { class: "help" }, "Scroll sideways to see all words.");
  const gloss = html("p", { class: "gloss" }, "Point at a sense to read its gloss.");
  const pick = html("select"), choose = html("label", { class: "choose" }, "Sentence ", pick);
  let part = -1, cells = [], follow = true, moving = null;
  all.forEach((_, k) => pick.append(html("option", { value: k }, String(k + 1))));
  pick.addEventListener("change", () => { follow = false; build(Number(pick.value)); last && draw(...last); });
  box.append(text, columns);
  place.replaceChildren(...(all.length > 1 ? [choose] : []), box, scroll, gloss);
  let last = null;

  const build = (number) => {
    part = number;
    pick.value = String(number);
    const stages = [...all[number]].sort((a, b) => order(a) - order(b));
    const own = new Set(stages), spots = scene.text.map(([, stage]) => stage), from = Math.min(...spots.map((s, i) => (own.has(s) ? i : Infinity)));
    const to = Math.max(...spots.map((s, i) => (own.has(s) ? i : -1)));
    const near = scene.text.slice(Math.max(0, all.length > 1 ? from - 6 : 0), all.length > 1 ? to + 4 : undefined).slice(0, 300);
    text.replaceChildren(...near.flatMap(([word, stage]) => [own.has(stage) ? html("b", {}, word) : word, " "]));
    cells = new Map();
    const made = stages.map((stage) => {
      const column = html("div", { class: "column" }, html("div", { class: "head" }, scene.stages[stage]));
      cells.set(stage, { column, senses: scene.candidates[stage].map((name, c) => {
        const few = html("span", { class: "few" }), cell = html("div", { class: "sense", tabindex: -1 }, name, few);
        const told = (scene.glosses[stage] || [])[c];
        const tell = () => { gloss.textContent = told ? `${name}: ${told}` : name; };
        cell.addEventListener("pointerenter", tell);
        cell.addEventListener("click", tell);
        if (told) cell.title = told;
        column.append(cell);
        return { cell, few };
      }) });
      return column;
    });
    columns.replaceChildren(ways, ...made, bees);
    moving = null;
  };
  // The solutions that are worked on: paths of bees, a population, or a single one.
  const walked = (shown) => shown.solutions || (shown.current ? [shown.current] : []);
  const several = (number, shown) => {
    const noun = shown.followed || shown.home !== undefined ? "bee" : "solution";
    return `${number} ${noun}${number === 1 ? "" : "s"}`;
  };
  const order = (stage) => { const at = scene.text.findIndex(([, s]) => s === stage); return at < 0 ? stage : at; };
  // A point of a sense: 0 is its left edge, 1 its right one.
  const spot = (stage, candidate, across) => {
    const cell = cells.get(stage)?.senses[candidate]?.cell;
    return cell ? [cell.offsetLeft + cell.parentNode.offsetLeft + cell.offsetWidth * across, cell.offsetTop + cell.parentNode.offsetTop + cell.offsetHeight / 2] : null;
  };
  // The stages that a bee has visited, in the order of the columns.
  const stops = (path, stages) => stages.map((stage, i) => [stage, path[i]]).filter(([stage, c]) => c >= 0 && cells.has(stage))
    .sort((a, b) => order(a[0]) - order(b[0]));

  const draw = (frame, best, still) => {
    last = [frame, best, still];
    const shown = frame.shown, here = parts.length ? (shown.part ?? Math.max(part, 0)) : 0;
    if (follow && here !== part) build(here);
    if (part < 0) build(0);
    const stages = all[part], active = here === part || !parts.length, paths = active ? walked(shown) : [];
    const followers = new Map();
    (active ? shown.followed || [] : []).forEach((leader, bee) => { if (leader !== bee) followers.set(leader, (followers.get(leader) || 0) + 1); });
    const counts = new Map(), lines = new Map();
    const at = [];
    paths.forEach((path) => {
      const own = stops(path, stages);
      own.forEach(([stage, c], k) => {
        counts.set(`${stage} ${c}`, (counts.get(`${stage} ${c}`) || 0) + 1);
        if (k) { const key = `${own[k - 1].join(" ")}|${stage} ${c}`; lines.set(key, (lines.get(key) || 0) + 1); }
      });
      at.push(newest(path, stages, shown.home));
    });
    cells.forEach(({ column, senses }, stage) => {
      const chosen = best ? best.solution[stage] : -1;
      column.classList.toggle("hive", active && shown.home !== undefined && stages[shown.home] === stage);
      senses.forEach(({ cell, few }, c) => {
        cell.classList.toggle("chosen", c === chosen);
        const number = counts.get(`${stage} ${c}`);
        few.textContent = number ? several(number, shown) : "";
        cell.style.removeProperty("--strength");
      });
    });
    if (active) Scenes.strengths(shown.trail, stages, sizes).forEach(([stage, c, strength]) => cells.get(stage)?.senses[c]?.cell.style.setProperty("--strength", strength));
    ways.replaceChildren(...[...lines].map(([key, number]) => {
      const [from, to] = key.split("|").map((end, k) => spot(...end.split(" ").map(Number), 1 - k));
      if (!from || !to) return "";
      const bend = (to[0] - from[0]) * 0.6;
      return svg("path", { class: number > 1 ? "way followed" : "way", "stroke-width": 1 + 1.6 * number, d: `M${from[0]} ${from[1]}C${from[0] + bend} ${from[1]} ${to[0] - bend} ${to[1]} ${to[0]} ${to[1]}` });
    }));
    const targets = at.map((stop, bee) => {
      const edge = stop && spot(...stop, 1), rank = stop ? at.slice(0, bee).filter((other) => other && other[0] === stop[0] && other[1] === stop[1]).length : 0;
      return edge ? [edge[0] - 9 - (rank % 4) * 11, edge[1] + 5 - Math.floor(rank / 4) * 11] : null;
    });
    const from = moving && moving.length === targets.length && !still ? moving : targets;
    moving = targets;
    if (bees.childElementCount !== targets.length) bees.replaceChildren(...targets.map(() => svg("circle", { class: "bee", r: 5 })));
    const begun = performance.now(), length = still ? 0 : Math.min(250, data.pace());
    const move = (now) => {
      const share = length ? Math.min(1, (now - begun) / length) : 1;
      targets.forEach((target, bee) => {
        const dot = bees.children[bee], start = from[bee] || target;
        if (!dot) return;
        dot.classList.toggle("recruits", followers.has(bee));
        dot.setAttribute("r", followers.has(bee) ? 7 : 5);
        if (!target) { dot.setAttribute("visibility", "hidden"); return; }
        dot.removeAttribute("visibility");
        dot.setAttribute("cx", start[0] + (target[0] - start[0]) * share);
        dot.setAttribute("cy", start[1] + (target[1] - start[1]) * share);
      });
      if (share < 1 && moving === targets) requestAnimationFrame(move);
    };
    cue();
    move(begun);
    if (length) requestAnimationFrame(move);
  };
  // Where a bee is now: bees walk from the hive to the end, then from the hive to the beginning.
  const newest = (path, stages, hive) => {
    const visited = stages.map((stage, i) => i).filter((i) => path[i] >= 0);
    if (!visited.length) return null;
    const i = hive === undefined ? visited.at(-1) : visited.some((k) => k < hive) ? visited[0] : visited.at(-1);
    return [stages[i], path[i]];
  };
  // Words that do not fit are cut off at the edge: that there are more is said.
  const cue = () => {
    box.classList.toggle("more-right", box.scrollLeft + box.clientWidth < box.scrollWidth - 2);
    box.classList.toggle("more-left", box.scrollLeft > 2);
    scroll.hidden = box.scrollWidth <= box.clientWidth + 2;
  };
  box.addEventListener("scroll", cue, { passive: true });
  const legend = () => {
    const shown = last ? last[0].shown : {}, said = ["yellow: the senses chosen so far"];
    if (shown.followed || shown.home !== undefined) said.push("dots are bees, large ones recruit; thicker lines are followed by more bees; dashed: the hive");
    else if (walked(shown).length) said.push("lines: the solutions that are worked on");
    if (shown.trail) said.push("green: pheromone or energy");
    return said.join("; ");
  };
  return { draw, legend, resize() { last && draw(last[0], last[1], true); },
    says(frame, best) {
      const shown = frame.shown, paths = walked(shown), bees = shown.followed || shown.home !== undefined, said = [];
      if (paths.length) {
        const visited = new Set(paths.flatMap((path) => path.map((c, i) => (c >= 0 ? i : -1)).filter((i) => i >= 0)));
        const stages = parts.length ? parts[shown.part ?? 0] : all[0];
        if (!bees) said.push(`${several(paths.length, shown)} ${paths.length === 1 ? "is" : "are"} worked on`);
        else said.push(shown.current ? `The paths of ${paths.length} bees are complete; those of the recruiters climb, word by word` : `${paths.length} bees have visited ${visited.size} of ${stages.length} words`);
        const changed = (shown.followed || []).filter((leader, bee) => leader !== bee).length;
        if (changed) said.push(`${changed} ${changed === 1 ? "bee" : "bees"} took over the path of a recruiter`);
      }
      if (best) {
        const stages = parts.length ? parts[part < 0 ? 0 : part] : all[0];
        said.push(`best so far: ${[...stages].sort((a, b) => order(a) - order(b)).map((stage) => scene.candidates[stage][best.solution[stage]]).join(", ")}`);
      }
      return said;
    } };
};
