// Package rpcnode makes the caller's own Solana RPC node a submitter, a
// confirmer, a source of block heights, a finder of transactions by their
// message, a simulator and a resolver of lookup tables, on solana-go's rpc
// client.
//
//	node, err := rpcnode.New(rpcnode.Config{URL: walletfi.NewSecret(os.Getenv("SOLANA_RPC_URL"))})
//	guard := signing.NewGuard(signing.Policy{Pins: pins, Resolver: node, Simulator: node})
//	w, err := wallet.New(wallet.Config{Signer: key, Guard: guard, Node: node})
//
// With a [Watcher], which asks the node's WebSocket for notifications, the wallet
// learns of a confirmation as soon as the node does:
//
//	watcher, err := rpcnode.NewWatcher(rpcnode.WatcherConfig{URL: url})
//	defer watcher.Close()
//	w, err := wallet.New(wallet.Config{Node: node, Watcher: watcher, ...})
//
// A [Pool] is several nodes in one: it reads from a healthy one and sends through
// several. As a wallet's Confirmer it lets no minority of them decide:
//
//	pool, err := rpcnode.NewPool(rpcnode.PoolConfig{Nodes: []*rpcnode.Client{a, b, c}})
//	w, err := wallet.New(wallet.Config{Node: pool, ...})
//
// A node alone is trusted in its final statuses if they are consistent.
//
// [Client.Simulate] and [Client.SimulateAfter] show the node a transaction before it is
// sent. The second one runs a set in order, on the few nodes that have simulateBundle.
//
// Of the SDK, only this package and the sandbox link solana-go; a program that
// trades through services alone does not. Package solanago has solana-go's client of a
// node and its types.
//
// # Retries
//
// Reads are repeated up to three times, with backoff, if the node could not be
// reached, was busy (429, 5xx), did not answer within 4 seconds (8, 16 and 32 the
// next times) or lags the cluster. [Client.Submit] repeats the
// same bytes under the same conditions, which cannot execute twice, and never
// builds or signs anything. If the node asks to wait more than ten seconds, or
// past the context's deadline, the call fails at once with an error that answers
// to walletfi.ErrRateLimited and carries the wait. Nothing is repeated after the
// context's end, and calls made through solanago.RPC never are.
//
// # Failures
//
// An error is an [*Error] if the node answered, a *walletfi.TransportError if it
// did not, a context error if the caller's context ended. None of them shows the
// node's URL or headers, even if a gateway or a resolver repeats them.
// [Client.Submit] adds walletfi.ErrOutcomeUnknown if the transaction may have
// been sent.
package rpcnode
