// The 3D view: draws the mechanism at the time of the playback, and answers the pointer.

const LAYERS = ["bodies", "joints", "springs", "forces", "contacts", "markers", "floor"];

class Viewer {
  constructor(canvas, overlay, mechanism, playback, theme) {
    const gl = canvas.getContext("webgl2", { antialias: true, powerPreference: "high-performance" });
    if (!gl) throw new Error("WebGL2 is not available");
    Object.assign(this, { gl, canvas, mechanism, playback, theme });
    this.show = { bodies: true, floor: true, markers: false, joints: true, springs: true, forces: false, contacts: true, names: false,
      shadows: true };
    this.camera = new Camera(mechanism.up);
    this.labels = new Labels(overlay, theme);
    this.traces = new Map();
    this.listeners = { hover: () => {}, select: () => {} };
    this.follow = undefined;
    this.prepare();
    Object.assign(this.camera, this.camera.firstLook(mechanism.motion));
    if (mechanism.travels) this.followBody(mechanism.bodies.find((body) => body.position));
    this.pointer = new ViewPointer(this, canvas);
    this.resize();
    this.spacing = niceStep(Math.min(mechanism.view.diagonal, 4 * mechanism.size) / 16);
  }

  /** Everything that stays the same from frame to frame. */
  prepare() {
    const { gl, mechanism } = this;
    this.solid = new Program(gl, SOLID_VERTEX, SOLID_FRAGMENT);
    this.shadowing = new Program(gl, SHADOW_VERTEX, SHADOW_FRAGMENT);
    this.flooring = new Program(gl, FLOOR_VERTEX, FLOOR_FRAGMENT);
    this.lining = new Program(gl, LINE_VERTEX, LINE_FRAGMENT);
    this.poseTexture = new PoseTexture(gl, mechanism.bodies.length);
    this.poseTexture.data = mechanism.poses;
    this.shadow = new ShadowTexture(gl, 512);
    this.meshes = new Map();
    this.layers = Object.fromEntries(LAYERS.map((layer) => [layer, new Map()]));
    for (const part of mechanism.parts) {
      this.batch("bodies", part.mesh).add(part.position, part.rotation, part.scale, part.color, part.body);
    }
    this.glyphs = new Glyphs(mechanism, (layer, mesh) => this.batch(layer, mesh));
    this.contacts = new ContactGlyphs(mechanism, mechanism.run.touches, (mesh) => this.batch("contacts", mesh));
    this.paths = mechanism.paths.map((path) => new Path(gl, path.points, path.color, path.body));
    this.square = gl.createVertexArray();
    gl.bindVertexArray(this.square);
    buffer(gl, new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]), gl.STATIC_DRAW);
    attributes(gl, [[0, 2]], 0);
  }

  /** The batch of a layer for a mesh: a name, or a shape with triangles of its own. */
  batch(layer, mesh) {
    const batches = this.layers[layer];
    if (!batches.has(mesh)) batches.set(mesh, new Batch(this.gl, this.mesh(mesh)));
    return batches.get(mesh);
  }

  mesh(key) {
    if (!this.meshes.has(key)) this.meshes.set(key, new Mesh(this.gl, this.triangles(key)));
    return this.meshes.get(key);
  }

  triangles(key) {
    if (typeof key !== "string") return userMesh(key.vertices, key.triangles, shapeBounds(key));
    if (key.startsWith("tube ")) return tubeMesh(Number(key.slice(5)));
    return {
      box: boxMesh, cylinder: () => tubeMesh(0), stick: stickMesh, cone: coneMesh, coil: coilMesh,
      sphere: () => sphereMesh(32, 16), ball: () => sphereMesh(14, 8),
    }[key]();
  }

  touch() { this.stale = true; }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const ratio = Math.min(devicePixelRatio || 1, 2);
    Object.assign(this.canvas, { width: Math.max(1, Math.round(width * ratio)), height: Math.max(1, Math.round(height * ratio)) });
    this.labels.resize(width, height, ratio);
    this.camera.aspect = width / Math.max(height, 1);
    this.camera.update();
    // What was fitted into the view stays in it until the user moves the camera.
    if (!this.camera.moved) this.fit("jump");
    this.touch();
  }

  /** Moves the camera so that everything is seen. */
  fit(how = "glide", look = {}) {
    const bounds = this.mechanism.view;
    const { yaw, pitch } = { yaw: this.camera.yaw, pitch: this.camera.pitch, ...look };
    const aim = { yaw, pitch, distance: this.camera.fitting(bounds, yaw, pitch), target: bounds.center };
    const still = how === "jump" || matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.camera.moved = false;
    if (still) Object.assign(this.camera, aim);
    else this.glide = { from: { ...this.camera }, aim, start: performance.now() };
    this.camera.update();
    this.touch();
  }

  /** One of the standard directions of looking. */
  look(name) {
    const views = { front: [0, 0], right: [Math.PI / 2, 0], top: [0, Math.PI / 2], iso: [Math.PI / 4, 0.6155] };
    const [yaw, pitch] = views[name];
    this.fit("glide", { yaw, pitch });
  }

  /** A step of the camera's way to where it was sent. */
  advance(now) {
    if (!this.glide) return;
    const { from, aim, start } = this.glide;
    const s = clamp((now - start) / 260, 0, 1);
    const ease = s * s * (3 - 2 * s);
    const mix = (a, b) => a + ease * (b - a);
    for (const name of ["yaw", "pitch", "distance"]) this.camera[name] = mix(from[name], aim[name]);
    this.camera.target = aim.target.map((b, k) => mix(from.target[k], b));
    this.camera.update();
    if (s === 1) this.glide = undefined;
    this.touch();
  }

  followBody(body) {
    this.follow = body;
    this.last = body && [...this.mechanism.origin(body.k)];
    this.touch();
  }

  toggleTrace(name) {
    const { gl, mechanism } = this;
    this.touch();
    if (this.traces.delete(name)) return;
    const [body, marker] = mechanism.bodies.flatMap((b) => [[b], ...b.markers.map((m) => [b, m])])
      .find(([b, m]) => name === (m ? `${b.name}.${m.name}` : b.name));
    const { points, stride } = tracePoints(mechanism, body, marker?.position ?? [0, 0, 0]);
    this.traces.set(name, { path: new Path(gl, points, body.color, WORLD), stride });
  }

  hover(place, event) {
    const ray = place && this.camera.ray(...place);
    const body = ray && this.mechanism.pick(ray.origin, ray.direction);
    if (body !== this.hovered) this.touch();
    this.hovered = body;
    const touch = place && this.show.contacts ? this.contacts.at(place, this.camera, [this.labels.width, this.labels.height]) : undefined;
    this.listeners.hover(touch ?? body?.name, event);
  }

  select(place) {
    const ray = this.camera.ray(...place);
    this.selected = this.mechanism.pick(ray.origin, ray.direction);
    this.listeners.select(this.selected);
    this.touch();
  }

  /** Draws one frame. */
  render() {
    this.stale = false;
    const { mechanism } = this;
    mechanism.pose(this.playback.time);
    this.poseTexture.upload();
    if (this.follow) this.keepUp();
    this.glyphs.update();
    if (this.show.contacts) this.contacts.update();
    if (this.show.floor && this.show.shadows && this.shadowTime !== this.playback.time) this.drawShadow();
    this.clear();
    this.drawSolids(["bodies", "joints", "springs", "forces", "floor"]);
    this.drawPaths();
    if (this.show.floor) this.drawFloor();
    // Contacts lie within bodies, and are seen through them.
    this.gl.clear(this.gl.DEPTH_BUFFER_BIT);
    this.drawSolids(["contacts"]);
    this.gl.disable(this.gl.DEPTH_TEST);
    this.drawSolids(["markers"]);
    this.labels.draw(this.camera, mechanism, this.show, this.spacing);
  }

  /** Moves the camera along with the body it follows. */
  keepUp() {
    const now = [...this.mechanism.origin(this.follow.k)];
    this.camera.target = add(this.camera.target, sub(now, this.last));
    if (this.glide) this.glide.aim.target = add(this.glide.aim.target, sub(now, this.last));
    this.last = now;
    this.camera.update();
  }

  clear() {
    const { gl } = this;
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    gl.disable(gl.BLEND);
  }

  /** Draws layers with the program in use; only coils have a wire. */
  drawLayers(layers, at) {
    const { gl } = this;
    for (const layer of layers) {
      for (const [mesh, batch] of this.layers[layer]) {
        gl.uniform1f(at.uWire, mesh === "coil" ? 0.32 * this.mechanism.unit : 0);
        batch.draw();
      }
    }
  }

  /** Draws those of the layers that are to be shown, with light. */
  drawSolids(layers) {
    const { gl, camera, solid } = this;
    const { at } = solid;
    const dark = this.theme.name === "dark";
    gl.useProgram(solid.handle);
    gl.uniform1i(at.uPoses, 0);
    gl.uniformMatrix4fv(at.uMatrix, false, camera.matrix);
    gl.uniform3fv(at.uEye, camera.ortho ? add(camera.eye, scaled(camera.back, 1e3 * camera.distance)) : camera.eye);
    gl.uniform3fv(at.uUp, camera.up);
    gl.uniform3fv(at.uLight, unit(add(add(scaled(camera.above, 0.75), scaled(camera.right, -0.45)), scaled(camera.back, 0.75))));
    gl.uniform3fv(at.uSky, dark ? [0.36, 0.39, 0.45] : [0.52, 0.55, 0.6]);
    gl.uniform3fv(at.uEarth, dark ? [0.14, 0.14, 0.16] : [0.27, 0.26, 0.25]);
    gl.uniform1f(at.uMarked, (this.hovered ?? this.selected)?.k || -1);
    this.drawLayers(layers.filter((layer) => this.show[layer]), at);
  }

  /** Centre on the floor and half the width of what can throw a shadow. */
  shadowArea() {
    const { mechanism } = this;
    const bounds = mechanism.travels ? mechanism.boundsNow() : mechanism.motion;
    const { center } = bounds;
    const half = 0.62 * Math.max(Math.min(bounds.diagonal, 6 * mechanism.size), 8 * mechanism.unit);
    return { center: add(center, scaled(mechanism.up, mechanism.floor - dot(center, mechanism.up))), half };
  }

  drawShadow() {
    const { gl, camera, shadowing } = this;
    const { at } = shadowing;
    this.area = this.shadowArea();
    this.shadowTime = this.playback.time;
    this.shadow.fill(() => {
      gl.useProgram(shadowing.handle);
      gl.uniform1i(at.uPoses, 0);
      gl.uniform3fv(at.uCenter, this.area.center);
      gl.uniform3fv(at.uRight, camera.side);
      gl.uniform3fv(at.uForward, camera.front);
      gl.uniform3fv(at.uUp, camera.up);
      gl.uniform1f(at.uHalf, this.area.half);
      this.drawLayers(["bodies", "springs"], at);
    });
  }

  drawFloor() {
    const { gl, camera, mechanism, flooring } = this;
    const { at } = flooring;
    const dark = this.theme.name === "dark";
    const { center, half } = this.area ?? this.shadowArea();
    const height = dot(camera.eye, camera.up) - mechanism.floor;
    gl.useProgram(flooring.handle);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.depthMask(false);
    gl.uniformMatrix4fv(at.uMatrix, false, camera.matrix);
    gl.uniform3fv(at.uCenter, center);
    gl.uniform3fv(at.uRight, camera.side);
    gl.uniform3fv(at.uForward, camera.front);
    gl.uniform1f(at.uRadius, 5 * Math.max(half, 0.6 * mechanism.size));
    gl.uniform1f(at.uSpacing, this.spacing);
    gl.uniform1i(at.uShadow, 1);
    gl.uniform2f(at.uShadowCenter, dot(center, camera.side), dot(center, camera.front));
    gl.uniform1f(at.uShadowHalf, half);
    gl.uniform1f(at.uShadowDepth, this.show.shadows ? (dark ? 0.6 : 0.3) : 0);
    gl.uniform1f(at.uFacing, height > 0 ? 1 : 0.3);
    gl.uniform3fv(at.uInk, rgb(this.theme.color("grid3d")));
    gl.bindVertexArray(this.square);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    gl.depthMask(true);
    gl.disable(gl.BLEND);
  }

  drawPaths() {
    const { gl, lining } = this;
    const { at } = lining;
    gl.useProgram(lining.handle);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.uniform1i(at.uPoses, 0);
    gl.uniformMatrix4fv(at.uMatrix, false, this.camera.matrix);
    gl.uniform2f(at.uViewport, this.canvas.width, this.canvas.height);
    gl.uniform1f(at.uWidth, 2.2 * this.labels.ratio);
    for (const path of this.paths) this.drawPath(path, 0, path.segments, 1);
    for (const { path, stride } of this.traces.values()) {
      const past = Math.min(Math.floor(this.mechanism.run.k / stride), path.segments);
      this.drawPath(path, 0, past, 0.95);
      this.drawPath(path, past, path.segments - past, 0.25);
    }
    gl.disable(gl.BLEND);
  }

  drawPath(path, first, count, alpha) {
    const { gl, lining } = this;
    gl.uniform1i(lining.at.uBody, path.body);
    gl.uniform4f(lining.at.uColor, ...path.color, alpha);
    path.draw(first, count);
  }
}
