// Package wallet does the main job in one call: it guards, signs, submits and
// confirms the transactions that a service built.
//
//	w, err := wallet.New(wallet.Config{Signer: key, Guard: guard, Submitter: node, Confirmer: node, Heights: node})
//	built, err := lendingClient.BuildDeposit(ctx, request)
//	result, err := w.Execute(ctx, built.Unsigned())
//
// [Wallet.Execute] checks and signs all transactions of a set before it sends
// the first, and confirms each before it sends the next. A transaction is
// confirmed only if the ledger executed it without an error, at the wallet's
// commitment.
//
// Each signature is known before its transaction is sent. If the answer to
// sending is lost, the wallet asks the ledger for that signature until the
// transaction has landed, or until it cannot land any more because its last
// block height has passed. The wallet never builds or signs another
// transaction in its place. If the outcome cannot be known, the state is
// [StateUnknown], the error is [walletfi.ErrOutcomeUnknown], and the same intent
// is not signed again until it is settled or forgotten: see
// [Wallet.Unsettled]. Two intents are the same if all their fields are equal,
// including the amounts. An intent that succeeded may be executed again at
// once.
//
// # Sponsors
//
// If a sponsor pays the fee and signs last, the ledger knows the transaction by
// the sponsor's signature. The wallet believes the signature that the submitter
// returns only if it is the sponsor's signature over the message that the owner
// signed. Otherwise the outcome is unknown until [Wallet.Forget].
//
// # Restarts
//
// All this is kept in memory. A program that must not do anything twice across
// a restart stores what Config.OnSigned receives before it returns, deletes it
// when Execute has returned without [walletfi.ErrOutcomeUnknown], and passes
// the rest to [Wallet.Remember] when it starts.
package wallet
