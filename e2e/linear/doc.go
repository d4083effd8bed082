// Package linear judges the journals and the wallets by their histories: what
// concurrent processes asked, when they asked it, and what was answered. A
// history is good if the operations can be put in one order that keeps to their
// times and in which each answer is right, as the documentation has it
// (linearizability). Porcupine, which is under the MIT licence and which nothing that is
// published links, looks for that order.
//
// A key of a journal is a register with a version and one conditional write, a
// holder of a journal is a lease by the journal's clock, and a key of the wallets
// is a payment. The models are written from the documentation of package wallet
// and from nothing else.
//
//	go test -v -run TestLinear
//	go test -v -run TestLinear -linear.seeds 500 -linear.ops 100
//
// The processes of the journals are real where a kill must be, and their time is. The
// wallets live in simulated time, on a ledger and nodes of this package. Each run has a
// seed, which decides what is asked and what goes wrong; in which order goroutines get
// their turn is up to the machine.
//
// Where no order is found, a picture of the history is left in a temporary folder,
// whose path is printed.
package linear
