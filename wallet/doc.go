// Package wallet does the main job in one call: it guards, signs, submits and
// confirms what a service built.
//
//	built, err := lendingClient.BuildDeposit(ctx, request)
//	result, err := w.Execute(ctx, built.Unsigned())
//
// All transactions of a set are checked and signed before the first is sent;
// each is confirmed before the next is sent. "Confirmed" is said only of a
// transaction that the ledger executed without an error, at the wallet's
// commitment.
//
// Each signature is known before its transaction is sent. Where the answer to
// sending is lost, the wallet asks the ledger for that signature until the
// transaction has landed or, by its last block height, cannot land any more;
// it never builds or signs another. Where that cannot be known, the state is
// unknown, the error answers to walletfi.ErrOutcomeUnknown, and the same intent
// is not signed again until it is settled or forgotten: see Wallet.Unsettled.
// What is the same is told by the intent, of which amounts are part: an intent
// that succeeded may be executed again at once.
//
// # Sponsors
//
// Where a sponsor pays the fee and signs last, its signature is the one by which
// the ledger knows the transaction. What the submitter says it is counts only
// where it is the sponsor's over the very message that the owner signed.
// Otherwise the outcome is unknown and stays so until Wallet.Forget.
//
// # Restarts
//
// All this is kept in memory. A program that must not do anything twice across
// a restart stores what Config.OnSigned tells before it returns, deletes it when
// Execute has returned without walletfi.ErrOutcomeUnknown, and gives what is
// left to Wallet.Remember when it starts.
package wallet
