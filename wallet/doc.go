// Package wallet does the main job in one call: it checks, signs, submits and
// confirms the transactions that a service built.
//
//	journal, err := wallet.OpenFileJournal("payments.journal")
//	w, err := wallet.New(wallet.Config{
//		Signer: key, Guard: guard, Submitter: node, Confirmer: node, Heights: node, Journal: journal,
//	})
//	order := wallet.OrderOf(lendingClient.BuildDeposit, request)
//	placed, err := w.Place(ctx, order, wallet.PlaceOptions{Key: orderID})
//
// [Wallet.Place] carries an order out from the builder's call to what it brought, and
// takes it up again after a crash. [Wallet.Execute] begins with what a builder
// answered. It checks and signs all transactions of a set before it sends
// the first, and confirms each before it sends the next. A transaction is
// confirmed only if the ledger executed it without an error, at the wallet's
// commitment.
//
// # Paid once
//
// For one key, at most one set of signed transactions can ever execute, under
// lost answers, crashes, restarts, several processes, panics, services and nodes
// that lie, and callers that retry. Two rules bring that about:
//
//   - The [Journal] has the signed bytes, and the doors that will be given them,
//     before the first byte leaves. A write to it fails if another has changed
//     the key. After a crash the journal says "not sent", or has the
//     bytes to be followed.
//   - "Confirmed" and "failed" are said only by the ledger. "Not sent" is said
//     only if no door but the one that refused was given the bytes
//     ([walletfi.ErrNotSent]). "Expired" is said only on proof. Anything else is
//     unknown, and blocks the key.
//
// A transaction has expired if the ledger has passed the later of the service's
// last valid height and the height at signing plus 150, by a margin, on a head
// that agrees with the clock and with earlier heads; if the node says that the
// blockhash is not valid any more (if the node cannot tell, the margin is 150
// blocks); and if a status that is as recent as that head does not know the
// signature. A transaction on a durable nonce has expired if the nonce has a later
// value and a later status does not know the signature. A confirmer that tells no
// slots proves nothing.
//
// The guarantee holds under these conditions:
//
//   - A node may lag by up to 150 slots, lose, delay, garble and answer for another
//     slot. It may not lie consistently: the final statuses of a single node are
//     trusted. Of the nodes of a [walletfi.Panel], such as rpcnode.Pool, a minority
//     may lie outright: of three one, of five two. Of two none may, but one may be
//     silent.
//   - The journal keeps what it took, and its Store does what its comment says. Two
//     wallets that pay under the same keys share one journal.
//   - A submitter says [walletfi.ErrNotSent] only of what it certainly did not send.
//     Package rpcnode believes a node's own refusal.
//   - The caller does not send the bytes of a [Result] on its own, does not use
//     ExecuteOptions.Force, and uses one key for one payment.
//   - Time may be set back or ahead between two processes. Leases that end early
//     cost "unknown" outcomes, and no payment.
//
// [ExecuteOptions.Key] names the payment, and what was asked for cannot be changed
// under it: [ErrKeyReused]. Without it the key is derived from what was asked for, field
// by field ([walletfi.Intent].Asked), without what a service quoted, and blocks only
// while an execution runs or is in doubt.
//
// # Landing
//
// The same bytes are sent again every 1.6 seconds through every door that they
// may go through, until a node has seen them executed or they have expired. One
// tracker asks for all that is in flight, in batches.
//
// # Sponsors
//
// If a sponsor pays the fee and signs last, the ledger knows the transaction by
// the sponsor's signature. The wallet believes the signature that the submitter
// returns only if it is the sponsor's signature over the message that the owner
// signed. Otherwise it looks for that message in the owner's history, if the
// confirmer is a [walletfi.MessageFinder], and else the outcome is unknown.
//
// # Restarts
//
// With Config.Journal, [New] takes up what an earlier process left, as soon as
// its lease has ended: it follows those transactions and sends them again,
// through the doors that the journal recorded, until [Wallet.Close].
// [Wallet.Settle] waits for that and returns the outcomes.
package wallet
