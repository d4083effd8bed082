package journaltest_test

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/walletfi/walletfi-go/internal/pause"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/wallet"
	"github.com/walletfi/walletfi-go/wallet/journaltest"
)

// base is a good journal, of which each broken one changes something.
type base = wallet.MemoryJournal

// unfenced checks the version and then writes, with a lock of its own if it has one.
type unfenced struct {
	*base
	lock    chan struct{} // holds what its holder puts in
	ignores bool          // versions
}

func (j unfenced) Store(ctx context.Context, was uint64, e wallet.Entry) error {
	if j.lock != nil {
		j.lock <- struct{}{}
		defer func() { <-j.lock }()
	}
	if now, _ := j.Load(ctx, e.Key); now.Version != was && !j.ignores {
		return wallet.ErrFenced
	}
	_ = pause.For(context.Background(), 2*time.Millisecond) // until the others are between the two steps
	for {
		now, _ := j.Load(ctx, e.Key)
		if err := j.base.Store(ctx, now.Version, e); !errors.Is(err, wallet.ErrFenced) {
			return err
		}
	}
}

func locked(b *base, ignores bool) wallet.Journal {
	return unfenced{base: b, lock: make(chan struct{}, 1), ignores: ignores}
}

// forgetful loses part of what it is given.
type forgetful struct {
	*base
	lose func(*wallet.Entry)
}

func (j forgetful) Store(ctx context.Context, was uint64, e wallet.Entry) error {
	text, err := json.Marshal(e)
	var kept wallet.Entry
	if err = errors.Join(err, json.Unmarshal(text, &kept)); err != nil {
		return err
	}
	j.lose(&kept)
	return j.base.Store(ctx, was, kept)
}

// paged lists one page only.
type paged struct {
	*base
	page int
}

func (j paged) List(ctx context.Context, q wallet.Query) iter.Seq2[wallet.Entry, error] {
	return func(yield func(wallet.Entry, error) bool) {
		n := 0
		for e, err := range j.base.List(ctx, q) {
			if n++; n > j.page || !yield(e, err) {
				return
			}
		}
	}
}

// stale lists what a key was at first.
type stale struct {
	*base
	first *sync.Map
}

func (j stale) Store(ctx context.Context, was uint64, e wallet.Entry) error {
	err := j.base.Store(ctx, was, e)
	if err == nil {
		j.first.LoadOrStore(e.Key, e)
	}
	return err
}

func (j stale) List(ctx context.Context, q wallet.Query) iter.Seq2[wallet.Entry, error] {
	return func(yield func(wallet.Entry, error) bool) {
		for e := range j.base.List(ctx, wallet.Query{}) {
			first, _ := j.first.Load(e.Key)
			if e = first.(wallet.Entry); q.Selects(e) && !yield(e, nil) {
				return
			}
		}
	}
}

// unsigned lists whatever signatures are asked for.
type unsigned struct{ *base }

func (j unsigned) List(ctx context.Context, q wallet.Query) iter.Seq2[wallet.Entry, error] {
	q.Signatures = nil
	return j.base.List(ctx, q)
}

// unhashed keeps an index as the version before did.
type unhashed struct{ *base }

func (j unhashed) List(ctx context.Context, q wallet.Query) iter.Seq2[wallet.Entry, error] {
	return func(yield func(wallet.Entry, error) bool) {
		for e, err := range j.base.List(ctx, q) {
			indexed := slices.ContainsFunc(e.Steps, func(s wallet.EntryStep) bool {
				return slices.Contains(q.Signatures, s.Own) || slices.Contains(q.Signatures, s.Signature)
			})
			if (len(q.Signatures) == 0 || indexed) && !yield(e, err) {
				return
			}
		}
	}
}

// firstLease never lengthens a lease.
type firstLease struct{ *base }

func (j firstLease) Renew(ctx context.Context, holder string, lease time.Duration) error {
	if ok, _ := j.Alive(ctx, holder); ok && lease > 0 {
		return nil
	}
	return j.base.Renew(ctx, holder, lease)
}

func broken() map[string]func() func(*base) wallet.Journal {
	loses := func(lose func(*wallet.Entry)) func() func(*base) wallet.Journal {
		return func() func(*base) wallet.Journal {
			return func(b *base) wallet.Journal { return forgetful{b, lose} }
		}
	}
	return map[string]func() func(*base) wallet.Journal{
		"claims are not atomic": func() func(*base) wallet.Journal {
			return func(b *base) wallet.Journal { return unfenced{base: b} }
		},
		"atomic in one process": func() func(*base) wallet.Journal {
			return func(b *base) wallet.Journal { return locked(b, false) }
		},
		"no fence": func() func(*base) wallet.Journal {
			return func(b *base) wallet.Journal { return locked(b, true) }
		},
		"untold is lost":      loses(func(e *wallet.Entry) { e.Untold = false }),
		"derived is lost":     loses(func(e *wallet.Entry) { e.Derived = false }),
		"recipients are lost": loses(func(e *wallet.Entry) { e.Asked.PayTo = nil }),
		"evidence is lost": loses(func(e *wallet.Entry) {
			for i := range e.Steps {
				e.Steps[i].Evidence = nil
			}
		}),
		"a witness is lost": loses(func(e *wallet.Entry) {
			for i, s := range e.Steps {
				if s.Evidence != nil {
					e.Steps[i].Evidence.Nodes = s.Evidence.Nodes[:1]
				}
			}
		}),
		"what was asked is lost": loses(func(e *wallet.Entry) { e.Asked.Asked = nil }),
		"the schema is its own":  loses(func(e *wallet.Entry) { e.Schema = wallet.Schema }),
		"the ledger is lost":     loses(func(e *wallet.Entry) { e.Ledger = nil }),
		"the spend is lost":      loses(func(e *wallet.Entry) { e.Spend = nil }),
		"receive is lost":        loses(func(e *wallet.Entry) { e.Asked.Receive = nil }),
		"long sets are cut":      loses(func(e *wallet.Entry) { e.Steps = e.Steps[:min(8, len(e.Steps))] }),
		"transactions are cut": loses(func(e *wallet.Entry) {
			for i, s := range e.Steps {
				e.Steps[i].Transaction = s.Transaction[:min(4000, len(s.Transaction))]
			}
		}),
		"one page is listed": func() func(*base) wallet.Journal {
			return func(b *base) wallet.Journal { return paged{b, 1000} }
		},
		"lists are stale": func() func(*base) wallet.Journal {
			first := &sync.Map{}
			return func(b *base) wallet.Journal { return stale{b, first} }
		},
		"signatures are not asked for": func() func(*base) wallet.Journal {
			return func(b *base) wallet.Journal { return unsigned{b} }
		},
		"hashes are not asked for": func() func(*base) wallet.Journal {
			return func(b *base) wallet.Journal { return unhashed{b} }
		},
		"leases are not renewed": func() func(*base) wallet.Journal {
			return func(b *base) wallet.Journal { return firstLease{b} }
		},
	}
}

// TestBrokenJournals: the suite fails for each journal that is broken in one way.
func TestBrokenJournals(t *testing.T) {
	wiretest.Broken(t, 20, broken(), func(t *testing.T, each func() func(*base) wallet.Journal) {
		journaltest.Run(t, func(*testing.T) journaltest.Store {
			b, wrap := wallet.NewMemoryJournal(), each()
			open := func(*testing.T) wallet.Journal { return wrap(b) }
			return journaltest.Store{Open: open, Reopen: open}
		})
	})
}

// TestGoodJournal: the same journal unchanged passes.
func TestGoodJournal(t *testing.T) {
	journaltest.Run(t, func(*testing.T) journaltest.Store {
		b := wallet.NewMemoryJournal()
		open := func(*testing.T) wallet.Journal { return b }
		return journaltest.Store{Open: open, Reopen: open}
	})
}
