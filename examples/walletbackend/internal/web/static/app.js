// The page works without this script. With it, what has changed is shown as it
// happens: the server's events say that there is something new, and the parts that
// are marked with data-live are fetched again, as the server renders them.
"use strict";

const names = { payment: "A payment has changed.", webhook: "A webhook has arrived." };

async function refresh(event) {
  const parts = [...document.querySelectorAll("[data-live]")].filter(
    (part) => !event || part.dataset.live.split(" ").includes(event));
  // What someone is typing or about to press is left alone.
  const idle = parts.filter((part) => !part.contains(document.activeElement));
  if (idle.length === 0) return;
  const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
  if (!answer.ok || answer.redirected) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const part of idle) {
    const now = fresh.getElementById(part.id);
    if (now && now.innerHTML !== part.innerHTML) part.replaceWith(document.importNode(now, true));
  }
}

let wanted = Promise.resolve();
// One refresh after another, so that an old answer never replaces a new one.
function schedule(event) {
  wanted = wanted.then(() => refresh(event)).catch(() => {});
  if (event) document.getElementById("status").textContent = names[event];
}

if ("signedIn" in document.body.dataset && document.querySelector("[data-live]")) {
  const events = new EventSource("/api/events");
  for (const event of Object.keys(names)) events.addEventListener(event, () => schedule(event));
  // After a gap, such as a restart of the server, something may have been missed.
  events.addEventListener("open", () => { document.body.dataset.live = "on"; schedule(); });
  events.addEventListener("error", () => { document.body.dataset.live = "off"; });
}
