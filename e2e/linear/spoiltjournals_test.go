package linear

import (
	"context"
	"errors"
	"iter"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/walletfi/walletfi-go/wallet"
)

// brokenJournals break a good journal, each in one way.
func brokenJournals() map[string]func(wallet.Journal, *rand.Rand) wallet.Journal {
	type j = wallet.Journal
	type dice = *rand.Rand
	return map[string]func(j, dice) j{
		"Store ignores was":             func(good j, _ dice) j { return careless{good} },
		"Store looks, then writes":      func(good j, _ dice) j { return racing{careless{good}} },
		"Load answers an older version": func(good j, d dice) j { return &stale{Journal: good, rng: d} },
		"a fenced Store succeeds":       func(good j, _ dice) j { return unfenced{good} },
		"a Store that was done is called fenced": func(good j, d dice) j {
			return &repeating{Journal: good, rng: d}
		},
		"a Store is forgotten":      func(good j, d dice) j { return &forgetful{Journal: good, rng: d} },
		"Alive ends early":          func(good j, _ dice) j { return shortLease{good} },
		"Alive ends late":           func(good j, _ dice) j { return longLease{good} },
		"List leaves one out":       func(good j, _ dice) j { return &shortList{good} },
		"List shows what is closed": func(good j, _ dice) j { return openList{good} },
	}
}

// careless writes whatever version the key is at.
type careless struct{ wallet.Journal }

func (b careless) Store(ctx context.Context, _ uint64, e wallet.Entry) error {
	for {
		held, err := b.Load(ctx, e.Key)
		if err != nil {
			return err
		}
		if err := b.Journal.Store(ctx, held.Version, e); !errors.Is(err, wallet.ErrFenced) {
			return err
		}
	}
}

// racing compares the version, and then writes: another write may come between.
type racing struct{ careless }

func (b racing) Store(ctx context.Context, was uint64, e wallet.Entry) error {
	held, err := b.Load(ctx, e.Key)
	if err != nil {
		return err
	}
	if held.Version != was {
		return wallet.ErrFenced
	}
	time.Sleep(time.Microsecond)
	return b.careless.Store(ctx, was, e)
}

// coin is a random source for several goroutines.
type coin struct{ mu sync.Mutex }

func (c *coin) falls(rng *rand.Rand, oneIn int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return rng.IntN(oneIn) == 0
}

// stale now and then loads what was there before, as from a replica that lags.
type stale struct {
	wallet.Journal
	coin
	rng    *rand.Rand
	before sync.Map // by key, the entry that the last Store replaced
}

func (b *stale) Load(ctx context.Context, key string) (wallet.Entry, error) {
	if e, ok := b.before.Load(key); ok && b.falls(b.rng, 10) {
		return e.(wallet.Entry), nil
	}
	return b.Journal.Load(ctx, key)
}

func (b *stale) Store(ctx context.Context, was uint64, e wallet.Entry) error {
	held, err := b.Journal.Load(ctx, e.Key)
	if err != nil {
		return err
	}
	if err := b.Journal.Store(ctx, was, e); err != nil {
		return err
	}
	b.before.Store(e.Key, held)
	return nil
}

// unfenced does not tell a process that it lost the key.
type unfenced struct{ wallet.Journal }

func (b unfenced) Store(ctx context.Context, was uint64, e wallet.Entry) error {
	if err := b.Journal.Store(ctx, was, e); !errors.Is(err, wallet.ErrFenced) {
		return err
	}
	return nil
}

// repeating repeats a write whose answer was lost, and calls it fenced.
type repeating struct {
	wallet.Journal
	coin
	rng *rand.Rand
}

func (b *repeating) Store(ctx context.Context, was uint64, e wallet.Entry) error {
	err := b.Journal.Store(ctx, was, e)
	if err == nil && b.falls(b.rng, 8) {
		return b.Journal.Store(ctx, was, e)
	}
	return err
}

// forgetful answers for writes that it does not do.
type forgetful struct {
	wallet.Journal
	coin
	rng *rand.Rand
}

func (b *forgetful) Store(ctx context.Context, was uint64, e wallet.Entry) error {
	if held, err := b.Load(ctx, e.Key); err == nil && held.Version == was && b.falls(b.rng, 8) {
		return nil
	}
	return b.Journal.Store(ctx, was, e)
}

// shortLease ends leases at half their time, longLease a little late.
type shortLease struct{ wallet.Journal }

func (b shortLease) Renew(ctx context.Context, holder string, lease time.Duration) error {
	return b.Journal.Renew(ctx, holder, lease/2)
}

type longLease struct{ wallet.Journal }

func (b longLease) Renew(ctx context.Context, holder string, lease time.Duration) error {
	return b.Journal.Renew(ctx, holder, lease+30*time.Millisecond)
}

// shortList leaves the last entry out, openList takes everything for open.
type shortList struct{ wallet.Journal }

func (b *shortList) List(ctx context.Context, q wallet.Query) iter.Seq2[wallet.Entry, error] {
	return func(yield func(wallet.Entry, error) bool) {
		var last *wallet.Entry
		for e, err := range b.Journal.List(ctx, q) {
			if last != nil && !yield(*last, err) {
				return
			}
			last = &e
		}
	}
}

type openList struct{ wallet.Journal }

func (b openList) List(ctx context.Context, q wallet.Query) iter.Seq2[wallet.Entry, error] {
	q.Open = false
	return b.Journal.List(ctx, q)
}
