// Package signing turns what a service built into a signature, after reading
// it. It decodes a transaction strictly, holds its exact bytes against what
// the caller asked for, and only then lets a key sign.
//
//	guard := signing.NewGuard(signing.Policy{Pins: map[string][]signing.PublicKey{"lending": {program}}})
//	txs, report, err := guard.SignSet(ctx, unsigned, key)
//
// # The model
//
// A service is trusted to quote and to build, not with the wallet. Each
// builder's answer carries the walletfi.Intent of its request: who signs, what
// may be spent and burned, which tip and fee, which sponsor and destinations.
// The caller's Policy adds what no request says: the programs that each
// service may call, further accounts and keys, named sponsors and co-signers.
// Everything else is refused.
//
// One walk over the bytes serves guard and signer, so that what was checked is
// what is signed; nothing is ever serialised again. Value moves by authority:
// what a market maker sends us costs nothing, whatever we sign or own is ours
// to judge. Outgoing amounts are matched to caps (spend, burn, tip, service
// fee, rent, network fee), each of its own and over all transactions of a set,
// whatever the order of instructions. SOL and its wrapped forms are one asset.
// Where identity cannot be known, the cap decides: a tip and a fee go to
// recipients whom nobody named, and the report names them.
//
// # What is caught
//
// Transfers, approvals and burns beyond the intent, also in pieces, in a
// batch, or spread over a set; a recipient hidden behind a lookup table; new
// owners, authorities and delegates; accounts closed to strangers, or funded
// after they were closed; rent and priority fees as a drain; foreign fee
// payers and unknown co-signers; durable nonces that outlive the user's
// patience; programs that nobody pinned; and whatever is malformed, since
// parsers differ on it.
//
// # What cannot be
//
// Bytes do not show what a pinned program does in its own calls, nor what
// arrives: a pinned exchange told to accept a minimum of zero passes, and the
// report's Unseen says so. With a Simulator the same rules run over the
// simulated calls, and balances, owners, delegates and authorities of the
// caller's accounts are held against the intent, arrival included; yet the
// ledger can change between simulation and execution. A Resolver makes known
// what lookup tables load. The guard knows nothing of prices, so that a bad
// quote which the caller accepted is a good intent.
//
// # Refusals
//
// A refusal is a *GuardError that names the rule, the instruction, the
// program, what was found and what would have passed. No signature slot is
// touched. A set is signed whole or not at all. A signer that fails, or a
// Resolver or Simulator that does not answer, leaves everything unsigned too.
//
// A Guard is safe for concurrent use, a Transaction is not. Nothing here
// reaches the network but through the Signer, Resolver and Simulator that the
// caller gives.
package signing
