// Mouse and fingers on the 3D view: orbit, pan, zoom, hover and click.

class ViewPointer {
  constructor(viewer, canvas) {
    Object.assign(this, { viewer, canvas, active: new Map(), moved: 0 });
    canvas.addEventListener("pointerdown", (event) => this.down(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, (event) => this.up(event));
    canvas.addEventListener("pointerleave", () => viewer.hover(undefined));
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("dblclick", () => viewer.fit());
    canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
  }

  /** A position in parts of half the view. */
  place(event) {
    const box = this.canvas.getBoundingClientRect();
    return [(2 * (event.clientX - box.left)) / box.width - 1, 1 - (2 * (event.clientY - box.top)) / box.height];
  }

  down(event) {
    this.canvas.setPointerCapture(event.pointerId);
    this.active.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (this.active.size === 1) this.moved = 0;
  }

  move(event) {
    const last = this.active.get(event.pointerId);
    if (!last) return this.viewer.hover(this.place(event), event);
    const [dx, dy] = [event.clientX - last.x, event.clientY - last.y];
    this.moved += Math.abs(dx) + Math.abs(dy);
    if (this.active.size === 2) this.pinch(event, dx, dy);
    else if (event.shiftKey || event.buttons & 6) this.viewer.camera.pan(dx, dy, this.canvas.clientHeight);
    else this.viewer.camera.orbit(dx, dy);
    Object.assign(last, { x: event.clientX, y: event.clientY });
    this.viewer.touch();
  }

  /** Two fingers: their distance zooms, their middle pans. */
  pinch(event, dx, dy) {
    const [id] = [...this.active.keys()].filter((key) => key !== event.pointerId);
    const other = this.active.get(id);
    const last = this.active.get(event.pointerId);
    const before = Math.hypot(last.x - other.x, last.y - other.y);
    const after = Math.hypot(event.clientX - other.x, event.clientY - other.y);
    if (before > 0 && after > 0) this.viewer.camera.zoom(before / after, 0, 0);
    this.viewer.camera.pan(dx / 2, dy / 2, this.canvas.clientHeight);
  }

  up(event) {
    if (this.active.delete(event.pointerId) && this.moved < 5 && event.type === "pointerup") this.viewer.select(this.place(event));
  }

  wheel(event) {
    event.preventDefault();
    const pixels = event.deltaY * (event.deltaMode === 1 ? 16 : 1);
    this.viewer.camera.zoom(Math.exp(clamp(pixels, -240, 240) * 0.0012), ...this.place(event));
    this.viewer.touch();
  }
}
