// The searchable tree of channels, grouped by element and quantity.

const SENSORS = "sensors";
const MOST_GROUPS = 60;

/** Channels as groups of quantities of parts: crank → position → x, y, z. */
function channelGroups(run) {
  const groups = new Map();
  run.channels.forEach(({ name, unit: unitName }, index) => {
    if (index === 0) return;
    const pieces = name.split(".");
    const group = pieces.length > 1 ? pieces[0] : SENSORS;
    const part = pieces.length > 2 ? pieces[pieces.length - 1] : "";
    const quantity = pieces.length > 2 ? pieces.slice(1, -1).join(".") : pieces[pieces.length - 1];
    if (!groups.has(group)) groups.set(group, new Map());
    const quantities = groups.get(group);
    const key = part ? quantity : `${quantity} `;
    if (!quantities.has(key)) quantities.set(key, { quantity, unit: unitName, parts: [] });
    quantities.get(key).parts.push({ part, index, name });
  });
  const rank = (name) => (name === SENSORS ? 0 : 1);
  return [...groups].sort(([a], [b]) => rank(a) - rank(b));
}

class ChannelTree {
  constructor(container, search, run, board) {
    Object.assign(this, { container, search, run, board, open: new Set() });
    this.groups = channelGroups(run);
    if (this.groups.length) this.open.add(this.groups[0][0]);
    search.addEventListener("input", () => this.render());
    board.listeners.push(() => this.mark());
    this.render();
  }

  /** Quantities of a group that contain every word of the search. */
  matching(group, quantities, words) {
    const fits = (text) => words.every((word) => text.includes(word));
    return [...quantities.values()]
      .map((entry) => ({ ...entry, parts: entry.parts.filter((part) => fits(`${group} ${part.name}`.toLowerCase())) }))
      .filter((entry) => entry.parts.length);
  }

  render() {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = [];
    for (const [group, quantities] of this.groups) {
      const entries = this.matching(group, quantities, words);
      if (entries.length) found.push([group, entries]);
    }
    const few = found.length <= 4;
    const shown = found.slice(0, words.length ? MOST_GROUPS : Infinity);
    this.container.replaceChildren(...shown.map(([group, entries]) => this.group(group, entries, words.length > 0 && few)));
    const left = found.length - shown.length;
    if (left > 0) this.container.append(element("p", { className: "hint", textContent: `${left} more elements: refine the search` }));
    if (!found.length) this.container.append(element("p", { className: "hint", textContent: "No channel has this name." }));
    this.mark();
  }

  /** One element; its quantities are made when it is first opened. */
  group(name, entries, open) {
    const count = entries.reduce((sum, entry) => sum + entry.parts.length, 0);
    const summary = element("summary", {}, element("span", { textContent: name, title: name }), element("small", { textContent: count }));
    const details = element("details", { open: open || this.open.has(name) }, summary);
    const fill = () => {
      if (details.open && details.children.length === 1) details.append(...entries.map((entry) => this.quantity(entry)));
    };
    details.addEventListener("toggle", () => {
      fill();
      this.open[details.open ? "add" : "delete"](name);
      this.mark();
    });
    fill();
    return details;
  }

  quantity({ quantity, unit: unitName, parts }) {
    const all = parts.map((part) => part.index);
    const label = element("button", { className: "quantity", title: `Plot ${quantity}`, onclick: () => this.board.toggle(all) });
    label.append(element("span", { textContent: quantity.replaceAll("_", " ") }), element("small", { textContent: unitName }));
    const row = element("div", { className: "row" }, label);
    label.dataset.channels = all.join(" ");
    for (const { part, index, name } of parts) {
      if (!part) continue;
      const chip = element("button", { className: "chip", textContent: part, title: name, onclick: () => this.board.toggle([index]) });
      chip.dataset.channels = index;
      row.append(chip);
    }
    return row;
  }

  /** Shows which channels are in the active plot. */
  mark() {
    const colors = new Map((this.board.active?.curves ?? []).map((curve) => [curve.index, this.board.theme.curve(curve.slot)]));
    for (const button of this.container.querySelectorAll("button")) {
      const indices = button.dataset.channels.split(" ").map(Number);
      const on = indices.every((index) => colors.has(index));
      button.setAttribute("aria-pressed", String(on));
      button.style.setProperty("--mark", on ? colors.get(indices[0]) : "");
    }
  }
}
