// The methods of createSolanaRpc and createSolanaRpcSubscriptions of @solana/kit, as its reference
// lists them: without getVoteAccounts, getClusterNodes, getInflation... and getHighestSnapshotSlot,
// which a sandbox answers with constants, and without those that it calls unstable.
import {
  address, airdropFactory, appendTransactionMessageInstruction, createKeyPairSignerFromBytes,
  createSolanaRpc, createSolanaRpcSubscriptions, createTransactionMessage, generateKeyPairSigner,
  getBase64EncodedWireTransaction, getBase64Decoder, getCompiledTransactionMessageEncoder, getSignatureFromTransaction, lamports, pipe,
  sendAndConfirmTransactionFactory, setTransactionMessageFeePayerSigner, setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners, compileTransactionMessage,
} from '@solana/kit';
import { check, late, run, same, world } from './probe.mjs';

const rpc = createSolanaRpc(world.url);
const subscriptions = createSolanaRpcSubscriptions(world.socket);
const wallet = await createKeyPairSignerFromBytes(Uint8Array.from(world.secret));
const owner = address(world.address);
const mint = address(world.mint);
const holder = address(world.holder);
const slot = BigInt(world.slot);
const tokenProgram = address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
const system = address('11111111111111111111111111111111');
const confirmed = { commitment: 'confirmed' };

// transferOf is the system program's instruction 2, written by its bytes.
function transferOf(to, amount) {
  const data = new Uint8Array(12);
  const view = new DataView(data.buffer);
  view.setUint32(0, 2, true);
  view.setBigUint64(4, amount, true);
  return { programAddress: system, accounts: [{ address: owner, role: 3, signer: wallet }, { address: to, role: 1 }], data };
}

async function message() {
  const { value } = await rpc.getLatestBlockhash(confirmed).send();
  const to = (await generateKeyPairSigner()).address;
  return pipe(
    createTransactionMessage({ version: 0 }),
    (m) => setTransactionMessageFeePayerSigner(wallet, m),
    (m) => setTransactionMessageLifetimeUsingBlockhash(value, m),
    (m) => appendTransactionMessageInstruction(transferOf(to, 1_000_000n), m),
  );
}

const signed = async () => signTransactionMessageWithSigners(await message());
const wire = async () => getBase64EncodedWireTransaction(await signed());
const send = async () => rpc.sendTransaction(await wire(), { encoding: 'base64' }).send();

// told waits for the first notification of a subscription.
async function told(request, cause) {
  const stop = new AbortController();
  try {
    const notifications = await request.subscribe({ abortSignal: stop.signal });
    await cause?.();
    const first = (async () => { for await (const n of notifications) return n; })();
    return await Promise.race([first, late('notification')]);
  } finally {
    stop.abort();
  }
}

const owners = [{ dataSize: 165n }, { memcmp: { offset: 32n, bytes: world.address, encoding: 'base58' } }];

await run('kit', {
  getAccountInfo: async () => same((await rpc.getAccountInfo(mint, { encoding: 'jsonParsed' }).send()).value.data.parsed.type, 'mint'),
  'getAccountInfo zstd': async () => {
    const { value } = await rpc.getAccountInfo(holder, { encoding: 'base64+zstd' }).send();
    check(Buffer.from(value.data[0], 'base64').readUInt32LE(0) === 0xfd2fb528, 'a frame of zstd');
  },
  getBalance: async () => check((await rpc.getBalance(owner).send()).value > 90_000_000_000n, 'balance'),
  getBlock: async () => {
    const b = await rpc.getBlock(slot, { maxSupportedTransactionVersion: 0, ...confirmed }).send();
    check(b.transactions.length > 0 && b.blockhash.length > 40, 'transactions');
  },
  getBlockCommitment: async () => check((await rpc.getBlockCommitment(slot).send()).totalStake >= 0n, 'stake'),
  getBlockHeight: async () => check((await rpc.getBlockHeight().send()) > 0n, 'height'),
  getBlockProduction: async () => check((await rpc.getBlockProduction().send()).value.range.firstSlot >= 0n, 'range'),
  getBlockTime: async () => check((await rpc.getBlockTime(slot).send()) > 0n, 'time'),
  getBlocks: async () => check((await rpc.getBlocks(slot, slot + 2n, confirmed).send()).includes(slot), 'the slot'),
  getBlocksWithLimit: async () => same((await rpc.getBlocksWithLimit(slot, 1, confirmed).send())[0], slot),
  getEpochInfo: async () => {
    const e = await rpc.getEpochInfo().send();
    check(e.slotIndex < e.slotsInEpoch && e.transactionCount > 0n, 'epoch');
  },
  getEpochSchedule: async () => check((await rpc.getEpochSchedule().send()).slotsPerEpoch > 0n, 'slots'),
  getFeeForMessage: async () => {
    const bytes = getCompiledTransactionMessageEncoder().encode(compileTransactionMessage(await message()));
    same((await rpc.getFeeForMessage(getBase64Decoder().decode(bytes), confirmed).send()).value, 5000n);
  },
  getFirstAvailableBlock: async () => check((await rpc.getFirstAvailableBlock().send()) <= slot, 'block'),
  getGenesisHash: async () => check((await rpc.getGenesisHash().send()).length > 40, 'hash'),
  getHealth: async () => same(await rpc.getHealth().send(), 'ok'),
  getIdentity: async () => address((await rpc.getIdentity().send()).identity),
  getLargestAccounts: async () => check((await rpc.getLargestAccounts().send()).value.length > 0, 'accounts'),
  getLatestBlockhash: async () => check((await rpc.getLatestBlockhash().send()).value.lastValidBlockHeight > 0n, 'height'),
  getLeaderSchedule: async () => check(Object.keys(await rpc.getLeaderSchedule(null).send()).length > 0, 'leaders'),
  getMaxRetransmitSlot: async () => check((await rpc.getMaxRetransmitSlot().send()) > 0n, 'slot'),
  getMaxShredInsertSlot: async () => check((await rpc.getMaxShredInsertSlot().send()) > 0n, 'slot'),
  getMinimumBalanceForRentExemption: async () => same(await rpc.getMinimumBalanceForRentExemption(165n).send(), 2_039_280n),
  getMultipleAccounts: async () => same((await rpc.getMultipleAccounts([mint, holder], { encoding: 'base64' }).send()).value.map((a) => a.space), [82n, 165n]),
  getProgramAccounts: async () => check((await rpc.getProgramAccounts(tokenProgram, { encoding: 'base64', filters: owners }).send()).length > 0, 'accounts'),
  'getProgramAccounts withContext': async () => {
    const r = await rpc.getProgramAccounts(tokenProgram, { encoding: 'jsonParsed', filters: owners, withContext: true }).send();
    check(r.context.slot > 0n && r.value[0].account.data.parsed.type === 'account', 'context');
  },
  getRecentPerformanceSamples: async () => check((await rpc.getRecentPerformanceSamples(1).send())[0].samplePeriodSecs > 0, 'samples'),
  getRecentPrioritizationFees: async () => check(Array.isArray(await rpc.getRecentPrioritizationFees([owner]).send()), 'fees'),
  getSignatureStatuses: async () => same((await rpc.getSignatureStatuses([world.signature], { searchTransactionHistory: true }).send()).value[0].err, null),
  getSignaturesForAddress: async () => check((await rpc.getSignaturesForAddress(owner, confirmed).send()).some((s) => s.signature === world.signature), 'it'),
  getSlot: async () => check((await rpc.getSlot().send()) > 0n, 'slot'),
  getSlotLeader: async () => address(await rpc.getSlotLeader().send()),
  getSlotLeaders: async () => same((await rpc.getSlotLeaders(slot, 3).send()).length, 3),
  getStakeMinimumDelegation: async () => check((await rpc.getStakeMinimumDelegation().send()).value > 0n, 'lamports'),
  getSupply: async () => check((await rpc.getSupply().send()).value.total > 0n, 'total'),
  getTokenAccountBalance: async () => same((await rpc.getTokenAccountBalance(holder).send()).value.decimals, 6),
  getTokenAccountsByDelegate: async () => same((await rpc.getTokenAccountsByDelegate(owner, { mint }, { encoding: 'jsonParsed' }).send()).value, []),
  getTokenAccountsByOwner: async () => same((await rpc.getTokenAccountsByOwner(owner, { mint }, { encoding: 'jsonParsed' }).send()).value[0].pubkey, world.holder),
  getTokenLargestAccounts: async () => check((await rpc.getTokenLargestAccounts(mint).send()).value.length > 0, 'accounts'),
  getTokenSupply: async () => same((await rpc.getTokenSupply(mint).send()).value.decimals, 6),
  getTransaction: async () => {
    const t = await rpc.getTransaction(world.signature, { encoding: 'jsonParsed', maxSupportedTransactionVersion: 0, ...confirmed }).send();
    check(t.meta.fee === 5000n && t.meta.computeUnitsConsumed > 0n && t.transaction.message.instructions[0].parsed.type === 'transfer', 'meta');
  },
  getTransactionCount: async () => check((await rpc.getTransactionCount().send()) > 0n, 'count'),
  getVersion: async () => check((await rpc.getVersion().send())['solana-core'].length > 0, 'version'),
  isBlockhashValid: async () => same((await rpc.isBlockhashValid((await rpc.getLatestBlockhash().send()).value.blockhash, { commitment: 'processed' }).send()).value, true),
  minimumLedgerSlot: async () => check((await rpc.minimumLedgerSlot().send()) >= 0n, 'slot'),
  requestAirdrop: async () => check((await rpc.requestAirdrop((await generateKeyPairSigner()).address, lamports(1_000_000_000n)).send()).length > 80, 'signature'),
  sendTransaction: async () => check((await send()).length > 80, 'signature'),
  simulateTransaction: async () => {
    const r = await rpc.simulateTransaction(await wire(), { encoding: 'base64', sigVerify: true }).send();
    check(r.value.err === null && r.value.unitsConsumed > 0n && r.value.logs.length > 0, 'value');
  },
  accountNotifications: async () => check((await told(subscriptions.accountNotifications(owner, { encoding: 'base64', ...confirmed }), send)).value.lamports > 0n, 'lamports'),
  logsNotifications: async () => same((await told(subscriptions.logsNotifications({ mentions: [owner] }, confirmed), send)).value.err, null),
  programNotifications: async () => check((await told(subscriptions.programNotifications(system, { encoding: 'base64', ...confirmed }), send)).value.pubkey.length > 30, 'key'),
  rootNotifications: async () => check((await told(subscriptions.rootNotifications())) > 0n, 'root'),
  slotNotifications: async () => check((await told(subscriptions.slotNotifications())).root > 0n, 'root'),
  signatureNotifications: async () => {
    const t = await signed();
    const text = getBase64EncodedWireTransaction(t);
    const cause = () => rpc.sendTransaction(text, { encoding: 'base64' }).send();
    same((await told(subscriptions.signatureNotifications(getSignatureFromTransaction(t), confirmed), cause)).value.err, null);
  },
  sendAndConfirmTransactionFactory: async () => sendAndConfirmTransactionFactory({ rpc, rpcSubscriptions: subscriptions })(await signed(), confirmed),
  airdropFactory: async () => airdropFactory({ rpc, rpcSubscriptions: subscriptions })(
    { recipientAddress: (await generateKeyPairSigner()).address, lamports: lamports(5_000_000n), ...confirmed }),
});
