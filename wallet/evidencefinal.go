package wallet

import (
	"context"
	"errors"

	"github.com/walletfi/walletfi-go/internal/proof"
)

// sure holds a head that was only told before the signature against its block. What several
// nodes vouch for is a height that the block has at least.
func (p *pass) sure(ctx context.Context, it *item) error {
	if !it.unsure {
		return nil
	}
	block, err := p.node.FinalBlock(ctx, it.after.Slot)
	switch {
	case err != nil:
		return err
	case block != it.after && (!p.several || block.Height < it.after.Height):
		return errors.New("the head that was told before the signature is not the ledger's")
	}
	it.after = block
	return nil
}

// settled asks whether what the first answers had seen is final, by a slot at which the
// blockhash is still gone. It is for a node whose blocks lag far, or are in a gap.
func (p *pass) settled(ctx context.Context, hash string, items []*item) {
	const far = 64
	for _, it := range items {
		wait := proof.Wait(&it.shown, it.final)
		if wait == 0 || wait < far && !p.stands {
			continue
		}
		valid, slot, err := p.node.BlockhashAt(ctx, hash, it.shown.Nulls[0].AsOfSlot)
		switch {
		case err != nil:
			return
		case valid:
			it.shown.Gone, it.shown.Nulls = Head{}, nil
		default:
			it.final = Head{Slot: slot}
		}
	}
}
