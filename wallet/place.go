package wallet

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/clock"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet/internal/fees"
	"github.com/walletfi/walletfi-go/wallet/internal/intents"
)

// PlaceOptions says how an order is carried out.
type PlaceOptions struct {
	// Key is the caller's name for the order, as ExecuteOptions.Key. Required.
	Key string
	// Attempts is how often the order may be guarded and signed: again only if
	// all of what was signed before has provably expired. Each attempt takes the
	// service's present price, and with Config.Fees offers more for landing than the one
	// before. 0 means 1.
	Attempts int
	// Guard, Signer and Approved are those of ExecuteOptions.
	Guard    []signing.Option
	Signer   signing.Signer
	Approved string
	// Bundles sends the transactions together: see ExecuteBundle. Nil sends them in
	// order.
	Bundles walletfi.BundleSubmitter
	// Progress is told of each stage when it begins, and of each confirmation. Place
	// waits for it. Nil tells nothing.
	Progress func(PlaceProgress)
}

// PlaceProgress is how far an order has come.
type PlaceProgress struct {
	Stage            Stage
	Attempt          int // counted from 1
	Confirmed, Total int // transactions; 0 and 0 until they are signed
}

// Place carries out an order: it builds, guards, signs, submits, confirms, waits for
// the service to fill it, if it does that later, and tells what all that has changed.
//
// The key names the order for ever, also after a crash: call Place again with the same
// key and an order of the same request. What an earlier Place or Execute has signed for
// the key is followed to its end first. If it is confirmed, nothing more is signed, and
// the result is the journal's; an order that is filled later is waited for. If it has
// turned out to have failed, that is the error. A set that is signed step by step and has
// stopped between two goes on by the journal. An order is built again to be sent only if
// nothing of the key can be executed any more.
//
// An order that asks for something else than the key's is refused with ErrKeyReused. If it
// is a walletfi.Asker, as those of OrderOf are, it is compared without a call. Any other
// is built once to be compared, if the journal has the key; if that fails or takes longer
// than 10 seconds, the journal's result is returned.
//
// If the error is nil, the order is confirmed and, where that comes later, filled.
// Otherwise the error is a *StageError that says at which stage it ended, and answers
// to exactly one of walletfi.ErrNotSent, ErrExpired, ErrFailed, ErrNotFilled, ErrShort and
// walletfi.ErrOutcomeUnknown; or to ErrStopped, alone or with ErrExpired, ErrFailed or
// walletfi.ErrOutcomeUnknown: see Execute for their meaning. With ErrShort the order is
// carried out and must not be paid again. The result is never nil, and has the result of
// each stage.
func (w *Wallet) Place(ctx context.Context, order walletfi.Order, opts PlaceOptions) (*Placed, error) {
	ctx, end := clock.Enter(ctx, w.clock, "wallet Place")
	defer end()
	p, begun := &placing{w: w, order: order, opts: opts, placed: &Placed{Attempts: 1}}, w.now()
	if err := p.check(); err != nil {
		return p.placed, &StageError{StageBuild, notSent(err)}
	}
	for {
		err := p.attempt(ctx)
		p.placed.Replayed = p.placed.Result.Replayed
		p.tellLanding(ctx, begun, err)
		if !errors.Is(err, ErrExpired) || p.placed.Attempts >= opts.Attempts || p.paidSome() || ctx.Err() != nil {
			return p.placed, err
		}
		p.placed = &Placed{Attempts: p.placed.Attempts + 1, Landing: p.placed.Landing}
	}
}

// placing is one call of Place.
type placing struct {
	w      *Wallet
	order  walletfi.Order
	opts   PlaceOptions
	placed *Placed
	stage  Stage

	before  Entry      // what the journal has of earlier attempts
	landing LandingFee // of the present attempt, as far as it has come
	route   fees.Route // of its transactions
}

func (p *placing) check() error {
	if p.opts.Signer == nil {
		p.opts.Signer = p.w.signer
	}
	return check.All(
		check.That(p.order != nil, "order", "is nil"),
		check.Required("key", p.opts.Key), checkKey(p.opts.Key),
		check.That(p.opts.Attempts >= 0, "attempts", "must not be negative"),
		check.That(p.opts.Signer != nil, "signer", "is required where the wallet has none"),
	)
}

// enter begins a stage.
func (p *placing) enter(s Stage) {
	p.stage = s
	p.tell(0, len(p.placed.Result.Steps))
}

func (p *placing) tell(confirmed, total int) {
	if p.opts.Progress != nil {
		p.opts.Progress(PlaceProgress{p.stage, p.placed.Attempts, confirmed, total})
	}
}

// failed is an error at the present stage.
func (p *placing) failed(cause error) error { return &StageError{p.stage, cause} }

// attempt carries the order out once.
func (p *placing) attempt(ctx context.Context) error {
	p.enter(StageSettle)
	ended, err := p.settle(ctx)
	if err != nil {
		return p.failed(err)
	}
	if ended == nil {
		p.enter(StageBuild)
		u, leave, err := p.inTurn(ctx)
		defer leave()
		if err != nil {
			return p.failed(notSent(err))
		}
		return p.execute(ctx, u, Entry{})
	}
	if rest, ok := ended.rest(walletfi.Unsigned{}); ok && p.opts.Bundles == nil {
		return p.execute(ctx, *rest, *ended)
	}
	return p.conclude(ctx, *ended, p.recall(ctx, *ended))
}

// admit waits for the order's turn.
func (p *placing) admit(ctx context.Context) (leave func(), err error) {
	var o ExecuteOptions
	o.Submitter, _ = p.order.(walletfi.Submitter)
	var bundle *door
	if p.opts.Bundles != nil {
		bundle = bundleDoor(p.opts.Bundles)
	}
	return p.w.admit(ctx, o, bundle, math.MaxInt64)
}

// execute carries out what is built, or goes on with what the journal has of a set.
func (p *placing) execute(ctx context.Context, u walletfi.Unsigned, was Entry) error {
	p.placed.Unsigned = &u
	filled, ok := p.order.(walletfi.FilledOrder)
	o := ExecuteOptions{
		Key: p.opts.Key, Guard: p.opts.Guard, Signer: p.opts.Signer, Approved: p.opts.Approved,
		Progress: func(confirmed, total int) { p.stage = StageConfirm; p.tell(confirmed, total) },
		stage:    p.enter, admitted: was.Version == 0, filledLater: was.FilledLater || ok && filled.FilledLater(),
	}
	o.Submitter, _ = p.order.(walletfi.Submitter)
	var bundle *door
	if p.opts.Bundles != nil {
		bundle = bundleDoor(p.opts.Bundles)
	}
	result, err := p.w.effective(ctx, u, o, bundle)
	if result != nil {
		p.placed.Result = *result
	}
	if p.placed.Result.Replayed { // another process was faster
		if e, loadErr := p.w.journal.Load(ctx, callerKey+p.opts.Key); loadErr == nil {
			p.placed.Intent = e.Asked
			return p.conclude(ctx, e, err)
		}
	}
	p.placed.Intent = u.Intent
	last := Entry{FilledLater: o.filledLater}
	if steps := p.placed.Result.Steps; len(steps) > 0 {
		last.Steps = make([]EntryStep, len(steps))
		last.Steps[len(steps)-1] = EntryStep{Signature: steps[len(steps)-1].Signature, Last: u.LastValidBlockHeight}
	}
	return p.conclude(ctx, last, err)
}

// conclude says at which stage an order whose set ended with err has ended, or waits
// for it to be filled.
func (p *placing) conclude(ctx context.Context, e Entry, err error) error {
	if err == nil {
		if err := p.fill(ctx, e); err != nil {
			return err
		}
		return p.holdToFloor(ctx, e)
	}
	switch stopped, ok := errors.AsType[*StepError](err); {
	case errors.As(err, new(*UnsettledError)):
		p.stage = StageSettle // another process was faster
	case !ok: // before anything was sent, at the stage that was entered last
	case stopped.State == StateNotSigned:
		p.stage = StageGuard
	case stopped.State == StateNotSent:
		p.stage = StageSubmit
	default:
		p.stage = StageConfirm
	}
	return p.failed(err)
}

// paidSome reports whether a transaction of the last attempt was executed.
func (p *placing) paidSome() bool {
	return slices.ContainsFunc(p.placed.Result.Steps, func(s Step) bool {
		return s.State == StateConfirmed || s.State == StateFailed || s.State == StateUnknown
	})
}

// settle finds out what became of what was signed for the key before. It returns the
// entry if that is the order's end, else nil.
func (p *placing) settle(ctx context.Context) (ended *Entry, err error) {
	e, err := p.w.journal.Load(ctx, callerKey+p.opts.Key)
	if err != nil {
		return nil, notSent(fmt.Errorf("nothing was built, because the journal does not answer: %w", err))
	}
	if e.Version == 0 {
		return nil, nil
	}
	if err := p.sameOrder(ctx, e); err != nil {
		return nil, notSent(err)
	}
	open := !e.State.Settled()
	if open {
		if e, err = p.w.settleKey(ctx, e); err != nil {
			return nil, err
		}
	}
	if e.Spent() || open && e.State == KeyFailed {
		return &e, nil
	}
	p.before = e
	return nil, nil
}

// compareTimeout bounds the call that builds an order only to compare it.
const compareTimeout = 10 * time.Second

// sameOrder refuses an order that asks for something else than the key's.
func (p *placing) sameOrder(ctx context.Context, e Entry) error {
	if owner := p.opts.Signer.PublicKey().String(); e.Asked.Owner != owner {
		return e.reused("owner", e.Asked.Owner, owner)
	}
	if asked := p.asked(); len(asked) > 0 && intents.Stated(e.Asked) {
		return e.reused(intents.Differing(e.Asked.Asked, asked))
	}
	if e.State.Settled() && !e.Spent() {
		return nil // it is built to be sent, and compared before it is signed
	}
	ctx, cancel := context.WithTimeout(ctx, compareTimeout)
	defer cancel()
	u, err := p.build(ctx)
	if err != nil {
		return nil // the journal's result counts
	}
	return e.reused(intents.OtherThan(e.Asked, u.Intent))
}

// build asks the service. If the order states what it asks for, that counts.
func (p *placing) build(ctx context.Context) (walletfi.Unsigned, error) {
	u, err := p.order.Build(ctx)
	if asked := p.asked(); len(asked) > 0 {
		u.Intent.Asked = asked
	}
	return u, err
}

// asked returns the fields that the order asks for, none if it does not say.
func (p *placing) asked() map[string]string {
	if order, ok := p.order.(walletfi.Asker); ok {
		return order.Asked()
	}
	return nil
}

// recall takes the journal's result.
func (p *placing) recall(ctx context.Context, e Entry) error {
	p.stage = StageConfirm
	result, err := (&execution{w: p.w, entry: e}).earlier()
	p.w.tellEffects(ctx, e.Asked.Owner, result.Steps)
	p.placed.Result, p.placed.Intent = *result, e.Asked
	return err
}

// settleKey follows an entry that is not settled to its end.
func (w *Wallet) settleKey(ctx context.Context, e Entry) (Entry, error) {
	unsettled := &execution{w: w, entry: e}
	f := w.adopt(ctx, e, 0)
	if f == nil {
		return Entry{}, unsettled.unsettled(true, nil)
	}
	f.await(ctx)
	key := e.Key
	e, err := w.journal.Load(context.WithoutCancel(ctx), key)
	if err != nil {
		return Entry{}, unsettled.unsettled(false, err)
	}
	if !e.State.Settled() {
		unsettled.entry = e
		return Entry{}, unsettled.unsettled(false, ctx.Err())
	}
	return e, nil
}
