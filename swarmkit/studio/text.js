"use strict";
// The part in which a text is pasted: its words with their senses, and why each was chosen.
const TextPart = (place, studio) => {
  const { html, format } = Chart;
  const area = html("textarea", { id: "text-input", rows: 3, "aria-label": "text", placeholder: "Paste an English text" });
  const which = html("select", { id: "text-annotator", "aria-label": "annotator" }), go = html("button", { type: "submit", class: "primary" }, "Show the senses");
  const examples = html("div", { class: "chips" }), notice = html("div", { class: "notice", role: "alert" }), status = html("p", { class: "hint", role: "status" });
  const reading = html("div", { class: "reading card" }), senses = html("div", { class: "card senses" }), watch = html("button", { type: "button" }, "Watch a solver on this text");
  const form = html("form", { class: "card" }, html("h1", {}, "Senses of a text"), area, examples, html("div", { class: "row" }, which, go, watch), status);
  const found = html("div", { class: "found" }, reading, senses);
  notice.hidden = found.hidden = watch.hidden = true;
  place.replaceChildren(form, notice, found);
  let run = null;
  const SHORT = 40; // words of a text whose senses are listed below it
  const LONGEST = 20000; // characters, as the server has it

  const share = (value) => { const bar = html("meter", { min: 0, max: 1, value, "aria-label": "probability" }); return html("span", { class: "share" }, bar, `${format(100 * value, 3)} %`); };
  const explain = (word, said) => {
    senses.replaceChildren(html("h2", {}, said), html("p", {}, html("b", {}, word.label), " – ", word.gloss), html("p", { class: "hint" }, "Its senses, the best first. “Alone” is the value of a sense without the other words; the rest is what related words add."),
      html("ol", {}, ...word.candidates.map((one) => html("li", { class: one.chosen ? "chosen" : "" },
        html("div", { class: "head" }, html("b", {}, one.label), ...(one.share === null || one.share === undefined ? [] : [share(one.share)])), html("div", {}, one.gloss),
        html("div", { class: "because" }, ...one.because.map((reason) => html("span", {}, reason)))))));
  };
  const show = (text, data) => {
    const letters = [...text], parts = [];
    const said = (word) => letters.slice(word.start, word.end).join("");
    let at = 0, first = null;
    for (const word of data.words) {
      if (word.start < at) continue;
      const made = html("button", { type: "button", class: `word sure-${Math.min(3, Math.floor(word.confidence * 4))}`, title: `${word.label}: ${word.gloss}` }, said(word));
      made.addEventListener("click", () => { for (const other of reading.querySelectorAll(".word")) other.setAttribute("aria-pressed", String(other === made)); explain(word, said(word)); });
      parts.push(letters.slice(at, word.start).join(""), made);
      first = first || made;
      at = word.end;
    }
    parts.push(letters.slice(at).join(""));
    const row = (word) => html("tr", {}, html("th", { scope: "row" }, said(word)), html("td", {}, word.label), html("td", {}, `${format(100 * word.confidence, 2)} %`), html("td", {}, word.gloss));
    const list = data.words.length > SHORT ? [] : [html("table", { class: "glosses", "aria-label": "senses" }, html("tbody", {}, ...data.words.map(row)))];
    reading.replaceChildren(html("p", { class: "running" }, ...parts), ...list, html("p", { class: "hint" }, ["The thicker the line, the surer the sense; choose a word to see why.", ...data.notes].join(" · ")));
    found.hidden = false;
    run = data.watch;
    watch.hidden = !run;
    first?.click();
  };
  const say = (text, trouble) => { status.textContent = trouble ? "" : text; notice.textContent = text; notice.hidden = !trouble; };
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const text = area.value, length = [...text].length;
    if (length > LONGEST) { say(`The text has ${length.toLocaleString("en")} characters; at most ${LONGEST.toLocaleString("en")} are annotated here.`, true); return; }
    go.disabled = true;
    say("Reading…", false);
    try {
      const job = await studio.post("/api/texts", { annotator: which.value, text });
      studio.renew();
      studio.follow(job.id, (told) => {
        if (told.result) { show(text, told.result); say("", false); }
        else if (told.error) say(told.error, true);
        else if (told.state === "waiting") say(`Waiting for ${told.before} ${told.before === 1 ? "run" : "runs"}…`, false);
        else if (told.state === "running") say("Finding the senses…", false);
      }, () => { go.disabled = false; });
    } catch (error) { say(error.message, true); go.disabled = false; }
  });
  watch.addEventListener("click", () => run && studio.choose(run));
  return {
    offer(annotators) {
      which.replaceChildren(...annotators.map((one) => html("option", { value: one.name }, one.summary || one.name)));
      which.hidden = annotators.length < 2;
      examples.replaceChildren(...annotators.flatMap((one) => one.examples || []).map((text) => {
        const chip = html("button", { type: "button", class: "chip" }, text);
        chip.addEventListener("click", () => { area.value = text; form.requestSubmit(); });
        return chip;
      }));
      if (!annotators.length) say("No annotator of texts is installed.", true);
      go.disabled = !annotators.length;
    },
  };
};
