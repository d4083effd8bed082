package payments

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/store"
	"github.com/walletfi/walletfi-go/signing"
)

// Prepare has a request built, checks it, and keeps both for the user's review.
// Nothing is signed. What the guard refuses is kept too, with the refusal.
func (p *Payments) Prepare(ctx context.Context, user store.User, request Request) (store.Payment, error) {
	payment, err := p.prepare(ctx, user, request)
	if err != nil {
		return payment, err
	}
	if err := p.DB.AddPayment(ctx, payment); err != nil {
		return payment, err
	}
	p.Changed(user.ID, payment.ID)
	return payment, nil
}

// prepare is Prepare without keeping anything.
func (p *Payments) prepare(ctx context.Context, user store.User, request Request) (store.Payment, error) {
	text, err := json.Marshal(request)
	if err != nil {
		return store.Payment{}, err
	}
	unsigned, err := request.build(ctx, p.Clients, user.Address)
	if err != nil {
		return store.Payment{}, err
	}
	if len(unsigned.Transactions) == 0 {
		return store.Payment{}, &walletfi.ValidationError{Field: "kind", Problem: "leaves nothing to do"}
	}
	payment := store.Payment{
		ID: rand.Text(), UserID: user.ID, Created: time.Now(), Title: request.title(p.Clients.Tokens), Request: text,
		Unsigned: unsigned, State: store.Review,
	}
	if payment.FeeLevel, err = p.fees.recent(ctx); err != nil {
		return payment, err
	}
	var refusal *signing.GuardError
	payment.Report, err = p.check(ctx, unsigned)
	switch {
	case errors.As(err, &refusal):
		payment.State, payment.Problem = store.Refused, refusal.Error()
	case err != nil:
		return payment, err
	default:
		payment.Digest = payment.Report.Digest()
	}
	return payment, nil
}

// check asks the guard, at the ledger's height.
func (p *Payments) check(ctx context.Context, unsigned walletfi.Unsigned) (*signing.Report, error) {
	height, err := p.Clients.Node.BlockHeight(ctx)
	if err != nil {
		return nil, err
	}
	_, report, err := p.guard.CheckSet(ctx, unsigned, signing.AtBlockHeight(height))
	return report, err
}
