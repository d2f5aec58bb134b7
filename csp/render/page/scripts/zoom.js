/* Zoom: enlarge the picture beyond its stage and drag it with the pointer, by a CSS transform only. */

const MAX_SCALE = 8; // maximum scale

/* The scale and offset of the drawings on a stage. */
export class Zoom {
  constructor(stage, drawings) {
    Object.assign(this, { stage, drawings, scale: 1, x: 0, y: 0 });
    stage.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      this.zoomBy(Math.exp(-event.deltaY / 200), event);
    }, { passive: false });
    stage.addEventListener("pointerdown", (event) => this.startDrag(event));
    stage.addEventListener("click", (event) => { if (this.isDragged) event.stopPropagation(); }, true);
  }

  /* Multiply the scale by a factor, around a point of the screen or the middle of the stage. */
  zoomBy(factor, point) {
    const box = this.stage.getBoundingClientRect(), scale = Math.min(MAX_SCALE, Math.max(1, this.scale * factor));
    const at = point ? [point.clientX - box.left, point.clientY - box.top] : [box.width / 2, box.height / 2];
    this.x = at[0] - (at[0] - this.x) * (scale / this.scale);
    this.y = at[1] - (at[1] - this.y) * (scale / this.scale);
    this.scale = scale;
    this.applyTransform();
  }

  /* Show the whole picture. */
  fit() { this.zoomBy(0); }

  /* Move the drawing so that the first part that fits is visible; a part is left, top, right, bottom in its coordinates. */
  follow(svg, parts) {
    if (this.scale === 1 || !parts.length) return;
    const { width, height } = this.stage.getBoundingClientRect(), [left, top, wide, high] = svg.getAttribute("viewBox").split(" ").map(Number);
    const share = Math.min(width / wide, height / high), room = [width, height], from = [(width - wide * share) / 2, (height - high * share) / 2];
    // Choose the first part that fits into the stage at this scale.
    const fits = (part) => [0, 1].every((i) => (part[i + 2] - part[i]) * share * this.scale <= room[i]), part = parts.find(fits) || parts.at(-1);
    // Move the drawing only along an axis on which the part is not visible.
    ["x", "y"].forEach((axis, i) => {
      const [low, end] = [part[i], part[i + 2]].map((at) => (from[i] + (at - [left, top][i]) * share) * this.scale);
      if (low + this[axis] < 0 || end + this[axis] > room[i]) this[axis] = room[i] / 2 - (low + end) / 2;
    });
    this.applyTransform();
  }

  /* Apply scale and offset, limited so that the picture covers the stage. */
  applyTransform() {
    const { width, height } = this.stage.getBoundingClientRect();
    this.x = Math.min(0, Math.max(width * (1 - this.scale), this.x));
    this.y = Math.min(0, Math.max(height * (1 - this.scale), this.y));
    const transform = this.scale === 1 ? "" : `translate(${this.x}px, ${this.y}px) scale(${this.scale})`;
    this.drawings.forEach((drawing) => { drawing.style.transform = transform; });
    this.stage.classList.toggle("zoomed", this.scale > 1);
  }

  /* Drag the drawing until the pointer is released. */
  startDrag(start) {
    this.isDragged = false;
    if (this.scale === 1 || start.button) return;
    const from = [this.x, this.y];
    const move = (event) => {
      const [dx, dy] = [event.clientX - start.clientX, event.clientY - start.clientY];
      if (!this.isDragged && Math.hypot(dx, dy) < 5) return;
      this.isDragged = true;
      [this.x, this.y] = [from[0] + dx, from[1] + dy];
      this.applyTransform();
    };
    const drop = () => { window.removeEventListener("pointermove", move); };
    window.addEventListener("pointermove", move);
    for (const end of ["pointerup", "pointercancel"]) window.addEventListener(end, drop, { once: true });
  }
}
