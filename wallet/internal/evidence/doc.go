// Package evidence asks the caller's nodes what their ledger holds, and keeps what they show.
//
// A [Panel] speaks for several nodes as one honest node would. A [Prover] keeps the newest finalized
// block that a majority has shown, and makes each [Pass]: a turn of questions to one node about
// transactions that are not found. What follows from the answers is decided by internal/proof; when a
// turn is due, and what becomes of a transaction, by the wallet's tracker.
package evidence
