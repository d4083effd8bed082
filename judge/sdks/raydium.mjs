// The flows of @raydium-io/raydium-sdk-v2: its client of the data, and the trade as its demo has it.
import { API_URLS, Api, Raydium } from '@raydium-io/raydium-sdk-v2';
import { Connection, Keypair, Transaction, VersionedTransaction } from '@solana/web3.js';
import { check, run, world } from '../clients/probe.mjs';

const owner = Keypair.fromSecretKey(Uint8Array.from(world.secret));
const connection = new Connection(world.url, { commitment: 'confirmed', wsEndpoint: world.socket });
const api = new Api({ cluster: 'mainnet', timeout: 10_000, urlConfigs: { BASE_HOST: world.data, SWAP_HOST: world.trade } });

async function ask(path, body) {
  const answer = await fetch(world.trade + path, body && {
    method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' },
  });
  return answer.json();
}

const compute = (way, version) => ask(`${API_URLS.SWAP_COMPUTE}swap-base-${way}?inputMint=${world.sol}&outputMint=${world.mint}`
  + `&amount=${way === 'in' ? 100_000_000 : 1_000_000}&slippageBps=50&txVersion=${version}`);

async function trade(way, version) {
  const swapResponse = await compute(way, version);
  check(swapResponse.success, 'a quote');
  const fee = await (await fetch(world.data + API_URLS.PRIORITY_FEE)).json();
  const { data } = await ask(`${API_URLS.SWAP_TX}swap-base-${way}`, {
    computeUnitPriceMicroLamports: String(fee.data.default.h), swapResponse, txVersion: version, wallet: owner.publicKey.toBase58(),
    wrapSol: true, unwrapSol: false,
  });
  check(data?.length > 0, 'transactions');
  for (const { transaction } of data) {
    const raw = Buffer.from(transaction, 'base64');
    const tx = version === 'V0' ? VersionedTransaction.deserialize(raw) : Transaction.from(raw);
    if (version === 'V0') tx.sign([owner]); else tx.sign(owner);
    const signature = await connection.sendRawTransaction(tx.serialize());
    await landed(signature);
  }
}

async function landed(signature) {
  for (let n = 0; n < 40; n++) {
    const { value } = await connection.getSignatureStatuses([signature]);
    if (['confirmed', 'finalized'].includes(value[0]?.confirmationStatus)) {
      check(value[0].err === null, `it fails: ${JSON.stringify(value[0].err)}`);
      return;
    }
    await new Promise((go) => setTimeout(go, 200));
  }
  throw new Error('it does not land');
}

let pools = [];
await run('raydium', {
  getPoolList: async () => {
    const list = await api.getPoolList({ pageSize: 10 });
    pools = list.data;
    check(pools.length > 0 && pools[0].id, 'pools');
  },
  fetchPoolById: async () => {
    const [pool] = await api.fetchPoolById({ ids: pools[0].id });
    check(pool.id === pools[0].id, 'the pool');
  },
  getTokenList: async () => {
    const list = await api.getTokenList();
    check(list.mintList.some((m) => m.address === world.mint), 'the mint');
  },
  'swap in, V0': () => trade('in', 'V0'),
  'swap in, legacy': () => trade('in', 'LEGACY'),
  'swap out, V0': () => trade('out', 'V0'),
  'Raydium.load': async () => {
    const raydium = await Raydium.load({ owner, connection, cluster: 'mainnet', disableFeatureCheck: true,
      disableLoadToken: true, urlConfigs: { BASE_HOST: world.data, SWAP_HOST: world.trade } });
    check(raydium.account.tokenAccounts.length > 0 || (await raydium.account.fetchWalletTokenAccounts()).tokenAccounts.length > 0, 'accounts');
  },
});
