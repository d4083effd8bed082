package wallet

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/atwork"
	"github.com/walletfi/walletfi-go/internal/clock"
	"github.com/walletfi/walletfi-go/internal/proof"
	"github.com/walletfi/walletfi-go/wallet/internal/evidence"
)

// Ledger is a journal's knowledge of the ledger that its payments are on.
type Ledger struct {
	// Genesis is the hash of the ledger's first block, base58.
	Genesis string `json:"genesis"`
	// Final is the newest finalized block that the nodes have shown.
	Final Head `json:"final"`
	// Resets are those by hand, the oldest first: see Wallet.ResetHead.
	Resets []Reset `json:"resets,omitempty"`
}

// Reset is a newest block that an operator had forgotten.
type Reset struct {
	By     string    `json:"by"`
	Reason string    `json:"reason"`
	At     time.Time `json:"at"`
	Was    Head      `json:"was"`
}

// ledgerKey is where a journal keeps its Ledger. Keys of payments have a prefix.
const ledgerKey = "ledger"

// record keeps the ledger's newest block in the journal.
type record struct {
	w *Wallet

	writing chan struct{} // full while the journal is being written

	mu    sync.Mutex
	entry Entry // as it was read or written last
}

// Bounds of the record: it need not be exact, as an older block is as true.
const (
	recordEvery = 150 // slots
	greetWait   = 2 * time.Second
)

// openLedger reads what the journal knows, and holds the nodes against it. Nodes that do
// not answer are held against it when they do.
func (w *Wallet) openLedger() error {
	p := w.tracker.prover
	if p == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), greetWait)
	defer cancel()
	r := &record{w: w, writing: make(chan struct{}, 1)}
	e, err := w.journal.Load(ctx, ledgerKey)
	switch {
	case err != nil:
		return fmt.Errorf("the journal: %w", err)
	case e.Schema > Schema:
		return fmt.Errorf("the journal: %w", newerSchema(e.Schema))
	case e.Ledger == nil:
		e = Entry{Schema: Schema, Key: ledgerKey, State: KeyConfirmed, Since: w.now(), Ledger: &Ledger{}}
	}
	r.entry, w.ledger = e, r
	if err := p.Open(ctx, e.Ledger.Final, r); errors.Is(err, evidence.ErrOtherLedger) {
		return err
	}
	return nil
}

// Genesis has the known first block read and set. It is part of evidence.Memory.
func (r *record) Genesis(read func(known *string) error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return read(&r.entry.Ledger.Genesis)
}

// Keep writes a newer block, if it is much newer than the one in the journal. It is part of evidence.Memory.
func (r *record) Keep(head Head) {
	r.mu.Lock()
	due := r.entry.Ledger.Genesis != "" && head.Slot >= r.entry.Ledger.Final.Slot+recordEvery
	r.mu.Unlock()
	if !due {
		return
	}
	select {
	case r.writing <- struct{}{}:
	default:
		return // the next newer block is as good
	}
	r.w.tracker.begin(context.Background(), func(context.Context) {
		defer func() { <-r.writing }()
		_ = r.write(func(l *Ledger) { l.Final, _ = proof.Grow(l.Final, head) })
	})
}

// write changes the journal's Ledger. If another process was faster, it is changed
// after that one's change. The caller is the only one that writes.
func (r *record) write(change func(*Ledger)) error {
	ctx, cancel := context.WithTimeout(context.Background(), storeTimeout)
	defer cancel()
	for range 3 {
		r.mu.Lock()
		was, next := r.entry.Version, r.entry.clone()
		r.mu.Unlock()
		next.Version = was + 1
		change(next.Ledger)
		err := r.w.journal.Store(ctx, was, next)
		fenced := errors.Is(err, ErrFenced)
		if fenced {
			if next, err = r.w.journal.Load(ctx, ledgerKey); err == nil && next.Ledger == nil {
				err = ErrFenced
			}
		}
		if err == nil {
			r.mu.Lock()
			r.entry = next
			r.mu.Unlock()
		}
		if err != nil || !fenced {
			return err
		}
	}
	return ErrFenced
}

// ResetHead makes the wallet forget the newest finalized block that it knows, by hand: if
// nodes that lied or a cluster that was restarted left one that never was. By and reason
// are kept in the journal. Until a majority of the nodes shows a block again, nothing is
// called expired.
func (w *Wallet) ResetHead(by, reason string) error {
	if by == "" || reason == "" {
		return &walletfi.ValidationError{Field: "by and reason", Problem: "are required: they are kept in the journal"}
	}
	r := w.ledger
	if r == nil {
		return &walletfi.ValidationError{Field: "confirmer", Problem: "shows no finalized blocks"}
	}
	r.writing <- struct{}{}
	defer func() { <-r.writing }()
	err := r.write(func(l *Ledger) {
		l.Resets = append(slices.Clone(l.Resets), Reset{By: by, Reason: reason, At: w.now(), Was: l.Final})
		l.Final = Head{}
	})
	if err == nil {
		w.tracker.prover.Forget()
	}
	return err
}

// Head is a block of the ledger by its slot and its height.
type Head = walletfi.Head

const headTimeout = 5 * time.Second

// heads are the newest confirmed heads, as one node tells them. They pace questions and
// keep what has ended from being signed; nothing is proven by them.
type heads struct {
	read  func(ctx context.Context) (Head, error)
	clock walletfi.Clock

	asking atwork.Lock // held while a question is under way

	mu   sync.Mutex
	last sample
}

// sample is a head and when it was told.
type sample struct {
	Head
	at time.Time
}

// headSource returns how to ask for a head, with its slot if the source tells it.
func headSource(source any) func(context.Context) (Head, error) {
	if r, ok := source.(walletfi.HeadReader); ok {
		return r.Head
	}
	return func(ctx context.Context) (h Head, err error) {
		h.Height, err = source.(walletfi.BlockHeighter).BlockHeight(ctx)
		return h, err
	}
}

// fresh returns a head that is at most age old. Callers that come together share a
// question.
func (h *heads) fresh(ctx context.Context, age time.Duration) (Head, error) {
	if err := h.asking.Lock(ctx); err != nil {
		return Head{}, err
	}
	defer h.asking.Unlock()
	if s := h.latest(); young(h.clock, s, age) {
		return s.Head, nil
	}
	ctx, cancel := context.WithTimeout(ctx, headTimeout)
	defer cancel()
	told, err := h.read(ctx)
	if err != nil {
		return Head{}, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.last = sample{told, clock.Now(h.clock)}
	return told, nil
}

// young reports whether s is at most age old. One from the future, before the clock was
// set back, may be of any age.
func young(c walletfi.Clock, s sample, age time.Duration) bool {
	old := clock.Since(c, s.at)
	return 0 <= old && old <= age && s.Height > 0
}

func (h *heads) latest() sample {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.last
}
