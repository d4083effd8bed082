package payments

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/store"
	"github.com/walletfi/walletfi-go/signing"
)

// ErrNotThis means that the approval names another digest than the payment's: the
// user saw something else.
var ErrNotThis = errors.New("the approval is not for what would be signed")

// Approve has a payment executed that the user has reviewed, and returns at once.
// digest is the report's that the user saw. If the payment cannot land any more,
// Approve prepares it again and returns the new one, to be reviewed again. A payment
// that was approved before is returned as it is.
func (p *Payments) Approve(ctx context.Context, user store.User, id, digest string) (store.Payment, error) {
	payment, err := p.DB.Payment(ctx, user.ID, id)
	if err != nil || payment.State != store.Review {
		return payment, err
	}
	if digest != payment.Digest {
		return payment, ErrNotThis
	}
	stale, err := p.stale(ctx, payment)
	if err != nil {
		return payment, err
	}
	if stale != "" {
		return p.renew(ctx, user, payment, stale)
	}
	// Of two tabs that approve, one moves the payment. The wallet's key would keep
	// the second from paying too.
	moved, err := p.DB.MovePayment(ctx, id, store.Review, store.Executing)
	if err != nil {
		return payment, err
	}
	if moved {
		payment.State = store.Executing
		p.Changed(user.ID, id)
		p.start(func() { p.execute(payment) })
		return payment, nil
	}
	return p.DB.Payment(ctx, user.ID, id)
}

// feeRise is how many times higher the market's priority fee may be at approval
// than when the payment was built.
const feeRise = 2

// young is how long a node may take to know a blockhash.
const young = 20 * time.Second

// stale says why a payment is not worth sending any more, empty if it is.
func (p *Payments) stale(ctx context.Context, payment store.Payment) (string, error) {
	_, err := p.check(ctx, payment.Unsigned)
	if refusal, ok := errors.AsType[*signing.GuardError](err); ok && refusal.Rule == signing.RuleLifetime {
		return "the quote has expired", nil
	}
	// Other refusals are for Execute, which asks the guard again.
	if err != nil && !errors.Is(err, signing.ErrRefused) {
		return "", err
	}
	transactions, err := signing.DecodeAll(payment.Unsigned)
	if err != nil {
		return "", err
	}
	for _, tx := range transactions {
		state, err := p.Clients.Node.BlockhashValid(ctx, tx.Blockhash().String())
		if err != nil {
			return "", err
		}
		// A node that is behind does not know a young blockhash yet.
		if !state.Valid && time.Since(payment.Created) > young {
			return "the quote has expired: its blockhash is gone", nil
		}
	}
	level, err := p.fees.now(ctx)
	if err != nil {
		return "", err
	}
	if level > feeRise*payment.FeeLevel {
		return fmt.Sprintf("the network's fees rose from %d to %d microlamports per compute unit",
			payment.FeeLevel, level), nil
	}
	return "", nil
}

// renew replaces a stale payment by a new one. If another request was first,
// with a new quote or with an approval, that counts.
func (p *Payments) renew(ctx context.Context, user store.User, old store.Payment, why string) (store.Payment, error) {
	var request Request
	if err := json.Unmarshal(old.Request, &request); err != nil {
		return old, err
	}
	request.Least = 0 // the user reviews the new quote
	fresh, err := p.prepare(ctx, user, request)
	if err != nil {
		return old, err
	}
	replaced, err := p.DB.ReplacePayment(ctx, old.ID, old.State, why, fresh)
	if err != nil {
		return old, err
	}
	if replaced {
		p.Changed(user.ID, old.ID)
		p.Changed(user.ID, fresh.ID)
		return fresh, nil
	}
	return p.latest(ctx, user, old.ID)
}

// latest is a payment, or the one that was made in its place.
func (p *Payments) latest(ctx context.Context, user store.User, id string) (store.Payment, error) {
	payment, err := p.DB.Payment(ctx, user.ID, id)
	if err != nil || payment.ReplacedBy == "" {
		return payment, err
	}
	return p.DB.Payment(ctx, user.ID, payment.ReplacedBy)
}
