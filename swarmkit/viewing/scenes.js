// Scenes on a canvas: tours, assignments, flow shops, routes, schedules, graphs, rows of sums, and a grid of stages and candidates for everything else.
const Scenes = (() => {
  // Return a function from the name of a colour to its value at an element, light or dark as the element is.
  const coloursAt = (element) => {
    const probe = Chart.html("span"), known = new Map();
    probe.hidden = true;
    element.append(probe);
    const css = (name) => {
      if (!known.has(name)) {
        probe.style.color = `var(${name})`;
        known.set(name, getComputedStyle(probe).color);
      }
      return known.get(name);
    };
    css.tones = () => Array.from({ length: 8 }, (_, k) => css(`--s${k}`));
    css.forget = () => known.clear();
    return css;
  };

  // Return a function that draws on a canvas as wide as its place, sharp on any screen.
  const canvas = (place, ratio, paint) => {
    const surface = Chart.html("canvas", { role: "img", "aria-label": "the solution" });
    place.replaceChildren(surface);
    const css = coloursAt(place);
    let last = null;
    const draw = (...given) => {
      last = given;
      const width = Math.max(240, place.clientWidth - 16), height = Math.round(Math.min(width * ratio(width), Math.max(300, window.innerHeight - 300))), dense = window.devicePixelRatio || 1;
      if (surface.width !== Math.round(width * dense) || surface.height !== Math.round(height * dense)) {
        surface.width = Math.round(width * dense);
        surface.height = Math.round(height * dense);
        surface.style.height = `${height}px`;
      }
      const pen = surface.getContext("2d");
      pen.setTransform(dense, 0, 0, dense, 0, 0);
      pen.clearRect(0, 0, width, height);
      pen.font = "12px system-ui, sans-serif";
      pen.textBaseline = "middle";
      paint(pen, { width, height, css }, ...given);
    };
    return { draw, resize() { css.forget(); last && draw(...last); } };
  };
  // Return a function that computes a value when it is first not empty: a run that goes on has no solution at first.
  const once = (compute) => { let value = null; return () => (value ||= compute()); };
  const fitted = (points, width, height) => {
    const xs = points.map((p) => p[0]), ys = points.map((p) => p[1]);
    const [x0, x1, y0, y1] = [xs.reduce((a, b) => Math.min(a, b)), xs.reduce((a, b) => Math.max(a, b)), ys.reduce((a, b) => Math.min(a, b)), ys.reduce((a, b) => Math.max(a, b))];
    const pad = 18, size = Math.min((width - 2 * pad) / (x1 - x0 || 1), (height - 2 * pad) / (y1 - y0 || 1));
    const left = (width - size * (x1 - x0)) / 2, top = (height - size * (y1 - y0)) / 2;
    return points.map(([x, y]) => [left + (x - x0) * size, height - top - (y - y0) * size]);
  };
  /* A city without a place is the dummy between the ends of an open tour: the pen is lifted there. */
  const route = (pen, at, cities, closed) => {
    const round = closed || cities.some((city) => !at[city]) ? [...cities, cities[0]] : cities;
    pen.beginPath();
    round.forEach((city, k) => {
      if (!at[city]) return;
      if (k && at[round[k - 1]]) pen.lineTo(...at[city]);
      else pen.moveTo(...at[city]);
    });
    pen.stroke();
  };

  const tour = (place, data) => {
    const { points, closed } = data.scene;
    const made = canvas(place, (width) => (width > 500 ? 0.75 : 0.95), (pen, { width, height, css }, frame, best) => {
      const at = fitted(points, width, height), shown = frame.shown;
      if (shown.trail_from) {
        const top = shown.trail.reduce((a, b) => Math.max(a, b), 1e-12), low = shown.trail.reduce((a, b) => Math.min(a, b), top);
        pen.strokeStyle = css("--trail");
        shown.trail.forEach((value, k) => {
          const strength = (value - low) / (top - low || 1);
          if (strength < 0.02 || !at[shown.trail_from[k]] || !at[shown.trail_to[k]]) return;
          pen.globalAlpha = 0.12 + 0.55 * strength;
          pen.lineWidth = 0.5 + 6 * strength;
          pen.beginPath();
          pen.moveTo(...at[shown.trail_from[k]]);
          pen.lineTo(...at[shown.trail_to[k]]);
          pen.stroke();
        });
        pen.globalAlpha = 1;
      }
      const others = shown.current ? [shown.current] : (shown.solutions || []).slice(0, 12);
      pen.strokeStyle = css("--bee");
      pen.lineWidth = others.length > 1 ? 0.7 : 1.2;
      pen.globalAlpha = others.length > 1 ? 0.35 : 0.8;
      pen.setLineDash([5, 4]);
      others.filter((x) => x.every((city) => city >= 0)).forEach((x) => route(pen, at, x, closed));
      pen.setLineDash([]);
      pen.globalAlpha = 1;
      if (best) {
        pen.strokeStyle = css("--best");
        pen.lineWidth = 2.2;
        route(pen, at, best.solution, closed);
      }
      pen.fillStyle = css("--ink");
      const radius = points.length > 300 ? 1.5 : 3;
      at.forEach(([x, y]) => { pen.beginPath(); pen.arc(x, y, radius, 0, 7); pen.fill(); });
    });
    const steps = (x) => new Set(x.map((city, k) => [city, x[(k + 1) % x.length]].sort((a, b) => a - b).join(" ")));
    const says = (frame, best) => {
      const current = frame.shown.current;
      if (!best || !current) return [];
      const known = steps(best.solution), other = [...steps(current)].filter((edge) => !known.has(edge)).length;
      return [other ? `${Chart.format(other)} of ${Chart.format(current.length)} edges of the tour that is worked on are not in the best one` : "the tour that is worked on is the best one"];
    };
    return { ...made, says, legend: "blue: the best tour so far; dashed: the tour that is worked on; green: pheromone, the stronger the thicker" };
  };

  const assignment = (place, data) => {
    const { flows, distances } = data.scene, n = data.sizes.length;
    const cost = (x, i, j) => flows[i][j] * distances[x[i]][x[j]] + flows[j][i] * distances[x[j]][x[i]];
    // The dearest pair of the first solution has the strongest colour.
    const dearest = once(() => {
      const first = data.improvements[0]?.solution;
      return first && Math.max(1e-9, ...first.flatMap((_, i) => first.slice(0, i).map((__, j) => cost(first, i, j))));
    });
    const made = canvas(place, () => 0.95, (pen, { width, height, css }, frame, best) => {
      const x = frame.shown.current || (best && best.solution);
      if (!x) return;
      const top = dearest() || Infinity, room = 30, cell = Math.min(width - room, height - room) / n, who = [];
      const left = room + (width - room - n * cell) / 2;
      x.forEach((location, facility) => { who[location] = facility; });
      for (let a = 0; a < n; a += 1) {
        for (let b = 0; b < n; b += 1) {
          const share = a === b ? 0 : Math.min(1, cost(x, who[a], who[b]) / top);
          pen.fillStyle = css("--shade");
          pen.globalAlpha = 1;
          pen.fillRect(left + b * cell, room + a * cell, cell - 0.5, cell - 0.5);
          pen.fillStyle = css("--s1");
          pen.globalAlpha = share;
          pen.fillRect(left + b * cell, room + a * cell, cell - 0.5, cell - 0.5);
        }
      }
      pen.globalAlpha = 1;
      pen.fillStyle = css("--ink");
      pen.textAlign = "center";
      if (cell < 17) pen.font = "9px system-ui, sans-serif";
      if (cell > 9) who.forEach((facility, a) => {
        const moved = best && best.solution[facility] !== a;
        pen.fillStyle = css(moved ? "--bee" : "--ink");
        pen.fillText(String(facility + 1), left - room / 2, room + (a + 0.5) * cell);
        pen.fillText(String(facility + 1), left + (a + 0.5) * cell, room / 2);
      });
    });
    return { ...made, legend: "rows and columns: locations, labelled with the facility that is there; the stronger the colour, the more a pair costs (flow times distance)" };
  };

  const flowshop = (place, data) => {
    const { times } = data.scene;
    const ends = (order) => {
      const free = times.map(() => 0);
      return order.map((job) => { let ready = 0; return times.map((row, m) => { const start = Math.max(ready, free[m]); ready = free[m] = start + row[job]; return [start, ready]; }); });
    };
    const longest = once(() => data.improvements.length && ends(data.improvements[0].solution).at(-1).at(-1)[1]);
    const made = canvas(place, () => 0.62, (pen, { width, height, css }, frame, best) => {
      const current = frame.shown.current || (frame.shown.solutions || [])[0], x = best ? best.solution : current;
      if (!x || x.some((job) => job < 0)) return;
      const jobs = ends(x), end = jobs.at(-1).at(-1)[1], colours = css.tones();
      const left = 30, row = (height - 34) / times.length, whole = longest() || end, at = (t) => left + (t / whole) * (width - left - 8);
      jobs.forEach((spans, k) => spans.forEach(([from, to], m) => {
        pen.fillStyle = colours[x[k] % 8];
        pen.fillRect(at(from), 6 + m * row + 2, Math.max(1, at(to) - at(from) - 0.7), row - 4);
        if (at(to) - at(from) > 16) { pen.fillStyle = css("--paper"); pen.textAlign = "center"; pen.fillText(String(x[k] + 1), (at(from) + at(to)) / 2, 6 + (m + 0.5) * row); }
      }));
      pen.fillStyle = css("--dim");
      pen.textAlign = "right";
      times.forEach((_, m) => pen.fillText(String(m + 1), left - 8, 6 + (m + 0.5) * row));
      pen.fillText(`makespan ${Chart.format(end)}`, width - 8, height - 12);
      pen.textAlign = "left";
      pen.fillText("time →", left, height - 12);
    });
    return { ...made, legend: "the best order so far: a row for each machine, a colour and a number for each job" };
  };

  // Return the items between the separators of a solution: numbers from `items` on separate one list from the next.
  const segments = (x, items, count) => {
    const lists = [[]];
    x.forEach((c) => { if (c >= items) lists.push([]); else lists.at(-1).push(c); });
    return lists.slice(0, count);
  };

  const routes = (place, data) => {
    const { points, items, ends } = data.scene;
    const made = canvas(place, (width) => (width > 500 ? 0.75 : 0.95), (pen, { width, height, css }, frame, best) => {
      const at = fitted(points, width, height), colours = css.tones(), current = frame.shown.current;
      const paint = (x, colour) => segments(x, items, ends.length).forEach((list, r) => {
        if (!list.length) return;
        const stops = [ends[r][0], ...list, ends[r][1]].filter((k) => k >= 0);
        pen.strokeStyle = colour(r);
        pen.beginPath();
        stops.forEach((k, step) => (step ? pen.lineTo(...at[k]) : pen.moveTo(...at[k])));
        pen.stroke();
      });
      if (current && current.every((c) => c >= 0)) {
        pen.lineWidth = 0.8;
        pen.setLineDash([5, 4]);
        paint(current, () => css("--bee"));
        pen.setLineDash([]);
      }
      if (best) {
        pen.lineWidth = 2;
        paint(best.solution, (r) => colours[r % 8]);
      }
      pen.fillStyle = css("--ink");
      const radius = items > 300 ? 1.5 : 3;
      at.slice(0, items).forEach(([x, y]) => { pen.beginPath(); pen.arc(x, y, radius, 0, 7); pen.fill(); });
      new Set(ends.flat().filter((k) => k >= 0)).forEach((k) => pen.fillRect(at[k][0] - 5, at[k][1] - 5, 10, 10));
    });
    return { ...made, legend: "a colour for each route of the best solution so far; squares: depots; dashed: the routes that are worked on" };
  };

  const schedule = (place, data) => {
    const { durations, edges, groups, machines } = data.scene, n = durations.length;
    const follow = durations.map(() => []);
    edges.forEach(([before, later]) => follow[before].push(later));
    // Every item begins as soon as its list and the items before it allow; see Schedule.plan.
    const plan = (x) => {
      const queues = machines.map(() => []), machine = [], moved = [];
      segments(x, n, machines.length).forEach((list, r) => list.forEach((item) => { machine[item] = r; (durations[item][r] >= 0 ? queues[r] : moved).push(item); }));
      moved.forEach((item) => { while (durations[item][machine[item]] < 0) machine[item] = (machine[item] + 1) % machines.length; queues[machine[item]].push(item); });
      const waits = durations.map(() => 0), begin = durations.map(() => 0), end = durations.map(() => -1), free = machines.map(() => 0), next = machines.map(() => 0);
      edges.forEach(([, later]) => { waits[later] += 1; });
      const process = (item) => {
        const r = machine[item];
        begin[item] = Math.max(begin[item], free[r]);
        end[item] = free[r] = begin[item] + durations[item][r];
        follow[item].forEach((later) => { waits[later] -= 1; begin[later] = Math.max(begin[later], end[item]); });
      };
      for (let done = 0, before = -1; done < n;) {
        before = done;
        queues.forEach((queue, r) => {
          while (next[r] < queue.length && (end[queue[next[r]]] >= 0 || !waits[queue[next[r]]])) {
            if (end[queue[next[r]]] < 0) { process(queue[next[r]]); done += 1; }
            next[r] += 1;
          }
        });
        if (done === before) { process(queues.flat().find((item) => end[item] < 0 && !waits[item])); done += 1; }
      }
      return { machine, begin, end };
    };
    const longest = once(() => data.improvements.length && Math.max(...plan(data.improvements[0].solution).end));
    const made = canvas(place, () => 0.62, (pen, { width, height, css }, frame, best) => {
      const x = best ? best.solution : frame.shown.current;
      if (!x || x.some((c) => c < 0)) return;
      const { machine, begin, end } = plan(x), last = Math.max(...end), colours = css.tones(), names = data.scene.candidates || [];
      const left = 40, row = (height - 34) / machines.length, whole = Math.max(longest() || 0, last), at = (t) => left + (t / whole) * (width - left - 8);
      begin.forEach((from, item) => {
        const wide = at(end[item]) - at(from);
        pen.fillStyle = colours[groups[item] % 8];
        pen.fillRect(at(from), 6 + machine[item] * row + 2, Math.max(1, wide - 0.7), row - 4);
        if (wide > 30) { pen.fillStyle = css("--paper"); pen.textAlign = "center"; pen.fillText(String(names[item] ?? item), at(from) + wide / 2, 6 + (machine[item] + 0.5) * row, wide - 2); }
      });
      pen.fillStyle = css("--dim");
      pen.textAlign = "right";
      machines.forEach((name, r) => pen.fillText(String(name), left - 8, 6 + (r + 0.5) * row));
      pen.fillText(`makespan ${Chart.format(last)}`, width - 8, height - 12);
      pen.textAlign = "left";
      pen.fillText("time →", left, height - 12);
    });
    return { ...made, legend: "the best schedule so far: a row for each machine, a colour for items that wait for each other" };
  };

  const graph = (place, data) => {
    const { points, edges, show } = data.scene;
    const made = canvas(place, () => 0.85, (pen, { width, height, css }, frame, best) => {
      const x = frame.shown.current || (best && best.solution) || (frame.shown.solutions || [])[0], at = fitted(points, width, height), colours = css.tones();
      if (!x) return;
      edges.forEach(([a, b]) => {
        const crosses = x[a] !== x[b], good = show === "cut" ? crosses : false, wrong = show === "cut" ? false : show === "set" ? x[a] === 1 && x[b] === 1 : !crosses;
        pen.strokeStyle = css(wrong ? "--s1" : good ? "--best" : "--rule");
        pen.globalAlpha = good ? 0.45 : wrong ? 1 : 0.7;
        pen.lineWidth = wrong ? 2.5 : 1;
        pen.beginPath();
        pen.moveTo(...at[a]);
        pen.lineTo(...at[b]);
        pen.stroke();
      });
      pen.globalAlpha = 1;
      const radius = Math.min(6, Math.max(2.5, width / (11 * Math.sqrt(points.length))));
      at.forEach(([px, py], v) => {
        pen.fillStyle = x[v] < 0 ? css("--rule") : show === "set" ? (x[v] ? css("--best") : css("--rule")) : colours[x[v] % 8];
        pen.strokeStyle = css("--ink");
        pen.beginPath();
        if (x[v] % 2) pen.rect(px - radius, py - radius, 2 * radius, 2 * radius);
        else pen.arc(px, py, radius, 0, 7);
        pen.fill();
        pen.lineWidth = best && best.solution[v] !== x[v] ? 2 : 0.6;
        pen.stroke();
      });
    });
    const legends = { cut: "blue edges are cut; circles and squares are the two sides", colours: "orange edges join vertices of one colour", set: "filled vertices are in the set; orange edges join two of them" };
    return { ...made, legend: legends[show] || "" };
  };

  // Rows of sums within bounds: bars of the chosen parts where they are few and named, else columns side by side.
  const rows = (place, data) => {
    const { indptr, slots, coefficients, lower, upper, names } = data.scene, count = lower.length;
    const stageOf = [], first = [];
    data.sizes.forEach((size, stage) => { first.push(stageOf.length); for (let c = 0; c < size; c += 1) stageOf.push(stage); });
    const bounds = lower.map((low, r) => [low, upper[r]].filter((bound) => bound !== null));
    const unit = bounds.map((both, r) => both.reduce((most, bound) => Math.max(most, Math.abs(bound)), 0) || coefficients.slice(indptr[r], indptr[r + 1]).reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1);
    const parts = (x, r) => {
      const chosen = [];
      for (let k = indptr[r]; k < indptr[r + 1]; k += 1) if (x[stageOf[slots[k]]] === slots[k] - first[stageOf[slots[k]]]) chosen.push([stageOf[slots[k]], coefficients[k] / unit[r]]);
      return chosen;
    };
    const sum = (x, r) => parts(x, r).reduce((total, [, share]) => total + share, 0);
    const wrong = (share, r) => (lower[r] !== null && share < lower[r] / unit[r] - 1e-6) || (upper[r] !== null && share > upper[r] / unit[r] + 1e-6);
    const solution = (frame, best) => frame.shown.current || (best && best.solution) || (frame.shown.solutions || [])[0];
    const made = canvas(place, () => (names ? Math.min(0.9, Math.max(0.3, 0.05 * count)) : 0.55), (pen, { width, height, css }, frame, best) => {
      const x = solution(frame, best);
      if (!x) return;
      const colours = css.tones(), left = names ? 110 : 40;
      if (names) {
        const tall = (height - 26) / count, wide = (width - left - 12) / 1.3;
        lower.forEach((_, r) => {
          let at = left;
          const chosen = parts(x, r), bad = wrong(chosen.reduce((total, [, share]) => total + share, 0), r);
          chosen.forEach(([stage, share]) => {
            pen.fillStyle = colours[stage % 8];
            pen.fillRect(at, 6 + r * tall + 0.12 * tall, Math.max(0.5, share * wide - (share * wide > 3 ? 1 : 0)), 0.76 * tall);
            at += share * wide;
          });
          pen.fillStyle = css("--ink");
          bounds[r].forEach((bound) => pen.fillRect(left + (bound / unit[r]) * wide - 1, 6 + r * tall, 2, tall));
          pen.fillStyle = css(bad ? "--s1" : "--dim");
          pen.textAlign = "right";
          if (tall > 10) pen.fillText(names[r].slice(0, 16), left - 8, 6 + (r + 0.5) * tall);
        });
        pen.textAlign = "left";
        pen.fillStyle = css("--dim");
        pen.fillText("share of the bound →", left, height - 10);
        return;
      }
      const shares = lower.map((_, r) => sum(x, r)), most = Math.max(2, shares.reduce((a, b) => Math.max(a, b), 0));
      const wide = (width - left - 8) / count, up = (share) => height - 24 - (share / most) * (height - 34);
      shares.forEach((share, r) => {
        const tight = bounds[r].some((bound) => Math.abs(share - bound / unit[r]) < 1e-6), bad = wrong(share, r);
        pen.fillStyle = css(bad ? "--s1" : tight ? "--best" : "--trail");
        pen.fillRect(left + r * wide, up(share), Math.max(0.6, wide - (wide > 4 ? 1 : 0)), Math.max(bad ? 3 : 0, height - 24 - up(share)));
      });
      pen.fillStyle = css("--ink");
      pen.fillRect(left, up(1), width - left - 8, 1);
      pen.fillStyle = css("--dim");
      pen.textAlign = "right";
      [0, 1, Math.floor(most)].forEach((tick) => pen.fillText(String(tick), left - 6, up(tick)));
      pen.textAlign = "left";
      pen.fillText(`${Chart.format(count)} rows →`, left, height - 10);
    });
    const says = (frame, best) => {
      const x = solution(frame, best), bad = x ? lower.filter((_, r) => wrong(sum(x, r), r)).length : 0;
      return [...general(frame, best), ...(x ? [bad ? `${Chart.format(bad)} of ${Chart.format(count)} rows are violated` : "all rows are met"] : [])];
    };
    return { ...made, says, legend: names ? "a bar for each row, of the parts that are chosen; the black line is the bound; an orange name: it is violated" : "a column for each row: the sum as a share of its bound (the line); blue: at the bound; orange: violated" };
  };

  // What was learnt about slots as [stage, candidate, strength], where 1 is the strongest of its stage; none without it.
  const strengths = (trail, stages, sizes) => {
    const own = stages || sizes.map((_, stage) => stage), found = [];
    if (!trail || trail.length !== own.reduce((sum, stage) => sum + sizes[stage], 0)) return found;
    let at = 0;
    own.forEach((stage) => {
      const values = trail.slice(at, at + sizes[stage]), top = Math.max(...values, 1e-12);
      values.forEach((value, c) => found.push([stage, c, value / top]));
      at += sizes[stage];
    });
    return found;
  };

  const grid = (place, data) => {
    const { sizes } = data, n = sizes.length, most = sizes.reduce((a, b) => Math.max(a, b), 1);
    const made = canvas(place, (width) => Math.min(0.8, Math.max(width > 500 ? 0.3 : 0.45, (most * 16) / width)), (pen, { width, height, css }, frame, best) => {
      const left = 34, wide = (width - left - 6) / n, tall = (height - 30) / most, shown = frame.shown;
      pen.fillStyle = css("--shade");
      sizes.forEach((size, stage) => pen.fillRect(left + stage * wide, 4, Math.max(0.5, wide - (wide > 4 ? 1 : 0)), size * tall));
      const paths = (shown.current ? [shown.current] : shown.solutions || []).slice(0, 64), counts = new Map();
      const stages = shown.part !== undefined && data.parts[shown.part] ? data.parts[shown.part] : null;
      pen.fillStyle = css("--trail");
      strengths(shown.trail, stages, sizes).forEach(([stage, c, strength]) => {
        pen.globalAlpha = 0.6 * strength;
        pen.fillRect(left + stage * wide, 4 + c * tall, Math.max(0.5, wide - (wide > 4 ? 1 : 0)), tall);
      });
      pen.globalAlpha = 1;
      paths.forEach((path) => path.forEach((c, i) => { if (c >= 0) { const key = `${stages ? stages[i] : i} ${c}`; counts.set(key, (counts.get(key) || 0) + 1); } }));
      pen.fillStyle = css("--bee");
      counts.forEach((number, key) => {
        const [stage, c] = key.split(" ").map(Number);
        pen.globalAlpha = 0.25 + (0.75 * number) / paths.length;
        pen.fillRect(left + stage * wide + wide * 0.12, 4 + c * tall + tall * 0.15, Math.max(1, wide * 0.76), Math.max(1, tall * 0.7));
      });
      pen.globalAlpha = 1;
      if (best) {
        pen.strokeStyle = css("--best");
        pen.lineWidth = wide > 8 ? 2.2 : 1.2;
        best.solution.forEach((c, stage) => pen.strokeRect(left + stage * wide + 1, 4 + c * tall + 1, Math.max(1, wide - 3), Math.max(1, tall - 2)));
      }
      pen.fillStyle = css("--dim");
      pen.textAlign = "right";
      const step = Math.max(1, Math.ceil(16 / tall));
      for (let c = 0; c < most; c += step) pen.fillText(Chart.format(c), left - 6, 4 + (c + 0.5) * tall);
      pen.textAlign = "center";
      const every = Math.max(1, Math.ceil(40 / wide));
      for (let stage = 0; stage < n; stage += every) pen.fillText(Chart.format(stage), left + (stage + 0.5) * wide, height - 12);
    });
    return { ...made, legend: "a column for each stage, a row for each candidate; framed: the best solution so far; filled: what is worked on; green: pheromone or energy" };
  };

  // What is said where a scene has no words of its own.
  const general = (frame, best) => {
    const current = frame.shown.current, others = frame.shown.solutions || [];
    if (!best) return [];
    if (current && current.length === best.solution.length) {
      const other = current.filter((c, stage) => c !== best.solution[stage]).length;
      return [`the solution that is worked on differs from the best one at ${Chart.format(other)} of ${Chart.format(current.length)} stages`];
    }
    return others.length ? [`${Chart.format(others.length)} solutions are shown of those that are worked on`] : [];
  };
  const kinds = { words: (...given) => Words(...given), tour, assignment, flowshop, routes, schedule, graph, rows };
  return { strengths, make: (place, data) => ({ says: general, ...(Object.hasOwn(kinds, data.scene.kind || "") ? kinds[data.scene.kind] : grid)(place, data) }) };
})();
