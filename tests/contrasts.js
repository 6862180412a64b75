// Contrasts by the formula of WCAG 2, computed from what the browser has computed.
const linear = (v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
const channels = (colour) => {
  const [r, g, b, a = 1] = colour.match(/[\d.]+/g).map(Number);
  return { rgb: [r, g, b], a };
};
const luminance = ([r, g, b]) => 0.2126 * linear(r / 255) + 0.7152 * linear(g / 255) + 0.0722 * linear(b / 255);
const contrast = (one, other) => {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
};
const over = (top, below) => top.rgb.map((v, k) => top.a * v + (1 - top.a) * below[k]);
// What is behind an element: the backgrounds of its ancestors, one over the other.
const behind = (element) => {
  if (!element) return [255, 255, 255];
  const own = channels(getComputedStyle(element).backgroundColor);
  return own.a === 1 ? own.rgb : over(own, behind(element.parentElement || element.getRootNode().host));
};
const speaks = (e) => [...e.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
const visible = (e) => e.getClientRects().length && getComputedStyle(e).visibility === "visible" && !e.closest("script, style");

// The contrast of every visible text below a document or shadow root, and which text it is.
const textContrasts = (root) => [...root.querySelectorAll("*")].filter((e) => speaks(e) && visible(e)).map((e) => {
  const style = getComputedStyle(e), paper = behind(e), ink = channels(e instanceof SVGElement ? style.fill : style.color);
  const name = `${e.tagName} ${e.getAttribute("class") || ""}: ${e.textContent.trim().slice(0, 40)}`;
  return [contrast(over(ink, paper), paper), name];
});

// The contrasts of pairs of named colours, as an element has them: what is written on a canvas has no element.
const namedContrasts = (element, pairs) => pairs.map(([ink, paper]) => {
  const probe = element.appendChild(document.createElement("span"));
  const [one, other] = [ink, paper].map((name) => {
    probe.style.color = `var(${name})`;
    return channels(getComputedStyle(probe).color).rgb;
  });
  probe.remove();
  return [contrast(one, other), `${ink} on ${paper}`];
});
