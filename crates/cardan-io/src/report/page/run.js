// The data of the run: channels decoded when first used, and values between samples.

/** Bytes of base64 text. */
function bytesOf(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let k = 0; k < raw.length; k++) bytes[k] = raw.charCodeAt(k);
  return bytes;
}

class Run {
  constructor() {
    const page = JSON.parse(byId("document").textContent);
    // One of several cases may be asked for by its number behind the address.
    const asked = Number(location.hash.slice(1)) - 1;
    this.chosen = page.cases[asked] ? asked : page.shown;
    Object.assign(this, page, page.cases[this.chosen]);
    // Numbers without a unit are shown without one.
    for (const channel of this.channels) if (channel.unit === "1") channel.unit = "";
    const first = this.chosen * this.channels.length;
    this.nodes = [...document.querySelectorAll("script.column")].slice(first, first + this.channels.length);
    this.columns = new Array(this.channels.length);
    this.index = new Map(this.channels.map((channel, k) => [channel.name, k]));
    const time = this.nodes.length ? new Float64Array(bytesOf(this.nodes[0].textContent).buffer) : new Float64Array(0);
    this.time = time.length ? time : new Float64Array(1);
    this.columns[0] = this.time;
    this.start = this.time[0];
    this.end = this.time[this.time.length - 1];
    this.duration = Math.max(this.end - this.start, 0);
    this.seek(this.start);
    const touches = [...document.querySelectorAll("script.touches")].slice(2 * this.chosen, 2 * this.chosen + 2);
    this.touches = new Touches(this, touches);
  }

  /** Samples of a channel. */
  column(k) {
    return (this.columns[k] ??= this.decode(k));
  }

  decode(k) {
    const stored = new Float32Array(bytesOf(this.nodes[k].textContent).buffer);
    this.nodes[k].remove();
    const offset = this.offsets[k];
    return offset === 0 ? stored : Float64Array.from(stored, (x) => x + offset);
  }

  /** Samples of a channel by name, or undefined. */
  named(name) {
    const k = this.index.get(name);
    return k === undefined ? undefined : this.column(k);
  }

  /** The samples of `prefix.x`, `prefix.y`, …, or undefined if one is missing. */
  group(prefix, parts) {
    const found = parts.map((part) => this.named(`${prefix}.${part}`));
    return found.includes(undefined) ? undefined : found;
  }

  /** Number of the last sample not after t. */
  sampleAt(t) {
    let low = 0;
    let high = this.time.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.time[middle] <= t) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Moves the point that `at` reads from. */
  seek(t) {
    const k = Math.min(this.sampleAt(t), Math.max(this.time.length - 2, 0));
    const step = this.time[k + 1] - this.time[k];
    this.k = k;
    this.f = step > 0 ? clamp((t - this.time[k]) / step, 0, 1) : 0;
  }

  /** Value of a column at the point last sought. */
  at(column) {
    const a = column[this.k];
    return this.f === 0 ? a : a + this.f * (column[this.k + 1] - a);
  }
}
