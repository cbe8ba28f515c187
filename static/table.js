// The table of a seat: sends its form in the background and lays the answer over the table that
// stands, so that a touch shows at once what may come of it. The page works without this file;
// it holds no rules. What a unit can reach stands in the squares (data-to), and everything else
// comes from the server's answer.

const LOOKS = { "+": "wins", "-": "loses", "=": "both", "o": "own" };
const table = document.getElementById("table");

if (table) {
  const undone = [];
  let queue = Promise.resolve();
  let typing = 0;
  let letters = "";

  const field = (name) => table.elements[name];
  const square = (name) => document.getElementById(`at-${name}`);
  const nameOf = (button) => button.id.slice(3);
  const focused = () => table.querySelector(".squares [tabindex='0']");

  // Sending: one act after the other, each on what the one before it left. A change may be a function that is asked when
  // its turn has come, and may find that there is nothing to do.
  let waiting = 0;
  function send(change) {
    waiting += 1;
    queue = queue
      .then(() => exchange(typeof change === "function" ? change() : change))
      .catch(() => say("The server cannot be reached; nothing was kept."))
      .finally(() => { waiting -= 1; });
    return queue;
  }

  async function exchange(change) {
    if (!change) return;
    const body = new URLSearchParams(new FormData(table));
    const before = body.get("text");
    for (const [name, value] of Object.entries(change)) body.set(name, value);
    const answer = await fetch(table.action, { method: "POST", body, headers: { "X-Part": "table" } });
    if (!answer.ok || answer.redirected) {
      // The turn is over, the seat is gone, or there is nothing to show in place: the whole page says what.
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const words = page.querySelector("main p");
      return say(words ? words.textContent : "The server did not keep this.", true);
    }
    place(await answer.text());
    const after = field("text").value;
    if ((change.act || "text" in change) && after !== before && change.undo !== "1") undone.push(before);
    show();
  }

  // Lays a new table over the one that stands. What is said stays the same element, so that it is read out; so do the
  // squares, so that nobody loses the place on the board.
  function place(html) {
    const fresh = new DOMParser().parseFromString(html, "text/html").getElementById("table");
    if (!fresh) return;
    const part = (id) => [document.getElementById(id), fresh.querySelector(`#${id}`)];
    const back = focusIn(fresh);
    for (const id of ["carried", "picture", "zoom"]) {
      const [old, now] = part(id);
      old.replaceChildren(...now.childNodes);
    }
    const [stage, freshStage] = part("stage");
    stage.className = freshStage.className;
    squares(...part("squares"));
    const [pen, freshPen] = part("pen");
    for (const old of pen.querySelectorAll("details[id]")) {
      const now = freshPen.querySelector(`#${CSS.escape(old.id)}`);
      if (now && !now.querySelector("[aria-invalid]")) now.open = old.open;
    }
    pen.replaceWith(freshPen);
    begin();
    say(fresh.querySelector("#said").textContent);
    back();
  }

  // The same squares get new words; others, of a larger or smaller part of the board, take their place.
  function squares(old, now) {
    const [stand, come] = [old, now].map((grid) => [...grid.querySelectorAll("button")]);
    if (stand.length !== come.length || stand.some((button, index) => button.id !== come[index].id)) {
      const [at, within] = [focused()?.id, old.contains(document.activeElement)];
      old.replaceChildren(...now.childNodes);
      stops(at);
      if (within) focused()?.focus({ preventScroll: true });
      return;
    }
    for (const [index, button] of stand.entries()) {
      for (const name of ["class", "value", "data-to", "aria-selected", "aria-label"]) {
        const value = come[index].getAttribute(name);
        if (value === null) button.removeAttribute(name);
        else if (value !== button.getAttribute(name)) button.setAttribute(name, value);
      }
    }
  }

  // Where the reader is on the table, and how to be there again on the next one.
  function focusIn(fresh) {
    const active = document.activeElement;
    if (!active || !table.contains(active) || active.matches(".squares button") && fresh.querySelector(`#${active.id}`)) return () => {};
    const { id, name, value } = active;
    if (id === "text") {
      // Whoever is typing keeps what is typed.
      const [start, end] = [active.selectionStart, active.selectionEnd];
      return () => {
        const text = field("text");
        text.value = value;
        text.focus({ preventScroll: true });
        text.setSelectionRange(start, end);
      };
    }
    const drop = [...table.querySelectorAll(".lines .drop")].indexOf(active);
    return () => {
      if (table.contains(document.activeElement) && document.activeElement !== document.body) return;
      const same = (id && document.getElementById(id)) || [...table.querySelectorAll(".pen button, .under button")].find((one) => one.name && one.name === name && one.value === value);
      const next = drop < 0 ? null : [...table.querySelectorAll(".lines .drop")].at(drop) ?? [...table.querySelectorAll(".lines .drop")].at(-1);
      const to = [same, next, table.querySelector(".squares .held"), focused()].find((one) => one && !one.disabled && !one.hidden);
      if (to?.matches(".squares button")) stops(to.id);
      to?.focus({ preventScroll: true });
    };
  }

  // The board is one stop of the Tab key.
  function stops(at) {
    const all = [...table.querySelectorAll(".squares button")];
    const stop = (at && document.getElementById(at)) || all.find((one) => one.matches(".mine")) || all[0];
    for (const one of all) one.tabIndex = one === stop ? 0 : -1;
  }

  function say(words, keep) {
    const said = document.getElementById("said");
    said.textContent = words;
    said.classList.toggle("wrong", Boolean(keep));
  }

  // What a unit can reach lights up before the server answers.
  function light(button) {
    for (const other of table.querySelectorAll(".squares .goal, .squares .held")) {
      other.classList.remove("goal", "held", "free", "wins", "loses", "both", "own");
    }
    if (!button?.dataset.to) return;
    button.classList.add("held");
    for (const goal of button.dataset.to.split(" ")) {
      const sign = LOOKS[goal.at(-1)];
      square(sign ? goal.slice(0, -1) : goal)?.classList.add("goal", sign ?? "free");
    }
  }

  function touch(button, gather) {
    const [verb, name] = button.value.split(" ");
    const held = field("held").value;
    if (!gather && verb === "touch") light(held === name || (!button.dataset.to && held) ? null : button);
    return send({ act: `${gather ? "gather" : verb} ${name}` });
  }

  // One tab stop: the arrows move, letters and digits jump.
  function go(button) {
    if (!button) return;
    for (const stop of table.querySelectorAll(".squares [tabindex='0']")) stop.tabIndex = -1;
    button.tabIndex = 0;
    button.focus({ preventScroll: true });
    button.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  function step(button, rows, columns) {
    const lines = [...table.querySelectorAll(".squares > div")].map((row) => [...row.children]);
    const row = lines.findIndex((line) => line.includes(button));
    const column = lines[row]?.indexOf(button);
    go(lines[row + rows]?.[column + columns]);
  }

  const MOVES = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

  function keys(event) {
    const button = event.target.closest(".squares button");
    if (!button || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in MOVES) {
      event.preventDefault();
      step(button, ...MOVES[event.key]);
    } else if (event.key === "Escape") {
      light(null);
      send({ act: "release", held: "" });
    } else if (event.key === "Home" || event.key === "End") {
      event.preventDefault();
      const row = [...button.parentElement.children];
      go(event.key === "Home" ? row[0] : row.at(-1));
    } else if (/^[a-k0-9]$/i.test(event.key)) {
      event.preventDefault();
      const key = event.key.toUpperCase();
      letters = /[A-K]/.test(key) ? key : letters + key;
      go(square(letters));
    }
  }

  // Dragging is a touch on both ends. A finger may still scroll: only a pen or a mouse drags at once.
  let drag = null;
  function press(event) {
    const from = event.target.closest(".squares button.mine, .kind");
    if (!from || from.disabled || event.button !== 0 || event.pointerType === "touch") return;
    drag = { from, x: event.clientX, y: event.clientY, moving: false };
  }
  const under = (event) => document.elementFromPoint(event.clientX, event.clientY)?.closest(".squares button");
  // The square below what is drawn shows that it would take it.
  function over(square) {
    for (const other of table.querySelectorAll(".squares .over")) other.classList.remove("over");
    square?.classList.add("over");
  }
  function pull(event) {
    if (drag?.moving) over(under(event));
    if (!drag || drag.moving || Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < 6) return;
    drag.moving = true;
    table.classList.add("dragging");
    light(drag.from.closest(".squares") ? drag.from : null);
  }
  function drop(event) {
    const { from, moving } = drag ?? {};
    drag = null;
    over(null);
    table.classList.remove("dragging");
    if (!moving) return;
    addEventListener("click", (click) => { click.preventDefault(); click.stopPropagation(); }, { capture: true, once: true });
    setTimeout(() => document.getElementById("stage")?.dispatchEvent(new Event("click")), 0);
    const to = under(event);
    if (!to || to === from) return light(null);
    if (from.matches(".kind")) return send({ held: from.value.split(" ")[1], act: `touch ${nameOf(to)}` });
    const [a, b] = [nameOf(from), nameOf(to)];
    return send({ held: "", act: document.getElementById("tray") ? `swap ${a} ${b}` : `add ${a}-${b}` });
  }

  // A long press gathers, where there is no Shift key.
  let pressing = 0;
  let pressed = false;
  function hold(event) {
    const button = event.target.closest(".squares button.mine");
    clearTimeout(pressing);
    pressed = false;
    if (!button || event.pointerType !== "touch") return;
    pressing = setTimeout(() => { pressed = true; touch(button, true); }, 550);
  }

  function submit(event) {
    const button = event.submitter;
    // What seals, and what stands beside the table, asks for a whole page.
    if (button && (button.hasAttribute("formaction") || !table.contains(button))) {
      if (waiting) {
        event.preventDefault();
        settle(button);
      }
      return;
    }
    event.preventDefault();
    if (button?.matches(".squares button")) {
      if (pressed) { pressed = false; return; }
      go(button);
      touch(button, event.shifted);
    } else {
      send(button?.name ? { [button.name]: button.value } : {});
    }
  }

  // What was pressed while a touch was on its way is pressed again when the answer is there, if it still says the same.
  async function settle(button) {
    const words = button.textContent;
    while (waiting) await queue;
    const now = button.isConnected ? button : document.getElementById(button.id);
    if (now?.textContent === words) return table.requestSubmit(now);
    now?.focus({ preventScroll: true });
    say("The sheet changed as you pressed the button. Look once more, and press again.");
  }

  function click(event) {
    const button = event.target.closest(".squares button");
    if (button && event.shiftKey) {
      event.preventDefault();
      touch(button, true);
    }
  }

  function typed(event) {
    if (event.target.id === "text") {
      clearTimeout(typing);
      typing = setTimeout(() => send({}), 600);
    }
  }

  function chosen(event) {
    if (event.target.id === "layer") send({});
    if (event.target.id === "letters") remember("letters", event.target.checked ? "1" : "");
  }

  const remember = (name, value) => { try { localStorage.setItem(`fieldcommand-${name}`, value); } catch { /* not allowed here */ } };
  const recall = (name) => { try { return localStorage.getItem(`fieldcommand-${name}`) ?? ""; } catch { return ""; } };

  // Deployments that this browser keeps. They are written for a side; the server turns them for the other one.
  function deployments() {
    const box = document.getElementById("saved");
    if (!box) return;
    let kept;
    try { kept = JSON.parse(recall("deployments") || "[]"); } catch { kept = []; }
    box.hidden = false;
    const list = document.createElement("ul");
    for (const [index, one] of kept.entries()) {
      const item = list.appendChild(document.createElement("li"));
      const use = item.appendChild(document.createElement("button"));
      use.type = "button";
      use.className = "button small";
      use.textContent = one.name;
      use.addEventListener("click", () => send({ text: one.text, act: one.side === box.dataset.side ? "" : "turn" }));
      const away = item.appendChild(document.createElement("button"));
      away.type = "button";
      away.className = "drop";
      away.setAttribute("aria-label", `Delete ${one.name}`);
      away.textContent = "✕";
      away.addEventListener("click", () => { kept.splice(index, 1); remember("deployments", JSON.stringify(kept)); deployments(); });
    }
    const row = document.createElement("div");
    row.className = "copy-row";
    const name = row.appendChild(document.createElement("input"));
    name.type = "text";
    name.maxLength = 40;
    name.placeholder = "A name for what stands here";
    name.setAttribute("aria-label", "A name for this deployment");
    const save = row.appendChild(document.createElement("button"));
    save.type = "button";
    save.className = "button quiet";
    save.textContent = "Save in this browser";
    save.addEventListener("click", () => {
      const entry = { name: name.value.trim() || "Deployment", side: box.dataset.side, text: field("text").value };
      kept = [...kept.filter((one) => one.name !== entry.name), entry];
      remember("deployments", JSON.stringify(kept));
      deployments();
      say(`“${entry.name}” is saved in this browser.`);
    });
    box.replaceChildren(list, row);
  }

  function show() {
    const undo = document.getElementById("undo");
    if (undo) undo.hidden = undone.length === 0;
  }

  // What a new sheet needs.
  function begin() {
    // The server remembers one step, the script all of them.
    document.getElementById("undo")?.addEventListener("click", (event) => {
      event.preventDefault();
      send(() => (undone.length ? { text: undone.pop(), held: "", undo: "1" } : null));
    });
    document.getElementById("show")?.setAttribute("hidden", "");
    deployments();
    show();
  }

  table.addEventListener("submit", submit);
  table.addEventListener("click", click, true);
  table.addEventListener("keydown", keys);
  table.addEventListener("pointerdown", press);
  table.addEventListener("pointerdown", hold);
  table.addEventListener("input", typed);
  table.addEventListener("change", chosen);
  for (const end of ["pointerup", "pointercancel", "pointermove"]) {
    table.addEventListener(end, (event) => {
      if (end !== "pointermove" || Math.abs(event.movementX) + Math.abs(event.movementY) > 4) clearTimeout(pressing);
    });
  }
  addEventListener("pointermove", pull);
  addEventListener("pointerup", drop);
  addEventListener("pointercancel", () => { drag = null; table.classList.remove("dragging"); light(null); });
  const box = document.getElementById("letters");
  if (box) box.checked = recall("letters") === "1";
  stops();
  begin();
}

// Questions are answered without leaving the page.
const asking = document.getElementById("ask-form");
asking?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const address = `${asking.action}?${new URLSearchParams(new FormData(asking))}`;
  const answer = await fetch(address).catch(() => null);
  if (!answer?.ok) return location.assign(address);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  document.getElementById("answer").replaceChildren(...page.getElementById("answer").childNodes);
});
