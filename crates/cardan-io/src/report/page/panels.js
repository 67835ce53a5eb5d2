// Panels of text: messages, statistics of the run, and the card of the body last clicked.

const words = (key) => { const text = key.replaceAll("_", " "); return text.charAt(0).toUpperCase() + text.slice(1); };

function valueText(value) {
  if (Number.isInteger(value)) return value.toLocaleString("en").replaceAll(",", "\u202f");
  if (typeof value === "number") return formatNumber(value, 5).replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "");
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.map(valueText).join(", ") || "none";
  return value === null ? "–" : String(value);
}

/** Rows of a table; nested objects become sections. */
function statisticsRows(object) {
  const rows = [];
  const isSection = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
  for (const [key, value] of Object.entries(object)) {
    if (isSection(value)) continue;
    const text = Array.isArray(value) && value.some((x) => typeof x === "object") ? JSON.stringify(value) : valueText(value);
    rows.push(element("tr", {}, element("th", { textContent: words(key), scope: "row" }), element("td", { textContent: text })));
  }
  for (const [key, value] of Object.entries(object)) {
    if (!isSection(value)) continue;
    const head = element("th", { textContent: words(key), colSpan: 2, className: "section" });
    rows.push(element("tr", {}, head), ...statisticsRows(value));
  }
  return rows;
}

/** Messages and statistics; a strip over the plots shows the first message. */
function fillRunPanel(run, openRun) {
  const { messages, statistics } = run;
  byId("messages").replaceChildren(...messages.map((text) => element("p", { className: "message", textContent: text })));
  if (messages.length) {
    byId("message-count").textContent = messages.length;
    byId("message-count").hidden = false;
    const more = messages.length > 1 ? element("small", { textContent: `${messages.length - 1} more` }) : "";
    const strip = element("button", { className: "strip", onclick: openRun }, element("span", { textContent: messages[0] }), more);
    byId("plots").before(strip);
  }
  const isObject = statistics !== null && typeof statistics === "object" && Object.keys(statistics).length > 0;
  const rows = isObject ? statisticsRows(statistics) : [];
  byId("statistics").replaceChildren(element("tbody", {}, ...rows));
  byId("statistics").hidden = !rows.length;
}

/** The card with the values of one body. */
class BodyCard {
  constructor(run, root, viewer, board, changed) {
    Object.assign(this, { run, root, viewer, board, changed });
  }

  show(body) {
    this.body = body;
    this.root.hidden = !body;
    if (!body) return;
    const quantities = ["position", "velocity", "angular_velocity"];
    this.rows = quantities.map((name) => this.row(body, name)).filter(Boolean);
    const close = element("button", { className: "tool", textContent: "×", title: "Close", onclick: () => this.viewer.deselect() });
    const swatch = element("i");
    swatch.style.background = `rgb(${body.color.map((c) => Math.round(255 * c)).join(" ")})`;
    this.root.replaceChildren(
      element("header", {}, swatch, element("strong", { textContent: body.name }), close),
      element("dl", {}, ...this.rows.flatMap(({ name, value }) => [element("dt", { textContent: name.replaceAll("_", " ") }), value])),
      element("footer", {}, ...this.buttons(body)),
    );
    this.update();
  }

  row(body, name) {
    const columns = this.run.group(`${body.name}.${name}`, ["x", "y", "z"]);
    const { unit: unitName } = this.run.channels[this.run.index.get(`${body.name}.${name}.x`)] ?? {};
    return columns && { name, columns, unitName, value: element("dd") };
  }

  buttons(body) {
    const button = (text, action, on) => {
      const node = element("button", { className: "text", textContent: text, onclick: () => { action(); this.changed(); this.show(body); } });
      node.setAttribute("aria-pressed", String(on));
      return node;
    };
    const { viewer, run, board } = this;
    const follows = viewer.follow === body;
    const indices = ["x", "y", "z"].map((c) => run.index.get(`${body.name}.position.${c}`)).filter(Boolean);
    const list = [
      button("Follow", () => viewer.followBody(follows ? undefined : body), follows),
      button("Trace", () => viewer.toggleTrace(body.name), viewer.traces.has(body.name)),
    ];
    const plot = () => board.add({ title: `${body.name} position`, channels: indices });
    return body.position ? [...list, button("Plot position", plot, false)] : [];
  }

  update() {
    if (!this.body) return;
    for (const { columns, unitName, value } of this.rows) {
      value.textContent = `${columns.map((column) => formatNumber(this.run.at(column), 3)).join("  ")} ${unitName}`;
    }
  }
}
