package wallet

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/clock"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet/internal/evidence"
)

// Bounds of the questions after what was executed.
const (
	effectsTries   = 8                // a node may have a transaction's status and not yet its effects
	effectsTimeout = 10 * time.Second // of all tries, in real time
)

// effective is run, with what the executed steps have changed. The key is free by
// then.
func (w *Wallet) effective(
	ctx context.Context, u walletfi.Unsigned, o ExecuteOptions, bundle *door,
) (*Result, error) {
	ctx, end := clock.Enter(ctx, w.clock, "wallet Execute")
	defer end()
	result, err := w.run(ctx, u, o, bundle)
	if result != nil {
		if w.effects != nil && err == nil {
			o.enter(StageEffects)
		}
		w.tellEffects(ctx, u.Intent.Owner, result.Steps)
	}
	return result, err
}

// tellEffects asks what the executed steps have changed of the owner's. It is bound
// by ctx, and changes nothing of what is known of the steps otherwise.
func (w *Wallet) tellEffects(ctx context.Context, owner string, steps []Step) {
	if w.effects == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, effectsTimeout)
	defer cancel()
	var all sync.WaitGroup
	for i := range steps {
		if s := &steps[i]; s.State == StateConfirmed || s.State == StateFailed {
			all.Go(func() {
				if s.Effects, s.EffectsErr = w.effectsFrom(ctx, w.effects, *s); s.Effects != nil {
					s.Effects = s.Effects.Of(owner)
				}
			})
		}
	}
	all.Wait()
}

// effectsFrom asks until a node has the transaction.
func (w *Wallet) effectsFrom(ctx context.Context, from walletfi.EffectsReader, s Step) (*walletfi.Effects, error) {
	for n := 1; ; n++ {
		told, err := from.Effects(ctx, s.Signature)
		if err == nil {
			err = s.contradiction(told)
		}
		if err == nil {
			return told, nil
		}
		if !errors.Is(err, walletfi.ErrNotFound) && !errors.Is(err, walletfi.ErrUnavailable) || n == effectsTries {
			return nil, fmt.Errorf("what it changed is not known: %w", err)
		}
		if clock.Wait(ctx, w.clock, w.tracker.pollEvery) != nil {
			return nil, fmt.Errorf("what it changed is not known: %w", err)
		}
	}
}

// contradiction holds effects against what the wallet knows of the step.
func (s Step) contradiction(e *walletfi.Effects) error {
	switch {
	case e == nil:
		return fmt.Errorf("%w: no effects", walletfi.ErrDecode)
	case e.Signature != s.Signature:
		return fmt.Errorf("%w: effects of %.90q", walletfi.ErrMismatch, e.Signature)
	case (e.Err != "") != (s.State == StateFailed):
		return fmt.Errorf("%w: it is %s, and its effects say %.90q", walletfi.ErrMismatch, s.State, e.Err)
	case s.Status.Slot > 0 && e.Slot != s.Status.Slot:
		return fmt.Errorf(
			"%w: it was executed in slot %d, and its effects are of slot %d", walletfi.ErrMismatch, s.Status.Slot, e.Slot,
		)
	}
	return nil
}

// effectsSource returns what tells effects: the nodes of the confirmer's panel if the
// reader is a panel too, else the reader.
func effectsSource(cfg Config, several *evidence.Panel) walletfi.EffectsReader {
	if _, ok := cfg.Effects.(walletfi.Panel); ok && several != nil {
		return several.Effects()
	}
	return cfg.Effects
}

// Net returns how all executed transactions together have changed an owner's tokens of
// a mint: at most one of gained and lost is not 0. walletfi.NativeMint is for SOL, as in
// an Intent: the lamports of the owner's address, fees included, and what its accounts
// of wrapped SOL hold, without their rent. known is false if the effects of an executed
// transaction, or whether one is executed, is not known, or if the change is more than
// an Amount holds; then both are 0.
func (r *Result) Net(owner, mint string) (gained, lost walletfi.Amount, known bool) {
	for _, s := range r.Steps {
		switch {
		case s.State == StateNotSigned || s.State == StateNotSent || s.State == StateExpired:
			continue
		case s.Effects == nil:
			return 0, 0, false
		}
		changes := []walletfi.Change{s.Effects.Token(owner, mint)}
		if mint == walletfi.NativeMint {
			changes = append(changes, s.Effects.Lamport(owner), s.Effects.Token(owner, signing.NativeMintToken2022.String()))
		}
		for _, c := range changes {
			up, down := gained+c.Gained(), lost+c.Lost()
			if up < gained || down < lost {
				return 0, 0, false
			}
			both := min(up, down)
			gained, lost = up-both, down-both
		}
	}
	return gained, lost, true
}
