// The flows of @jup-ag/api: a quote, the transaction or the instructions of it, signed and sent.
import { Configuration, SwapApi } from '@jup-ag/api';
import { Connection, Keypair, PublicKey, VersionedTransaction } from '@solana/web3.js';
import { check, run, world } from '../clients/probe.mjs';

// The service wants a quote back whole, and the SDK's types leave out what they do not know. So its middleware
// keeps the text of each quote and puts it where the SDK would send its own reading. Otherwise it is
// the client that createJupiterApiClient makes, at another address.
let text = '';
const client = new SwapApi(new Configuration({
  basePath: world.swap,
  headers: { 'x-api-key': world.key },
  middleware: [{
    async pre({ url, init }) {
      if (init.method !== 'POST') return { url, init };
      const { quoteResponse, ...rest } = JSON.parse(init.body);
      check(quoteResponse.outAmount === JSON.parse(text).outAmount, 'the quote');
      return { url, init: { ...init, body: JSON.stringify(rest).replace(/}$/, `,"quoteResponse":${text}}`) } };
    },
    async post({ url, response }) {
      if (url.includes('/quote?')) text = await response.clone().text();
    },
  }],
}));
const owner = Keypair.fromSecretKey(Uint8Array.from(world.secret));
const connection = new Connection(world.url, { commitment: 'confirmed', wsEndpoint: world.socket });
const quote = (more = {}) => client.quoteGet({ inputMint: world.sol, outputMint: world.mint, amount: 100_000_000, slippageBps: 50, ...more });
const swap = { userPublicKey: owner.publicKey.toBase58(), wrapAndUnwrapSol: true, dynamicComputeUnitLimit: true };

async function land(text) {
  const tx = VersionedTransaction.deserialize(Buffer.from(text, 'base64'));
  tx.sign([owner]);
  const signature = await connection.sendRawTransaction(tx.serialize());
  for (let n = 0; n < 40; n++) {
    const { value } = await connection.getSignatureStatuses([signature]);
    if (value[0]?.confirmationStatus === 'confirmed' || value[0]?.confirmationStatus === 'finalized') {
      check(value[0].err === null, `it fails: ${JSON.stringify(value[0].err)}`);
      return;
    }
    await new Promise((go) => setTimeout(go, 200));
  }
  throw new Error('it does not land');
}

await run('jup-ag', {
  quoteGet: async () => {
    const q = await quote();
    check(q.inAmount === '100000000' && BigInt(q.outAmount) >= BigInt(q.otherAmountThreshold), 'amounts');
    check(q.routePlan.length > 0 && q.routePlan.every((s) => s.swapInfo.ammKey && s.swapInfo.label), 'a route');
  },
  'quoteGet of what cannot be': async () => {
    let refused = 0;
    await quote({ outputMint: world.sol }).catch((cause) => { refused = cause.response?.status; });
    check(refused === 400, `it is refused with ${refused}`);
  },
  swapPost: async () => {
    const s = await client.swapPost({ swapRequest: { ...swap, quoteResponse: await quote() } });
    check(s.lastValidBlockHeight > 0 && s.swapTransaction.length > 100, 'a transaction');
  },
  'swapPost, signed and sent': async () => {
    const s = await client.swapPost({ swapRequest: { ...swap, quoteResponse: await quote() } });
    const before = await connection.getTokenAccountBalance(await holder());
    await land(s.swapTransaction);
    const after = await connection.getTokenAccountBalance(await holder());
    check(BigInt(after.value.amount) > BigInt(before.value.amount), 'what was bought');
  },
  'swapPost with a price of units': async () => {
    const request = { ...swap, quoteResponse: await quote(), computeUnitPriceMicroLamports: 25_000 };
    const s = await client.swapPost({ swapRequest: request });
    check(Buffer.from(s.swapTransaction, 'base64').includes(Buffer.from('03a861000000000000', 'hex')), 'the price');
  },
  swapInstructionsPostRaw: async () => {
    const s = await client.swapInstructionsPostRaw({ swapRequest: { ...swap, quoteResponse: await quote() } });
    const body = await s.raw.json();
    check((body.instructions ?? []).length > 0 && Array.isArray(body.addressLookupTableAddresses), 'instructions');
  },
});

async function holder() {
  const { value } = await connection.getTokenAccountsByOwner(owner.publicKey, { mint: new PublicKey(world.mint) });
  return value[0].pubkey;
}
