// Package sandbox runs all eleven services and a Solana node in one process,
// on loopback: for the examples, and for a program's own tests.
//
//	s, err := sandbox.Start(sandbox.Config{})
//	defer s.Close()
//	client, err := lending.New(lending.Config{BaseURL: s.URL(sandbox.Lending), APIKey: walletfi.NewSecret(s.APIKey(sandbox.Lending))})
//
// The services build real transactions. A toy ledger verifies their
// signatures and blockhashes and executes each once, whole or not at all; a
// service changes its books when its transaction is executed and not before.
// Wallet is a key with money in it, ProgramID what to pin, URL(RPC) a node to
// submit to.
//
// # Strictness
//
// A request that no correct client sends is refused as the service would
// refuse it, and listed by Violations: a parameter or field that is not
// documented, a wrong type, something required that is missing, a credential
// that is missing, malformed, doubled or not asked for. A wrong key, a rate
// limit and what depends on state are errors only. Where the documentation
// shows no shape for an answer, at least two are served in turn; Config.Shape
// picks one.
//
// # Time
//
// The sandbox has a clock of its own, which runs with real time unless
// Config.ManualClock says otherwise, and which Advance moves forward: two
// days of cooldown take no time. Slots, blockhashes, confirmations, rate
// limits, interest and the retries of webhooks all follow it. Answers carry
// its time in their Date header.
//
// # Trouble
//
// Fault makes requests fail: with a status, a delay, a reset before or after
// the request was carried out, a body cut off or turned to garbage. Attack
// puts another transaction in the place of the one that a service built.
// [FeedHandle] does to the WebSocket what networks and servers do to one, and
// logs what was written, for a test to hold against what its client got. Rate
// limits are those of the documentation; Config.Tiers and Config.NoLimits
// change them.
//
// # Handles
//
// What belongs to one service is on its handle: [Sandbox.Lending] returns a
// [LendingHandle], [Sandbox.Webhooks] a [WebhooksHandle], and so on.
// [Sandbox.Ledger] reads the ledger and puts money on it, [Sandbox.Market] sets
// prices.
//
// # What it is not
//
// Prices, yields and routes are made up, and the ledger knows only the
// programs that wallets meet, without compute metering worth the name, forks
// or a fee market. The same Config.Seed gives the same keys and addresses.
package sandbox
