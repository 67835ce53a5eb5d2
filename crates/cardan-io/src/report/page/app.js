// Puts the page together: data, view, plots, panels, and the loop that draws them.

/** Does a column exist and change? */
const varies = (column) => column?.some((value) => value !== column[0]) ?? false;

/** Channels to plot first: sensors by unit, else the position of the first body; then normal forces of contacts, and energies. */
function firstPlots(run) {
  const pick = (title, names) => ({ title, channels: names.map((name) => run.index.get(name)).filter((k) => k !== undefined) });
  const all = run.channels.map((channel, index) => ({ ...channel, index }));
  const sensors = all.filter(({ name, index }) => index > 0 && !name.includes("."));
  const plots = [];
  for (const unitName of [...new Set(sensors.map((sensor) => sensor.unit))].slice(0, 2)) {
    const same = sensors.filter((sensor) => sensor.unit === unitName).slice(0, 6);
    plots.push({ title: "sensors", channels: same.map((sensor) => sensor.index) });
  }
  const moving = run.scene.bodies.find((body) => ["x", "y", "z"].some((c) => varies(run.named(`${body.name}.position.${c}`))));
  if (!plots.length && moving) plots.push(pick(`${moving.name} position`, ["x", "y", "z"].map((c) => `${moving.name}.position.${c}`)));
  const touching = busiest(run, 6).map((contact) => normalForceOf(run, contact)).filter((k) => k !== undefined);
  if (touching.length) plots.push({ title: "normal force", channels: touching });
  plots.push(pick("energy", ["total.energy", "total.kinetic_energy", "total.potential_energy"]));
  const shown = plots.filter((plot) => plot.channels.length);
  return shown.length ? shown : [{ title: "plot", channels: [] }];
}

/** Plots that show whether the run can be trusted. */
function addChecks(run, board) {
  const energy = run.index.get("total.energy");
  const violations = ["position", "velocity"].map((name) => run.index.get(`constraints.${name}_violation`)).filter((k) => k !== undefined);
  const container = byId("checks");
  const section = (title, options) => {
    const box = element("div", { className: "check" }, element("h3", { textContent: title }));
    container.append(box);
    board.add(options, box);
  };
  if (energy !== undefined) section("Total energy", { title: "energy", channels: [energy] });
  if (violations.length) section("Constraint violation", { title: "violation", channels: violations, scale: "log" });
}

function makeViewer(mechanism, playback, theme) {
  try {
    return new Viewer(byId("scene"), byId("overlay"), mechanism, playback, theme);
  } catch (error) {
    byId("stage").classList.add("no-view");
    byId("no-view-reason").textContent = error.message;
    return undefined;
  }
}

/** Hover, click and card of the view. */
function connectView(viewer, tools, run, board, playback) {
  const tip = byId("tip");
  const card = new BodyCard(run, byId("card"), viewer, board, () => tools.update());
  viewer.deselect = () => { viewer.selected = undefined; card.show(undefined); viewer.touch(); };
  viewer.listeners.select = (body) => card.show(body);
  viewer.listeners.hover = (text, event) => {
    tip.hidden = !text;
    if (!text) return;
    tip.textContent = text;
    const box = byId("view").getBoundingClientRect();
    tip.style.translate = `${event.clientX - box.left + 14}px ${event.clientY - box.top + 14}px`;
  };
  playback.listeners.push(() => card.update());
}

/** Draws what has changed, once a frame. */
function startLoop(viewer, board, playback) {
  let last = performance.now();
  let cursors = true;
  playback.listeners.push(() => { cursors = true; viewer?.touch(); });
  const frame = (now) => {
    playback.advance(Math.min((now - last) / 1000, 0.1));
    last = now;
    viewer?.advance(now);
    if (viewer?.stale) viewer.render();
    if (cursors) board.drawCursors();
    cursors = false;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}

/** A page with several cases shows one of them; for another it is loaded again. */
function connectCases(run) {
  const box = byId("cases");
  const option = ({ description }, k) => element("option", { value: String(k + 1), textContent: description, selected: k === run.chosen });
  box.replaceChildren(...run.cases.map(option));
  box.hidden = run.cases.length < 2;
  byId("description").hidden = !box.hidden;
  box.onchange = () => { location.hash = box.value; location.reload(); };
}

/** What tests may look at. */
function exposeForTests(viewer, board, playback, theme, run) {
  const plotted = () => board.plots.filter((plot) => plot.root.offsetParent).map((plot) => plot.curves.map((curve) => ({
    name: curve.name, unit: curve.unit, color: theme.curve(curve.slot), points: Array.from(curve.points ?? []),
  })));
  const renderTime = (count) => {
    const start = performance.now();
    for (let k = 0; k < count; k++) viewer.render();
    return (performance.now() - start) / count;
  };
  const look = () => ({ yaw: viewer.camera.yaw, pitch: viewer.camera.pitch, distance: viewer.camera.distance });
  const project = (body, local) => viewer.camera.project(viewer.mechanism.point(viewer.mechanism.index.get(body), local));
  const touches = () => viewer.contacts.seen.map((touch) => [...run.contacts[touch[0]].shapes.filter((_, k) => k === touch[1] || k === touch[2]),
    ...[0, 1, 2].map((which) => vectorOf(touch, which))]);
  const [time, playing, shown] = [() => playback.time, () => playback.playing, () => ({ ...board.window })];
  window.cardan = Object.freeze({ time, playing, window: shown, plotted, renderTime, look, project, touches });
}

function start() {
  const theme = new Theme();
  const run = new Run();
  const playback = new Playback(run);
  byId("title").textContent = run.title;
  byId("description").textContent = byId("description").title = run.description;
  connectCases(run);
  const mechanism = new Mechanism(run);
  const board = new Board(byId("plots"), run, playback, theme);
  const viewer = makeViewer(mechanism, playback, theme);
  const tools = viewer && new ViewTools(viewer, mechanism);
  const player = new Player(run, playback);
  const plots = firstPlots(run).map((options) => board.add(options));
  board.activate(plots[0]);
  addChecks(run, board);
  const tree = new ChannelTree(byId("tree"), byId("search"), run, board);
  const openTab = connectTabs(() => board.drawCursors());
  new ContactPanel(run, board, playback);
  fillRunPanel(run, () => openTab("run"));
  connectSplitter();
  connectFocus();
  const toggleChannels = (how) => document.body.classList.toggle("no-channels", how === "open" ? false : undefined);
  if (innerWidth < 900) toggleChannels();
  byId("channels-button").onclick = byId("channels-close").onclick = toggleChannels;
  byId("add-plot").onclick = () => {
    openTab("plots");
    board.add({ title: "plot", channels: [] }).root.scrollIntoView({ block: "nearest" });
  };
  byId("theme").onclick = () => theme.toggle();
  byId("help-button").onclick = () => byId("help").showModal();
  connectKeys(shortcuts({ player, playback, viewer, tools, theme, toggleChannels }));
  theme.listeners.push(() => { tree.mark(); viewer?.touch(); });
  if (viewer) {
    connectView(viewer, tools, run, board, playback);
    new ResizeObserver(() => { viewer.resize(); viewer.render(); }).observe(byId("view"));
  }
  startLoop(viewer, board, playback);
  exposeForTests(viewer, board, playback, theme, run);
}

start();
