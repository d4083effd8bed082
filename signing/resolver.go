package signing

import (
	"context"
	"fmt"
)

// Resolver reads address lookup tables from the ledger. rpcnode has one.
type Resolver interface {
	// LookupTable returns the addresses that a table holds, in order. The
	// entries of a table never change, so that an answer may be kept.
	LookupTable(ctx context.Context, table PublicKey) ([]PublicKey, error)
}

// resolve reads what the lookup tables of tx load: the writable accounts of
// every table, then the read-only ones. It is nil without tables.
func resolve(ctx context.Context, r Resolver, tx *Transaction) ([]PublicKey, error) {
	if tx.lookupCount == 0 || r == nil {
		return nil, nil
	}
	loaded := make([]PublicKey, 0, tx.loadedWritable+tx.loadedReadonly)
	held := make([][]PublicKey, 0, tx.lookupCount)
	for c := tx.lookupCursor(); c.next(); {
		table, err := r.LookupTable(ctx, *c.table)
		if err != nil {
			return nil, fmt.Errorf("signing: lookup table %s: %w", *c.table, err)
		}
		held = append(held, table)
	}
	for _, writable := range []bool{true, false} {
		i := 0
		for c := tx.lookupCursor(); c.next(); i++ {
			indexes := c.readonly
			if writable {
				indexes = c.writable
			}
			for _, index := range indexes {
				if int(index) >= len(held[i]) {
					return nil, fmt.Errorf("signing: lookup table %s has %d addresses, the transaction loads number %d", *c.table, len(held[i]), index)
				}
				loaded = append(loaded, held[i][index])
			}
		}
	}
	return loaded, nil
}
