// The viewer in a notebook: a view of a run in the kernel. It lives in a shadow root, so that neither its style nor the
// page's reaches the other.
const themeOfPage = () => {
  const { jpThemeLight, vscodeThemeKind = "" } = document.body.dataset;
  if (jpThemeLight) return jpThemeLight === "false" ? "dark" : "light";
  return vscodeThemeKind ? (/dark/.test(vscodeThemeKind) ? "dark" : "light") : "";
};

export default {
  render({ model, el }) {
    const host = document.createElement("div"), root = host.attachShadow({ mode: "open" }), sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    root.adoptedStyleSheets = [sheet];
    const place = Chart.html("div", { tabindex: 0, class: "in-notebook" });
    root.append(place);
    el.append(host);
    host.style.colorScheme = themeOfPage();

    const live = model.get("running");
    const viewer = Viewer(place, structuredClone(model.get("data")), { live, keys: place, heading: "h2", stop: () => model.send({ stop: true }) });
    const heard = ({ more, all }) => {
      if (more) viewer.extend(more);
      if (all) viewer.replace(all);
    };
    const over = () => { if (!model.get("running")) viewer.finish(structuredClone(model.get("data"))); };
    const failed = () => viewer.fail(model.get("trouble"));
    model.on("msg:custom", heard);
    model.on("change:running", over);
    model.on("change:trouble", failed);
    if (live) model.send({ ask: "all" });  // of what was sent before this view was there
    if (model.get("trouble")) failed();

    const theme = new MutationObserver(() => { host.style.colorScheme = themeOfPage(); viewer.repaint(); });
    theme.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-light", "data-vscode-theme-kind"] });
    return () => {
      theme.disconnect();
      viewer.close();
      model.off("msg:custom", heard);
      model.off("change:running", over);
      model.off("change:trouble", failed);
    };
  },
};
