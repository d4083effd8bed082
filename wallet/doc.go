// Package wallet does the main job in one call: it checks, signs, submits and
// confirms the transactions that a service built.
//
//	journal, err := wallet.OpenFileJournal("payments.journal")
//	w, err := wallet.New(wallet.Config{
//		Signer: key, Guard: guard, Node: node, Journal: journal,
//	})
//	order := wallet.OrderOf(lendingClient.BuildDeposit, request)
//	placed, err := w.Place(ctx, order, wallet.PlaceOptions{Key: orderID})
//
// [Wallet.Place] carries an order out from the builder's call to its effects, and
// takes it up again after a crash. [Wallet.Execute] begins with what a builder
// answered. It checks and signs all transactions of a set before it sends
// the first, and confirms each before it sends the next. A transaction is
// confirmed only if the ledger executed it without an error, at the wallet's
// commitment.
//
// # Step by step
//
// If nothing can show what a later transaction of a set does after those before it, as the node
// has no simulateBundle, the set is signed step by step: all of it is checked before the first
// signature, and each later transaction is simulated and checked again before its own, on what
// those before it have really changed, against what is left of the caps. If one is refused
// then, or the process ends, the set has stopped between two steps: what is left is
// [StateNotSigned]. The journal keeps the set ([Entry].Set), so that Place or Execute with
// the same key goes on with it, in another process too, within the intent of the first step.
// It never goes on by other transactions: build what remains under another key. If the
// blockhash has ended, what is left is expired. Bundles and approved sets are signed whole or
// not at all.
//
// # Paid once
//
// For one key, at most one set of signed transactions can ever execute, under
// lost answers, crashes, restarts, several processes, panics, services and nodes
// that lie, and callers that retry. Two rules are the reason:
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
// A transaction has expired only if a majority of the configured nodes have each shown
// that the ledger has finalized a block past the last that can hold it, that its
// blockhash is not good any more there, and, in two answers with the finality of the
// first between them, that the node's store knows transactions from both ends of the
// window (of every block, if the window is older than the node's cache of statuses) and
// not this one. No rule has a time in it. What was shown is in the journal:
// EntryStep.Evidence. A node that cannot show it, because it has dropped its history or
// is no [walletfi.Prover], leaves the outcome unknown, and [Wallet.Unsettled] says what is
// missing and from which node. rpcnode's Client.Prove tells in advance what a node can
// show.
//
// The guarantee holds under these conditions. TestGuarantee shows each, kept and broken,
// in the subtest of the last column:
//
//	condition                             without it                             test
//	a lone node does not hide what it     what it hides counts as expired, and   lone_node
//	  knows, in all that it shows           the key pays again
//	of several nodes less than half do    the same, by a majority                majority
//	wallets that share keys share a       a key that is lost pays again          journal
//	  journal, which keeps what it took
//	a submitter says ErrNotSent only of   the key pays again while the bytes     not_sent
//	  what it certainly did not send        are under way
//	nobody sends a Result's bytes on      what was sent is not in the journal,   own_sending
//	  their own                             and the key pays again
//	one key is used for one payment       ErrKeyReused, and nothing is sent      one_payment
//	Force names only what cannot land     the key pays again                     force
//	Resolve is told what is so            what is called expired pays again      resolve
//
// Nodes may lag by any amount, have gaps, answer null for what they cannot read, answer
// from a cache, and take turns at one address. Slots may have any length. Clocks may
// be wrong and jump: they pace the questions, and cost time.
//
// [ExecuteOptions.Key] names the payment, and what was asked for cannot be changed
// under it: [ErrKeyReused]. Without it the key is derived from what was asked for, field
// by field ([walletfi.Intent].Asked), without what a service quoted, and blocks only
// while an execution runs or is in doubt. With or without a key, the same bytes pay
// once: a payment that is built byte for byte as another one is not sent, as the ledger
// would execute them once for both. That holds whoever signs them, here or elsewhere.
//
// # Signed elsewhere
//
// [Wallet.Prepare] gives transactions away, such as to a page whose user signs in the browser, and
// [Wallet.Submit] takes them back signed. The key counts as sent from Prepare on, and is followed by the
// messages: whoever has them can send them, by a signature that is not known. So "expired" is said
// of it only if no block of the window has the message, and of a message that the user's wallet
// changed as well. What the user's wallet changes and sends without a word is not seen: a page
// has to ask it to sign, and not to send. docs/browser-wallets.md has the flow.
//
// # Landing
//
// The same bytes are sent again every 1.6 seconds through every door that they
// may go through, until a node has seen them executed or they have expired. One
// tracker asks for all that is in flight, in batches.
//
// # Sponsors
//
// If a sponsor pays the fee, the ledger knows the transaction by the sponsor's
// signature. The wallet believes the signature that the bytes hold or the submitter
// returns only if it is the sponsor's signature over the message that the owner
// signed. The sponsor can sign that message again, with another signature: if the known
// one is not found, the wallet looks for the message in the owner's history, if the
// confirmer is a [walletfi.MessageFinder], and calls it expired only if no block of the
// window has the message.
//
// # Restarts
//
// With Config.Journal, [New] takes up what an earlier process left, as soon as
// its lease has ended: it follows those transactions and sends them again,
// through the doors that the journal recorded, until [Wallet.Close].
// [Wallet.Settle] waits for that and returns the outcomes.
package wallet
