package wallet

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/clock"
)

// Bounds of one round of questions.
const (
	batchSize  = 256
	singles    = 16 // questions at once, to a confirmer that takes no batch
	askTimeout = 5 * time.Second
	headEvery  = 10 * time.Second // if nothing is about to expire
	headPolls  = 4                // else, in PollEvery
)

// round is one turn of questions after the status of all flights that are due.
type round struct {
	*tracker
	flights  []*flight
	known    []question
	nameless []*flight // whose signature is a sponsor's, not known yet
	head     sample    // believed, told before any status was asked for
}

// question is a flight and the signature to ask for.
type question struct {
	*flight
	signature string
}

// ask begins a round. The lock is held.
func (t *tracker) ask(ctx context.Context, now time.Time, flights []*flight) {
	r := &round{tracker: t, flights: flights}
	for _, f := range flights {
		f.asking, f.hinted = true, false
		if f.step.Signature == "" {
			r.nameless = append(r.nameless, f)
		} else {
			r.known = append(r.known, question{f, f.step.Signature})
		}
	}
	batches := (len(flights) + batchSize - 1) / batchSize
	t.rest = now.Add(max(t.pollEvery/8, time.Duration(batches)*roundPace))
	t.asking = true
	t.calls.Go(func() {
		r.run(ctx)
		r.end()
	})
}

// end plans the next questions.
func (r *round) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := clock.Now(r.clock)
	for _, f := range r.flights {
		f.asking = false
		if f.hinted {
			f.next = now
			continue
		}
		f.next, f.wait = now.Add(f.wait), min(2*f.wait, maxPoll)
	}
	r.asking = false
	r.poke()
}

func (r *round) run(ctx context.Context) {
	r.readHead(ctx)
	if r.batch == nil {
		r.oneByOne(ctx)
	} else {
		for part := range slices.Chunk(r.known, batchSize) {
			r.together(ctx, part)
		}
	}
	for _, f := range r.nameless {
		r.findMessage(ctx, f)
	}
}

// readHead asks for the head before the statuses, so that an answer that is as
// recent can prove something.
func (r *round) readHead(ctx context.Context) {
	if r.heads == nil {
		return
	}
	age := headEvery
	expected := r.heads.expected()
	for _, f := range r.flights {
		if end := f.end(); end > 0 && expected > end+margin-8 {
			age = headPolls * r.pollEvery
		}
	}
	if _, err := r.heads.fresh(ctx, age); err == nil {
		r.head = r.heads.latest()
	}
}

func (r *round) together(ctx context.Context, part []question) {
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	signatures := make([]string, len(part))
	for i, q := range part {
		signatures[i] = q.signature
	}
	statuses, asOf, err := r.statuses(ctx, signatures)
	if err == nil && len(statuses) != len(signatures) {
		err = fmt.Errorf("%w: %d statuses for %d signatures", walletfi.ErrDecode, len(statuses), len(signatures))
	}
	for i, q := range part {
		var status walletfi.SignatureStatus
		var at uint64
		if err == nil {
			status, at = statuses[i], asOf[i]
		}
		r.judge(ctx, q.flight, status, at, err)
	}
}

// statuses returns each signature's status and the slot for which it holds.
func (r *round) statuses(ctx context.Context, signatures []string) ([]walletfi.SignatureStatus, []uint64, error) {
	if p, ok := r.batch.(*panel); ok {
		return p.statuses(ctx, signatures)
	}
	statuses, at, err := r.batch.SignatureStatuses(ctx, signatures)
	return statuses, slices.Repeat([]uint64{at}, len(signatures)), err
}

func (r *round) oneByOne(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	var all sync.WaitGroup
	room := make(chan struct{}, singles)
	for _, q := range r.known {
		room <- struct{}{}
		all.Go(func() {
			status, err := r.confirmer.SignatureStatus(ctx, q.signature)
			r.judge(ctx, q.flight, status, 0, err)
			<-room
		})
	}
	all.Wait()
}

// judge takes in one status, which was told by a node that had reached asOf, 0
// if it did not say.
func (r *round) judge(ctx context.Context, f *flight, status walletfi.SignatureStatus, asOf uint64, err error) {
	told := err == nil
	var past bool
	if told && !status.Confirmed(r.commitment) {
		past, err = r.dead(ctx, f, asOf)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if f.finished {
		return
	}
	if f.asked = err; told {
		f.status = status
	}
	state, cause := verdict(status, r.commitment, past)
	switch {
	case !told || state == KeyFree:
		r.impatience(f)
	case state == KeyExpired:
		r.settle(f, state, withText(cause, f.cargo.lost))
	default:
		r.settle(f, state, cause)
	}
}

// verdict reads a status. A failure counts only as settled as a success does,
// or when the transaction cannot be executed any more: on a fork that is left
// again, the same transaction may succeed.
func verdict(status walletfi.SignatureStatus, want walletfi.Commitment, dead bool) (KeyState, error) {
	switch {
	case status.Confirmed(want):
		return KeyConfirmed, nil
	case status.Found && status.Err != "" && (dead || status.Commitment.AtLeast(want)):
		return KeyFailed, fmt.Errorf("%w: %w: the ledger says %s", ErrFailed, walletfi.ErrRejected, status.Err)
	case !status.Found && dead:
		return KeyExpired, ErrExpired
	}
	return KeyFree, nil
}

// withText adds what a cause says without what it answers to.
func withText(err, cause error) error {
	if cause == nil {
		return err
	}
	return fmt.Errorf("%w (%v)", err, cause)
}

// impatience gives up on a flight of which nothing was learnt for too long. The
// lock is held.
func (r *round) impatience(f *flight) {
	if r.head.Height > 0 && r.head.Height <= f.end() {
		f.since = r.head.at
	}
	if clock.Since(r.clock, f.since) > r.timeout {
		cause := fmt.Errorf("no confirmation within %v", r.timeout)
		r.settle(f, KeyInDoubt, errors.Join(cause, f.cargo.lost, f.asked))
	}
}
