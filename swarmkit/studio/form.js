"use strict";
// Forms from JSON schemas: a control for each setting, with its default, range and meaning.
//
// const form = SettingsForm(place, schema, files); form.values() returns the settings that differ from their defaults,
// form.set({ name: value }) fills some in, form.files(list) renews the lists of files.
const SettingsForm = (place, schema, files, chosen = {}) => {
  const { html } = Chart;
  const option = (value, text) => Object.assign(html("option", {}, text), { value });
  // Settings that say what is solved: they come before those that say how it is read.
  const telling = new Set(["n", "layout", "jobs", "machines", "instance", "preset", "text"]);
  const controls = new Map();

  // The schema of the value itself where none is possible too: { kind, entry, optional }.
  const unfold = (entry) => {
    const resolve = (one) => (one.$ref ? { ...(schema.$defs || {})[one.$ref.split("/").at(-1)], ...one } : one);
    const options = (entry.anyOf || [entry]).map(resolve), real = options.filter((one) => one.type !== "null");
    const first = real.length === 1 ? real[0] : {};
    return { ...first, optional: options.length > real.length };
  };
  const range = (entry) => {
    const low = entry.minimum ?? entry.exclusiveMinimum, high = entry.maximum ?? entry.exclusiveMaximum;
    const more = entry.exclusiveMinimum !== undefined ? "more than" : "at least", less = entry.exclusiveMaximum !== undefined ? "less than" : "at most";
    return [low === undefined ? "" : `${more} ${low}`, high === undefined ? "" : `${less} ${high}`].filter(Boolean).join(", ");
  };
  const written = (value) => (value === null || value === undefined ? "none" : typeof value === "object" ? JSON.stringify(value) : String(value));

  const usual = (value) => (value === null ? "default" : `${written(value)} (default)`);

  const choice = (options, first) => {
    const made = html("select");
    if (first !== undefined) made.append(option("", first));
    for (const one of options) made.append(option(`=${JSON.stringify(one)}`, written(one)));
    return { element: made, read: () => (made.value ? JSON.parse(made.value.slice(1)) : undefined), write: (value) => { made.value = value === undefined ? "" : `=${JSON.stringify(value)}`; } };
  };
  const picker = () => {
    const made = html("select");
    const fill = (list) => {
      const before = made.value;
      made.replaceChildren(option("", list.length ? "no file" : "no file yet: upload one under Files"), ...list.map((one) => option(one.id, one.name)));
      made.value = list.some((one) => one.id === before) ? before : "";
    };
    fill(files);
    return { element: made, fill, read: () => made.value || undefined, write: (value) => { made.value = value ?? ""; } };
  };
  const number = (entry, fallback) => {
    const made = html("input", { type: entry.optional && fallback !== null ? "text" : "number", inputmode: "decimal", step: entry.type === "integer" ? 1 : "any", placeholder: written(fallback), min: entry.minimum ?? entry.exclusiveMinimum, max: entry.maximum ?? entry.exclusiveMaximum, autocomplete: "off" });
    const read = () => { const text = made.value.trim(); return text === "" ? undefined : text !== "none" && Number.isFinite(Number(text)) ? Number(text) : text; };
    return { element: made, read, write: (value) => { made.value = value ?? ""; } };
  };
  const text = (name, fallback, structured) => {
    const long = name === "text";
    const made = html(long ? "textarea" : "input", { placeholder: long && fallback === null ? "Paste a text" : written(fallback), spellcheck: "false", autocomplete: "off", ...(long ? { rows: 4 } : { type: "text" }) });
    const read = () => { const given = made.value; if (!given.trim()) return undefined; if (!structured) return given; try { return JSON.parse(given); } catch { return given; } };
    return { element: made, read, write: (value) => { made.value = value === undefined || value === null ? "" : structured ? JSON.stringify(value) : value; } };
  };
  const control = (name, entry) => {
    const own = unfold(entry), fallback = entry.default === undefined ? null : entry.default;
    if (entry["x-file"]) return picker();
    if (own.enum || own.const !== undefined) return choice(own.enum || [own.const], usual(fallback));
    if (own.type === "boolean") return choice([true, false], usual(fallback));
    if (own.type === "integer" || own.type === "number") return number(own, fallback);
    return text(name, fallback, own.type !== "string");
  };

  const row = (name, entry) => {
    const made = control(name, entry), id = `${place.id}-${name}`, limits = range(unfold(entry));
    const help = [entry.description || "", limits ? `(${limits})` : ""].filter(Boolean).join(" ");
    made.element.id = id;
    made.element.name = name;
    if (help) made.element.setAttribute("aria-describedby", `${id}-help`);
    controls.set(name, made);
    return html("div", { class: "field" }, html("label", { for: id }, name), made.element, ...(help ? [html("p", { class: "hint", id: `${id}-help` }, help)] : []));
  };
  const entries = Object.entries(schema.properties || {}), needed = new Set(schema.required || []);
  const important = (name, entry) => needed.has(name) || entry["x-file"] && name === "file" && files.length || telling.has(name) || Object.hasOwn(chosen, name);
  const shown = new Set(entries.filter(([name, entry]) => important(name, entry)).map(([name]) => name));
  if (!shown.size) for (const [name, entry] of entries) if (shown.size < 4 && (files.length || !entry["x-file"])) shown.add(name);
  const first = entries.filter(([name]) => shown.has(name)), rest = entries.filter(([name]) => !shown.has(name));
  const rows = first.map(([name, entry]) => row(name, entry));
  if (rest.length) rows.push(html("details", {}, html("summary", {}, `${rest.length} more settings`), ...rest.map(([name, entry]) => row(name, entry))));
  if (!entries.length) rows.push(html("p", { class: "hint" }, "No settings."));
  place.replaceChildren(...rows);
  const set = (values) => { for (const [name, value] of Object.entries(values)) controls.get(name)?.write(value); };
  set(chosen);

  return {
    set,
    values() {
      const found = {};
      for (const [name, made] of controls) { const value = made.read(); if (value !== undefined) found[name] = value; }
      return found;
    },
    files(list) { files = list; for (const made of controls.values()) made.fill?.(list); },
  };
};
