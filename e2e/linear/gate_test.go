package linear

import (
	"context"
	"errors"
	"iter"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/walletfi/walletfi-go/wallet"
)

// errStore is a store that fails. What it was asked for may have been done.
var errStore = errors.New("the store failed")

// gate is between a process and the world. When it is dead, nothing passes:
// whoever calls is kept until the run is over, and hears nothing.
type gate struct {
	dead, over chan struct{}
	closing    atomic.Bool
	faults     atomic.Int64 // of its journal
}

// sleep passes time. It fails with the context, or once the process is dead.
func (g *gate) sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	var err error
	select {
	case <-timer.C:
	case <-ctx.Done():
		err = ctx.Err()
	case <-g.dead:
	}
	select {
	case <-g.dead:
		<-g.over
		return errDied
	default:
		return err
	}
}

// gated is a journal that answers late, fails, and stalls for longer than any lease.
type gated struct {
	journal wallet.Journal
	gate    *gate
	calm    func() bool
	mu      sync.Mutex
	rng     *rand.Rand
}

func (j *gated) draw(n int) int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.rng.IntN(n)
}

// pass is the way to the store or back: it takes time, and sometimes fails.
func (j *gated) pass(ctx context.Context, failPercent int) error {
	takes := time.Duration(j.draw(20_000)) * time.Microsecond
	calm := j.calm()
	if !calm && j.draw(100) == 0 { // the process stands still, and knows nothing of it
		takes = time.Duration(j.draw(40)) * time.Second
		ctx = context.WithoutCancel(ctx)
	}
	if err := j.gate.sleep(ctx, takes); err != nil {
		j.gate.faults.Add(1)
		return err
	}
	if !calm && j.draw(100) < failPercent {
		j.gate.faults.Add(1)
		return errStore
	}
	return nil
}

func (j *gated) Load(ctx context.Context, key string) (wallet.Entry, error) {
	if err := j.pass(ctx, 2); err != nil {
		return wallet.Entry{}, err
	}
	e, err := j.journal.Load(ctx, key)
	return e, errors.Join(err, j.pass(ctx, 0))
}

func (j *gated) Store(ctx context.Context, was uint64, e wallet.Entry) error {
	if err := j.pass(ctx, 2); err != nil {
		return err
	}
	err := j.journal.Store(ctx, was, e)
	if lost := j.pass(ctx, 2); lost != nil {
		return lost // a lost answer may have been ErrFenced
	}
	return err
}

func (j *gated) List(ctx context.Context, q wallet.Query) iter.Seq2[wallet.Entry, error] {
	return func(yield func(wallet.Entry, error) bool) {
		if err := j.pass(ctx, 2); err != nil {
			yield(wallet.Entry{}, err)
			return
		}
		for e, err := range j.journal.List(ctx, q) {
			if !yield(e, err) {
				return
			}
		}
	}
}

func (j *gated) Renew(ctx context.Context, holder string, lease time.Duration) error {
	if err := j.pass(ctx, 2); err != nil {
		return err
	}
	return errors.Join(j.journal.Renew(ctx, holder, lease), j.pass(ctx, 0))
}

// Alive now and then takes a lease for over, as after a clock was set ahead.
func (j *gated) Alive(ctx context.Context, holder string) (bool, error) {
	if err := j.pass(ctx, 2); err != nil {
		return false, err
	}
	alive, err := j.journal.Alive(ctx, holder)
	if !j.calm() && j.draw(12) == 0 {
		alive = false
	}
	return alive, errors.Join(err, j.pass(ctx, 0))
}
