// Shows the "Copy" buttons beside links and makes them work. Pages are complete without it.
for (const button of document.querySelectorAll("button[data-copies]")) {
  const field = document.getElementById(button.dataset.copies);
  if (!field) continue;
  const label = button.textContent;
  button.hidden = false;
  button.setAttribute("aria-live", "polite");
  button.addEventListener("click", async () => {
    field.select();
    let copied = true;
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      // Addresses without https have no clipboard; the older way still works there.
      copied = document.execCommand("copy");
    }
    button.textContent = copied ? "Copied" : "Press Ctrl+C";
    setTimeout(() => { button.textContent = label; }, 2500);
  });
}
