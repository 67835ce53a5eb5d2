// Programs of the graphics processor. Quaternions are w x y z here too; poses of bodies come from a texture, two texels a body.

const POSES = `#version 300 es
precision highp float;
uniform highp sampler2D uPoses;
vec3 turn(vec4 q, vec3 v) { return v + 2.0 * cross(q.yzw, cross(q.yzw, v) + q.x * v); }
vec3 place(int body, vec3 p) { return texelFetch(uPoses, ivec2(0, body), 0).xyz + turn(texelFetch(uPoses, ivec2(1, body), 0), p); }
vec3 direct(int body, vec3 n) { return turn(texelFetch(uPoses, ivec2(1, body), 0), n); }
`;

const SOLID_VERTEX = `${POSES}
layout(location = 0) in vec3 aPosition;
layout(location = 1) in vec3 aNormal;
layout(location = 2) in vec3 iPosition;
layout(location = 3) in vec4 iRotation;
layout(location = 4) in vec3 iScale;
layout(location = 5) in vec4 iColorBody;
uniform mat4 uMatrix;
uniform float uMarked, uWire;
out vec3 vPoint, vNormal, vColor;
out float vMark;
void main() {
  int body = int(iColorBody.a);
  vPoint = place(body, iPosition + turn(iRotation, aPosition * iScale + aNormal * uWire));
  vNormal = direct(body, turn(iRotation, uWire > 0.0 ? aNormal : aNormal / iScale));
  vColor = iColorBody.rgb;
  vMark = abs(iColorBody.a - uMarked) < 0.5 ? 1.0 : 0.0;
  gl_Position = uMatrix * vec4(vPoint, 1.0);
}`;

const SOLID_FRAGMENT = `#version 300 es
precision highp float;
in vec3 vPoint, vNormal, vColor;
in float vMark;
uniform vec3 uEye, uUp, uLight, uSky, uEarth;
out vec4 color;
void main() {
  vec3 n = normalize(vNormal), toEye = normalize(uEye - vPoint);
  if (dot(n, toEye) < 0.0) n = -n;
  vec3 base = pow(mix(vColor, vec3(1.0), 0.25 * vMark), vec3(2.2));
  float sun = max(dot(n, uLight), 0.0);
  float shine = pow(max(dot(n, normalize(uLight + toEye)), 0.0), 48.0);
  float rim = pow(1.0 - max(dot(n, toEye), 0.0), 3.0);
  vec3 ambient = mix(uEarth, uSky, 0.5 + 0.5 * dot(n, uUp));
  vec3 lit = base * (ambient + 0.95 * sun) + 0.12 * shine + 0.05 * rim * uSky;
  color = vec4(pow(lit, vec3(1.0 / 2.2)), 1.0);
}`;

/** What stands over the floor, darker the closer it is. */
const SHADOW_VERTEX = `${POSES}
layout(location = 0) in vec3 aPosition;
layout(location = 1) in vec3 aNormal;
layout(location = 2) in vec3 iPosition;
layout(location = 3) in vec4 iRotation;
layout(location = 4) in vec3 iScale;
layout(location = 5) in vec4 iColorBody;
uniform vec3 uCenter, uRight, uForward, uUp;
uniform float uHalf, uWire;
out float vStrength;
void main() {
  vec3 p = place(int(iColorBody.a), iPosition + turn(iRotation, aPosition * iScale + aNormal * uWire)) - uCenter;
  vStrength = exp(-max(dot(p, uUp), 0.0) / (0.55 * uHalf));
  gl_Position = vec4(dot(p, uRight) / uHalf, dot(p, uForward) / uHalf, 0.0, 1.0);
}`;

const SHADOW_FRAGMENT = `#version 300 es
precision highp float;
in float vStrength;
out vec4 color;
void main() { color = vec4(vStrength); }`;

const FLOOR_VERTEX = `#version 300 es
precision highp float;
layout(location = 0) in vec2 aCorner;
uniform mat4 uMatrix;
uniform vec3 uCenter, uRight, uForward;
uniform float uRadius;
out vec2 vPlane, vLocal;
void main() {
  vLocal = aCorner;
  vec3 p = uCenter + uRadius * (aCorner.x * uRight + aCorner.y * uForward);
  vPlane = vec2(dot(p, uRight), dot(p, uForward));
  gl_Position = uMatrix * vec4(p, 1.0);
}`;

const FLOOR_FRAGMENT = `#version 300 es
precision highp float;
in vec2 vPlane, vLocal;
uniform sampler2D uShadow;
uniform vec2 uShadowCenter;
uniform float uShadowHalf, uSpacing, uFacing, uShadowDepth;
uniform vec3 uInk;
out vec4 color;
float lines(float spacing) {
  vec2 p = vPlane / spacing, width = fwidth(p);
  vec2 near = abs(fract(p - 0.5) - 0.5) / width;
  vec2 visible = smoothstep(0.5, 0.2, width);
  return max((1.0 - smoothstep(0.1, 1.0, near.x)) * visible.x, (1.0 - smoothstep(0.1, 1.0, near.y)) * visible.y);
}
float shadow() {
  vec2 p = (vPlane - uShadowCenter) / uShadowHalf;
  vec2 inside = smoothstep(1.0, 0.9, abs(p));
  vec2 uv = 0.5 + 0.5 * p;
  float sum = 0.0;
  for (int k = 0; k < 8; k++) {
    float angle = 0.785398 * float(k);
    sum += textureLod(uShadow, uv + 0.012 * vec2(cos(angle), sin(angle)), 2.5).r;
  }
  return inside.x * inside.y * (0.7 * sum / 8.0 + 0.3 * textureLod(uShadow, uv, 2.0).r);
}
void main() {
  float fade = smoothstep(1.0, 0.15, length(vLocal));
  float ink = max(0.2 * lines(uSpacing), 0.4 * lines(5.0 * uSpacing)) * fade;
  float dark = uShadowDepth * shadow() * fade * uFacing;
  float alpha = 1.0 - (1.0 - ink) * (1.0 - dark);
  color = vec4(uInk * ink * (1.0 - dark), alpha);
}`;

/** Segments of a path, widened on the screen. */
const LINE_VERTEX = `${POSES}
layout(location = 0) in vec2 aCorner;
layout(location = 1) in vec3 iFrom;
layout(location = 2) in vec3 iTo;
uniform mat4 uMatrix;
uniform vec2 uViewport;
uniform float uWidth;
uniform int uBody;
void main() {
  vec4 a = uMatrix * vec4(place(uBody, iFrom), 1.0), b = uMatrix * vec4(place(uBody, iTo), 1.0);
  const float near = 1e-6;
  if (a.w < near && b.w > near) a = mix(b, a, (b.w - near) / (b.w - a.w));
  if (b.w < near && a.w > near) b = mix(a, b, (a.w - near) / (a.w - b.w));
  vec2 along = (b.xy / b.w - a.xy / a.w) * uViewport;
  float size = length(along);
  along = size > 0.0 ? along / size : vec2(1.0, 0.0);
  vec4 p = aCorner.x < 0.5 ? a : b;
  vec2 offset = (vec2(-along.y, along.x) * aCorner.y + along * (aCorner.x - 0.5)) * uWidth;
  gl_Position = p + vec4(offset / uViewport * p.w, 0.0, 0.0);
}`;

const LINE_FRAGMENT = `#version 300 es
precision highp float;
uniform vec4 uColor;
out vec4 color;
void main() { color = vec4(uColor.rgb * uColor.a, uColor.a); }`;
