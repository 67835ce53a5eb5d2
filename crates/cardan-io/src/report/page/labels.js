// Flat drawing over the 3D view: names, the small axes in the corner and the size of the grid.

class Labels {
  constructor(canvas, theme) {
    Object.assign(this, { canvas, theme, pen: canvas.getContext("2d") });
  }

  resize(width, height, ratio) {
    Object.assign(this.canvas, { width: Math.round(width * ratio), height: Math.round(height * ratio) });
    Object.assign(this, { width, height, ratio });
  }

  draw(camera, mechanism, show, spacing) {
    const { pen } = this;
    pen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    pen.clearRect(0, 0, this.width, this.height);
    pen.font = `11.5px ${this.theme.color("font")}`;
    pen.lineJoin = "round";
    if (show.names) this.names(camera, mechanism);
    this.axes(camera);
    if (show.floor) this.scale(spacing);
  }

  text(text, x, y, color) {
    const { pen } = this;
    pen.lineWidth = 3.5;
    pen.strokeStyle = this.theme.color("view-low");
    pen.strokeText(text, x, y);
    pen.fillStyle = color;
    pen.fillText(text, x, y);
  }

  names(camera, mechanism) {
    this.pen.textAlign = "left";
    this.pen.textBaseline = "middle";
    const color = this.theme.color("text");
    for (const body of mechanism.bodies) {
      const seen = body.k === WORLD ? undefined : camera.project(mechanism.origin(body.k));
      if (seen) this.text(body.name, (0.5 + 0.5 * seen[0]) * this.width + 9, (0.5 - 0.5 * seen[1]) * this.height - 9, color);
    }
  }

  /** Directions of the world's axes, nearest last. */
  axes(camera) {
    const { pen } = this;
    const [x, y, length] = [40, this.height - 40, 24];
    const axes = ["X", "Y", "Z"].map((name, k) => {
      const of = (v) => v[k];
      return { name, dx: of(camera.right), dy: of(camera.above), depth: of(camera.back), color: AXES[k] };
    });
    axes.sort((a, b) => a.depth - b.depth);
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    for (const { name, dx, dy, color } of axes) {
      const css = `rgb(${color.map((c) => Math.round(255 * c)).join(" ")})`;
      pen.strokeStyle = css;
      pen.lineWidth = 2.5;
      pen.beginPath();
      pen.moveTo(x, y);
      pen.lineTo(x + length * dx, y - length * dy);
      pen.stroke();
      this.text(name, x + (length + 9) * dx, y - (length + 9) * dy, css);
    }
  }

  scale(spacing) {
    this.pen.textAlign = "right";
    this.pen.textBaseline = "alphabetic";
    this.text(`grid ${formatNumber(spacing, 1)} m`, this.width - 12, this.height - 12, this.theme.color("muted"));
  }
}
