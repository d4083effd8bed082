// The Wallet Standard: wallets and the page find each other by two events, whichever comes first.
const wallets = [];
const api = { register: (...found) => { wallets.push(...found); return () => {}; } };
window.addEventListener("wallet-standard:register-wallet", (event) => event.detail(api));
window.dispatchEvent(new CustomEvent("wallet-standard:app-ready", { detail: api }));

const byId = (id) => document.getElementById(id);
const toBase64 = (bytes) => btoa(String.fromCharCode(...bytes));
const fromBase64 = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));

let wallet, account;

async function call(path, body) {
  const response = await fetch(path, body === undefined ? {} : {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
  });
  const answer = await response.json();
  if (answer.code) throw Object.assign(new Error(answer.error), { code: answer.code });
  return answer;
}

function show(state, says = "") {
  byId("says").textContent = says;
  byId("state").textContent = state;
}

// Sign in: the wallet signs a text that names this site, once.
async function connect() {
  wallet = wallets.find((w) => w.features["solana:signIn"] && w.features["solana:signTransaction"]);
  if (!wallet) return show("no wallet", "No wallet of this browser can sign in and sign transactions.");
  const input = await call("/api/challenge", {});
  const [output] = await wallet.features["solana:signIn"].signIn(input);
  account = output.account;
  await call("/api/session", {
    address: account.address, message: toBase64(output.signedMessage), signature: toBase64(output.signature),
  });
  byId("owner").textContent = account.address;
}

async function pay() {
  show("preparing");
  const prepared = await call("/api/payments", { amount: byId("amount").value });
  byId("report").textContent = prepared.text; // what the wallet should show, too
  show("signing", `until about ${new Date(prepared.until).toLocaleTimeString()}`);
  byId("state").dataset.key = prepared.key;
  const path = `/api/payments/${prepared.key}`;
  let signed;
  try {
    // Sign, and never signAndSend: what the wallet sends by itself after a change is not seen.
    const outputs = await wallet.features["solana:signTransaction"].signTransaction(
      ...prepared.transactions.map((text) => ({ account, chain: prepared.chain, transaction: fromBase64(text) })));
    signed = outputs.map((o) => toBase64(o.signedTransaction));
  } catch (error) {
    // No signature came back. That is no proof that none was made.
    await call(`${path}/declined`, {});
    return follow(path, "declined");
  }
  show("sending");
  try {
    const result = await call(`${path}/signed`, { signed });
    show("confirmed", (result.changes ?? []).map((c) => c.text).join("; "));
  } catch (error) {
    if (error.code === "replayed" || error.code === "unknown") return follow(path, error.code);
    show(error.code ?? "unavailable", error.message);
  }
}

// A payment that may still land is asked after until it has, or cannot any more.
async function follow(path, why) {
  for (;;) {
    const { state } = await call(path);
    show(state === "unknown" || state === "running" ? why : state);
    if (state !== "unknown" && state !== "running") return;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

for (const [id, action] of [["connect", connect], ["pay", pay]]) {
  byId(id).addEventListener("click", () => action().catch((error) => show(error.code ?? "error", error.message)));
}
