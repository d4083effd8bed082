package main

import (
	"context"

	"github.com/walletfi/walletfi-go"
)

// effect returns what an executed transaction did to the owner, as the ledger has it.
func (d *desk) effect(ctx context.Context, signature string) (change, error) {
	told, err := d.node.Effects(ctx, signature)
	if err != nil {
		return change{}, err
	}
	return d.changed(told), nil
}

// changed is an executed transaction's effects as the book takes them: lamports of the
// wallet's own account, and tokens of all of its token accounts.
func (d *desk) changed(e *walletfi.Effects) change {
	owner := d.owner.String()
	c := change{Signature: e.Signature, Lamports: moved(e.Lamport(owner)), Tokens: map[string]int64{}}
	if e.FeePayer == owner {
		c.Fee = e.Fee
	}
	for _, t := range e.Of(owner).Tokens {
		if c.Tokens[t.Mint] += moved(t.Change); c.Tokens[t.Mint] == 0 {
			delete(c.Tokens, t.Mint)
		}
	}
	return c
}

// moved is by how much an amount has grown, negative if it has shrunk.
func moved(c walletfi.Change) int64 { return int64(c.Gained()) - int64(c.Lost()) }
