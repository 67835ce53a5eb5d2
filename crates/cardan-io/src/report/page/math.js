// Vectors are arrays of three, quaternions arrays w x y z, matrices column-major arrays of sixteen.

const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const scaled = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const norm = (a) => Math.hypot(a[0], a[1], a[2]);
const unit = (a) => { const n = norm(a); return n > 0 ? scaled(a, 1 / n) : [0, 0, 1]; };
const clamp = (x, low, high) => Math.min(Math.max(x, low), high);

const IDENTITY = [1, 0, 0, 0];

/** The vector v turned by q. */
function turn(q, v) {
  const u = [q[1], q[2], q[3]];
  const c = cross(u, v);
  return add(v, scaled(cross(u, add(c, scaled(v, q[0]))), 2));
}

/** The vector v turned by the inverse of q. */
const turnBack = (q, v) => turn([q[0], -q[1], -q[2], -q[3]], v);

/** The turn b followed by the turn a. */
function product(a, b) {
  return [
    a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
    a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
    a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
    a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
  ];
}

/** The shortest turn that takes the z axis to a unit vector d. */
function fromZ(d) {
  if (d[2] < -0.999999) return [0, 1, 0, 0];
  const w = Math.sqrt((1 + d[2]) / 2);
  return [w, -d[1] / (2 * w), d[0] / (2 * w), 0];
}

/** A box that grows around points. */
class Bounds {
  constructor() {
    this.low = [Infinity, Infinity, Infinity];
    this.high = [-Infinity, -Infinity, -Infinity];
  }

  include(p, radius = 0) {
    for (let k = 0; k < 3; k++) {
      this.low[k] = Math.min(this.low[k], p[k] - radius);
      this.high[k] = Math.max(this.high[k], p[k] + radius);
    }
  }

  get empty() { return !(this.low[0] <= this.high[0]); }
  get center() { return this.empty ? [0, 0, 0] : scaled(add(this.low, this.high), 0.5); }
  get extent() { return this.empty ? [0, 0, 0] : sub(this.high, this.low); }
  get diagonal() { return norm(this.extent); }

  corners() {
    const pick = (bit, k) => (bit ? this.high[k] : this.low[k]);
    return this.empty ? [] : [0, 1, 2, 3, 4, 5, 6, 7].map((n) => [pick(n & 1, 0), pick(n & 2, 1), pick(n & 4, 2)]);
  }
}

/** Product of two matrices, b applied first. */
function compose(a, b) {
  const out = new Float32Array(16);
  for (let c = 0; c < 4; c++) {
    for (let r = 0; r < 4; r++) {
      out[4 * c + r] = a[r] * b[4 * c] + a[4 + r] * b[4 * c + 1] + a[8 + r] * b[4 * c + 2] + a[12 + r] * b[4 * c + 3];
    }
  }
  return out;
}

/** World to camera: the rows are right, up, back, seen from the eye. */
function viewMatrix(right, up, back, eye) {
  return [
    right[0], up[0], back[0], 0,
    right[1], up[1], back[1], 0,
    right[2], up[2], back[2], 0,
    -dot(right, eye), -dot(up, eye), -dot(back, eye), 1,
  ];
}

function perspective(tangent, aspect, near, far) {
  const f = 1 / tangent;
  return [f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / (near - far), -1, 0, 0, (2 * far * near) / (near - far), 0];
}

function orthographic(halfHeight, aspect, near, far) {
  const f = 1 / halfHeight;
  return [f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, 2 / (near - far), 0, 0, 0, (far + near) / (near - far), 1];
}
