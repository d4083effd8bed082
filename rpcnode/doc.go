// Package rpcnode makes the caller's own Solana RPC node a submitter, a
// confirmer, a source of block heights, a simulator and a resolver of lookup
// tables, on solana-go's rpc client.
//
//	node, err := rpcnode.New(rpcnode.Config{URL: walletfi.NewSecret(os.Getenv("SOLANA_RPC_URL"))})
//	guard := signing.NewGuard(signing.Policy{Pins: pins, Resolver: node, Simulator: node})
//	w, err := wallet.New(wallet.Config{Signer: key, Guard: guard, Submitter: node, Confirmer: node, Heights: node})
//
// It is the one package of the SDK, beside the sandbox, that links solana-go;
// a program that trades through services alone does without it. Those who want
// solana-go's types take Client.RPC, Convert and FromSolana; a key of
// solana-go's becomes a signer with signing.NewLocalKey.
//
// # Retries
//
// Reads are repeated up to three times, with backoff, where the node could not
// be reached, was busy (429, 5xx) or behind. Submit repeats the same bytes under
// the same conditions, which cannot execute twice, and never builds or signs
// anything. A Retry-After of more than ten seconds ends a call at once; the
// error carries it. Nothing is repeated after the context's end, and calls made
// through Client.RPC never are.
//
// # Failures
//
// An error is an *Error where the node answered, a *walletfi.TransportError
// where it did not, a context error where the caller's context ended. None of
// them shows the node's URL or headers, also where a gateway or a resolver
// echoes them. Submit adds walletfi.ErrOutcomeUnknown wherever the transaction
// may have been sent.
package rpcnode
