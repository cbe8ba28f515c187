// For devices that two sides share: no page of one side is shown again once the device has changed hands, neither out of
// the browser's memory (going back) nor in another tab. The server refuses it anyway; this is about copies.
// The screen between the sides tells the pages of its game, and reloads for nobody: else two of them would never rest.
const hands = new BroadcastChannel("hands");
const game = location.pathname.split("/")[2];
if (document.querySelector("[data-handed-over]")) {
  hands.postMessage(game);
} else {
  hands.addEventListener("message", (event) => { if (event.data === game) location.reload(); });
}

addEventListener("pagehide", (event) => {
  if (event.persisted) document.documentElement.hidden = true;
});
addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
});
