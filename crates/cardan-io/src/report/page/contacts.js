// Contacts: their points and forces in the view, and the tab with what each of them did.

const NORMAL = rgb("#d8453e");
const FRICTION = rgb("#f0a202");
const POINT = rgb("#1d2630");
/** Lengths of arrows against the scene: of a large force, and at most. */
const LONG = 0.16;
const LONGEST = 0.5;
/** From so many touches at a time on, points and arrows become smaller, down to a part of their size. */
const FEW = 10;
const SMALLEST = 0.35;
/** Decades below a large force that arrows of logarithmic length show. */
const DECADES = 3;

/** Points and arrows of touches. */
class ContactGlyphs {
  /** `batch(mesh)` gives the batch to add to. */
  constructor(mechanism, touches, batch) {
    Object.assign(this, { mechanism, touches, batch, scale: 1, lengths: "linear", seen: [] });
    this.reference = touches.largeForce();
    this.part = clamp(Math.sqrt(FEW / Math.max(touches.together(), 1)), SMALLEST, 1);
    this.unit = this.part * mechanism.unit;
  }

  /** Points and arrows at the time last sought. */
  update() {
    for (const mesh of ["ball", "cylinder", "cone"]) this.batch(mesh).clear();
    this.seen = this.touches.count ? this.touches.now() : [];
    const wide = 0.9 * this.unit;
    for (const touch of this.seen) {
      const point = vectorOf(touch, 0);
      const sign = this.touches.isOfGround(touch) ? -1 : 1;
      this.batch("ball").add(point, IDENTITY, [wide, wide, wide], POINT, WORLD);
      for (const [which, color] of [[1, NORMAL], [2, FRICTION]]) this.arrow(point, scaled(vectorOf(touch, which), sign), color);
    }
  }

  arrow(point, force, color) {
    const strength = norm(force);
    const part = strength / this.reference;
    const long = this.lengths === "log" ? 1 + Math.log10(part) / DECADES : part;
    const length = this.lengths === "none" ? 0 : Math.min(LONG * Math.sqrt(this.part) * this.scale * long, LONGEST) * this.mechanism.size;
    addArrow(this.batch, this.unit, { from: point, direction: scaled(force, 1 / strength), length, color });
  }

  /** The touch whose point is seen near a place of the view, in words. */
  at(place, camera, [width, height]) {
    const near = (touch) => {
      const seen = camera.project(vectorOf(touch, 0));
      return seen ? Math.hypot((seen[0] - place[0]) * width, (seen[1] - place[1]) * height) / 2 : Infinity;
    };
    const [best, distance] = this.seen.reduce(([touch, least], other) => {
      const d = near(other);
      return d < least ? [other, d] : [touch, least];
    }, [undefined, Infinity]);
    return distance < 8 ? this.touches.words(best) : undefined;
  }
}

/** The channel of the normal force of a contact, or undefined. */
const normalForceOf = (run, { name }) => run.index.get(`forces.${name}.normal`) ?? run.index.get(`${name}.normal`);

/** Contacts that touched, those with the largest impulse first. */
function busiest(run, count) {
  const touched = run.contacts.filter((contact) => contact.touches > 0);
  return touched.sort((a, b) => b.impulse - a.impulse).slice(0, count);
}

/** The tab of contacts: a table, and the normal forces of the rows that are chosen. */
class ContactPanel {
  constructor(run, board, playback) {
    Object.assign(this, { run, playback });
    document.querySelector("[data-tab=contacts]").hidden = !run.contacts.length;
    if (!run.contacts.length) return;
    this.rows = run.contacts.map((contact) => this.row(contact));
    byId("contact-table").replaceChildren(this.head(), element("tbody", {}, ...this.rows.map(({ row }) => row)), this.sum());
    const channels = busiest(run, 4).map((contact) => normalForceOf(run, contact)).filter((k) => k !== undefined);
    this.plot = board.add({ title: "normal force", channels }, byId("contact-plot"));
    this.board = board;
    board.listeners.push(() => this.mark());
    board.theme.listeners.push(() => this.mark());
    this.mark();
  }

  head() {
    const cell = ([name, unitName, title]) => element("th", { title, scope: "col" }, name, element("small", { textContent: unitName }));
    return element("thead", {}, element("tr", {}, ...[
      ["Contact", "", "Click to plot its normal force"],
      ["Touches", "", "How many touches began"],
      ["First", "s", "When the first touch was there; click to go there"],
      ["Peak", "N", "The largest normal force of two shapes; click to go there"],
      ["Impulse", "N s", "All normal forces, integrated over time"],
      ["Lost", "J", "Energy taken by damping and friction"],
      ["Short", "steps", "Steps that the contact kept short, so that it is resolved and nothing passes through"],
      ["Again", "steps", "Steps made again because something was struck too deep or could have passed through"],
    ].map(cell)));
  }

  row(contact) {
    const index = normalForceOf(this.run, contact);
    const { touches, first, peak, peak_time: when, impulse, lost, capped_steps: capped, rejected_steps: rejected } = contact;
    const name = element("button", { textContent: contact.name, title: contact.name, disabled: index === undefined });
    name.onclick = () => this.toggle(index);
    const go = (value, time, digits = 4) => element("button", { textContent: formatNumber(value, digits), title: `Go to ${formatNumber(time, 6)} s`,
      onclick: () => this.playback.seek(time) });
    const cells = touches ? [valueText(touches), go(first, first, 3), go(peak, when), formatNumber(impulse, 4), formatNumber(lost, 3)]
      : ["none", "–", "–", "–", "–"];
    const texts = [...cells, valueText(capped), valueText(rejected)];
    const row = element("tr", { className: touches ? "" : "idle" }, element("th", { scope: "row" }, element("i"), name),
      ...texts.map((text) => element("td", {}, text)));
    return { row, name, index };
  }

  /** All contacts together, where there are several. */
  sum() {
    if (this.rows.length < 2) return "";
    const all = (key) => this.run.contacts.reduce((sum, contact) => sum + contact[key], 0);
    const texts = [valueText(all("touches")), "", "", formatNumber(all("impulse"), 4), formatNumber(all("lost"), 3),
      valueText(all("capped_steps")), valueText(all("rejected_steps"))];
    return element("tfoot", {}, element("tr", {}, element("th", { textContent: "All", scope: "row" }),
      ...texts.map((textContent) => element("td", { textContent }))));
  }

  toggle(index) {
    if (this.plot.curves.some((curve) => curve.index === index)) this.plot.removeCurve(index);
    else this.plot.add(index);
  }

  /** Shows which rows are plotted. */
  mark() {
    const colors = new Map(this.plot.curves.map((curve) => [curve.index, this.board.theme.curve(curve.slot)]));
    for (const { row, name, index } of this.rows) {
      name.setAttribute("aria-pressed", String(colors.has(index)));
      row.querySelector("i").style.background = colors.get(index) ?? "";
    }
  }
}
