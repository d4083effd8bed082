package wallet

import (
	"context"
	"errors"
	"fmt"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/asking"
	"github.com/walletfi/walletfi-go/wallet/internal/fees"
)

// Built is a builder's answer: that of every method of the services whose name begins
// with Build.
type Built interface{ Unsigned() walletfi.Unsigned }

// BuiltOrder is an order that a builder's method builds: see [OrderOf].
type BuiltOrder[R any, B Built] struct {
	// Answer is the service's last answer, the zero value before.
	Answer B

	build   func(context.Context, R, ...walletfi.CallOption) (B, error)
	request R
	opts    []walletfi.CallOption
}

// OrderOf is an order that a method of a service's client builds from request:
//
//	order := wallet.OrderOf(client.BuildDeposit, lending.DepositRequest{...})
//
// It is for one Place at a time.
func OrderOf[R any, B Built](
	build func(context.Context, R, ...walletfi.CallOption) (B, error), request R, opts ...walletfi.CallOption,
) *BuiltOrder[R, B] {
	return &BuiltOrder[R, B]{build: build, request: request, opts: opts}
}

// Build calls the method. If the wallet has a policy for fees or tips, the request asks for its
// price or tip, where the service takes one.
func (o *BuiltOrder[R, B]) Build(ctx context.Context) (walletfi.Unsigned, error) {
	request := o.request
	if asked, ok := fees.From(ctx); ok {
		fees.Put(&request, asked)
	}
	fees.PutTip(ctx, &request)
	answer, err := o.build(ctx, request, o.opts...)
	if err != nil {
		return walletfi.Unsigned{}, err
	}
	o.Answer = answer
	return answer.Unsigned(), nil
}

// Asked states the request: the name of its type and its exported fields but those
// tagged asked:"-", which the journal keeps. A request with a field that cannot be read,
// or with a walletfi.Secret, is not stated. It implements [walletfi.Asker].
func (o *BuiltOrder[R, B]) Asked() map[string]string { return asking.Of(o.request) }

// OrderFunc is an order that a function builds, such as a quote and then its
// transaction. It does not state what it asks for: see [Wallet.Place].
type OrderFunc func(ctx context.Context) (walletfi.Unsigned, error)

// Build calls f.
func (f OrderFunc) Build(ctx context.Context) (walletfi.Unsigned, error) { return f(ctx) }

// fill waits for an order whose transactions are confirmed to be filled, if that comes
// later, and tells what the fills have changed.
func (p *placing) fill(ctx context.Context, e Entry) error {
	if !e.FilledLater || len(e.Steps) == 0 {
		return nil
	}
	p.placed.FilledLater = true
	p.enter(StageFill)
	opening := e.Steps[len(e.Steps)-1]
	if e.End == nil {
		end, err := p.waitFilled(ctx, opening)
		if err != nil {
			return p.failed(unknown(opening.Signature, err))
		}
		e.End = end
		p.record(ctx, func(next *Entry) {
			if next.FilledLater && next.End == nil {
				next.End = end
			}
		})
	}
	p.placed.End = e.End
	for _, f := range e.End.Fills {
		p.placed.Fills = append(p.placed.Fills, FillStep{OrderFill: f})
	}
	p.tellFills(ctx)
	if !e.End.Filled {
		p.stage = StageFill
		return p.failed(fmt.Errorf("%w: it is %s after fills: %d", ErrNotFilled, e.End.State, len(e.End.Fills)))
	}
	return nil
}

func (p *placing) waitFilled(ctx context.Context, opening EntryStep) (*walletfi.OrderEnd, error) {
	order, ok := p.order.(walletfi.FilledOrder)
	if !ok {
		return nil, errors.New("the key's order is filled later, and the one given does not wait for that")
	}
	end, err := order.WaitFilled(ctx, opening.Signature, opening.Last)
	if err == nil && end == nil {
		err = errors.New("the order does not say how it ended")
	}
	return end, err
}

// record adds to the entry of an order that is settled what is found out of it, so that it
// need not be found out again. If that fails, it is.
func (p *placing) record(ctx context.Context, change func(next *Entry)) {
	e, err := p.w.journal.Load(ctx, callerKey+p.opts.Key)
	if err != nil || e.Schema > Schema || !e.State.Settled() {
		return
	}
	_ = (&execution{w: p.w, entry: e}).store(ctx, func(next *Entry) error { change(next); return nil })
}

// tellFills asks what the fills have changed of the owner's.
func (p *placing) tellFills(ctx context.Context) {
	if p.w.effects == nil || len(p.placed.Fills) == 0 {
		return
	}
	p.enter(StageEffects)
	steps := make([]Step, len(p.placed.Fills))
	for i, f := range p.placed.Fills {
		steps[i] = Step{State: StateConfirmed, Signature: f.Signature}
	}
	p.w.tellEffects(ctx, p.placed.Intent.Owner, steps)
	for i, s := range steps {
		p.placed.Fills[i].Effects, p.placed.Fills[i].EffectsErr = s.Effects, s.EffectsErr
	}
}
