// News of the game without a reload: the server says that the version has risen, and the page
// asks again for what its holder may know. Falls back to asking from time to time.

const card = document.getElementById("news-card");

if (card) {
  const address = card.dataset.events;
  let version = Number(card.dataset.version);
  let asking = false;
  let gone = null;

  async function look() {
    const answer = await fetch(location.pathname, { headers: { "X-Quiet": "1" } });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.getElementById("news-card");
    if (answer.redirected || !fresh || fresh.dataset.turn !== card.dataset.turn || over(fresh)) {
      // A new day, or the end: said without its result, and shown when the reader wants to. Said once: who is about to
      // press the link keeps it.
      if (gone) return;
      const notice = document.createElement("p");
      notice.className = "act";
      const link = gone = notice.appendChild(document.createElement("a"));
      link.className = "button primary";
      link.href = answer.redirected ? answer.url : location.pathname;
      link.textContent = "There is news: look";
      const heading = Object.assign(document.createElement("h2"), { id: "news", tabIndex: -1, textContent: "The game has gone on." });
      card.replaceChildren(heading, notice);
      document.getElementById("look-again")?.remove();
      document.title = `• ${document.title.replace(/^• /, "")}`;
      return;
    }
    version = Number(fresh.dataset.version);
    // The card stays and gets new words, so that they are read out.
    const within = card.contains(document.activeElement);
    card.className = fresh.className;
    card.replaceChildren(...fresh.childNodes);
    if (within) document.getElementById("news").focus({ preventScroll: true });
    // Who plays, and whether somebody is still to be invited.
    document.title = page.title;
    document.querySelector("main h1")?.replaceChildren(...page.querySelector("main h1").childNodes);
    if (!page.getElementById("invitation-card")) document.getElementById("invitation-card")?.remove();
    // What the button says depends on whether the other side has sealed. Whoever is about to press it is not surprised:
    // the server asks once more.
    const [old, seal] = [document.getElementById("seal"), page.getElementById("seal")];
    if (old && seal && document.activeElement !== old) {
      old.textContent = seal.textContent;
      const bar = document.getElementById("bar");
      bar.querySelector("[name='may_resolve']")?.remove();
      const may = page.querySelector("#bar [name='may_resolve']");
      if (may) old.before(may);
    }
  }

  const over = (fresh) => fresh.matches(".over") && !card.matches(".over");

  // What is heard while the page asks makes it ask once more.
  let latest = version;
  async function heard(text) {
    latest = Math.max(latest, Number(text));
    if (asking) return;
    asking = true;
    try {
      for (let asked = version; latest > asked && !gone; ) {
        asked = latest;
        await look();
      }
    } catch {
      // The next news, or the next page, tells it.
    } finally {
      asking = false;
    }
  }

  // A message has come: the line that leads to the messages says so.
  async function mail() {
    const line = document.getElementById("mail-line");
    const answer = await fetch(location.pathname, { headers: { "X-Quiet": "1" } }).catch(() => null);
    if (!line || !answer?.ok) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("mail-line");
    if (fresh) line.replaceChildren(...fresh.childNodes);
  }

  let polls = false;
  function poll() {
    if (polls) return;
    polls = true;
    setInterval(async () => {
      if (document.visibilityState !== "visible") return;
      const answer = await fetch(`${address}?once=1`).catch(() => null);
      if (answer?.ok) heard(await answer.text());
    }, 20000);
  }

  // A page that nobody looks at gives its connection back: browsers have few of them for each server.
  let events = null;
  function listen() {
    events = new EventSource(address);
    events.addEventListener("version", (event) => heard(event.data));
    events.addEventListener("message-number", mail);
    events.addEventListener("error", () => {
      if (events?.readyState !== EventSource.CLOSED) return;
      events = null;
      poll();
    });
  }

  if ("EventSource" in window) {
    if (document.visibilityState === "visible") listen();
    document.addEventListener("visibilitychange", () => {
      events?.close();
      events = null;
      if (document.visibilityState === "visible") listen();
    });
  } else {
    poll();
  }
}

// A page that comes back out of the browser's memory may be of another time.
addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
