package payments

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/store"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signer/client"
	"github.com/walletfi/walletfi-go/signer/protocol"
	"github.com/walletfi/walletfi-go/signing"
)

// How a payment ends that the signer's approvers were asked for.
var (
	errDenied     = errors.New("the approvers have denied it: nothing was signed and nothing was sent")
	errUnanswered = errors.New("the approvers did not approve it in time: nothing was signed and nothing was sent")
)

// GrantOf is the ID of what the signer's approvers were asked for a payment, empty if they were not.
func GrantOf(payment store.Payment) string {
	var request Request
	if json.Unmarshal(payment.Request, &request) != nil {
		return ""
	}
	return request.Grant
}

// signerOf signs for the payment's user, under what the approvers granted.
func (p *Payments) signerOf(payment store.Payment) (*client.Client, error) {
	key, err := signing.ParsePublicKey(payment.Unsigned.Intent.Owner)
	if err != nil {
		return nil, err
	}
	return p.Signer.Of(payment.UserID, key).Under(GrantOf(payment)), nil
}

// needsPeople reports that the signer signs this if its approvers consent.
func needsPeople(err error) bool {
	refusal, ok := errors.AsType[*signing.SetRefusal](err)
	return ok && refusal.Waits && refusal.Code == signer.CodeApproval
}

// ask asks the approvers for a payment, once: the reason that they read has the payment's ID.
func (p *Payments) ask(payment *store.Payment) error {
	asking, err := p.signerOf(*payment)
	if err != nil {
		return err
	}
	reason := payment.Title + ", payment " + payment.ID
	g, err := p.granted(p.ctx, func(g protocol.Grant) bool { return g.Grant.Reason == reason })
	if err != nil {
		return err
	}
	if g == nil {
		asked, err := asking.AskGrant(p.ctx, signing.SetRequest{
			Unsigned: payment.Unsigned, Count: len(payment.Unsigned.Transactions), Key: payment.ID,
		}, reason)
		if err != nil {
			return err
		}
		g = &asked
	}
	var request Request
	if err := json.Unmarshal(payment.Request, &request); err != nil {
		return err
	}
	request.Grant = g.Grant.ID
	if payment.Request, err = json.Marshal(request); err != nil {
		return err
	}
	payment.State = store.Waiting
	if err := p.DB.AwaitPayment(p.ctx, payment.ID, payment.Request); err != nil {
		return fmt.Errorf("%w: %w", walletfi.ErrUnavailable, err) // the grant is found again
	}
	p.Changed(payment.UserID, payment.ID)
	return nil
}

// granted is the first grant that this program has asked for and that fits, nil if none does.
func (p *Payments) granted(ctx context.Context, fits func(protocol.Grant) bool) (*protocol.Grant, error) {
	all, err := p.Signer.Grants(ctx)
	for _, g := range all {
		if fits(g) {
			return &g, err
		}
	}
	return nil, err
}

// awaitPeople goes on with a payment once the approvers have answered, or have not in time.
func (p *Payments) awaitPeople(payment store.Payment) {
	id := GrantOf(payment)
	for {
		g, err := p.granted(p.ctx, func(g protocol.Grant) bool { return g.Grant.ID == id })
		switch {
		case err != nil:
		case g == nil || g.State == protocol.GrantExpired:
			p.finish(payment, store.Expired, errUnanswered, nil)
			return
		case g.State == protocol.GrantDenied:
			p.finish(payment, store.NotSent, errDenied, nil)
			return
		case g.State == protocol.GrantApproved:
			if err = p.goOn(payment); err == nil {
				return
			}
		}
		if err != nil && p.ctx.Err() == nil {
			p.Log.Warn("a payment that waits for approvers", "payment", payment.ID, "error", err)
		}
		select {
		case <-time.After(retryEvery):
		case <-p.ctx.Done():
			return
		}
	}
}

// goOn executes a payment that the approvers have approved. If that took longer than its blockhash
// lives, it is built again under the grant, and the user reviews the new one.
func (p *Payments) goOn(payment store.Payment) error {
	stale, err := p.stale(p.ctx, payment)
	if err != nil {
		return err
	}
	if stale != "" {
		user, err := p.DB.User(p.ctx, payment.UserID)
		if err == nil {
			_, err = p.renew(p.ctx, user, payment, "the approvers have approved it, and meanwhile "+stale)
		}
		return err
	}
	moved, err := p.DB.MovePayment(p.ctx, payment.ID, store.Waiting, store.Executing)
	if err != nil || !moved {
		return err
	}
	payment.State = store.Executing
	p.Changed(payment.UserID, payment.ID)
	p.execute(payment)
	return nil
}
