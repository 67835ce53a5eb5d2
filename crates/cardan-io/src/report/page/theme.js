// Light and dark, and the colors that canvases take from the style sheet.

const PALETTE = {
  light: ["#2f6db5", "#d9662b", "#2a9461", "#b3418d", "#7a63c4", "#a67c00", "#138a9a", "#c33c4b"],
  dark: ["#6ba8ec", "#f0955c", "#5cc694", "#e182c1", "#b2a0f2", "#d9b64e", "#56c2d0", "#ee7d88"],
};

const BODY_PALETTE = ["#4f86c6", "#e08e45", "#5aa469", "#c0617f", "#8878c3", "#c9a227", "#3fa7a3", "#a9745b", "#7b8ba3", "#9aa94a"];

/** "#rrggbb" as three numbers from 0 to 1. */
function rgb(color) {
  const n = parseInt(color.slice(1, 7), 16);
  return Number.isNaN(n) ? [0.6, 0.6, 0.6] : [((n >> 16) & 255) / 255, ((n >> 8) & 255) / 255, (n & 255) / 255];
}

/** The theme in force; calls its listeners when it changes. */
class Theme {
  constructor() {
    this.listeners = [];
    const system = matchMedia("(prefers-color-scheme: dark)");
    this.set(system.matches ? "dark" : "light");
    system.addEventListener("change", () => this.set(system.matches ? "dark" : "light"));
  }

  set(name) {
    this.name = name;
    document.documentElement.dataset.theme = name;
    const style = getComputedStyle(document.documentElement);
    this.color = (variable) => style.getPropertyValue(`--${variable}`).trim();
    this.listeners.forEach((listener) => listener());
  }

  toggle() { this.set(this.name === "dark" ? "light" : "dark"); }

  curve(slot) { return PALETTE[this.name][slot % PALETTE.light.length]; }
}
