// The public methods of Connection of @solana/web3.js, as its reference lists them: without
// those whose RPC method agave removed, and without getVoteAccounts, getClusterNodes and
// getInflation..., which a sandbox answers with constants.
import {
  AddressLookupTableProgram, Connection, Keypair, LAMPORTS_PER_SOL, NonceAccount, PublicKey, SystemProgram, Transaction,
  TransactionMessage, VersionedTransaction, sendAndConfirmTransaction, NONCE_ACCOUNT_LENGTH,
} from '@solana/web3.js';
import * as token from '@solana/spl-token';
import { check, late, run, same, world } from './probe.mjs';

const c = new Connection(world.url, { commitment: 'confirmed', wsEndpoint: world.socket });
const wallet = Keypair.fromSecretKey(Uint8Array.from(world.secret));
const owner = wallet.publicKey;
const mint = new PublicKey(world.mint);
const holder = new PublicKey(world.holder);
const { TOKEN_PROGRAM_ID, TOKEN_2022_PROGRAM_ID } = token;
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

const pay = (lamports = 1_000_000) =>
  SystemProgram.transfer({ fromPubkey: owner, toPubkey: Keypair.generate().publicKey, lamports });

async function signed(...instructions) {
  const t = new Transaction().add(...instructions);
  t.feePayer = owner;
  t.recentBlockhash = (await c.getLatestBlockhash()).blockhash;
  t.sign(wallet);
  return t;
}

async function versioned(...instructions) {
  const { blockhash } = await c.getLatestBlockhash();
  const message = new TransactionMessage({ payerKey: owner, recentBlockhash: blockhash, instructions });
  const t = new VersionedTransaction(message.compileToV0Message());
  t.sign([wallet]);
  return t;
}

const send = (...instructions) => sendAndConfirmTransaction(c, new Transaction().add(...instructions), [wallet]);

// told waits for a notification that begins with start, which gets the callback, and ends with stop.
async function told(start, stop, cause) {
  let tell;
  const heard = new Promise((done) => { tell = done; });
  const id = await start((...all) => tell(all));
  try {
    await sleep(300);
    await cause?.();
    return await Promise.race([heard, late('notification')]);
  } finally {
    await stop(id);
  }
}

let nonce;
async function nonceAccount() {
  if (nonce) return nonce;
  const pair = Keypair.generate();
  const lamports = await c.getMinimumBalanceForRentExemption(NONCE_ACCOUNT_LENGTH);
  const t = new Transaction().add(SystemProgram.createNonceAccount(
    { fromPubkey: owner, noncePubkey: pair.publicKey, authorizedPubkey: owner, lamports }));
  await sendAndConfirmTransaction(c, t, [wallet, pair]);
  nonce = pair.publicKey;
  return nonce;
}

const landed = { maxSupportedTransactionVersion: 0 };

await run('web3.js', {
  getBalance: async () => check((await c.getBalance(owner)) > 90 * LAMPORTS_PER_SOL, 'balance'),
  getBalanceAndContext: async () => check((await c.getBalanceAndContext(owner)).context.slot > 0, 'slot'),
  getBlockTime: async () => check(Math.abs((await c.getBlockTime(world.slot)) - Date.now() / 1000) < 600, 'time'),
  getMinimumLedgerSlot: async () => check((await c.getMinimumLedgerSlot()) >= 0, 'slot'),
  getFirstAvailableBlock: async () => check((await c.getFirstAvailableBlock()) <= world.slot, 'block'),
  getSupply: async () => check((await c.getSupply()).value.total > 0, 'total'),
  getTotalSupply: async () => check((await c.getTotalSupply()) > 0, 'total'),
  getTokenSupply: async () => same((await c.getTokenSupply(mint)).value.decimals, 6),
  getTokenAccountBalance: async () => same((await c.getTokenAccountBalance(holder)).value.uiAmountString, '10000'),
  getTokenAccountsByOwner: async () => check((await c.getTokenAccountsByOwner(owner, { mint })).value.length === 1, 'one account'),
  getParsedTokenAccountsByOwner: async () => {
    const all = await c.getParsedTokenAccountsByOwner(owner, { programId: TOKEN_PROGRAM_ID });
    check(all.value.some((a) => a.account.data.parsed.info.mint === world.mint), 'the mint');
  },
  getLargestAccounts: async () => check((await c.getLargestAccounts()).value.length > 0, 'accounts'),
  getTokenLargestAccounts: async () => check((await c.getTokenLargestAccounts(mint)).value[0].decimals === 6, 'decimals'),
  getAccountInfo: async () => check((await c.getAccountInfo(holder)).data.length === 165, 'length'),
  getAccountInfoAndContext: async () => check((await c.getAccountInfoAndContext(mint)).value.owner.equals(TOKEN_PROGRAM_ID), 'owner'),
  getParsedAccountInfo: async () => same((await c.getParsedAccountInfo(mint)).value.data.parsed.type, 'mint'),
  getMultipleParsedAccounts: async () => {
    const all = (await c.getMultipleParsedAccounts([mint, holder, owner])).value;
    same(all.map((a) => a.data.parsed?.type), ['mint', 'account', undefined]);
  },
  getMultipleAccountsInfo: async () => same((await c.getMultipleAccountsInfo([mint, holder])).map((a) => a.data.length), [82, 165]),
  getMultipleAccountsInfoAndContext: async () => check((await c.getMultipleAccountsInfoAndContext([mint])).context.slot > 0, 'slot'),
  getProgramAccounts: async () => {
    const all = await c.getProgramAccounts(TOKEN_PROGRAM_ID, {
      dataSlice: { offset: 32, length: 32 },
      filters: [{ dataSize: 165 }, { memcmp: { offset: 32, bytes: owner.toBase58() } }],
    });
    check(all.length > 0 && all.every((a) => a.account.data.equals(owner.toBuffer())), 'the owner');
  },
  getParsedProgramAccounts: async () => {
    const filters = [{ dataSize: 165 }, { memcmp: { offset: 32, bytes: owner.toBase58() } }];
    const all = await c.getParsedProgramAccounts(TOKEN_PROGRAM_ID, { filters });
    check(all.length > 0 && all.every((a) => a.account.data.parsed.info.owner === world.address), 'the owner');
  },
  confirmTransaction: async () => {
    const { blockhash, lastValidBlockHeight } = await c.getLatestBlockhash();
    const t = new Transaction({ feePayer: owner, blockhash, lastValidBlockHeight }).add(pay());
    t.sign(wallet);
    const signature = await c.sendRawTransaction(t.serialize());
    same((await c.confirmTransaction({ signature, blockhash, lastValidBlockHeight })).value.err, null);
  },
  getSlot: async () => check((await c.getSlot()) >= world.slot, 'slot'),
  getSlotLeader: async () => new PublicKey(await c.getSlotLeader()),
  getSlotLeaders: async () => check((await c.getSlotLeaders(world.slot, 5)).length === 5, 'five'),
  getSignatureStatus: async () => same((await c.getSignatureStatus(world.signature)).value.err, null),
  getSignatureStatuses: async () => {
    const { value } = await c.getSignatureStatuses([world.signature, '1'.repeat(64)], { searchTransactionHistory: true });
    check(value[0].slot === world.slot && value[1] === null, 'statuses');
  },
  getTransactionCount: async () => check((await c.getTransactionCount()) > 0, 'count'),
  getEpochInfo: async () => {
    const e = await c.getEpochInfo();
    check(e.slotIndex < e.slotsInEpoch && e.absoluteSlot >= world.slot && e.transactionCount > 0, 'epoch');
  },
  getEpochSchedule: async () => check((await c.getEpochSchedule()).slotsPerEpoch > 0, 'slots'),
  getLeaderSchedule: async () => check(Object.keys(await c.getLeaderSchedule()).length > 0, 'leaders'),
  getMinimumBalanceForRentExemption: async () => same(await c.getMinimumBalanceForRentExemption(165), 2039280),
  getRecentPerformanceSamples: async () => check((await c.getRecentPerformanceSamples(2))[0].samplePeriodSecs > 0, 'samples'),
  getFeeForMessage: async () => same((await c.getFeeForMessage((await versioned(pay())).message)).value, 5000),
  getRecentPrioritizationFees: async () => check(Array.isArray(await c.getRecentPrioritizationFees()), 'fees'),
  getLatestBlockhash: async () => check((await c.getLatestBlockhash()).lastValidBlockHeight > 0, 'height'),
  getLatestBlockhashAndContext: async () => check((await c.getLatestBlockhashAndContext()).context.slot >= world.slot, 'slot'),
  isBlockhashValid: async () => same((await c.isBlockhashValid((await c.getLatestBlockhash()).blockhash)).value, true),
  getVersion: async () => check((await c.getVersion())['solana-core'].length > 0, 'version'),
  getGenesisHash: async () => check((await c.getGenesisHash()).length > 40, 'hash'),
  getBlock: async () => {
    const b = await c.getBlock(world.slot, landed);
    check(b.transactions.some((t) => t.transaction.signatures[0] === world.signature), 'the transaction');
  },
  getParsedBlock: async () => {
    const b = await c.getParsedBlock(world.slot, landed);
    check(b.transactions.some((t) => t.transaction.message.instructions[0].parsed?.type === 'transfer'), 'parsed');
  },
  getBlockProduction: async () => check((await c.getBlockProduction()).value.range.firstSlot >= 0, 'range'),
  getTransaction: async () => {
    const t = await c.getTransaction(world.signature, landed);
    check(t.meta.err === null && t.meta.fee === 5000 && t.meta.logMessages.length > 0 && t.blockTime > 0, 'meta');
  },
  getTransactions: async () => same((await c.getTransactions([world.signature], landed))[0].slot, world.slot),
  getParsedTransaction: async () => {
    const t = await c.getParsedTransaction(world.signature, landed);
    same(t.transaction.message.instructions[0].parsed.info.lamports, 1_000_000);
  },
  getParsedTransactions: async () => same((await c.getParsedTransactions([world.signature], landed))[0].slot, world.slot),
  getConfirmedTransaction: async () => same((await c.getConfirmedTransaction(world.signature)).slot, world.slot),
  getBlocks: async () => check((await c.getBlocks(world.slot, world.slot + 2)).includes(world.slot), 'the slot'),
  getBlockSignatures: async () => check((await c.getBlockSignatures(world.slot)).signatures.includes(world.signature), 'the signature'),
  getSignaturesForAddress: async () => check((await c.getSignaturesForAddress(owner)).some((s) => s.signature === world.signature), 'it'),
  getAddressLookupTable: async () => {
    const slot = (await c.getSlot('finalized')) - 1;
    const [create, table] = AddressLookupTableProgram.createLookupTable({ authority: owner, payer: owner, recentSlot: slot });
    const extend = AddressLookupTableProgram.extendLookupTable(
      { payer: owner, authority: owner, lookupTable: table, addresses: [mint, holder] });
    await send(create, extend);
    same((await c.getAddressLookupTable(table)).value.state.addresses.map(String), [world.mint, world.holder]);
  },
  getNonce: async () => check((await c.getNonce(await nonceAccount())).authorizedPubkey.equals(owner), 'authority'),
  getNonceAndContext: async () => check((await c.getNonceAndContext(await nonceAccount())).value instanceof NonceAccount, 'nonce'),
  requestAirdrop: async () => {
    const to = Keypair.generate().publicKey;
    await c.confirmTransaction(await c.requestAirdrop(to, LAMPORTS_PER_SOL));
    same(await c.getBalance(to), LAMPORTS_PER_SOL);
  },
  getStakeMinimumDelegation: async () => check((await c.getStakeMinimumDelegation()).value > 0, 'lamports'),
  'simulateTransaction legacy': async () => same((await c.simulateTransaction(await signed(pay()))).value.err, null),
  'simulateTransaction v0': async () => {
    const r = await c.simulateTransaction(await versioned(pay()), { sigVerify: true, accounts: { encoding: 'base64', addresses: [world.address] } });
    check(r.value.err === null && r.value.unitsConsumed > 0 && r.value.accounts.length === 1, 'value');
  },
  'sendTransaction legacy': async () => check((await c.sendTransaction(new Transaction().add(pay()), [wallet])).length > 80, 'signature'),
  'sendTransaction v0': async () => check((await c.sendTransaction(await versioned(pay()))).length > 80, 'signature'),
  sendRawTransaction: async () => check((await c.sendRawTransaction((await signed(pay())).serialize())).length > 80, 'signature'),
  sendEncodedTransaction: async () => {
    const text = (await signed(pay())).serialize().toString('base64');
    check((await c.sendEncodedTransaction(text)).length > 80, 'signature');
  },
  'sendRawTransaction that fails': async () => {
    const t = await signed(pay(1_000 * LAMPORTS_PER_SOL));
    const refused = await c.sendRawTransaction(t.serialize()).then(() => null, (e) => e);
    check(refused?.logs?.some((l) => l.includes('insufficient lamports')), 'logs of the error');
  },
  onAccountChange: async () => {
    const [info] = await told((f) => c.onAccountChange(owner, f, { commitment: 'confirmed' }), (id) => c.removeAccountChangeListener(id), () => send(pay()));
    check(info.lamports > 0, 'lamports');
  },
  onProgramAccountChange: async () => {
    const to = await token.getOrCreateAssociatedTokenAccount(c, wallet, mint, Keypair.generate().publicKey);
    const [info] = await told((f) => c.onProgramAccountChange(TOKEN_PROGRAM_ID, f, { commitment: 'confirmed' }),
      (id) => c.removeProgramAccountChangeListener(id), () => token.transfer(c, wallet, holder, to.address, wallet, 1));
    check(info.accountInfo.data.length === 165, 'length');
  },
  onLogs: async () => {
    const [logs] = await told((f) => c.onLogs(owner, f, 'confirmed'), (id) => c.removeOnLogsListener(id), () => send(pay()));
    check(logs.err === null && logs.logs.length > 0, 'logs');
  },
  onSlotChange: async () => {
    const [slot] = await told((f) => c.onSlotChange(f), (id) => c.removeSlotChangeListener(id));
    check(slot.slot > slot.root && slot.parent < slot.slot, 'slot');
  },
  onSlotUpdate: async () => {
    const [update] = await told((f) => c.onSlotUpdate(f), (id) => c.removeSlotUpdateListener(id));
    check(update.type.length > 0, 'type');
  },
  onRootChange: async () => {
    const [root] = await told((f) => c.onRootChange(f), (id) => c.removeRootChangeListener(id));
    check(root > 0, 'root');
  },
  onSignature: async () => {
    const t = await signed(pay());
    const [result] = await told((f) => c.onSignature(signatureOf(t), f, 'confirmed'),
      () => {}, () => c.sendRawTransaction(t.serialize()));
    same(result.err, null);
  },
  onSignatureWithOptions: async () => {
    const t = await signed(pay());
    const [note] = await told((f) => c.onSignatureWithOptions(signatureOf(t), f, { commitment: 'confirmed', enableReceivedNotification: true }),
      () => {}, () => c.sendRawTransaction(t.serialize()));
    check(['received', 'status'].includes(note.type), 'type');
  },
  sendAndConfirmTransaction: async () => check((await send(pay())).length > 80, 'signature'),
  'flow: mint, account, transfer, burn, close': async () => {
    const m = await token.createMint(c, wallet, owner, owner, 3);
    const mine = await token.getOrCreateAssociatedTokenAccount(c, wallet, m, owner);
    const other = await token.createAccount(c, wallet, m, owner, Keypair.generate());
    await token.mintTo(c, wallet, m, mine.address, wallet, 1000);
    await token.transferChecked(c, wallet, mine.address, m, other, wallet, 400, 3);
    await token.approve(c, wallet, other, Keypair.generate().publicKey, wallet, 5);
    await token.burn(c, wallet, other, m, wallet, 400);
    await token.closeAccount(c, wallet, other, owner, wallet);
    same((await token.getAccount(c, mine.address)).amount, 600n);
  },
  'flow: wrap and close': async () => {
    const wrapped = await token.createWrappedNativeAccount(c, wallet, owner, 1_000_000, Keypair.generate());
    same((await token.getAccount(c, wrapped)).amount, 1_000_000n);
    await token.closeAccount(c, wallet, wrapped, owner, wallet);
  },
  'flow: Token-2022': async () => {
    const m = await token.createMint(c, wallet, owner, null, 2, Keypair.generate(), undefined, TOKEN_2022_PROGRAM_ID);
    const mine = await token.getOrCreateAssociatedTokenAccount(c, wallet, m, owner, false, 'confirmed', undefined, TOKEN_2022_PROGRAM_ID);
    await token.mintTo(c, wallet, m, mine.address, wallet, 50, [], undefined, TOKEN_2022_PROGRAM_ID);
    same((await token.getAccount(c, mine.address, 'confirmed', TOKEN_2022_PROGRAM_ID)).amount, 50n);
  },
  'flow: durable nonce': async () => {
    const noncePubkey = await nonceAccount();
    const t = new Transaction({ feePayer: owner, nonceInfo: {
      nonce: (await c.getNonce(noncePubkey)).nonce,
      nonceInstruction: SystemProgram.nonceAdvance({ noncePubkey, authorizedPubkey: owner }),
    }, minContextSlot: await c.getSlot() }).add(pay());
    await sendAndConfirmTransaction(c, t, [wallet]);
  },
});

function signatureOf(t) {
  const bytes = t.signature;
  const letters = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
  let n = BigInt('0x' + Buffer.from(bytes).toString('hex'));
  let text = '';
  for (; n > 0n; n /= 58n) text = letters[Number(n % 58n)] + text;
  for (const b of bytes) {
    if (b !== 0) break;
    text = '1' + text;
  }
  return text;
}
