// Plays a resolved day step by step: orders, moves, confrontations, artillery, end. The picture says
// in its attributes what becomes of each unit (src/picture/watch.rs), the page brings what is said
// in each step. When the end is reached for the first time, the server is told that the day was
// watched, and the rest of the page, which it kept back until then, is put around the player.

const MOTION = 800; // milliseconds of motion in a step, at most
const LOOK = 1000; // milliseconds to look before the next step
const READ = 600; // milliseconds to read a line, eight at most
const GHOST = 0.6; // opacity of a removed unit
const BEND = 0.2; // how far units walk aside, as their arrows do
const EASE = "cubic-bezier(.45, .05, .4, 1)";

for (const player of document.querySelectorAll("[data-player]")) begin(player);

function begin(player) {
  const board = player.querySelector("svg");
  const group = (name) => board.querySelector(`[data-step="${name}"]`);
  const [confrontations, artillery, end, orders] = ["confrontations", "artillery", "end", "orders"].map(group);
  const units = [...board.querySelectorAll(".unit")].map(read);
  const tells = [...player.querySelectorAll("template[data-tells]")];
  const marks = [...player.querySelectorAll("[data-of]")];
  const [now, dawn] = [".now", ".dawn"].map((part) => player.querySelector(part));
  const [play, back, on, skip] = ["play", "back", "on", "skip"].map((name) => player.querySelector(`[data-do=${name}]`));
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const LAST = tells.length - 1;
  let step = -1; // nothing was played yet
  let playing = false;
  let clock = null; // runs as long as a step and its pause

  // What a step looks like when it is over.
  function settle() {
    show(orders, step <= 0);
    show(confrontations, step === 2 || step === 3);
    show(artillery, step === 3);
    show(end, step === LAST);
    for (const unit of units) {
      unit.element.style.transform = transform(unit, place(unit, step));
      const fell = hasFallen(unit, step);
      unit.body.style.opacity = fell ? GHOST : "";
      if (unit.cross) show(unit.cross, fell);
    }
  }

  // The way there from the step before.
  function travel() {
    if (step === 0) {
      for (const [n, part] of [...(orders.firstElementChild?.children ?? [])].entries()) fade(part, 0, 1, 250, n * 150);
    } else if (step === 1) {
      show(orders, true);
      fade(orders, 1, 0, 250, 0).finished.then(() => show(orders, step <= 0), () => {});
      for (const unit of units.filter(({ way, meets }) => way || meets)) walk(unit);
    } else if (step === 2) {
      fade(confrontations, 0, 1, 250, 0);
      for (const unit of units.filter(({ meets }) => meets)) {
        const frames = [1, 2].map((at) => ({ transform: transform(unit, place(unit, at)) }));
        unit.element.animate(frames, { duration: 350, delay: 400, easing: EASE, fill: "backwards" });
        if (unit.falls === "clash") die(unit, 400);
      }
    } else if (step === 3) {
      for (const shot of artillery.querySelectorAll(".shot")) fire(shot);
      for (const unit of units.filter(({ falls }) => falls === "fire")) die(unit, 500);
    } else if (step === LAST) {
      fade(end, 0, 1, 300, 0);
    }
  }

  // Along the arrow, to where it meets an enemy if it does; who is met makes room.
  function walk(unit) {
    const { x, y } = unit.way ?? { x: 0, y: 0 };
    const bend = { x: x / 2 - y * BEND, y: y / 2 + x * BEND };
    const meeting = place(unit, 1);
    const frames = [0, 0.2, 0.4, 0.6, 0.8, 1].map((t) => ({
      transform: transform(unit, {
        x: 2 * t * (1 - t) * bend.x + t * t * meeting.x,
        y: 2 * t * (1 - t) * bend.y + t * t * meeting.y,
        size: 1 + t * (meeting.size - 1),
      }),
    }));
    unit.element.animate(frames, { duration: MOTION, easing: EASE });
  }

  function die(unit, delay) {
    fade(unit.body, 1, GHOST, 300, delay);
    fade(unit.cross, 0, 1, 300, delay);
  }

  function fire(shot) {
    fade(shot, 0, 1, 150, 0);
    const line = shot.querySelector(".line");
    line.animate({ strokeDashoffset: [62, 0] }, { duration: MOTION, easing: "linear" });
    const burst = shot.querySelector("use");
    burst?.animate({ transform: ["scale(0)", "scale(1.5)", "scale(1)"] }, { duration: 350, delay: 400, fill: "backwards" });
  }

  function go(target, moving) {
    for (const animation of board.getAnimations({ subtree: true })) animation.cancel();
    clock = null;
    step = target;
    settle();
    if (moving && !still.matches) travel();
    tell();
    if (step === LAST) {
      playing = false;
      arrived(player);
    }
    if (playing) wait();
    controls();
  }

  function wait() {
    const lines = Math.min(8, now.querySelectorAll("li").length);
    const running = board.animate({ opacity: [1, 1] }, MOTION + LOOK + READ * lines);
    clock = running;
    running.finished.then(() => {
      if (clock === running && playing) go(step + 1, true);
    }, () => {});
  }

  function tell() {
    player.querySelector("figcaption").hidden = true;
    now.hidden = false;
    now.replaceChildren(tells[step].content.cloneNode(true));
    dawn.hidden = step > 0 && step < LAST;
    for (const [n, mark] of marks.entries()) {
      if (n === step) mark.setAttribute("aria-current", "step");
      else mark.removeAttribute("aria-current");
    }
  }

  function controls() {
    const news = "seen" in player.dataset;
    play.classList.toggle("primary", news);
    play.classList.toggle("quiet", !news);
    play.textContent = playing ? "Pause" : step === LAST ? "Replay" : "Play";
    // Not "disabled": that would take the focus from whoever walks step by step.
    back.setAttribute("aria-disabled", step <= 0);
    on.setAttribute("aria-disabled", step === LAST);
    skip.setAttribute("aria-disabled", step === LAST);
  }

  const acts = {
    play() {
      playing = !playing;
      const waiting = board.getAnimations({ subtree: true });
      if (!playing) {
        for (const animation of waiting) animation.pause();
      } else if (clock) {
        for (const animation of waiting) animation.play();
      } else {
        go(step === LAST ? 0 : step + 1, true);
      }
      controls();
    },
    back() {
      playing = false;
      if (step > 0) go(step - 1, false);
    },
    on() {
      playing = false;
      if (step < LAST) go(step + 1, true);
    },
    skip() {
      playing = false;
      if (step < LAST) go(LAST, false);
    },
    replay() {
      playing = true;
      go(0, true);
    },
  };
  const keys = { ArrowLeft: "back", ArrowRight: "on", Home: "replay", End: "skip" };

  player.addEventListener("click", (event) => acts[event.target.closest("[data-do]")?.dataset.do]?.());
  player.querySelector(".controls").addEventListener("keydown", (event) => {
    const act = event.altKey || event.ctrlKey || event.metaKey ? undefined : keys[event.key];
    if (!act) return;
    event.preventDefault();
    acts[act]();
  });
  for (const part of player.querySelectorAll(".controls, .marks")) part.hidden = false;
  // Going to the end does the same as the form, and more gently.
  const next = player.querySelector("[data-next]");
  if (next && player.dataset.seen) next.hidden = true;
  controls();
}

function read(element) {
  const at = element.transform.baseVal.getItem(0).matrix;
  const { dx, dy, meets, rests, falls } = element.dataset;
  const numbers = (text) => {
    if (!text) return null;
    const [x, y, size] = text.split(" ").map(Number);
    return { x, y, size };
  };
  return {
    element,
    body: element.firstElementChild,
    cross: element.querySelector(".cross"),
    at: { x: at.e, y: at.f },
    way: dx === undefined ? null : { x: Number(dx), y: Number(dy) },
    meets: numbers(meets),
    rests: numbers(rests),
    falls,
  };
}

// How far a unit is from where it stands at dawn, and how large, when a step is over.
function place(unit, step) {
  if (step < 1) return { x: 0, y: 0, size: 1 };
  const way = unit.way ?? { x: 0, y: 0 };
  const aside = (step === 1 ? unit.meets : unit.rests) ?? { x: 0, y: 0, size: 1 };
  return { x: way.x + aside.x, y: way.y + aside.y, size: aside.size };
}

function hasFallen(unit, step) {
  return (unit.falls === "clash" && step >= 2) || (unit.falls === "fire" && step >= 3);
}

function transform({ at }, { x, y, size }) {
  return `translate(${at.x + x}px, ${at.y + y}px) scale(${size})`;
}

function show(element, shown) {
  if (shown) element.removeAttribute("display");
  else element.setAttribute("display", "none");
}

function fade(element, from, to, duration, delay) {
  return element.animate({ opacity: [from, to] }, { duration, delay, fill: "backwards" });
}

// Says that the day was watched, and shows what the server answers around the player. If that fails, the
// button that does the same stays.
async function arrived(player) {
  const address = player.dataset.seen;
  if (!address) return;
  delete player.dataset.seen;
  try {
    const answer = await fetch(address, { method: "POST" });
    if (!answer.ok) throw new Error(answer.statusText);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const main = document.adoptNode(page.querySelector("main"));
    const theirs = main.querySelector("[data-player]");
    if (!theirs) throw new Error("no player");
    const [focus, old] = [document.activeElement, player.closest("main")];
    player.querySelector("[data-next]").replaceWith(theirs.querySelector("[data-next]"));
    player.querySelector("[data-do=skip]").textContent = theirs.querySelector("[data-do=skip]").textContent;
    theirs.replaceWith(player);
    old.replaceWith(main);
    if (player.contains(focus)) focus.focus({ preventScroll: true });
  } catch {
    player.dataset.seen = address;
    player.querySelector("[data-next]").hidden = false;
  }
}
