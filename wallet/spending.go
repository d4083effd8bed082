package wallet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/atwork"
)

// spendKey is where a journal keeps its Spend. Keys of payments have a prefix.
const spendKey = "spend"

// spendMargin is how far a clock may be from the ledger's time: what has landed ages so much later.
const spendMargin = 2 * time.Minute

// spendLimits holds the limits. What counts is one entry of the journal, which is changed on the
// condition that no other process has changed it.
type spendLimits struct {
	w      *Wallet
	limits []SpendLimit
	times  walletfi.FinalTimer // nil if no node tells the time of blocks

	lock  atwork.Lock // held while the entry is changed
	entry Entry       // as it was read or written last
	slot  uint64      // of the block whose time is known
	final time.Time   // that time
	twins []Entry     // settled, and not followed
}

// openSpend reads what counts, and ends what an earlier process left.
func (w *Wallet) openSpend(cfg Config) error {
	if len(cfg.Spend) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), storeTimeout)
	defer cancel()
	w.spend = &spendLimits{
		w: w, limits: slices.Clone(cfg.Spend), times: find[walletfi.FinalTimer](cfg.Confirmer, cfg.Heights, cfg.Submitter),
	}
	if w.tracker.prover == nil {
		w.spend.times = nil // no node shows which block is final
	}
	if err := w.spend.load(ctx); err != nil {
		return err
	}
	w.spend.learn(ctx)
	return w.spend.repair(ctx)
}

func (s *spendLimits) load(ctx context.Context) error {
	e, err := s.w.journal.Load(ctx, spendKey)
	switch {
	case err != nil:
		return fmt.Errorf("the journal: %w", err)
	case e.Schema > Schema:
		return fmt.Errorf("the journal: %w", newerSchema(e.Schema))
	case e.Spend == nil:
		e = Entry{Schema: Schema, Key: spendKey, State: KeyConfirmed, Since: s.w.now(), Spend: &Spend{}}
	}
	s.entry = e
	return nil
}

// learn asks for the time of the newest finalized block.
func (s *spendLimits) learn(ctx context.Context) {
	head := s.w.tracker.prover.Final()
	if s.times == nil || head.Slot == s.slot {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, greetWait)
	defer cancel()
	if at, err := s.times.FinalTime(ctx, head.Slot); err == nil {
		s.slot, s.final = head.Slot, at
	}
}

// now does not go back, nor far past the time of the newest finalized block.
func (s *spendLimits) now() time.Time {
	now := s.w.now()
	if limit := s.final.Add(spendMargin); s.times != nil && now.After(limit) {
		now = limit
	}
	return latest(now, s.entry.Spend.Time).UTC()
}

// ages is the time from which on what is found to have landed in a slot ages, 0 if that is not known: not before
// it landed, however wrong the clock is, as far as the ledger's time is known. If the clock is ahead of that, or the
// block is newer by far than the one whose time is known, it is asked for its time. It is false if no node tells
// that, and the clock may be behind.
func (s *spendLimits) ages(ctx context.Context, slot uint64) (at time.Time, known bool) {
	const near = 150 // slots: they take half of the margin, or a little more
	at = latest(s.w.now(), s.final)
	later := slot > s.slot+near
	if s.times != nil && slot > 0 && (later || at.After(s.final.Add(spendMargin))) {
		ctx, cancel := context.WithTimeout(ctx, greetWait)
		defer cancel()
		landed, err := s.times.FinalTime(ctx, slot)
		switch {
		case err == nil:
			at = landed
		case later:
			return at, false
		}
	}
	return latest(at, s.entry.Spend.Time).Add(spendMargin), true
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// write changes what counts, after the changes of others. The lock is held.
func (s *spendLimits) write(ctx context.Context, change func(*Spend) error) error {
	const most = 100 // others that are faster, one after another
	for range most {
		next := s.entry.clone()
		next.Version, next.Spend.Time = s.entry.Version+1, s.now()
		if err := change(next.Spend); err != nil {
			return err
		}
		next.Spend.shed(s.limits)
		err := s.w.write(ctx, s.entry.Version, next)
		if err == nil {
			s.entry = next
			return nil
		}
		if !errors.Is(err, ErrFenced) {
			return cmp.Or(s.load(ctx), fmt.Errorf("the journal did not take what counts under the limits: %w", err))
		}
		if err := s.load(ctx); err != nil {
			return err
		}
	}
	return ErrFenced
}

// reservation counts what is about to be signed.
type reservation struct {
	debits []Debit
	// stepOf is the key of a set that is signed step by step: what it counts besides debits is of the step before,
	// which has landed in a slot and taken exactly so much. Nil if that is not known.
	stepOf string
	exact  []Taken
	slot   uint64
}

// reserve counts what is about to be signed. If a limit does not allow it, the error is a *SpendLimitError,
// and nothing changes.
func (s *spendLimits) reserve(ctx context.Context, r reservation) error {
	if s == nil || len(r.debits) == 0 {
		return nil
	}
	if err := s.lock.Lock(ctx); err != nil {
		return err
	}
	defer s.lock.Unlock()
	s.learn(ctx)
	at, known := s.ages(ctx, r.slot)
	if !known {
		at = at.Add(lingerFor)
	}
	put := func(next *Spend) error {
		next.replace(r, at)
		if err := next.over(s.limits, r.debits); err != nil {
			return err
		}
		next.Open = append(next.Open, r.debits...)
		return nil
	}
	err := s.write(ctx, put)
	if !errors.Is(err, ErrSpendLimit) {
		return err
	}
	if err := s.load(ctx); err != nil { // another process may have freed something
		return err
	}
	if err := s.repair(ctx); err != nil {
		return err
	}
	s.follow()
	return s.write(ctx, put)
}

// follow follows what repair has left.
func (s *spendLimits) follow() {
	if s == nil {
		return
	}
	for _, e := range s.twins {
		s.w.followTwins(e)
	}
	s.twins = nil
}

// givesUp reports a settled entry of which another message may execute for a while, if no node shows when it has
// ended, or none has for longer than its blockhash lives.
func (s *spendLimits) givesUp(e Entry) bool {
	since := e.SignedAt
	if e.Prepared != nil {
		since = e.Prepared.Submitted
	}
	return len(e.twins()) > 0 && (s.w.tracker.prover == nil || s.now().After(since.Add(lingerFor)))
}

// repair ends the debits whose end a process did not write. The lock is held.
func (s *spendLimits) repair(ctx context.Context) error {
	var ended []func(*Spend)
	for _, d := range s.entry.Spend.Open {
		if d.Key == "" || s.w.works(d.Key) {
			continue
		}
		e, err := s.w.journal.Load(ctx, d.Key)
		if err != nil {
			return fmt.Errorf("the journal: %w", err)
		}
		e.Key = d.Key
		switch left := s.givesUp(e); {
		case d.fate(e, left) != fateOpen:
			if at, known := s.ages(ctx, e.lastSlot()); known {
				ended = append(ended, func(next *Spend) { next.end(e, left, at) })
			}
		case len(e.twins()) > 0:
			s.twins = append(s.twins, e)
		}
	}
	if len(ended) == 0 {
		return nil
	}
	return s.write(ctx, func(next *Spend) error {
		for _, end := range ended {
			end(next)
		}
		return nil
	})
}

// settle counts what has become of an entry's transactions. If it is given up, nothing follows them further.
func (s *spendLimits) settle(ctx context.Context, e Entry, givenUp bool) error {
	if s == nil {
		return nil
	}
	if err := s.lock.Lock(ctx); err != nil {
		return err
	}
	defer s.lock.Unlock()
	givenUp = givenUp || s.givesUp(e)
	has := func(d Debit) bool { return d.Key == e.Key }
	counted := slices.ContainsFunc(e.Steps, func(s EntryStep) bool { return s.Debit != "" })
	if counted && !slices.ContainsFunc(s.entry.Spend.Open, has) {
		if err := s.load(ctx); err != nil { // another process may have signed it
			return err
		}
	}
	if !slices.ContainsFunc(s.entry.Spend.Open, func(d Debit) bool { return has(d) && d.fate(e, givenUp) != fateOpen }) {
		return nil
	}
	s.learn(ctx)
	at, known := s.ages(ctx, e.lastSlot())
	if !known {
		return nil // it counts on: repair ends it once the time is told
	}
	return s.write(ctx, func(next *Spend) error {
		next.end(e, givenUp, at)
		return nil
	})
}

// endedBy reports that by a change of an entry one of its transactions has come to its end, or will not be signed,
// or that all of it has ended.
func endedBy(was, now Entry) bool {
	for i, s := range now.Steps {
		if (s.Debit != "" || s.unsigned()) && s.State.Settled() && (i >= len(was.Steps) || !was.Steps[i].State.Settled()) {
			return true
		}
	}
	return now.State.Settled() && !was.State.Settled()
}
