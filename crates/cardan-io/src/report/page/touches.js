// Touches of contacts: where things touch and with what forces, at samples and between them.

/** Numbers of a touch: contact, the two shapes, and three vectors. */
const TOUCH = 12;

/** A vector of a touch; `which` is 0 for the point, 1 for the normal force, 2 for friction. */
const vectorOf = (touch, which) => [touch[3 + 3 * which], touch[4 + 3 * which], touch[5 + 3 * which]];

class Touches {
  constructor(run, [samples, values]) {
    this.run = run;
    this.samples = samples ? new Uint32Array(bytesOf(samples.textContent).buffer) : new Uint32Array(0);
    this.values = values ? new Float32Array(bytesOf(values.textContent).buffer) : new Float32Array(0);
    for (const node of [samples, values]) node?.remove();
    // Where the touches of each sample begin.
    this.first = new Uint32Array(run.time.length + 1);
    for (const sample of this.samples) this.first[sample + 1]++;
    for (let k = 0; k < run.time.length; k++) this.first[k + 1] += this.first[k];
  }

  get count() { return this.samples.length; }

  touch(k) { return this.values.subarray(TOUCH * k, TOUCH * (k + 1)); }

  /** The touches of a sample. */
  of(sample) {
    const touches = [];
    for (let k = this.first[sample] ?? this.count; k < (this.first[sample + 1] ?? this.count); k++) touches.push(this.touch(k));
    return touches;
  }

  /** The touches at the time last sought: those of the nearest sample, in between where they are on both sides. */
  now() {
    const { k, f, stride } = this.run;
    if (stride > 1) return this.of(k - (k % stride));
    const [before, after] = [this.of(k), f > 0 ? this.of(k + 1) : []];
    if (f === 0 || !before.length || !after.length) return f < 0.5 ? before : after;
    return this.between(before, after, f);
  }

  /** Touches of the same shapes are taken to be the same where there are as many of them before and after. */
  between(before, after, f) {
    const [start, end] = [groupOf(before), groupOf(after)];
    const touches = [];
    for (const [key, own] of start) {
      const other = end.get(key);
      if (other?.length === own.length) own.forEach((touch, n) => touches.push(mixed(touch, other[n], f)));
      else if (f < 0.5) touches.push(...own);
    }
    if (f >= 0.5) for (const [key, own] of end) if (start.get(key)?.length !== own.length) touches.push(...own);
    return touches;
  }

  /** How many touches there are at a sample that has any, on the average. */
  together() { return this.count / Math.max(new Set(this.samples).size, 1); }

  /** A normal force that few touches exceed. */
  largeForce() {
    const stride = Math.max(1, Math.floor(this.count / 4000));
    const sizes = [];
    for (let k = 0; k < this.count; k += stride) sizes.push(norm(vectorOf(this.touch(k), 1)));
    const sorted = sizes.filter(Number.isFinite).sort((a, b) => a - b);
    return sorted[Math.floor(0.9 * (sorted.length - 1))] || 1;
  }

  /** What a touch is, in words. */
  words(touch) {
    const { shapes } = this.run.contacts[touch[0]] ?? { shapes: [] };
    const force = (which) => `${formatNumber(norm(vectorOf(touch, which)), 3)} N`;
    return `${shapes[touch[1]]} on ${shapes[touch[2]]}: ${force(1)} normal, ${force(2)} friction`;
  }

  /** Is the first shape of a touch on the ground? Then the force on the second one is shown. */
  isOfGround(touch) {
    const shape = this.run.contacts[touch[0]]?.shapes[touch[1]] ?? "";
    return shape.startsWith("ground.");
  }
}

/** Touches by contact and shapes. */
function groupOf(touches) {
  const groups = new Map();
  for (const touch of touches) {
    const key = (touch[0] * 1e5 + touch[1]) * 1e5 + touch[2];
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(touch);
  }
  return groups;
}

function mixed(a, b, f) {
  const touch = Array.from(a);
  for (let k = 3; k < TOUCH; k++) touch[k] += f * (b[k] - a[k]);
  return touch;
}
