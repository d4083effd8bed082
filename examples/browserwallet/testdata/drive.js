// A user: presses the page's buttons and reads what it shows.
const byId = (id) => document.getElementById(id);

async function until(done) {
  while (!done()) await new Promise((resolve) => setTimeout(resolve, 20));
}

async function pay(mode, states) {
  window.testWallet.mode = mode;
  byId("pay").click();
  await until(() => byId("state").textContent === "signing" || states.includes(byId("state").textContent));
  await until(() => states.includes(byId("state").textContent));
  return { name: mode, state: byId("state").textContent, says: byId("says").textContent, report: byId("report").textContent };
}

const told = [];
try {
  await until(() => window.testWallet?.ready);
  byId("connect").click();
  await until(() => byId("owner").textContent !== "not signed in" || byId("state").textContent !== "none");
  told.push({ name: "signIn", state: byId("owner").textContent, says: byId("says").textContent });
  const ends = ["confirmed", "expired", "failed", "changed", "signedByAnother", "refused", "unavailable", "error", "session"];
  for (const mode of ["honest", "budget", "drain", "assertion", "another"]) {
    told.push(await pay(mode, ends));
    if (mode === "honest") {
      const response = await fetch(`/api/payments/${byId("state").dataset.key}/signed`, {
        method: "POST", body: JSON.stringify({ signed: window.testWallet.signed }),
      });
      told.push({ name: "replay", state: (await response.json()).code });
    }
  }
  told.push(await pay("sends", ends));
  told.push(await pay("late", ends));
  told.push(await pay("refusing", ["declined", ...ends]));
} catch (error) {
  told.push({ name: "error", says: String(error) });
}
await fetch("/test/done", { method: "POST", body: JSON.stringify(told) });
