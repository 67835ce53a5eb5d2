// Bodies of the scene: what they look like in their own frames, where they are at a time, and how large everything is.

const WORLD = 0;
const GROUND_COLOR = "#8d97a5";
const QUARTER_TURN = [Math.SQRT1_2, 0, Math.SQRT1_2, 0];

/** Box around a shape in its own frame. */
function shapeBounds(shape) {
  const bounds = new Bounds();
  const half = (x, y, z) => { bounds.include([-x, -y, -z]); bounds.include([x, y, z]); };
  if (shape.kind === "box") half(...scaled(shape.size, 0.5));
  if (shape.kind === "cylinder") half(shape.radius, shape.radius, shape.length / 2);
  if (shape.kind === "tube") half(shape.outer_radius, shape.outer_radius, shape.length / 2);
  if (shape.kind === "sphere") half(shape.radius, shape.radius, shape.radius);
  if (shape.kind === "rod") half(shape.length / 2, 0, 0);
  for (const p of shape.vertices ?? shape.points ?? []) bounds.include(p);
  return bounds;
}

class Mechanism {
  constructor(run) {
    this.run = run;
    this.bodies = [this.body({ name: "ground", graphics: [], markers: [] }, WORLD)];
    for (const entry of run.scene.bodies) {
      const k = entry.name === "ground" ? WORLD : this.bodies.length;
      this.bodies[k] = this.body(entry, k);
    }
    this.index = new Map(this.bodies.map((body) => [body.name, body.k]));
    this.links = run.scene.links.map((link) => ({ ...link, i: this.anchor(link.i), j: this.anchor(link.j) }));
    this.poses = new Float32Array(8 * this.bodies.length);
    this.outline();
    this.measure();
    this.parts = [];
    this.paths = [];
    this.bodies.forEach((body) => this.build(body));
    this.parts.forEach((part) => this.bodies[part.body].parts.push(part));
  }

  body(entry, k) {
    const position = this.run.group(`${entry.name}.position`, ["x", "y", "z"]);
    const orientation = this.run.group(`${entry.name}.orientation`, ["w", "x", "y", "z"]);
    const color = k === WORLD ? GROUND_COLOR : BODY_PALETTE[(k - 1) % BODY_PALETTE.length];
    return { ...entry, k, position, orientation, color: rgb(color), points: [], parts: [] };
  }

  anchor(anchor) {
    return { ...anchor, k: this.index.get(anchor.body) ?? WORLD };
  }

  /** Points that show how far each body reaches, in its own frame. */
  outline() {
    for (const body of this.bodies) {
      if (!body.graphics.length) for (const marker of body.markers) body.points.push(marker.position);
      for (const graphic of body.graphics) {
        for (const p of shapeBounds(graphic).corners()) body.points.push(add(graphic.position, turn(graphic.orientation, p)));
      }
    }
    for (const link of this.links) for (const end of [link.i, link.j]) this.bodies[end.k].points.push(end.position);
  }

  /** Sizes of the scene and of small things in it, the direction up, and the height of the floor. */
  measure() {
    const { time, gravity } = this.run;
    this.pose(time[0]);
    const first = this.boundsNow();
    this.motion = new Bounds();
    const count = Math.min(time.length, 120);
    for (let k = 0; k < count; k++) {
      this.pose(time[Math.round((k * (time.length - 1)) / Math.max(count - 1, 1))]);
      const now = this.boundsNow();
      if (now.empty) continue;
      this.motion.include(now.low);
      this.motion.include(now.high);
    }
    this.pose(time[0]);
    this.size = first.diagonal || this.motion.diagonal || 1;
    const reaches = this.bodies.flatMap((body) => (body.k !== WORLD && body.points.length ? [Math.max(...body.points.map(norm))] : []));
    const reach = reaches.sort((a, b) => a - b)[reaches.length >> 1] || this.size;
    this.unit = clamp(0.3 * reach, 0.005 * this.size, 0.018 * this.size);
    this.travels = this.motion.diagonal > 6 * this.size;
    this.up = this.upward(gravity);
    const lowest = Math.min(...this.motion.corners().map((p) => dot(p, this.up)), Infinity);
    const standing = lowest > -0.02 * this.size && lowest < 0.6 * this.size;
    this.floor = standing || !Number.isFinite(lowest) ? 0 : lowest - 2 * this.unit;
  }

  /** Against gravity; without gravity y for a flat mechanism in x and y, else z. */
  upward(gravity) {
    if (norm(gravity) > 0) return unit(scaled(gravity, -1));
    const [x, y, z] = this.motion.extent;
    return z < 0.2 * Math.max(x, y) ? [0, 1, 0] : [0, 0, 1];
  }

  /** What is to be fitted into the view: all the motion, or the bodies as they are if they travel far. */
  get view() {
    const bounds = this.travels ? this.boundsNow() : this.motion;
    const padded = new Bounds();
    padded.include(bounds.center, 4 * this.unit);
    for (const p of bounds.corners()) padded.include(p);
    return padded;
  }

  build(body) {
    for (const graphic of body.graphics) this.draw(body, graphic);
    if (!body.graphics.length && body.k !== WORLD) this.sticks(body);
  }

  part(mesh, position, rotation, scale, color, body) {
    this.parts.push({ mesh, position, rotation, scale, color, body: body.k });
  }

  draw(body, shape) {
    const color = shape.color ? rgb(shape.color) : body.color;
    const place = (mesh, scale) => this.part(mesh, shape.position, shape.orientation, scale, color, body);
    if (shape.kind === "box") place("box", shape.size);
    if (shape.kind === "cylinder") place("cylinder", [2 * shape.radius, 2 * shape.radius, shape.length]);
    if (shape.kind === "sphere") place("sphere", [2 * shape.radius, 2 * shape.radius, 2 * shape.radius]);
    if (shape.kind === "tube") {
      const hole = (shape.inner_radius / shape.outer_radius).toFixed(3);
      place(`tube ${hole}`, [2 * shape.outer_radius, 2 * shape.outer_radius, shape.length]);
    }
    if (shape.kind === "rod") {
      const wide = Math.min(1.2 * this.unit, 0.08 * shape.length);
      this.part("cylinder", shape.position, product(shape.orientation, QUARTER_TURN), [wide, wide, shape.length], color, body);
    }
    if (shape.kind === "mesh" && shape.vertices.length) {
      const bounds = shapeBounds(shape);
      const center = add(shape.position, turn(shape.orientation, bounds.center));
      const scale = bounds.extent.map((x) => Math.max(x, 1e-12));
      this.part(shape, center, shape.orientation, scale, color, body);
    }
    if (shape.kind === "line") {
      const points = shape.points.flatMap((p) => add(shape.position, turn(shape.orientation, p)));
      this.paths.push({ points: new Float32Array(points), color, body: body.k });
    }
  }

  /** Sticks from the centre of mass, or the origin, to all other markers and ends of links. */
  sticks(body) {
    const center = body.markers.find((marker) => marker.name === "cm")?.position ?? [0, 0, 0];
    const wide = 0.8 * this.unit;
    for (const p of body.points) {
      const away = sub(p, center);
      const length = norm(away);
      if (length < 0.1 * this.unit) continue;
      const middle = add(center, scaled(away, 0.5));
      this.part("stick", middle, fromZ(unit(away)), [wide, wide, length], body.color, body);
      this.part("ball", p, IDENTITY, [wide, wide, wide], body.color, body);
    }
    const ball = 2 * this.unit;
    this.part("ball", center, IDENTITY, [ball, ball, ball], body.color, body);
  }

  /** Places all bodies at a time. */
  pose(t) {
    const { run, poses } = this;
    run.seek(t);
    for (const body of this.bodies) {
      const o = 8 * body.k;
      for (let k = 0; k < 3; k++) poses[o + k] = body.position ? run.at(body.position[k]) || 0 : 0;
      poses[o + 4] = 1;
      if (body.orientation) this.orient(body.orientation, o + 4);
    }
  }

  /** The orientation between two samples, the short way around. */
  orient(columns, o) {
    const { k, f } = this.run;
    let aligned = 0;
    if (f > 0) for (const column of columns) aligned += column[k] * column[k + 1];
    const g = aligned < 0 ? -f : f;
    let size = 0;
    for (let c = 0; c < 4; c++) {
      const value = (f > 0 ? (1 - f) * columns[c][k] + g * columns[c][k + 1] : columns[c][k]) || 0;
      this.poses[o + c] = value;
      size += value * value;
    }
    if (size === 0) this.poses[o] = size = 1;
    for (let c = 0; c < 4; c++) this.poses[o + c] /= Math.sqrt(size);
  }

  origin(k) { return this.poses.subarray(8 * k, 8 * k + 3); }
  rotation(k) { return this.poses.subarray(8 * k + 4, 8 * k + 8); }
  point(k, local) { return add(this.origin(k), turn(this.rotation(k), local)); }

  /** Box around all bodies as they are placed now. */
  boundsNow() {
    const bounds = new Bounds();
    for (const body of this.bodies) {
      if (body.k !== WORLD) bounds.include(this.origin(body.k));
      for (const p of body.points) bounds.include(this.point(body.k, p));
    }
    return bounds;
  }

  /** The body that a ray meets first, or undefined. */
  pick(origin, direction) {
    let [best, nearest] = [undefined, Infinity];
    for (const part of this.parts) {
      const rotation = product(this.rotation(part.body), part.rotation);
      const o = turnBack(rotation, sub(origin, this.point(part.body, part.position)));
      const d = turnBack(rotation, direction);
      const hit = meetBox(o, d, part.scale, 0.3 * this.unit);
      if (hit < nearest) [best, nearest] = [this.bodies[part.body], hit];
    }
    return best;
  }
}

/** Where a ray enters a box around the origin, with a margin; infinite if it misses. */
function meetBox(origin, direction, size, margin) {
  let [enter, leave] = [0, Infinity];
  for (let k = 0; k < 3; k++) {
    const half = size[k] / 2 + margin;
    const [a, b] = [(-half - origin[k]) / direction[k], (half - origin[k]) / direction[k]];
    enter = Math.max(enter, Math.min(a, b));
    leave = Math.min(leave, Math.max(a, b));
  }
  return enter <= leave ? enter : Infinity;
}
