// Marks the lessons that were solved in this browser. Nobody else is told, and nothing depends on it.
const KEY = "fieldcommand-solved";
const recall = () => {
  try { return new Set((localStorage.getItem(KEY) ?? "").split(" ").filter(Boolean)); } catch { return new Set(); }
};

const solved = recall();
const fresh = document.querySelector("[data-solved]")?.dataset.solved;
if (fresh && !solved.has(fresh)) {
  solved.add(fresh);
  try { localStorage.setItem(KEY, [...solved].join(" ")); } catch { /* not allowed here */ }
}
for (const link of document.querySelectorAll("[data-lesson]")) {
  if (!solved.has(link.dataset.lesson)) continue;
  link.classList.add("solved");
  const word = link.appendChild(document.createElement("span"));
  word.className = "hidden";
  word.textContent = ", solved";
}
