// What is drawn besides bodies: triads of markers, joints, springs, arrows of forces, axes of the world.

const ARROW = rgb("#d8453e");
const AXES = ["#d1495b", "#3f9c63", "#3f7fd1"].map(rgb);
const NEUTRAL = rgb("#77828f");
const COIL = rgb("#8f9bab");

/** Size and mesh of the glyph of a joint, in glyph units along x, y and z of its marker. */
const JOINTS = {
  revolute: ["cylinder", [2, 2, 2.6]],
  cylindrical: ["cylinder", [1.8, 1.8, 4]],
  screw: ["cylinder", [1.8, 1.8, 4]],
  translational: ["box", [1.8, 1.8, 4]],
  fixed: ["box", [1.8, 1.8, 1.8]],
  planar: ["box", [4, 4, 0.4]],
  "point-in-plane": ["box", [4, 4, 0.4]],
  "point-in-line": ["cylinder", [1, 1, 5]],
  spherical: ["sphere", [2.3, 2.3, 2.3]],
};
const OTHER_JOINT = ["sphere", [1.9, 1.9, 1.9]];
const BARS = ["rod", "beam", "bushing"];
const ONLY_ARROWS = ["force", "vector-force", "general-force", "joint-friction"];

/** How a link is drawn besides the arrow of its force. */
function linkStyle(kind) {
  if (kind.startsWith("spring")) return "coil";
  if (BARS.includes(kind)) return "bar";
  return ONLY_ARROWS.includes(kind) || kind.includes("spring") ? "none" : "joint";
}

class Glyphs {
  /** `batch(layer, mesh)` gives the batch to add to. */
  constructor(mechanism, batch) {
    Object.assign(this, { mechanism, batch, arrowScale: 1 });
    this.links = mechanism.links.map((link) => ({ ...link, style: linkStyle(link.kind), columns: this.forceColumns(link) }));
    this.reference = this.largeForce();
    this.markers();
    this.joints();
    this.axes();
  }

  forceColumns(link) {
    return link.force ? this.mechanism.run.group(`${link.force}.force`, ["x", "y", "z"]) : undefined;
  }

  get hasForces() { return this.links.some((link) => link.columns); }

  /** A force that few samples exceed; its arrow is a good part of the scene. */
  largeForce() {
    const sizes = [];
    for (const { columns } of this.links) {
      if (!columns) continue;
      const stride = Math.max(1, Math.floor(columns[0].length / 100));
      for (let k = 0; k < columns[0].length; k += stride) sizes.push(Math.hypot(columns[0][k], columns[1][k], columns[2][k]));
    }
    const sorted = sizes.filter(Number.isFinite).sort((a, b) => a - b);
    return sorted[Math.floor(0.95 * (sorted.length - 1))] || 1;
  }

  /** Three thin sticks along the axes of a frame on a body. */
  triad(layer, position, orientation, length, body) {
    const along = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
    along.forEach((axis, k) => {
      const rotation = product(orientation, fromZ(axis));
      const middle = add(position, turn(orientation, scaled(axis, length / 2)));
      this.batch(layer, "stick").add(middle, rotation, [0.09 * length, 0.09 * length, length], AXES[k], body);
    });
  }

  markers() {
    const length = 3 * this.mechanism.unit;
    for (const body of this.mechanism.bodies) {
      for (const marker of body.markers) this.triad("markers", marker.position, marker.orientation, length, body.k);
    }
  }

  axes() {
    this.triad("floor", [0, 0, 0], IDENTITY, 4 * this.mechanism.unit, WORLD);
  }

  joints() {
    const u = 0.85 * this.mechanism.unit;
    for (const { style, kind, i } of this.links) {
      if (style !== "joint") continue;
      const [mesh, size] = JOINTS[kind] ?? OTHER_JOINT;
      this.batch("joints", mesh).add(i.position, i.orientation, scaled(size, u), NEUTRAL, i.k);
    }
  }

  /** Springs, bars and arrows where the bodies are now. */
  update() {
    for (const mesh of ["coil", "cylinder"]) this.batch("springs", mesh).clear();
    for (const mesh of ["cylinder", "cone"]) this.batch("forces", mesh).clear();
    for (const link of this.links) {
      const from = this.mechanism.point(link.i.k, link.i.position);
      if (link.style === "coil" || link.style === "bar") this.span(link, from);
      if (link.columns) this.arrow(link.columns, from);
    }
  }

  span(link, from) {
    const to = this.mechanism.point(link.j.k, link.j.position);
    const away = sub(to, from);
    const length = norm(away);
    if (length < 1e-9 * this.mechanism.size) return;
    const wide = this.mechanism.unit * (link.style === "coil" ? 2.6 : 0.7);
    const mesh = link.style === "coil" ? "coil" : "cylinder";
    this.batch("springs", mesh).add(scaled(add(from, to), 0.5), fromZ(scaled(away, 1 / length)), [wide, wide, length], COIL, WORLD);
  }

  arrow(columns, from) {
    const { run, size, unit: u } = this.mechanism;
    const force = columns.map((column) => run.at(column) || 0);
    const strength = norm(force);
    const length = Math.min((strength / this.reference) * 0.22 * this.arrowScale, 3) * size;
    addArrow((mesh) => this.batch("forces", mesh), u, { from, direction: scaled(force, 1 / strength), length, color: ARROW });
  }
}

/** Adds an arrow of a thickness in proportion to small things; one that would hardly be seen is left out. */
function addArrow(batch, u, { from, direction, length, color }) {
  if (!(length > 0.3 * u)) return;
  const head = Math.min(3 * u, 0.5 * length);
  const rotation = fromZ(direction);
  const at = (distance) => add(from, scaled(direction, distance));
  const wide = Math.min(0.6 * u, 0.2 * length);
  batch("cylinder").add(at((length - head) / 2), rotation, [wide, wide, length - head], color, WORLD);
  batch("cone").add(at(length - head / 2), rotation, [2.6 * wide, 2.6 * wide, head], color, WORLD);
}

/** World positions of a point of a body at all samples, thinned where there are many. */
function tracePoints(mechanism, body, local) {
  const { run } = mechanism;
  const stride = Math.ceil(run.time.length / 6000);
  const samples = [];
  for (let k = 0; k < run.time.length; k += stride) samples.push(k);
  const points = new Float32Array(3 * samples.length);
  samples.forEach((k, n) => {
    const q = body.orientation ? body.orientation.map((column) => column[k]) : IDENTITY;
    const p = body.position ? body.position.map((column) => column[k]) : [0, 0, 0];
    points.set(add(p, turn(q, local)), 3 * n);
  });
  return { points, stride };
}
