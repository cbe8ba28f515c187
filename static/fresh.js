// For devices that two sides share: no page of one side is shown again once the device has changed hands, neither out of
// the browser's memory (going back) nor in another tab. The server refuses it anyway; this is about copies.
const hands = new BroadcastChannel("hands");
hands.addEventListener("message", () => location.reload());
if (document.querySelector("[data-handed-over]")) hands.postMessage("over");

addEventListener("pagehide", (event) => {
  if (event.persisted) document.documentElement.hidden = true;
});
addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
});
