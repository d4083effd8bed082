package signing

import "context"

// Resolver reads address lookup tables from the ledger. rpcnode has one.
type Resolver interface {
	// LookupTable returns the addresses that a table holds, in order. The
	// entries of a table never change, so that an answer may be kept.
	LookupTable(ctx context.Context, table PublicKey) ([]PublicKey, error)
}
