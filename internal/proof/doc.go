// Package proof says what the evidence of some nodes proves of a transaction. Its
// functions have no clock, ask nobody and keep nothing: package wallet gathers the
// evidence and asks for the verdict.
//
// A transaction can be executed in a block whose height is at most that of its
// blockhash's own block and an age. It is dead if a majority of the configured nodes
// have each shown that
//
//   - the ledger has finalized a block past that height ([Last]);
//   - in a finalized block at or after one that is known to be as new, the blockhash is
//     not good any more; and
//   - twice, with the finality of the first answer between the two, the transaction is
//     unknown to a store that knows transactions from all over the window in which it
//     could have been executed ([Covered]).
//
// A transaction on a durable nonce is dead if the finalized nonce has another value and
// another transaction is found that used it, or if the store has the whole window
// between the two values without it.
package proof
