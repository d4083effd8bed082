// Runs signed transactions in LiteSVM. It reads a request per line from standard input and
// answers each with a line:
//
//   {"op":"open", ...clock}                  a new ledger with that clock
//   {"op":"clock", ...clock}                 the same ledger at another time
//   {"op":"set","accounts":[account]}        accounts as they are said to be
//   {"op":"get","keys":[address]}            {"accounts":[account or null]}
//   {"op":"send","tx":base64,"keys":[...]}   {"landed","error","logs","units","accounts"}
//   {"op":"loose", ...clock}                 a new ledger that verifies no signature and no blockhash
//   {"op":"program","key":address,"name"}    a program there, of program.mjs
//   {"op":"simulate","tx","keys"}            as send, without effect: {"error","units","inner","accounts"}
//
// A clock has slot, epoch, unix (seconds), blockhash and slotHashes, the slots that SlotHashes
// holds, newest first. An account has key, lamports (a string), owner, data (base64) and
// executable. The bytes of a transaction are executed as they came: no client's decoder sees
// them. An error has the form of the node's JSON; "Malformed" says that the bytes are none.
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { getAddressDecoder, getAddressEncoder } from '@solana/kit';
import { programs } from './program.mjs';

const native = createRequire(import.meta.url)('litesvm/dist/internal.js');
const encoder = getAddressEncoder();
const decoder = getAddressDecoder();
const bytes = (address) => Buffer.from(encoder.encode(address));
const text = (key) => decoder.decode(key);

let ledger;

function open(clock) {
  ledger = new native.LiteSvm();
  setClock(clock);
}

// LiteSVM has no setter for its blockhash. Its snapshot has one, at each place where it is kept.
function setBlockhash(hash) {
  const old = bytes(ledger.latestBlockhash());
  const snapshot = Buffer.from(ledger.toBytes());
  let places = 0;
  for (let at = snapshot.indexOf(old); at >= 0; at = snapshot.indexOf(old, at + 32)) {
    bytes(hash).copy(snapshot, at);
    places++;
  }
  ledger = native.LiteSvm.fromBytes(snapshot);
  if (places === 0 || ledger.latestBlockhash() !== hash) throw new Error('the blockhash cannot be set');
}

function setClock(c) {
  if (c.blockhash !== ledger.latestBlockhash()) setBlockhash(c.blockhash);
  // Mainnet's epochs never warmed up.
  ledger.setEpochSchedule(new native.EpochSchedule(432000n, 432000n, false, 0n, 0n));
  ledger.setClock(new native.Clock(BigInt(c.slot), BigInt(c.unix), BigInt(c.epoch), BigInt(c.epoch) + 1n, BigInt(c.unix)));
  ledger.setSlotHashes((c.slotHashes ?? []).map((slot) => ({ slot: BigInt(slot), hash: c.blockhash })));
}

function setAccount(a) {
  const account = new native.Account(BigInt(a.lamports), Buffer.from(a.data ?? '', 'base64'), bytes(a.owner),
    a.executable ?? false, 18446744073709551615n);
  ledger.setAccount(bytes(a.key), account);
}

const getAccount = (key) => shown(key, ledger.getAccount(bytes(key)));

function shown(key, a) {
  if (!a || a.lamports() === 0n) return null; // an account without lamports is none
  return { key, lamports: a.lamports().toString(), owner: text(a.owner()),
    data: Buffer.from(a.data()).toString('base64'), executable: a.executable() };
}

const name = (kind, number) => {
  const found = kind[number];
  if (found === undefined) throw new Error(`an error without a name: ${number}`);
  return found;
};

const instructionErrors = ['GenericError', 'InvalidArgument', 'InvalidInstructionData', 'InvalidAccountData',
  'AccountDataTooSmall', 'InsufficientFunds', 'IncorrectProgramId', 'MissingRequiredSignature',
  'AccountAlreadyInitialized', 'UninitializedAccount', 'UnbalancedInstruction', 'ModifiedProgramId',
  'ExternalAccountLamportSpend', 'ExternalAccountDataModified', 'ReadonlyLamportChange', 'ReadonlyDataModified',
  'DuplicateAccountIndex', 'ExecutableModified', 'RentEpochModified', 'NotEnoughAccountKeys',
  'AccountDataSizeChanged', 'AccountNotExecutable', 'AccountBorrowFailed', 'AccountBorrowOutstanding',
  'DuplicateAccountOutOfSync', 'InvalidError', 'ExecutableDataModified', 'ExecutableLamportChange',
  'ExecutableAccountNotRentExempt', 'UnsupportedProgramId', 'CallDepth', 'MissingAccount', 'ReentrancyNotAllowed',
  'MaxSeedLengthExceeded', 'InvalidSeeds', 'InvalidRealloc', 'ComputationalBudgetExceeded', 'PrivilegeEscalation',
  'ProgramEnvironmentSetupFailure', 'ProgramFailedToComplete', 'ProgramFailedToCompile', 'Immutable',
  'IncorrectAuthority', 'AccountNotRentExempt', 'InvalidAccountOwner', 'ArithmeticOverflow', 'UnsupportedSysvar',
  'IllegalOwner', 'MaxAccountsDataAllocationsExceeded', 'MaxAccountsExceeded', 'MaxInstructionTraceLengthExceeded',
  'BuiltinProgramsMustConsumeComputeUnits', 'BorshIoError'];

const transactionErrors = ['AccountInUse', 'AccountLoadedTwice', 'AccountNotFound', 'ProgramAccountNotFound',
  'InsufficientFundsForFee', 'InvalidAccountForFee', 'AlreadyProcessed', 'BlockhashNotFound', 'CallChainTooDeep',
  'MissingSignatureForFee', 'InvalidAccountIndex', 'SignatureFailure', 'InvalidProgramForExecution',
  'SanitizeFailure', 'ClusterMaintenance', 'AccountBorrowOutstanding', 'WouldExceedMaxBlockCostLimit',
  'UnsupportedVersion', 'InvalidWritableAccount', 'WouldExceedMaxAccountCostLimit',
  'WouldExceedAccountDataBlockLimit', 'TooManyAccountLocks', 'AddressLookupTableNotFound',
  'InvalidAddressLookupTableOwner', 'InvalidAddressLookupTableData', 'InvalidAddressLookupTableIndex',
  'InvalidRentPayingAccount', 'WouldExceedMaxVoteCostLimit', 'WouldExceedAccountDataTotalLimit',
  'MaxLoadedAccountsDataSizeExceeded', 'ResanitizationNeeded', 'InvalidLoadedAccountsDataSizeLimit',
  'UnbalancedTransaction', 'ProgramCacheHitMaxLimit', 'CommitCancelled'];

function transactionError(err) {
  if (typeof err === 'number') return name(transactionErrors, err);
  if (err instanceof native.TransactionErrorInstructionError) {
    const inner = err.err();
    if (typeof inner === 'number') return { InstructionError: [err.index, name(instructionErrors, inner)] };
    if (inner instanceof native.InstructionErrorCustom) return { InstructionError: [err.index, { Custom: inner.code }] };
    return { InstructionError: [err.index, 'BorshIoError'] };
  }
  if (err instanceof native.TransactionErrorDuplicateInstruction) return { DuplicateInstruction: err.index };
  const kind = err.constructor.name.replace('TransactionError', '');
  return { [kind]: { account_index: err.accountIndex } };
}

// A version is told by the bit that no count of signatures has. Version 1 begins with it.
function versioned(tx) {
  if (tx[0] === 0x81) return true;
  let at = 0;
  let count = 0;
  for (let shift = 0; at < tx.length && shift < 21; shift += 7) {
    const b = tx[at++];
    count |= (b & 0x7f) << shift;
    if (b < 0x80) break;
  }
  return (tx[at + 64 * count] ?? 0) >= 0x80;
}

function send({ tx, keys }) {
  const raw = Buffer.from(tx, 'base64');
  const result = versioned(raw) ? ledger.sendVersionedTransaction(raw) : ledger.sendLegacyTransaction(raw);
  const failed = result instanceof native.FailedTransactionMetadata;
  const meta = failed ? result.meta() : result;
  const error = failed ? transactionError(result.err()) : null;
  // A transaction that was refused before its execution is not in the history.
  const landed = error !== 'AlreadyProcessed' && ledger.getTransaction(meta.signature()) !== null;
  return { landed, error, logs: meta.logs(), units: Number(meta.computeUnitsConsumed()),
    accounts: keys.map(getAccount) };
}

// loose opens a ledger for transactions that not all signers have signed, any number of times.
function loose(clock) {
  ledger = new native.LiteSvm();
  ledger.setSigverify(false);
  ledger.setBlockhashCheck(false);
  ledger.setTransactionHistory(0n);
  setClock({ ...clock, blockhash: ledger.latestBlockhash() });
}

function simulate({ tx, keys }) {
  const raw = Buffer.from(tx, 'base64');
  const result = versioned(raw) ? ledger.simulateVersionedTransaction(raw) : ledger.simulateLegacyTransaction(raw);
  if (result instanceof native.FailedTransactionMetadata) return { error: transactionError(result.err()) };
  const after = new Map(result.postAccounts().map((a) => [text(a.address), shown(text(a.address), a.account())]));
  const inner = result.meta().innerInstructions().flatMap((all, outer) => all.map((i) => ({ outer,
    program: i.instruction().programIdIndex(), accounts: [...i.instruction().accounts()],
    data: Buffer.from(i.instruction().data()).toString('base64') })));
  return { error: null, units: Number(result.meta().computeUnitsConsumed()), inner,
    accounts: keys.map((k) => (after.has(k) ? after.get(k) : getAccount(k))) };
}

const ops = {
  loose: (r) => (loose(r), {}),
  program: (r) => (ledger.addProgram(bytes(r.key), programs[r.name]), {}),
  simulate,
  open: (r) => (open(r), {}),
  clock: (r) => (setClock(r), {}),
  set: (r) => (r.accounts.forEach(setAccount), {}),
  get: (r) => ({ accounts: r.keys.map(getAccount) }),
  send,
};

for await (const line of createInterface({ input: process.stdin })) {
  let answer;
  try {
    const request = JSON.parse(line);
    answer = ops[request.op](request);
  } catch (cause) {
    answer = { broken: String(cause.stack ?? cause) };
  }
  process.stdout.write(JSON.stringify(answer) + '\n');
}
