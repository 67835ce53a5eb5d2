// Meshes of unit size: positions and normals of corners, and triangles as numbers of corners.

/** Triangles collected corner by corner; equal corners are kept once. */
class MeshBuilder {
  constructor() {
    this.positions = [];
    this.normals = [];
    this.triangles = [];
    this.known = new Map();
  }

  corner(p, n) {
    const key = [...p, ...n].map((x) => Math.round(x * 1e6)).join(" ");
    if (!this.known.has(key)) {
      this.known.set(key, this.positions.length / 3);
      this.positions.push(p[0], p[1], p[2]);
      this.normals.push(n[0], n[1], n[2]);
    }
    this.triangles.push(this.known.get(key));
  }

  /** Four corners in order around, with a normal each. */
  quad(p, n) {
    for (const k of [0, 1, 2, 0, 2, 3]) this.corner(p[k], n[k]);
  }

  /** A surface of revolution about z through a profile of [radius, z, normal radius, normal z]. */
  lathe(profile, sides) {
    for (let s = 0; s < sides; s++) {
      const [a, b] = [(2 * Math.PI * s) / sides, (2 * Math.PI * (s + 1)) / sides];
      const around = (angle, r, z) => [r * Math.cos(angle), r * Math.sin(angle), z];
      for (let k = 0; k + 1 < profile.length; k++) {
        const [r0, z0, m0, n0] = profile[k];
        const [r1, z1, m1, n1] = profile[k + 1];
        this.quad(
          [around(a, r0, z0), around(b, r0, z0), around(b, r1, z1), around(a, r1, z1)],
          [around(a, m0, n0), around(b, m0, n0), around(b, m1, n1), around(a, m1, n1)],
        );
      }
    }
    return this;
  }
}

/** A cube with edges of one. */
function boxMesh() {
  const mesh = new MeshBuilder();
  for (let axis = 0; axis < 3; axis++) {
    for (const sign of [1, -1]) {
      const place = (u, v) => {
        const p = [0, 0, 0];
        p[axis] = sign / 2;
        p[(axis + 1) % 3] = u * sign;
        p[(axis + 2) % 3] = v;
        return p;
      };
      const n = [0, 0, 0];
      n[axis] = sign;
      mesh.quad([place(-0.5, -0.5), place(0.5, -0.5), place(0.5, 0.5), place(-0.5, 0.5)], [n, n, n, n]);
    }
  }
  return mesh;
}

/** A cylinder of diameter and length one along z; with a hole of a part of the radius. */
function tubeMesh(hole) {
  const inner = 0.5 * hole;
  const mesh = new MeshBuilder();
  mesh.lathe([[0.5, -0.5, 1, 0], [0.5, 0.5, 1, 0]], 48);
  mesh.lathe([[0.5, 0.5, 0, 1], [inner, 0.5, 0, 1]], 48);
  mesh.lathe([[inner, -0.5, 0, -1], [0.5, -0.5, 0, -1]], 48);
  if (hole > 0) mesh.lathe([[inner, 0.5, -1, 0], [inner, -0.5, -1, 0]], 48);
  return mesh;
}

/** A thin stick along z without ends, of diameter and length one. */
const stickMesh = () => new MeshBuilder().lathe([[0.5, -0.5, 1, 0], [0.5, 0.5, 1, 0]], 12);

/** A ball of diameter one. */
function sphereMesh(sides, rings) {
  const profile = [];
  for (let k = 0; k <= rings; k++) {
    const angle = Math.PI * (k / rings - 0.5);
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    profile.push([c / 2, s / 2, c, s]);
  }
  return new MeshBuilder().lathe(profile, sides);
}

/** A cone of diameter and height one, its tip at z = 1/2. */
function coneMesh() {
  const mesh = new MeshBuilder().lathe([[0.5, -0.5, 0.9, 0.45], [0, 0.5, 0.9, 0.45]], 24);
  return mesh.lathe([[0, -0.5, 0, -1], [0.5, -0.5, 0, -1]], 24);
}

/** The middle line of a coil of diameter and length one along z, with straight ends; normals tell where its wire goes. */
function coilMesh(turns = 9) {
  const mesh = new MeshBuilder();
  const [steps, sides, lead] = [turns * 20, 6, 0.07];
  const point = (s) => {
    const angle = 2 * Math.PI * turns * s;
    const radius = 0.5 * clamp(Math.min(s - lead, 1 - s - lead) / lead, 0, 1);
    return [radius * Math.cos(angle), radius * Math.sin(angle), s - 0.5];
  };
  const ring = (s) => {
    const p = point(s);
    const t = unit(sub(point(Math.min(s + 1e-4, 1)), point(Math.max(s - 1e-4, 0))));
    const u = unit(cross(t, Math.abs(t[2]) > 0.9 ? [1, 0, 0] : [0, 0, 1]));
    const v = cross(t, u);
    return Array.from({ length: sides + 1 }, (_, k) => {
      const angle = (2 * Math.PI * k) / sides;
      const n = add(scaled(u, Math.cos(angle)), scaled(v, Math.sin(angle)));
      return [p, n];
    });
  };
  let before = ring(0);
  for (let k = 1; k <= steps; k++) {
    const next = ring(k / steps);
    for (let s = 0; s < sides; s++) {
      const around = [before[s], before[s + 1], next[s + 1], next[s]];
      mesh.quad(around.map((c) => c[0]), around.map((c) => c[1]));
    }
    before = next;
  }
  return mesh;
}

/** A user's mesh, moved and scaled into a unit box; edges sharper than 40 degrees stay sharp. */
function userMesh(vertices, triangles, bounds) {
  const size = bounds.extent.map((x) => Math.max(x, 1e-12));
  const faces = triangles.map((t) => cross(sub(vertices[t[1]], vertices[t[0]]), sub(vertices[t[2]], vertices[t[0]])));
  const around = new Map();
  const keys = vertices.map((v) => v.map((x, k) => Math.round((x / size[k]) * 1e5)).join(" "));
  triangles.forEach((t, f) => t.forEach((v) => {
    if (!around.has(keys[v])) around.set(keys[v], []);
    around.get(keys[v]).push(f);
  }));
  const directions = faces.map(unit);
  const mesh = new MeshBuilder();
  triangles.forEach((t, f) => t.forEach((v) => {
    let n = [0, 0, 0];
    for (const g of around.get(keys[v])) if (dot(directions[f], directions[g]) > 0.766) n = add(n, faces[g]);
    const p = sub(vertices[v], bounds.center).map((x, k) => x / size[k]);
    mesh.corner(p, unit(n).map((x, k) => x * size[k]));
  }));
  return mesh;
}
