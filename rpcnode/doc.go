// Package rpcnode makes the caller's own Solana RPC node a submitter, a
// confirmer, a source of block heights, a simulator and a resolver of lookup
// tables, on solana-go's rpc client.
//
// It is the one package of the SDK, beside the sandbox, that links solana-go;
// a program that trades through services alone does without it. Those who want
// solana-go's types take Client.RPC and Convert.
//
// # Retries
//
// Reads are repeated with backoff where the node could not be reached or was
// busy. Submit sends once: what it sent is asked for by its signature, never
// built anew. A node refuses in preflight what it would fail to execute, which
// is not sent; every other failure of Submit is walletfi.ErrOutcomeUnknown.
package rpcnode
