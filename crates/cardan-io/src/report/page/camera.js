// A camera that turns around a target, upright against gravity.

const HALF_ANGLE = Math.tan((17.5 * Math.PI) / 180);

class Camera {
  constructor(up) {
    this.up = up;
    const side = Math.abs(up[0]) > 0.9 ? [0, 1, 0] : [1, 0, 0];
    this.side = unit(sub(side, scaled(up, dot(side, up))));
    this.front = cross(this.side, up);
    Object.assign(this, { yaw: 0.6, pitch: 0.4, distance: 1, target: [0, 0, 0], ortho: false, aspect: 1, moved: false });
    this.update();
  }

  /** Axes, eye and matrix from the angles. */
  update() {
    const [cy, sy, cp, sp] = [Math.cos(this.yaw), Math.sin(this.yaw), Math.cos(this.pitch), Math.sin(this.pitch)];
    const level = add(scaled(this.side, sy), scaled(this.front, cy));
    this.back = add(scaled(level, cp), scaled(this.up, sp));
    this.right = sub(scaled(this.side, cy), scaled(this.front, sy));
    this.above = cross(this.back, this.right);
    this.eye = add(this.target, scaled(this.back, this.distance));
    const view = viewMatrix(this.right, this.above, this.back, this.eye);
    const reach = 60 * this.distance;
    const projection = this.ortho
      ? orthographic(HALF_ANGLE * this.distance, this.aspect, -reach, reach)
      : perspective(HALF_ANGLE, this.aspect, 0.02 * this.distance, reach);
    this.matrix = compose(projection, view);
  }

  orbit(dx, dy) {
    this.yaw -= dx * 0.008;
    this.pitch = clamp(this.pitch + dy * 0.008, -Math.PI / 2, Math.PI / 2);
    this.moved = true;
    this.update();
  }

  /** Moves the target with the pointer; distances in pixels of a view of this height. */
  pan(dx, dy, height) {
    const s = (2 * HALF_ANGLE * this.distance) / height;
    this.target = add(this.target, add(scaled(this.right, -dx * s), scaled(this.above, dy * s)));
    this.moved = true;
    this.update();
  }

  /** Zooms, keeping the point under (x, y), in parts of half the view, where it is. */
  zoom(factor, x, y) {
    const s = HALF_ANGLE * this.distance * (1 - factor);
    this.target = add(this.target, add(scaled(this.right, x * this.aspect * s), scaled(this.above, y * s)));
    this.distance *= factor;
    this.moved = true;
    this.update();
  }

  /** The distance at which all of a box is seen around its centre from where the camera looks. */
  fitting(bounds, yaw, pitch) {
    const copy = Object.assign(new Camera(this.up), { yaw, pitch, aspect: this.aspect });
    copy.update();
    let distance = 1e-9;
    for (const corner of bounds.corners()) {
      const p = sub(corner, bounds.center);
      const toward = this.ortho ? 0 : dot(p, copy.back);
      const across = Math.max(Math.abs(dot(p, copy.right)) / this.aspect, Math.abs(dot(p, copy.above)));
      distance = Math.max(distance, across / HALF_ANGLE + toward);
    }
    return 1.18 * distance;
  }

  /** Angles from which a mechanism is best seen first: a flat one nearly face on. */
  firstLook(bounds) {
    const e = [this.side, this.front, this.up].map((axis) => Math.abs(dot(bounds.extent, axis)));
    const flat = e.findIndex((x) => x < 0.3 * Math.max(...e));
    if (flat === 1) return { yaw: 0.45, pitch: 0.22 };
    if (flat === 0) return { yaw: 1.1, pitch: 0.22 };
    return { yaw: 0.65, pitch: 0.42 };
  }

  /** The ray through a point of the view, given in parts of half the view. */
  ray(x, y) {
    const across = add(scaled(this.right, x * HALF_ANGLE * this.aspect), scaled(this.above, y * HALF_ANGLE));
    if (!this.ortho) return { origin: this.eye, direction: unit(sub(across, this.back)) };
    const far = add(this.eye, scaled(this.back, 20 * this.distance));
    return { origin: add(far, scaled(across, this.distance)), direction: scaled(this.back, -1) };
  }

  /** Where a point of the world is seen, in parts of half the view; undefined behind the eye. */
  project(p) {
    const m = this.matrix;
    const w = m[3] * p[0] + m[7] * p[1] + m[11] * p[2] + m[15];
    if (w <= 0) return undefined;
    return [(m[0] * p[0] + m[4] * p[1] + m[8] * p[2] + m[12]) / w, (m[1] * p[0] + m[5] * p[1] + m[9] * p[2] + m[13]) / w];
  }
}
