// All plots, with one window of time, and the pointer on them.

class Board {
  constructor(container, run, playback, theme) {
    Object.assign(this, { container, run, playback, theme, plots: [], listeners: [] });
    this.window = this.wholeRun();
    theme.listeners.push(() => this.redraw());
  }

  wholeRun() {
    const { start, end } = this.run;
    return end > start ? { low: start, high: end } : { low: start - 0.5, high: start + 0.5 };
  }

  add(options, container = this.container) {
    const plot = new Plot(this, options);
    this.plots.push(plot);
    container.append(plot.root);
    if (container === this.container) this.activate(plot);
    return plot;
  }

  remove(plot) {
    this.plots = this.plots.filter((other) => other !== plot);
    plot.root.remove();
    this.redraw();
    if (this.active === plot) this.activate(this.plots.find((other) => other.root.parentNode === this.container));
  }

  activate(plot) {
    if (this.active === plot) return;
    this.active = plot;
    for (const other of this.plots) other.root.classList.toggle("active", other === plot);
    this.listeners.forEach((listener) => listener());
  }

  /** Adds the channels to the active plot, or takes them away if all are there. */
  toggle(indices) {
    const plot = this.active ?? this.add({ title: "plot", channels: [] });
    const there = (k) => plot.curves.some((curve) => curve.index === k);
    if (indices.every(there)) indices.forEach((k) => plot.removeCurve(k));
    else indices.forEach((k) => plot.add(k));
  }

  /** Shows a part of the run in all plots; not less than a few thousandths of a sample. */
  setWindow(low, high) {
    const all = this.wholeRun();
    const least = (1e-6 * (all.high - all.low));
    if (high - low < least) return;
    this.window = { low: Math.max(low, all.low), high: Math.min(high, all.high) };
    this.redraw();
  }

  reset(plot) {
    plot.windows = {};
    this.window = this.wholeRun();
    this.redraw();
  }

  /** Does one plot of a tab need room on the right? Then all take it, so that times stand one below the other. */
  hasRightAxis(sheet) { return this.plots.some((plot) => plot.units.length > 1 && plot.sheet === sheet); }

  redraw() { this.plots.forEach((plot) => plot.redraw()); }
  drawCursors() { this.plots.forEach((plot) => plot.root.offsetParent && plot.drawCursor()); }
}

/** Mouse and fingers on one plot: click to jump, drag a window, wheel to zoom, double click to see all. */
class PlotPointer {
  constructor(plot) {
    this.plot = plot;
    const canvas = plot.top;
    canvas.addEventListener("pointerdown", (event) => this.down(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    canvas.addEventListener("pointerup", () => this.up());
    canvas.addEventListener("pointercancel", () => { plot.drag = this.start = undefined; });
    canvas.addEventListener("dblclick", () => plot.board.reset(plot));
    canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
  }

  place(event) {
    const box = this.plot.top.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  down(event) {
    if (event.button !== 0) return;
    this.plot.top.setPointerCapture(event.pointerId);
    this.start = this.place(event);
    this.touch = event.pointerType === "touch";
    if (this.touch) this.jump(this.start[0]);
  }

  move(event) {
    if (!this.start) return;
    const [x, y] = this.place(event);
    if (this.touch) return this.jump(x);
    const { left, right, top, bottom } = this.plot.frame;
    const [wide, tall] = [Math.abs(x - this.start[0]) > 12, Math.abs(y - this.start[1]) > 12];
    const span = (use, a, b, low, high) => (use ? [clamp(Math.min(a, b), low, high), clamp(Math.max(a, b), low, high)] : [low, high]);
    const [x0, x1] = span(wide, x, this.start[0], left, right);
    const [y0, y1] = span(tall, y, this.start[1], top, bottom);
    this.plot.drag = wide || tall ? { x0, x1, y0, y1, tall } : undefined;
    this.plot.drawCursor();
  }

  up() {
    const { plot, start } = this;
    const { drag } = plot;
    this.start = plot.drag = undefined;
    if (drag) this.zoomTo(drag);
    else if (start && !this.touch) this.jump(start[0]);
  }

  jump(x) {
    this.plot.board.playback.seek(this.plot.toTime(x));
  }

  zoomTo({ x0, x1, y0, y1, tall }) {
    const { plot } = this;
    const { top, bottom } = plot.frame;
    const value = ([low, high], y) => low + ((bottom - y) / (bottom - top)) * (high - low);
    if (tall) plot.ranges.forEach((range, side) => { plot.windows[side] = [value(range, y1), value(range, y0)]; });
    plot.board.setWindow(plot.toTime(x0), plot.toTime(x1));
  }

  /** Zooms time around the pointer; with shift, values. */
  wheel(event) {
    event.preventDefault();
    const { plot } = this;
    const pixels = (event.deltaY || event.deltaX) * (event.deltaMode === 1 ? 16 : 1);
    const factor = Math.exp(clamp(pixels, -240, 240) * 0.0015);
    const [x, y] = this.place(event);
    if (event.shiftKey) {
      const { top, bottom } = plot.frame;
      const part = clamp((bottom - y) / (bottom - top), 0, 1);
      plot.ranges.forEach(([low, high], side) => {
        const fixed = low + part * (high - low);
        plot.windows[side] = [fixed + factor * (low - fixed), fixed + factor * (high - fixed)];
      });
      return plot.redraw();
    }
    const { low, high } = plot.board.window;
    const t = clamp(plot.toTime(x), low, high);
    plot.board.setWindow(t + factor * (low - t), t + factor * (high - t));
  }
}
