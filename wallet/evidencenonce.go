package wallet

import (
	"context"
	"errors"

	"github.com/walletfi/walletfi-go"
)

// nonce asks for the value of a durable nonce and, once it is another one, for what used
// the transaction's. A value never comes back.
func (p *pass) nonce(ctx context.Context, it *item) error {
	slot := it.shown.Gone.Slot
	if it.shown.Held.Slot == 0 || slot == 0 {
		value, at, err := p.node.NonceAt(ctx, it.step.NonceAccount)
		switch {
		case err != nil:
			return err
		case value == it.step.Blockhash:
			it.shown.Held, it.shown.Gone, it.shown.Nulls, it.shown.UsedBy = Head{Slot: at}, Head{}, nil, ""
			return nil
		case it.shown.Held.Slot > 0 && at > it.shown.Held.Slot:
			it.shown.Gone = Head{Slot: at}
		}
		slot = at
	}
	if p.quick {
		p.leave([]*item{it})
		return errLeft
	}
	user, err := p.node.NonceUse(ctx, it.step.NonceAccount, it.step.Blockhash)
	switch {
	case err != nil:
		return err
	case user != "" && (user == it.step.Signature || signedBy(it.step.Transaction, user)):
		it.named = user
		return nil
	case user != "":
		it.shown.UsedBy, it.shown.Gone = user, Head{Slot: slot}
		return nil
	case it.shown.Gone.Slot == 0:
		return errors.New("it has not shown the nonce with the transaction's value before")
	case !it.step.fixed():
		return errors.New("what used the nonce is not found")
	}
	return p.between(ctx, it)
}

// between asks for a transaction in the window between two values of its nonce.
func (p *pass) between(ctx context.Context, it *item) error {
	for _, at := range []*Head{&it.shown.Held, &it.shown.Gone} {
		if at.Height > 0 {
			continue
		}
		block, err := p.node.FinalBlock(ctx, at.Slot)
		if err != nil {
			return err
		}
		*at = block
	}
	until := it.past
	if until.Height <= it.shown.Gone.Height {
		until = p.final
	}
	if until.Height <= it.shown.Gone.Height {
		return errors.New("the block in which the nonce has another value is the newest")
	}
	q := walletfi.AbsenceQuery{
		Signatures: []string{it.step.Signature}, After: it.shown.Held, Last: it.shown.Gone.Height, Until: until,
	}
	return p.absence(ctx, q, []*item{it})
}
