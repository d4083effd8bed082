package wallet

import (
	"context"
	"errors"
	"sync"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/atwork"
	"github.com/walletfi/walletfi-go/internal/clock"
	"github.com/walletfi/walletfi-go/internal/observing"
	"github.com/walletfi/walletfi-go/observe"
	"github.com/walletfi/walletfi-go/signing"
)

// run is Execute, through bundle if it is not nil.
func (w *Wallet) run(ctx context.Context, u walletfi.Unsigned, o ExecuteOptions, bundle *door) (*Result, error) {
	if w.observer == nil {
		return w.execute(ctx, u, o, bundle)
	}
	ctx, span := observing.Start(ctx, w.observer, observe.Execution{
		Service: u.Intent.Service, Owner: u.Intent.Owner, Transactions: len(u.Transactions), Bundle: bundle != nil,
	})
	var result *Result
	err := observing.Through(span, func() (err error) {
		result, err = w.execute(ctx, u, o, bundle)
		return err
	}, func(err error) observe.ExecutionEnd {
		return observe.ExecutionEnd{State: string(stateOf(err)), Earlier: result != nil && result.Replayed, Err: err}
	})
	w.tellUnsettled(ctx, errors.Is(err, walletfi.ErrOutcomeUnknown))
	return result, err
}

// stateOf is the state of a set whose Execute returned err.
func stateOf(err error) State {
	switch {
	case err == nil:
		return StateConfirmed
	case errors.Is(err, walletfi.ErrOutcomeUnknown), err == observing.ErrPanicked:
		return StateUnknown
	case errors.Is(err, ErrFailed):
		return StateFailed
	case errors.Is(err, ErrExpired):
		return StateExpired
	}
	return StateNotSent
}

// signSet has the guard check u and sign it.
func (e *execution) signSet(
	ctx context.Context, u walletfi.Unsigned, o ExecuteOptions, options []signing.Option,
) ([]*signing.Transaction, *signing.Report, error) {
	ctx, span := observing.Start(
		ctx, e.w.observer, observe.Guard{Service: u.Intent.Service, Owner: u.Intent.Owner, Transactions: len(u.Transactions)},
	)
	signer := o.Signer
	if e.w.observer != nil {
		signer = observedSigner{o.Signer, e.w.observer, observe.Sign{Service: u.Intent.Service, Owner: u.Intent.Owner}}
	}
	if o.stage != nil {
		signer = &stagedSigner{Signer: signer, enter: func() { o.enter(StageSign) }}
	}
	if set, ok := o.Signer.(signing.SetSigner); ok {
		signer = &setSigner{SetSigner: set, e: e, o: o, service: u.Intent.Service}
	}
	var txs []*signing.Transaction
	var report *signing.Report
	err := observing.Through(span, func() (err error) {
		if e.stepwise {
			txs = make([]*signing.Transaction, 1)
			txs[0], report, err = e.w.guard.SignStep(ctx, u, signing.Step{Executed: e.executed}, signer, options...)
		} else if o.Approved == "" {
			txs, report, err = e.w.guard.SignSet(ctx, u, signer, options...)
		} else {
			txs, report, err = e.w.guard.SignApproved(ctx, u, o.Approved, signer, options...)
		}
		return err
	}, guardEnd)
	return txs, report, err
}

func guardEnd(err error) observe.GuardEnd {
	end := observe.GuardEnd{Err: err}
	if refusal, ok := errors.AsType[*signing.GuardError](err); ok {
		end.Rule = string(refusal.Rule)
	}
	return end
}

// observedSigner tells of each signature. A signature of a LocalKey's is then
// verified as that of any other signer.
type observedSigner struct {
	signing.Signer
	observer observe.Observer
	op       observe.Sign
}

func (s observedSigner) Sign(ctx context.Context, message []byte) (signing.Signature, error) {
	ctx, span := observing.Start(ctx, s.observer, s.op)
	var signature signing.Signature
	err := observing.Through(span, func() (err error) {
		signature, err = s.Signer.Sign(ctx, message)
		return err
	}, func(err error) observe.SignEnd { return observe.SignEnd{Err: err} })
	return signature, err
}

// stagedSigner tells when the first signature is asked for.
type stagedSigner struct {
	signing.Signer
	enter func()
	once  sync.Once
}

func (s *stagedSigner) Sign(ctx context.Context, message []byte) (signing.Signature, error) {
	s.once.Do(s.enter)
	return s.Signer.Sign(ctx, message)
}

// submit sends c by d once. Number counts the rounds.
func (t *tracker) submit(ctx context.Context, d *door, c *parcel, number int) (string, error) {
	if t.observer == nil {
		return d.try(ctx, c.signed)
	}
	first := c.signed[0]
	ctx, span := observing.Start(atwork.Keep(valuesOf{ctx, c.caller}, ctx), t.observer, observe.Submit{
		Service: c.service, Owner: first.Owner, Signature: first.Signature, Door: d.name, Number: number,
		Bundle: len(c.signed) > 1,
	})
	signature, err := d.try(ctx, c.signed)
	observing.End(span, observe.SubmitEnd{Err: err})
	return signature, err
}

// valuesOf is a context with the values of another one too, so that a trace goes on
// from an Execute to what the tracker does for it.
type valuesOf struct {
	context.Context
	caller context.Context // whose values they are; it never ends
}

// Value asks the caller's context first.
func (v valuesOf) Value(key any) any {
	if value := v.caller.Value(key); value != nil {
		return value
	}
	return v.Context.Value(key)
}

// watch tells the observer of the time from now to each verdict. It is called without
// a lock.
func (c *parcel) watch(ctx context.Context, t *tracker, service string) {
	c.caller, c.service = context.WithoutCancel(ctx), service
	for _, f := range c.flights {
		_, span := observing.Start(
			c.caller, t.observer, observe.Confirm{Service: service, Owner: f.owner, Signature: f.step.Signature},
		)
		done := f.done
		f.done = func(f *flight) {
			observing.End(
				span, observe.ConfirmEnd{
					State: string(f.verdict.step()), SinceSigned: clock.Since(t.clock, f.signedAt), Err: f.cause,
				},
			)
			done(f)
		}
	}
}

// tellUnsettled counts what is in doubt, if that may have changed: the journal is not
// read while all is well.
func (w *Wallet) tellUnsettled(ctx context.Context, more bool) {
	if w.observer == nil || !more && w.inDoubt.Load() == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeTimeout)
	defer cancel()
	keys := 0
	for e, err := range w.journal.List(ctx, Query{Open: true}) {
		if err != nil {
			return
		}
		if !w.works(e.Key) {
			keys++
		}
	}
	w.inDoubt.Store(int64(keys))
	observing.Tell(ctx, w.observer, observe.Unsettled{Wallet: w.holder, Keys: keys})
}

// setSigner asks the caller's signer for a whole set, and gives it the payment's key.
type setSigner struct {
	signing.SetSigner
	e       *execution
	o       ExecuteOptions
	service string
}

// SignSet tells the stage and the observer as [stagedSigner] and [observedSigner] do of one
// transaction.
func (s *setSigner) SignSet(ctx context.Context, r signing.SetRequest) (made signing.SetSignatures, err error) {
	r.Key = s.o.Key
	s.o.enter(StageSign)
	if s.e.w.observer == nil {
		return s.SetSigner.SignSet(ctx, r)
	}
	ctx, span := observing.Start(
		ctx, s.e.w.observer, observe.Sign{Service: s.service, Owner: s.PublicKey().String()},
	)
	err = observing.Through(span, func() (err error) {
		made, err = s.SetSigner.SignSet(ctx, r)
		return err
	}, func(err error) observe.SignEnd { return observe.SignEnd{Err: err} })
	return made, err
}
