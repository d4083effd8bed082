package payments

import (
	"context"
	"errors"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/store"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// retryEvery is the wait between two executions of a payment whose outcome is not
// known.
const retryEvery = time.Second

// execute signs, sends and follows a payment to its end. It does not end with the
// request that approved it. The wallet's key is the payment's id: however often and
// in however many processes this runs, one set of transactions can execute.
func (p *Payments) execute(payment store.Payment) {
	for begun := time.Now(); ; {
		result, err := p.executeOnce(p.ctx, payment)
		if p.ctx.Err() != nil {
			return // the next start goes on
		}
		if needsPeople(err) {
			if err = p.ask(&payment); err == nil {
				p.awaitPeople(payment)
				return
			}
		}
		state, known := ended(err)
		if known && (state != store.NotSent || !soon(err) || time.Since(begun) > soonMost) {
			p.finish(payment, state, err, result)
			return
		}
		p.Log.Warn("a payment's outcome is not known yet", "payment", payment.ID, "error", err)
		select {
		case <-time.After(retryEvery):
		case <-p.ctx.Done():
			return
		}
	}
}

func (p *Payments) executeOnce(ctx context.Context, payment store.Payment) (*wallet.Result, error) {
	signer, err := p.signerOf(payment)
	if err != nil {
		return nil, err
	}
	return p.wallet.Execute(ctx, payment.Unsigned, wallet.ExecuteOptions{
		Key: payment.ID, Signer: signer, Approved: payment.Digest,
	})
}

// ended says how a payment ended; known is false if it may still land.
func ended(err error) (state store.State, known bool) {
	switch {
	case err == nil:
		return store.Confirmed, true
	case errors.Is(err, walletfi.ErrOutcomeUnknown):
		return "", false
	case errors.Is(err, wallet.ErrExpired):
		return store.Expired, true
	case errors.Is(err, wallet.ErrFailed):
		return store.Failed, true
	default:
		return store.NotSent, true
	}
}

// soonMost is how long what was not signed or not sent is tried again: a blockhash lives no longer.
const soonMost = 90 * time.Second

// soon reports that what was not signed may be within that time: an earlier payment of the user's is
// not final yet, or the signer or a node is away.
func soon(err error) bool {
	refusal, refused := errors.AsType[*signing.SetRefusal](err)
	if !refused {
		return errors.Is(err, walletfi.ErrUnavailable)
	}
	switch refusal.Code {
	case signer.CodeBusy, signer.CodeRate, signer.CodeNodes, signer.CodeBlockhash, signer.CodeStore, signer.CodeFull,
		signer.CodeBackend:
		return refusal.Waits
	}
	return false
}

// finish keeps a payment's end, however long the database takes to be able to. If the
// process stops before that, the next start finds the payment unfinished, and the
// journal knows its end.
func (p *Payments) finish(payment store.Payment, state store.State, problem error, result *wallet.Result) {
	text := ""
	if refusal, ok := errors.AsType[*signing.SetRefusal](problem); ok {
		text = "the signer does not sign it: " + refusal.Text
		if !refusal.RetryAt.IsZero() {
			text += "; ask again after " + refusal.RetryAt.UTC().Format(time.RFC3339)
		}
	} else if problem != nil {
		text = problem.Error()
	}
	for {
		err := p.DB.FinishPayment(context.WithoutCancel(p.ctx), payment.ID, state, text, result)
		if err == nil {
			break
		}
		p.Log.Error("keeping a payment's end", "payment", payment.ID, "error", err)
		select {
		case <-time.After(retryEvery):
		case <-p.ctx.Done():
			return
		}
	}
	p.Log.Info("payment ended", "payment", payment.ID, "user", payment.UserID, "state", state)
	p.Changed(payment.UserID, payment.ID)
}

// resume goes on with the payments that were approved and have not ended: the
// process that worked on them stopped, perhaps by kill -9. A payment that the
// journal knows is followed; one that was not signed yet is signed now, because the
// user has approved it.
func (p *Payments) resume(ctx context.Context) error {
	payments, err := p.DB.Unfinished(ctx)
	if err != nil {
		return err
	}
	for _, payment := range payments {
		p.Log.Info("going on with a payment", "payment", payment.ID, "user", payment.UserID)
		p.start(func() {
			if payment.State == store.Waiting {
				p.awaitPeople(payment)
				return
			}
			p.execute(payment)
		})
	}
	return nil
}
