// Numbers as text, ticks of axes, and small helpers for the page.

const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const superscript = (n) => (n < 0 ? "⁻" : "") + [...String(Math.abs(n))].map((d) => SUPERSCRIPTS[d]).join("");

/** A value with so many significant digits, in scientific form where it would be long. */
function formatNumber(x, digits = 4) {
  if (x === null || x === undefined || Number.isNaN(x)) return "–";
  if (!Number.isFinite(x)) return x > 0 ? "∞" : "−∞";
  if (x === 0) return "0";
  const size = Math.abs(x);
  if (size >= 1e6 || size < 1e-3) {
    const [mantissa, exponent] = x.toExponential(digits - 1).split("e");
    return `${mantissa.replace("-", "−").replace(/\.?0+$/, "")}×10${superscript(Number(exponent))}`;
  }
  const decimals = clamp(digits - 1 - Math.floor(Math.log10(size)), 0, 12);
  return x.toFixed(decimals).replace("-", "−");
}

/** 1, 2 or 5 times a power of ten, close to and not below x. */
function niceStep(x) {
  const power = 10 ** Math.floor(Math.log10(x));
  return power * [1, 2, 5, 10].find((m) => m * power >= x * 0.999999);
}

/**
 * Ticks of a linear axis with about so many intervals: values, their text, a common factor in powers of ten, and for a narrow
 * range far from zero the value that the texts are to be added to.
 */
function linearTicks(low, high, count) {
  const step = niceStep((high - low) / Math.max(count, 1));
  const narrow = step < 2e-4 * Math.max(Math.abs(low), Math.abs(high));
  const first = Math.ceil(low / step - 1e-9);
  const base = narrow ? 10 * Math.round((low + high) / 2 / step / 10) : 0;
  const magnitude = Math.floor(Math.log10(Math.max(Math.abs(low - base * step), Math.abs(high - base * step))));
  const exponent = magnitude >= 4 || magnitude <= -3 ? 3 * Math.floor(magnitude / 3) : 0;
  const decimals = clamp(exponent - Math.floor(Math.log10(step) + 1e-9), 0, 9);
  const ticks = [];
  for (let k = first; k * step <= high + 1e-9 * step; k++) {
    const text = (((k - base) * step) / 10 ** exponent).toFixed(decimals).replace("-", "−");
    ticks.push({ value: k * step, text: k === base ? "0" : text });
  }
  const from = Number((base * step).toPrecision(10));
  const offset = narrow ? `${from < 0 ? "−" : "+"} ${Math.abs(from)}` : "";
  return { ticks, factor: exponent ? `×10${superscript(exponent)}` : "", offset };
}

/** Ticks at powers of ten, for few of them also at twice and five times these; low and high are exponents. */
function logTicks(low, high, count) {
  const step = Math.max(1, Math.ceil((high - low) / Math.max(count, 1)));
  const between = high - low < 2.5 ? [1, 2, 5] : [1];
  const ticks = [];
  for (let k = Math.floor(low / step) * step; k <= high; k += step) {
    for (const m of between) {
      const value = k + Math.log10(m);
      if (value >= low && value <= high) ticks.push({ value, text: `${m > 1 ? `${m}×` : ""}10${superscript(k)}` });
    }
  }
  return { ticks, factor: "", offset: "" };
}

/** The part up to a dot that several names start with; empty for one name. */
function commonStart(names) {
  if (names.length < 2) return "";
  const pieces = names.map((name) => name.split("."));
  let count = 0;
  while (pieces.every((piece) => count < piece.length - 1 && piece[count] === pieces[0][count])) count++;
  return count ? `${pieces[0].slice(0, count).join(".")}.` : "";
}

/** Decimals that tell the samples of a run apart on a clock. */
const timeDecimals = (duration) => clamp(3 - Math.floor(Math.log10(Math.max(duration, 1e-9))), 2, 9);

/** An element with a class, text and children. */
function element(tag, properties = {}, ...children) {
  const node = Object.assign(document.createElement(tag), properties);
  node.append(...children);
  return node;
}

const byId = (id) => document.getElementById(id);

/** Offers text as a file. */
function download(name, text) {
  const link = element("a", { download: name, href: URL.createObjectURL(new Blob([text], { type: "text/csv" })) });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
