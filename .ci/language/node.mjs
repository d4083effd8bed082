// The sandbox from node, with nothing but its own modules.
//
//	node node.mjs sandbox.json     // what "walletfi sandbox --json" printed

import assert from "node:assert/strict";
import { createHmac, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const info = JSON.parse(readFileSync(process.argv[2], "utf8"));
const service = Object.fromEntries(info.services.filter((s) => s.host === "").map((s) => [s.service, s]));
const mint = Object.fromEntries(info.tokens.map((t) => [t.symbol, t.mint]));
const wallet = info.wallet.address;

// request sends a request. It returns the status and the decoded answer.
async function request(method, url, body, headers = {}) {
  if (body !== undefined) headers = { ...headers, "content-type": "application/json" };
  const answer = await fetch(url, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  const text = await answer.text();
  return { status: answer.status, answer: text === "" ? null : JSON.parse(text) };
}

// call calls a service. It returns the answer of a success.
async function call(name, method, path, body, token) {
  const s = service[name];
  const headers = {};
  if (token) headers.authorization = `Bearer ${token}`;
  else if (s.header === "Authorization" && s.key) headers.authorization = `Bearer ${s.key}`;
  else if (s.key) headers[s.header] = s.key;
  const { status, answer } = await request(method, s.url + path, body, headers);
  assert.ok(status >= 200 && status < 300, `${name} ${path}: ${status} ${JSON.stringify(answer)}`);
  return answer;
}

// control calls the control port.
async function control(method, path, body) {
  const { status, answer } = await request(method, info.control.url + path, body, { authorization: `Bearer ${info.control.token}` });
  assert.equal(status, 200, `${path}: ${JSON.stringify(answer)}`);
  return answer;
}

// land signs with the test wallet, sends to the node, and lets a second pass.
async function land(transaction) {
  const signed = await control("POST", "/sign-transaction", { transaction });
  const sent = await call("rpc", "POST", "", {
    jsonrpc: "2.0", id: 1, method: "sendTransaction", params: [signed.transaction, { encoding: "base64", preflightCommitment: "confirmed" }],
  });
  assert.equal(sent.result, signed.signature);
  await control("POST", "/advance", { by: 1 });
  const { status } = await control("GET", `/ledger/transaction-status?signature=${signed.signature}`);
  assert.ok(status.found && status.err === "", JSON.stringify(status));
  return signed.signature;
}

const deposit = async (amount) =>
  land((await call("lending", "POST", "/v1/generate.transactions.deposit", {
    owner: wallet, mintAddress: mint.USDC, depositType: "regular", amount,
  })).transaction);

// Sign in, by the code that the service would have sent by email.
const email = "node@example.com";
await call("smartaccount", "POST", "/auth/email/otp", { email });
const { code } = await control("GET", `/smartaccount/one-time-code?email=${email}`);
const { accessToken } = await call("smartaccount", "POST", "/auth/email/verify", { email, otp: code });
assert.equal((await call("smartaccount", "GET", "/accounts", undefined, accessToken)).total, 0);

await deposit(5_000_000);
assert.ok((await call("lending", "GET", `/v1/account/${wallet}`)).totalDeposited >= 5_000_000);

// Swap. JSON.stringify writes the quote otherwise than the service did.
const quoteResponse = await call("swap", "GET", `/quote?inputMint=${mint.SOL}&outputMint=${mint.USDC}&amount=1000000000`);
const swap = await call("swap", "POST", "/swap", { userPublicKey: wallet, quoteResponse });
const signature = await land(swap.swapTransaction);
assert.equal((await call("swap", "GET", `/order-status?signature=${signature}`)).status, "closed");

// Read the market.
const prices = await call("onchaindata", "GET", `/simple/networks/solana/token_price/${mint.SOL}`);
const price = Number(prices.data.attributes.token_prices[mint.SOL]);
assert.ok(price > 100 && price < 200, JSON.stringify(prices));

// Receive a webhook and verify its signature.
const server = createServer();
const received = new Promise((resolve) => {
  server.on("request", async (r, w) => {
    const chunks = [];
    for await (const chunk of r) chunks.push(chunk);
    w.writeHead(200).end();
    resolve({ headers: r.headers, body: Buffer.concat(chunks) });
  });
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
await call("webhooks", "POST", "/webhooks/rest/v1/webhooks/template/solanaWalletFilter", {
  name: "mine", network: "solana-mainnet", templateArgs: { addresses: [wallet] },
  destination_url: `http://127.0.0.1:${server.address().port}/hook`,
});
await deposit(1_000_000);
const { headers, body } = await received;
const { secret } = await control("GET", "/webhooks/secret");
const sum = createHmac("sha256", secret)
  .update(headers["x-webhook-nonce"] + headers["x-webhook-timestamp"]).update(body).digest();
assert.ok(timingSafeEqual(sum, Buffer.from(headers["x-webhook-signature"], "hex")), "the signature does not hold");
await control("POST", "/settle", { most: 5 });
assert.ok((await control("GET", "/deliveries")).deliveries.at(-1).landed);

// Two days pass at once.
const before = Date.parse((await control("GET", "/now")).time);
await control("POST", "/advance", { by: 48 * 3600 });
assert.equal(Date.parse((await control("GET", "/now")).time) - before, 48 * 3600 * 1000);

// A service fails once.
await control("POST", "/fault", { match: { service: "lending" }, fault: { status: 503, times: 1 } });
const statuses = [];
for (let i = 0; i < 2; i++) {
  statuses.push((await request("GET", `${service.lending.url}/v1/pools`, undefined, { "x-api-key": service.lending.key })).status);
}
assert.deepEqual(statuses, [503, 200]);

assert.deepEqual((await control("GET", "/violations")).violations, []);
server.close();
server.closeAllConnections?.();
console.log("node ok");
