// Times in the reader's own zone and manner, and how long it is until a turn is due. Without this file they are in UTC.

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const ago = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });
const UNITS = [["day", 86400], ["hour", 3600], ["minute", 60]];

function until(moment) {
  const seconds = (moment - Date.now()) / 1000;
  const [unit, size] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? ["minute", 60];
  return ago.format(Math.round(seconds / size), unit);
}

function show() {
  for (const time of document.querySelectorAll("time[datetime]")) {
    const moment = new Date(time.dateTime);
    if (Number.isNaN(moment.getTime())) continue;
    // Who is signed in may have said how times are written: then the server has done so.
    const own = "own" in time.dataset ? (time.dataset.own ||= time.textContent) : exact.format(moment);
    const words = time.closest(".deadline") ? `${own}, ${until(moment)}` : own;
    if (time.textContent !== words) time.textContent = words;
    time.title = time.dateTime;
  }
}

show();
setInterval(show, 60000);
// What comes into the page later is shown in the same way.
new MutationObserver(show).observe(document.body, { childList: true, subtree: true });

// The zone is offered where it is asked for.
const zone = document.querySelector("input[data-own-zone]");
if (zone && !zone.value) zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
