"use strict";
// The part in which files are uploaded and opened: recordings as movies, stores as reports, both in a sandbox.
const FilesPart = (place, studio) => {
  const { html, format } = Chart;
  const pick = html("input", { type: "file", id: "upload", multiple: "multiple" }), list = html("ul", { class: "shelf" }), notice = html("div", { class: "notice", role: "alert" });
  const drop = html("label", { class: "drop", for: "upload" }, html("b", {}, "Upload a file"), html("span", { class: "hint" }, "a recording (.rec), a store (.db), results (.csv), or an instance that a problem reads"), pick);
  const frame = html("div", { class: "frame" });
  notice.hidden = true;
  place.replaceChildren(html("div", { class: "card" }, html("h1", {}, "Files"), html("p", { class: "hint" }, "The studio reads the files that its command line names, uploads, and nothing else."), list, drop), notice, frame);
  let largest = Infinity;

  const what = { recording: "recording", store: "store of runs", csv: "results", other: "for a problem" };
  const size = (bytes) => (bytes < 1e6 ? `${format(bytes / 1e3, 2)} kB` : `${format(bytes / 1e6, 3)} MB`);
  const say = (text) => { notice.textContent = text; notice.hidden = !text; };
  const open = async (file) => {
    const address = `/view/${file.id}/opened`;
    say("");
    frame.replaceChildren(html("p", { class: "hint" }, `Opening ${file.name}…`));
    const answer = await fetch(address);
    if (!answer.ok) { frame.replaceChildren(); say((await answer.json()).error); return; }
    frame.replaceChildren(
      html("div", { class: "row" }, html("b", {}, file.name), html("a", { href: address, target: "_blank", rel: "noopener" }, "open in a tab of its own"), html("a", { href: `${address}?keep` }, "keep as a page")),
      html("iframe", { src: address, title: file.name, sandbox: "allow-scripts" }));
    frame.scrollIntoView({ block: "start" });
  };
  const show = (files) => {
    list.replaceChildren(...files.map((file) => {
      const opens = file.kind !== "other", act = html("button", { type: "button" }, opens ? "Open" : "Use in a run");
      act.addEventListener("click", () => (opens ? open(file).catch((error) => say(error.message)) : studio.go("run")));
      return html("li", {}, html("span", { class: "name" }, file.name), html("span", { class: "hint" }, `${what[file.kind]}, ${size(file.size)}`), act);
    }));
    list.hidden = !files.length;
  };
  const encode = (file) => new Promise((done, failed) => {
    const reader = new FileReader();
    reader.onload = () => done(String(reader.result).split(",", 2)[1] || "");
    reader.onerror = () => failed(new Error(`${file.name} cannot be read`));
    reader.readAsDataURL(file);
  });
  const upload = async (files) => {
    say("");
    try {
      for (const file of files) {
        if (file.size > largest) throw new Error(`${file.name} has ${size(file.size)}; an upload has at most ${size(largest)}`);
        await studio.post("/api/files", { name: file.name, content: await encode(file) });
      }
    } catch (error) { say(error.message); }
    studio.files(await studio.get("/api/files"));
  };
  pick.addEventListener("change", async () => { await upload([...pick.files]); pick.value = ""; });
  drop.addEventListener("dragover", (event) => { event.preventDefault(); drop.classList.add("over"); });
  drop.addEventListener("dragleave", () => drop.classList.remove("over"));
  drop.addEventListener("drop", (event) => { event.preventDefault(); drop.classList.remove("over"); upload([...event.dataTransfer.files]); });
  return { show, limit(bytes) { largest = bytes; } };
};
