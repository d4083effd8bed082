package wallet

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/proof"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet/internal/evidence"
)

// Bounds of one round of questions.
const (
	batchSize  = 256
	atOnce     = 4  // batches, of one round
	singles    = 16 // questions at once, to a confirmer that takes no batch
	askTimeout = 5 * time.Second
	headEvery  = 10 * time.Second
)

// round is one turn of questions after the status of all flights that are due.
type round struct {
	*tracker
	flights []*flight
	known   []question
	head    sample // confirmed, told before any status was asked for
}

// question is a flight and the signature to ask for.
type question struct {
	*flight
	signature string
}

func (t *tracker) round(flights []*flight) *round {
	r := &round{tracker: t, flights: flights}
	for _, f := range flights {
		if f.step.Signature != "" {
			r.known = append(r.known, question{f, f.step.Signature})
		}
	}
	return r
}

// ask begins a round, if anything is due. The lock is held.
func (t *tracker) ask(ctx context.Context, now time.Time, flights []*flight) {
	if len(flights) == 0 {
		return
	}
	r := t.round(flights)
	for _, f := range flights {
		f.asking, f.hinted = true, false
	}
	batches := (len(flights) + batchSize - 1) / batchSize
	t.paid = later(t.paid, now.Add(-atOnce*askPace)).Add(time.Duration(batches) * askPace)
	t.rest = later(t.paid, now.Add(max(t.pollEvery/8, t.spare())))
	t.asking = true
	t.begin(ctx, func(ctx context.Context) {
		r.run(ctx)
		r.end()
	})
}

// end plans the next questions.
func (r *round) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.now()
	for _, f := range r.flights {
		f.asking = false
		if f.lost || f.step.Signature == "" {
			r.missing(f, now)
		}
		if f.hinted {
			f.next = now
		} else {
			f.next, f.wait = now.Add(f.wait), min(2*f.wait, maxPoll)
		}
		r.planAsk(f)
	}
	r.asking = false
	r.poke()
}

func (r *round) run(ctx context.Context) {
	r.readHead(ctx)
	if r.batch == nil {
		r.oneByOne(ctx)
	} else {
		var all sync.WaitGroup
		for part := range slices.Chunk(r.known, batchSize) {
			all.Go(func() { r.together(ctx, part) })
		}
		all.Wait()
	}
	for _, f := range r.flights {
		if r.unnamed(f) {
			r.findMessage(ctx, f)
		}
	}
}

// unnamed reports a transaction that the ledger may know by a signature of a sponsor's
// that is not known.
func (r *round) unnamed(f *flight) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return f.step.Signature == "" || f.lost && !f.finished && !f.step.fixed()
}

// readHead asks for a confirmed head, by which it is known how long to wait.
func (r *round) readHead(ctx context.Context) {
	if r.heads == nil {
		return
	}
	if _, err := r.heads.fresh(ctx, headEvery); err == nil {
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
	got, err := r.batch.SignatureStatuses(ctx, signatures)
	if err == nil && len(got.Statuses) != len(signatures) {
		err = fmt.Errorf("%w: %d statuses for %d signatures", walletfi.ErrDecode, len(got.Statuses), len(signatures))
	}
	for i, q := range part {
		var status walletfi.SignatureStatus
		if err == nil {
			status = got.Statuses[i]
		}
		r.judge(q, status, err)
	}
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
			r.judge(q, status, err)
			<-room
		})
	}
	all.Wait()
}

// judge takes in one status. A door may have named another signature since it was asked
// for: then the ledger's word names it, and that it does not know the earlier one says nothing.
func (r *round) judge(q question, status walletfi.SignatureStatus, err error) {
	f := q.flight
	r.mu.Lock()
	defer r.mu.Unlock()
	switch renamed := q.signature != f.step.Signature; {
	case f.finished:
		return
	case renamed && (err != nil || !status.Found):
		f.hinted = true
		return
	case renamed:
		f.step.Signature = q.signature
	}
	f.asked = err
	if err == nil {
		r.seen(f, status)
	}
	if state, cause := verdict(f.status, r.commitment); err == nil && state != KeyFree {
		r.settle(f, state, cause)
		return
	}
	r.impatience(f)
}

// seen takes in a status. What was found and is not any more, as on a fork that was left,
// is sent and proven again. The lock is held.
func (r *round) seen(f *flight, status walletfi.SignatureStatus) {
	was := f.status
	f.status, f.lost = status, !status.Found
	if was.Found && f.lost && r.follows(f) {
		r.planSend(f.parcel, r.now())
		r.planProof(f)
	}
}

// verdict reads a status. A failure counts only if it is final: on a fork that is left
// again, the same transaction may succeed.
func verdict(status walletfi.SignatureStatus, want walletfi.Commitment) (KeyState, error) {
	switch {
	case status.Confirmed(want):
		return KeyConfirmed, nil
	case status.Found && status.Err != "" && status.Commitment.AtLeast(walletfi.CommitmentFinalized):
		return KeyFailed, fmt.Errorf("%w: %w: the ledger says %s", ErrFailed, walletfi.ErrRejected, status.Err)
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

// impatience gives up on a flight of which there was no news for too long, counted from
// when the tracker got it and from when the ledger could last hold it. The lock is held.
func (r *round) impatience(f *flight) {
	now := r.now()
	if last, known := proof.Last(f.evidence, r.nodes()); known && r.head.Height > 0 && r.head.Height <= last {
		f.waitFrom(r.head.at)
	}
	if now.Sub(f.since) <= f.patience {
		return
	}
	cause := fmt.Errorf("no confirmation within %v", now.Sub(f.begun).Round(time.Second))
	if f.lacks != "" {
		cause = fmt.Errorf("%w, and no proof that it can never be executed: %s", cause, f.lacks)
	}
	r.settle(f, KeyInDoubt, errors.Join(cause, f.parcel.lost, f.asked))
}

// nodes are the identities of the configured nodes.
func (t *tracker) nodes() []string {
	if t.prover == nil {
		return []string{""}
	}
	return t.prover.IDs()
}

// searcher looks for a message in its owner's history since a slot, and returns a
// signature of it that is genuine, or "".
type searcher func(
	ctx context.Context, owner string, message []byte, since uint64, genuine func(string) bool,
) (string, error)

// searchOne is the searcher of one node, nil if it cannot search.
func searchOne(finder walletfi.MessageFinder) searcher {
	if finder == nil {
		return nil
	}
	return func(ctx context.Context, owner string, message []byte, since uint64, genuine func(string) bool) (
		string, error,
	) {
		found, err := finder.FindMessage(ctx, walletfi.MessageSearch{Owner: owner, Message: message, Since: since})
		if err == nil && found.Signature != "" && !genuine(found.Signature) {
			found.Signature = ""
		}
		return found.Signature, err
	}
}

// findMessage looks for a transaction that a sponsor signed, in the owner's
// history. That it is not found there proves nothing.
func (r *round) findMessage(ctx context.Context, f *flight) {
	step := evidence.Step{Transaction: f.step.Transaction} // a door may name it meanwhile
	sent, err := signing.Decode(step.Transaction)
	signature := ""
	if err == nil && r.search != nil {
		ctx, cancel := context.WithTimeout(ctx, askTimeout)
		defer cancel()
		signature, err = r.search(ctx, f.owner, sent.Message(), f.evidence.After.Slot, step.SignedBy)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case f.finished: // its end is being written without the lock
	case err == nil && signature != "":
		f.asked = nil
		f.step.Signature, f.hinted = signature, true
	default:
		f.asked = err
		r.impatience(f)
	}
}
