// The page works without this script. With it, what has changed is shown as it
// happens: the server's events say that there is something new, and the parts that
// are marked with data-live are fetched again, as the server renders them.
"use strict";

const names = { payment: "A payment has changed.", webhook: "A webhook has arrived." };

// typing reports whether someone is filling in a form of a part.
function typing(part) {
  return part.contains(document.activeElement) && document.activeElement.matches("input, select");
}

// replace puts the server's new text of a part in its place, and the focus on the
// same link or button as before.
function replace(part, fresh) {
  const focused = part.contains(document.activeElement) ? document.activeElement.outerHTML : "";
  const now = document.importNode(fresh, true);
  part.replaceWith(now);
  if (focused) [...now.querySelectorAll("*")].find((e) => e.outerHTML === focused)?.focus();
}

async function refresh(event) {
  const parts = [...document.querySelectorAll("[data-live]")].filter(
    (part) => (!event || part.dataset.live.split(" ").includes(event)) && !typing(part));
  if (parts.length === 0) return;
  const answer = await fetch(location.href);
  if (!answer.ok || answer.redirected) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const part of parts) {
    const now = fresh.getElementById(part.id);
    if (now && now.innerHTML !== part.innerHTML) replace(part, now);
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
