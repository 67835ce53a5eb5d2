// Buttons and keys: the player under the view, the tools over it, tabs, splitter and shortcuts.

/** The bar with play, time and speed. */
class Player {
  constructor(run, playback) {
    Object.assign(this, { run, playback, decimals: timeDecimals(run.duration) });
    this.slider = byId("slider");
    Object.assign(this.slider, { min: run.start, max: run.end, step: "any", disabled: run.duration === 0 });
    this.slider.addEventListener("input", () => playback.seek(Number(this.slider.value)));
    byId("play").onclick = () => playback.toggle();
    byId("back").onclick = () => playback.step(-1);
    byId("forward").onclick = () => playback.step(1);
    byId("loop").onclick = () => this.toggleLoop();
    this.speed = byId("speed");
    this.speed.append(...SPEEDS.map((speed) => element("option", { value: speed, textContent: `${speed}×` })));
    this.speed.value = playback.speed;
    this.speed.onchange = () => { playback.speed = Number(this.speed.value); };
    byId("end").textContent = `/ ${run.end.toFixed(this.decimals)} s`;
    byId("end").previousElementSibling.style.minWidth = `${run.end.toFixed(this.decimals).length + 0.5}ch`;
    playback.listeners.push(() => this.update());
    this.update();
  }

  changeSpeed(by) {
    const k = clamp(SPEEDS.indexOf(this.playback.speed) + by, 0, SPEEDS.length - 1);
    this.speed.value = this.playback.speed = SPEEDS[k];
  }

  toggleLoop() {
    this.playback.loop = !this.playback.loop;
    byId("loop").setAttribute("aria-pressed", String(this.playback.loop));
  }

  update() {
    const { time, playing } = this.playback;
    this.slider.value = time;
    this.slider.style.setProperty("--done", `${(100 * (time - this.run.start)) / (this.run.duration || 1)}%`);
    byId("time").textContent = time.toFixed(this.decimals);
    byId("play").classList.toggle("playing", playing);
    byId("play").setAttribute("aria-label", playing ? "Pause" : "Play");
  }
}

/** Tools of the 3D view. */
class ViewTools {
  constructor(viewer, mechanism) {
    Object.assign(this, { viewer, mechanism });
    for (const button of document.querySelectorAll("[data-look]")) button.onclick = () => viewer.look(button.dataset.look);
    byId("fit").onclick = () => viewer.fit();
    byId("ortho").onclick = () => this.toggleOrtho();
    for (const box of document.querySelectorAll("[data-show]")) {
      box.checked = viewer.show[box.dataset.show];
      box.onchange = () => this.toggle(box.dataset.show);
    }
    byId("arrow-scale").oninput = (event) => { viewer.glyphs.arrowScale = 10 ** Number(event.target.value); viewer.touch(); };
    byId("forces-row").hidden = !viewer.glyphs.hasForces;
    byId("contact-scale").oninput = (event) => { viewer.contacts.scale = 10 ** Number(event.target.value); viewer.touch(); };
    byId("contact-lengths").onchange = (event) => { viewer.contacts.lengths = event.target.value; viewer.touch(); };
    byId("contacts-rows").hidden = !viewer.contacts.touches.count;
    this.fillChoices();
  }

  fillChoices() {
    const moving = this.mechanism.bodies.filter((body) => body.position);
    const option = (name) => element("option", { value: name, textContent: name });
    byId("follow").append(...moving.map((body) => option(body.name)));
    byId("follow").onchange = (event) => this.viewer.followBody(moving.find((body) => body.name === event.target.value));
    const points = moving.flatMap((body) => [body.name, ...body.markers.map((marker) => `${body.name}.${marker.name}`)]);
    byId("trace").append(...points.map(option));
    byId("trace").onchange = (event) => {
      if (event.target.value) this.viewer.toggleTrace(event.target.value);
      this.update();
    };
    this.update();
  }

  /** Shows who is followed and what is traced. */
  update() {
    byId("follow").value = this.viewer.follow?.name ?? "";
    byId("trace").value = "";
    byId("traces").replaceChildren(...[...this.viewer.traces.keys()].map((name) => {
      const remove = () => { this.viewer.toggleTrace(name); this.update(); };
      return element("button", { className: "text", textContent: `${name} ×`, title: "Remove this trace", onclick: remove });
    }));
  }

  toggle(name) {
    this.viewer.show[name] = !this.viewer.show[name];
    document.querySelector(`[data-show=${name}]`).checked = this.viewer.show[name];
    this.viewer.touch();
  }

  toggleOrtho() {
    const { camera } = this.viewer;
    camera.ortho = !camera.ortho;
    camera.update();
    byId("ortho").textContent = camera.ortho ? "Ortho" : "Persp";
    this.viewer.touch();
  }
}

/** The tabs of the right side; returns a function that opens one. */
function connectTabs(changed) {
  const tabs = [...document.querySelectorAll("[role=tab]")];
  const open = (name) => {
    for (const tab of tabs) {
      const chosen = tab.dataset.tab === name;
      tab.setAttribute("aria-selected", String(chosen));
      byId(tab.dataset.tab).hidden = !chosen;
    }
    changed();
  };
  tabs.forEach((tab) => { tab.onclick = () => open(tab.dataset.tab); });
  return open;
}

/** The bar between view and plots. */
function connectSplitter() {
  const bar = byId("splitter");
  const main = bar.parentElement;
  bar.addEventListener("pointerdown", (event) => bar.setPointerCapture(event.pointerId));
  bar.addEventListener("pointermove", (event) => {
    if (!bar.hasPointerCapture(event.pointerId)) return;
    const width = main.getBoundingClientRect().right - event.clientX;
    main.style.setProperty("--side", `${clamp(width, 280, main.clientWidth - 420)}px`);
  });
}

/** What the mouse has pressed does not keep the keys, and a click elsewhere closes the menu. */
function connectFocus() {
  const menu = document.querySelector(".menu");
  addEventListener("pointerdown", (event) => { if (!menu.contains(event.target)) menu.open = false; });
  addEventListener("click", (event) => { if (event.detail > 0) event.target.closest("button, summary, [type=checkbox]")?.blur(); });
  addEventListener("change", (event) => { if (event.target.matches("select")) event.target.blur(); });
}

/** Keys and what they do; also the table of the help. */
function shortcuts({ player, playback, viewer, tools, theme, toggleChannels }) {
  const view = (action) => () => viewer && action();
  const jump = (count) => () => playback.step(count);
  return [
    [" ", "Space", "Play or pause", () => playback.toggle()],
    ["ArrowLeft", "←", "One sample back (Shift: ten)", jump(-1), jump(-10)],
    ["ArrowRight", "→", "One sample forward (Shift: ten)", jump(1), jump(10)],
    ["Home", "Home", "To the start", () => playback.seek(-Infinity)],
    ["End", "End", "To the end", () => playback.seek(Infinity)],
    ["+", "+", "Faster", () => player.changeSpeed(1)],
    ["-", "−", "Slower", () => player.changeSpeed(-1)],
    ["l", "L", "Loop", () => player.toggleLoop()],
    ["f", "F", "Fit everything into the view", view(() => viewer.fit())],
    ["1", "1", "Front view", view(() => viewer.look("front"))],
    ["2", "2", "Right view", view(() => viewer.look("right"))],
    ["3", "3", "Top view", view(() => viewer.look("top"))],
    ["4", "4", "Isometric view", view(() => viewer.look("iso"))],
    ["o", "O", "Perspective or orthographic", view(() => tools.toggleOrtho())],
    ["m", "M", "Markers", view(() => tools.toggle("markers"))],
    ["j", "J", "Joints", view(() => tools.toggle("joints"))],
    ["v", "V", "Forces", view(() => tools.toggle("forces"))],
    ["k", "K", "Contact points and forces", view(() => tools.toggle("contacts"))],
    ["n", "N", "Names", view(() => tools.toggle("names"))],
    ["g", "G", "Grid", view(() => tools.toggle("floor"))],
    ["c", "C", "Channels", toggleChannels],
    ["/", "/", "Search channels", () => { toggleChannels("open"); byId("search").focus(); }],
    ["d", "D", "Light or dark", () => theme.toggle()],
    ["Escape", "Esc", "Close the card of a body", view(() => viewer.deselect())],
    ["?", "?", "This help", () => byId("help").showModal()],
  ];
}

function connectKeys(table) {
  const actions = new Map(table.map(([key, , , action, shifted]) => [key, { action, shifted }]));
  addEventListener("keydown", (event) => {
    const typing = event.target.matches("input:not([type=range]):not([type=checkbox]), select, textarea");
    const pressing = event.target.matches("button, summary") && (event.key === " " || event.key === "Enter");
    if (event.key === "Escape") event.target.blur();
    if (typing || pressing || event.ctrlKey || event.metaKey || event.altKey || byId("help").open) return;
    const found = actions.get(event.key.length === 1 ? event.key.toLowerCase() : event.key);
    if (!found) return;
    event.preventDefault();
    (event.shiftKey && found.shifted ? found.shifted : found.action)();
  });
  byId("keys").replaceChildren(...table.map(([, shown, text]) => element("tr", {},
    element("td", {}, element("kbd", { textContent: shown })), element("td", { textContent: text }))));
}
