// One plot: curves over time on one or two axes, with a cursor at the time of the animation.

const MARGIN = { left: 60, right: 16, rightAxis: 58, top: 22, bottom: 28 };
const SCALES = { linear: (y) => y, log: (y) => (y > 0 ? Math.log10(y) : NaN) };

class Plot {
  constructor(board, { title, channels, scale = "linear" }) {
    Object.assign(this, { board, title, curves: [], units: [], scale, windows: {} });
    this.build();
    channels.forEach((k) => this.add(k));
    new ResizeObserver(() => this.resize()).observe(this.area);
  }

  build() {
    this.base = element("canvas", { className: "base" });
    this.top = element("canvas", { className: "top" });
    this.empty = element("p", { className: "empty", textContent: "Choose channels on the left to plot them here." });
    this.area = element("div", { className: "area" }, this.base, this.top, this.empty);
    this.legend = element("div", { className: "legend" });
    const tool = (name, title, action) => {
      const button = element("button", { className: "tool", textContent: name, title, onclick: action });
      button.setAttribute("aria-label", title);
      return button;
    };
    this.logTool = tool("log", "Logarithmic scale", () => this.setScale(this.scale === "log" ? "linear" : "log"));
    this.logTool.setAttribute("aria-pressed", String(this.scale === "log"));
    const tools = element("div", { className: "tools" }, this.logTool,
      tool("CSV", "Download the curves", () => download(`${this.title || "plot"}.csv`, csvOf(this.board.run, this.curves))),
      tool("×", "Close this plot", () => this.board.remove(this)));
    this.root = element("section", { className: "plot" }, element("header", {}, this.legend, tools), this.area);
    this.root.addEventListener("pointerdown", () => this.board.activate(this));
    new PlotPointer(this);
  }

  add(index) {
    if (this.curves.some((curve) => curve.index === index)) return;
    const { run } = this.board;
    const used = this.curves.map((curve) => curve.slot);
    let slot = 0;
    while (used.includes(slot)) slot++;
    const { name, unit: unitName } = run.channels[index];
    this.curves.push({ index, name, unit: unitName, slot, values: run.column(index) });
    this.changed();
  }

  removeCurve(index) {
    this.curves = this.curves.filter((curve) => curve.index !== index);
    this.changed();
  }

  setScale(scale) {
    this.scale = scale;
    this.windows = {};
    this.logTool.setAttribute("aria-pressed", String(scale === "log"));
    this.redraw();
  }

  changed() {
    this.units = [...new Set(this.curves.map((curve) => curve.unit))];
    this.empty.hidden = this.curves.length > 0;
    this.windows = {};
    this.buildLegend();
    this.board.redraw();
    this.board.listeners.forEach((listener) => listener());
  }

  /** What all names have in common stands once in front. */
  buildLegend() {
    const common = commonStart(this.curves.map((curve) => curve.name));
    const items = this.curves.map((curve) => {
      curve.swatch = element("i");
      curve.value = element("b");
      const remove = element("button", { textContent: "×", title: `Remove ${curve.name}`, onclick: () => this.removeCurve(curve.index) });
      const name = element("span", { className: "name", textContent: curve.name.slice(common.length), title: curve.name });
      const reading = element("span", { className: "reading" }, curve.value, " ", element("em", { textContent: curve.unit }));
      return element("span", { className: "curve" }, curve.swatch, name, reading, remove);
    });
    const head = common ? [element("strong", { textContent: common.slice(0, -1) })] : [];
    this.legend.replaceChildren(...head, ...items);
    this.shown = undefined;
  }

  /** The tab that the plot is on. */
  get sheet() { return this.root.closest("#plots, #run, #contacts"); }

  /** 0 for curves with the unit of the first one, 1 for all others. */
  side(curve) { return curve.unit === this.units[0] ? 0 : 1; }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.area;
    if (!width || !height) return;
    const ratio = Math.min(devicePixelRatio || 1, 2);
    for (const canvas of [this.base, this.top]) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    Object.assign(this, { width, height, ratio });
    this.redraw();
  }

  /** The frame of the plot in pixels, and maps from values to pixels. */
  layout() {
    const right = this.width - (this.board.hasRightAxis(this.sheet) ? MARGIN.rightAxis : MARGIN.right);
    const frame = { left: MARGIN.left, right, top: MARGIN.top, bottom: this.height - MARGIN.bottom };
    const { low, high } = this.board.window;
    this.frame = frame;
    this.toX = (t) => frame.left + ((t - low) / (high - low)) * (frame.right - frame.left);
    this.toTime = (x) => low + ((x - frame.left) / (frame.right - frame.left)) * (high - low);
    const scale = SCALES[this.scale];
    this.ranges = [0, 1].map((side) => this.windows[side] ?? this.automatic(side));
    this.toY = this.ranges.map(([a, b]) => (y) => frame.bottom - ((scale(y) - a) / (b - a)) * (frame.bottom - frame.top));
  }

  /** Numbers of the samples in the window and one more on either side. */
  samples() {
    const { run, window } = this.board;
    return [run.sampleAt(window.low), Math.min(run.sampleAt(window.high) + 1, run.time.length - 1)];
  }

  automatic(side) {
    const [first, last] = this.samples();
    const all = this.curves.filter((curve) => this.side(curve) === side);
    const found = all.map((curve) => extentOf(curve.values, first, last, SCALES[this.scale])).filter(Boolean);
    if (!found.length) return [0, 1];
    return padded([Math.min(...found.map((e) => e[0])), Math.max(...found.map((e) => e[1]))]);
  }

  redraw() {
    if (!this.width) return;
    this.layout();
    const pen = this.base.getContext("2d");
    const { theme } = this.board;
    pen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    pen.clearRect(0, 0, this.width, this.height);
    pen.font = `11px ${theme.color("font")}`;
    this.drawTimeAxis(pen, theme);
    if (this.curves.length) this.units.slice(0, 2).forEach((_, side) => this.drawAxis(pen, theme, side));
    this.drawCurves(pen, theme);
    this.curves.forEach((curve) => { curve.swatch.style.background = theme.curve(curve.slot); });
    this.drawCursor();
  }

  drawTimeAxis(pen, theme) {
    const { left, right, top, bottom } = this.frame;
    const { low, high } = this.board.window;
    const { ticks, factor } = linearTicks(low, high, Math.max(2, (right - left) / 75));
    pen.lineWidth = 1;
    pen.textAlign = "center";
    pen.textBaseline = "top";
    for (const { value, text } of ticks) {
      const x = Math.round(this.toX(value)) + 0.5;
      pen.strokeStyle = theme.color("grid");
      pen.beginPath();
      pen.moveTo(x, top);
      pen.lineTo(x, bottom);
      pen.stroke();
      pen.fillStyle = theme.color("muted");
      if (x < right - 34) pen.fillText(text, x, bottom + 7);
    }
    pen.textAlign = "right";
    pen.fillText(factor ? `${factor} s` : "s", right, bottom + 7);
  }

  drawAxis(pen, theme, side) {
    const { left, right, top, bottom } = this.frame;
    const [low, high] = this.ranges[side];
    const make = this.scale === "log" ? logTicks : linearTicks;
    const { ticks, factor, offset } = make(low, high, Math.max(3, (bottom - top) / 34));
    const x = side ? right : left;
    pen.textAlign = side ? "left" : "right";
    pen.textBaseline = "middle";
    const middle = (y) => bottom - ((y - low) / (high - low)) * (bottom - top);
    for (const { value, text } of ticks) {
      const y = Math.round(middle(value)) + 0.5;
      pen.strokeStyle = theme.color(value === 0 && this.scale === "linear" && !side ? "axis" : "grid");
      if (!side) { pen.beginPath(); pen.moveTo(left, y); pen.lineTo(right, y); pen.stroke(); }
      pen.fillStyle = theme.color("muted");
      pen.fillText(text, side ? x + 7 : x - 7, y);
    }
    const units = side ? this.units.slice(1) : this.units.slice(0, 1);
    const label = [factor, units.filter(Boolean).join(", "), offset].filter(Boolean).join(" ");
    pen.textAlign = side ? "right" : "left";
    pen.textBaseline = "alphabetic";
    pen.fillText(label, side ? this.width - 6 : 6, 13);
  }

  drawCurves(pen, theme) {
    const { left, right, top, bottom } = this.frame;
    const [first, last] = this.samples();
    pen.save();
    pen.beginPath();
    pen.rect(left, top - 2, right - left, bottom - top + 4);
    pen.clip();
    Object.assign(pen, { lineWidth: 1.7, lineJoin: "round" });
    for (const curve of this.curves) {
      curve.points = thinned(this.board.run.time, curve.values, first, last, (right - left) * this.ratio);
      pen.strokeStyle = theme.curve(curve.slot);
      pen.setLineDash(this.side(curve) ? [6, 3] : []);
      strokePoints(pen, curve.points, this.toX, this.toY[this.side(curve)]);
    }
    pen.restore();
  }

  /** The line at the time of the animation, dots on the curves, values in the legend, and the window being dragged. */
  drawCursor() {
    if (!this.width) return;
    const pen = this.top.getContext("2d");
    const { theme, run, playback } = this.board;
    const { left, right, top, bottom } = this.frame;
    pen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    pen.clearRect(0, 0, this.width, this.height);
    if (this.drag) this.drawDrag(pen, theme);
    const x = this.toX(playback.time);
    if (x >= left - 1 && x <= right + 1) {
      pen.strokeStyle = theme.color("cursor");
      pen.lineWidth = 1.5;
      pen.beginPath();
      pen.moveTo(x, top - 4);
      pen.lineTo(x, bottom);
      pen.stroke();
      for (const curve of this.curves) this.drawDot(pen, theme, x, this.toY[this.side(curve)](run.at(curve.values)), curve);
    }
    this.writeValues();
  }

  drawDot(pen, theme, x, y, curve) {
    if (!(y >= this.frame.top - 3 && y <= this.frame.bottom + 3)) return;
    pen.beginPath();
    pen.arc(x, y, 3.6, 0, 2 * Math.PI);
    pen.fillStyle = theme.curve(curve.slot);
    pen.fill();
    pen.lineWidth = 1.5;
    pen.strokeStyle = theme.color("panel");
    pen.stroke();
  }

  drawDrag(pen, theme) {
    const { x0, y0, x1, y1 } = this.drag;
    pen.fillStyle = theme.color("accent-soft");
    pen.strokeStyle = theme.color("accent");
    pen.lineWidth = 1;
    pen.fillRect(x0, y0, x1 - x0, y1 - y0);
    pen.strokeRect(x0, y0, x1 - x0, y1 - y0);
  }

  /** Values in the legend, not more often than can be read. */
  writeValues() {
    const { run, playback } = this.board;
    const now = performance.now();
    if (playback.playing && this.shown && now - this.shown < 80) return;
    this.shown = now;
    for (const curve of this.curves) {
      const text = formatNumber(run.at(curve.values));
      if (curve.text !== text || !curve.value.textContent) curve.value.textContent = curve.text = text;
    }
  }
}
