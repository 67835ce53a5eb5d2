// Thin layer over WebGL2: programs, instanced batches, paths, the texture of poses and the shadow on the floor.

/** A compiled program with its uniforms by name. */
class Program {
  constructor(gl, vertex, fragment) {
    const handle = gl.createProgram();
    for (const [kind, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
      gl.attachShader(handle, shader);
    }
    gl.linkProgram(handle);
    if (!gl.getProgramParameter(handle, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(handle));
    this.handle = handle;
    this.at = {};
    for (let k = 0; k < gl.getProgramParameter(handle, gl.ACTIVE_UNIFORMS); k++) {
      const { name } = gl.getActiveUniform(handle, k);
      this.at[name] = gl.getUniformLocation(handle, name);
    }
  }
}

function buffer(gl, data, usage) {
  const handle = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, handle);
  gl.bufferData(gl.ARRAY_BUFFER, data, usage);
  return handle;
}

/** Declares attributes of the buffer bound now; `layout` is a list of [location, size]. */
function attributes(gl, layout, divisor) {
  const stride = 4 * layout.reduce((sum, [, size]) => sum + size, 0);
  let offset = 0;
  for (const [location, size] of layout) {
    gl.enableVertexAttribArray(location);
    gl.vertexAttribPointer(location, size, gl.FLOAT, false, stride, offset);
    gl.vertexAttribDivisor(location, divisor);
    offset += 4 * size;
  }
}

const INSTANCE = [[2, 3], [3, 4], [4, 3], [5, 4]];
const INSTANCE_FLOATS = 14;

/** Buffers of a mesh on the graphics processor. */
class Mesh {
  constructor(gl, builder) {
    this.positions = buffer(gl, new Float32Array(builder.positions), gl.STATIC_DRAW);
    this.normals = buffer(gl, new Float32Array(builder.normals), gl.STATIC_DRAW);
    gl.bindVertexArray(null);
    this.triangles = gl.createBuffer();
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.triangles);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, new Uint32Array(builder.triangles), gl.STATIC_DRAW);
    this.count = builder.triangles.length;
  }
}

/** Many copies of one mesh, drawn with one call. */
class Batch {
  constructor(gl, mesh) {
    this.gl = gl;
    this.mesh = mesh;
    this.count = 0;
    this.data = new Float32Array(16 * INSTANCE_FLOATS);
    this.vao = gl.createVertexArray();
    gl.bindVertexArray(this.vao);
    gl.bindBuffer(gl.ARRAY_BUFFER, mesh.positions);
    attributes(gl, [[0, 3]], 0);
    gl.bindBuffer(gl.ARRAY_BUFFER, mesh.normals);
    attributes(gl, [[1, 3]], 0);
    this.buffer = buffer(gl, this.data.byteLength, gl.DYNAMIC_DRAW);
    attributes(gl, INSTANCE, 1);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, mesh.triangles);
  }

  clear() { this.count = 0; }

  add(position, rotation, scale, color, body) {
    if ((this.count + 1) * INSTANCE_FLOATS > this.data.length) {
      const larger = new Float32Array(2 * this.data.length);
      larger.set(this.data);
      this.data = larger;
    }
    const { data } = this;
    const o = this.count++ * INSTANCE_FLOATS;
    for (let k = 0; k < 3; k++) {
      data[o + k] = position[k];
      data[o + 7 + k] = scale[k];
      data[o + 10 + k] = color[k];
    }
    for (let k = 0; k < 4; k++) data[o + 3 + k] = rotation[k];
    data[o + 13] = body;
    this.stale = true;
  }

  draw() {
    const { gl } = this;
    if (!this.count) return;
    if (this.stale) {
      gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
      gl.bufferData(gl.ARRAY_BUFFER, this.data.subarray(0, this.count * INSTANCE_FLOATS), gl.DYNAMIC_DRAW);
      this.stale = false;
    }
    gl.bindVertexArray(this.vao);
    gl.drawElementsInstanced(gl.TRIANGLES, this.mesh.count, gl.UNSIGNED_INT, 0, this.count);
  }
}

/** A path through points, fixed to a body. */
class Path {
  constructor(gl, points, color, body) {
    Object.assign(this, { gl, color, body, segments: points.length / 3 - 1 });
    this.vao = gl.createVertexArray();
    gl.bindVertexArray(this.vao);
    buffer(gl, new Float32Array([0, -1, 1, -1, 0, 1, 1, 1]), gl.STATIC_DRAW);
    attributes(gl, [[0, 2]], 0);
    this.buffer = buffer(gl, points, gl.STATIC_DRAW);
  }

  /** Draws `count` segments from number `first` on. */
  draw(first, count) {
    const { gl } = this;
    if (count <= 0) return;
    gl.bindVertexArray(this.vao);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
    for (const [location, point] of [[1, first], [2, first + 1]]) {
      gl.enableVertexAttribArray(location);
      gl.vertexAttribPointer(location, 3, gl.FLOAT, false, 12, 12 * point);
      gl.vertexAttribDivisor(location, 1);
    }
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, count);
  }
}

/** The texture that holds the poses of all bodies. */
class PoseTexture {
  constructor(gl, count) {
    Object.assign(this, { gl, count, data: new Float32Array(8 * count) });
    this.handle = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, this.handle);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA32F, 2, count);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
  }

  upload() {
    const { gl } = this;
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.handle);
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, 2, this.count, gl.RGBA, gl.FLOAT, this.data);
  }
}

/** A picture of the scene from above, blurred by its smaller copies. */
class ShadowTexture {
  constructor(gl, size) {
    Object.assign(this, { gl, size });
    this.handle = gl.createTexture();
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_2D, this.handle);
    gl.texStorage2D(gl.TEXTURE_2D, 6, gl.R8, size, size);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
    this.frame = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.frame);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, this.handle, 0);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  }

  /** Fills the texture with what `paint` draws. */
  fill(paint) {
    const { gl } = this;
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.frame);
    gl.viewport(0, 0, this.size, this.size);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.disable(gl.DEPTH_TEST);
    gl.enable(gl.BLEND);
    gl.blendEquation(gl.MAX);
    paint();
    gl.blendEquation(gl.FUNC_ADD);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_2D, this.handle);
    gl.generateMipmap(gl.TEXTURE_2D);
  }
}
