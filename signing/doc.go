// Package signing checks the transactions that a service built against what
// the caller asked for, and signs those that pass.
//
//	key, err := signing.LoadLocalKey("wallet.json")
//	if err != nil {
//		return err
//	}
//	guard := signing.NewGuard(signing.Policy{
//		Pins:     map[string][]signing.PublicKey{"lending": {program}},
//		Resolver: node, Simulator: node, // an rpcnode.Client
//	})
//	txs, report, err := guard.SignSet(ctx, answer.Unsigned(), key)
//
// answer is the result of a builder of a service client, for example
// lending.Client.BuildDeposit. [Guard.SignSet] decodes every transaction of it,
// checks the whole set and signs all of it or nothing. [Guard.CheckSet] checks
// without signing. The [Report] says what leaves, what stays and what could not
// be seen; a refusal is a [*GuardError].
//
// # The model
//
// A service is trusted to quote and to build, not with the wallet. Each
// builder's answer carries the [walletfi.Intent] of its request: the owner,
// what may be spent and burned, the tip and the fee, the sponsor and the
// destinations. The caller's [Policy] adds what no request says: the programs
// that each service may call, further accounts and keys, sponsors and
// co-signers. Everything else is refused.
//
// One parser serves the guard and the signer, so that the bytes that were
// checked are the bytes that are signed; nothing is serialised again. Value
// moves by authority: a transfer out of an account that is not ours, signed by
// someone else, costs us nothing. Outgoing amounts are matched to caps (spend,
// burn, tip, service fee, rent, network fee), each separate and each over all
// transactions of a set, in any order of instructions. SOL and its wrapped
// forms are one asset. A tip and a fee may go to unknown recipients within
// their caps, and the report names the recipients.
//
// # What is caught
//
// Transfers, approvals and burns beyond the intent, also in pieces, in a
// batch, or spread over a set; a payment to anyone but its payees; a recipient
// hidden in a lookup table; new owners, authorities and delegates; SOL sent to
// an address that is derived from the owner but from which the owner may not
// get it back, and accounts declared at addresses that nothing derives; accounts
// closed to strangers, or funded after they were closed; what a
// Token-2022 mint of unknown fee may withhold; our signature lent to the transfer
// hook of such a mint; accounts that a hidden token program may make as long as it
// likes, or that another program or a hook may initialise first; rent, for others
// above all and left to a sponsor, and network fees as a drain; sets that can
// deliver nothing of what the intent expects; foreign fee
// payers and unknown co-signers; durable nonces, whose transactions do not
// expire; programs that are not pinned; sets too large or too complex to judge
// within a fixed number of steps; and everything malformed, because parsers
// differ on it.
//
// SOL stays the owner's at the owner, at the accounts that the policy lists, at
// the owner's wrapped-SOL account of the classic token program, and at a native
// account that the same transaction makes; nowhere else.
//
// # What is not
//
// Bytes do not show what a pinned program does in its own calls, nor what
// arrives. If no simulation shows it, the guard refuses a pinned program that may take
// something of the caller's, unless [Policy.AllowBlind] names the service; a pinned
// exchange with a minimum output of zero then passes, and [Report.Blind] says so.
// With a [Simulator] the same rules run over the
// simulated calls, and balances, owners, delegates and authorities of the
// caller's accounts are held against the intent, arrival included; but the
// ledger can change between simulation and execution. A [Resolver] reads lookup
// tables. The guard knows no prices: a bad quote that the caller accepted is a
// good intent. Only the service says at which height a transaction expires.
//
// # Keys
//
// [LoadLocalKey] refuses a key file that its group or others may use, as ssh does. A
// [LocalKey] never prints, and [LocalKey.Close] overwrites it. Go cannot promise that no
// copy is left: crypto/ed25519 keeps what it derived until it is collected, and the
// system may have written pages to a swap device. A key that must not be in the memory
// of the process that talks to services belongs in a KMS or another process, which is a [Signer].
//
// # Approval elsewhere
//
// [Report.Text] is for a person, the JSON form of [Report] for another process or
// page. [Report.Digest] binds the approval to the exact messages, the intent, what the
// policy allows and the text that was read, and [Guard.SignApproved] signs only that. What a
// simulation showed is not bound: amounts change by the slot.
//
// # Refusals
//
// A [GuardError] names the rule, the instruction, the program, what was found
// and what would have passed. The guard judges a refused set to its end and
// lists further reasons in [Report]; no rule can be switched off. After a
// refusal, and after an error of the [Signer], [Resolver] or [Simulator], every
// signature slot is as it was.
//
// A [Guard] is safe for concurrent use, a [Transaction] is not. The package
// makes no network calls of its own.
package signing
