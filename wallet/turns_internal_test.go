package wallet

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/wallet/internal/admit"
)

// TestFoundAndLostIsProvenAgain: a flight that was found needs no proof. On a fork that is left
// again it does, and its bytes are sent again at once.
func TestFoundAndLostIsProvenAgain(t *testing.T) {
	tr, p := trackerOn(nil), parcelOf(1, &door{name: "d"})
	f := p.flights[0]
	tr.parcels = map[*parcel]struct{}{p: {}}
	now := time.Now()
	f.proveWait, f.proveAt = firstProof, now
	tr.planProof(f)
	tr.planSend(p, now.Add(time.Hour))
	r := tr.round(p.flights)
	r.seen(f, walletfi.SignatureStatus{Found: true})
	require.Empty(t, tr.dueProofs(now), "it is found")
	r.seen(f, walletfi.SignatureStatus{})
	require.Equal(t, []*flight{f}, tr.dueProofs(now), "it is lost")
	require.WithinDuration(t, now, p.next, time.Minute)
	require.True(t, f.lost)
}

// TestLandedWhileItsDoorWasFull: what waited for room and was found meanwhile is not sent. It keeps
// its place among what is sent, in case that was a fork.
func TestLandedWhileItsDoorWasFull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var got given
		let := make(chan struct{})
		close(let)
		d := busyDoor("d", &got, let)
		tr, p := trackerOn(nil), parcelOf(1, d)
		now := time.Now()
		send := func(at time.Time) {
			tr.mu.Lock()
			tr.makeReady(at)
			tr.send(t.Context(), at)
			tr.mu.Unlock()
			tr.calls.Wait()
		}
		d.under = doorWidth
		tr.planSend(p, now)
		send(now)
		require.Empty(t, got.all, "the door is full")
		d.under, p.flights[0].status.Found = 0, true
		send(now)
		require.Empty(t, got.all, "it was found")
		require.Equal(t, now.Add(tr.resendEvery), p.next)
		p.flights[0].status.Found = false
		send(p.next)
		require.Equal(t, []string{"d s0"}, got.all, "it was lost again")
	})
}

// TestOneTurnOfProofsAtATime: what becomes due while the nodes are asked is not taken: it shares
// the next turn's questions.
func TestOneTurnOfProofsAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, let := provingOn(t, 1), make(chan struct{})
		b.nodes[0].Hear = func(_ context.Context, question string) error {
			if question == "head" {
				<-let
			}
			return nil
		}
		first, second := b.sent("s", 5000, 4960), b.sent("t", 5000, 4960)
		for _, f := range []*flight{first, second} {
			f.parcel.under, f.patience = map[*door]bool{}, time.Hour
		}
		b.add(first.parcel)
		<-time.After(time.Second)
		b.add(second.parcel)
		<-time.After(2 * time.Second)
		synctest.Wait()
		b.mu.Lock()
		_, waits := b.planned().proofs.First()
		b.mu.Unlock()
		require.True(t, waits)
		close(let)
		<-time.After(20 * time.Second)
		synctest.Wait()
		b.mu.Lock()
		defer b.mu.Unlock()
		require.Len(t, second.evidence.Nodes, 1, "it is asked about next")
	})
}

// TestRoomForOneMoreCall is a part of a second by the node's limit, for one that allows less than
// a call a second too, and none if no limit is known.
func TestRoomForOneMoreCall(t *testing.T) {
	for _, row := range []struct {
		rate float64
		want time.Duration
	}{{0, 0}, {-1, 0}, {0.5, 2 * time.Second}, {1, time.Second}, {40, 25 * time.Millisecond}, {0.01, maxPoll}} {
		tr := &tracker{queue: &admit.Queue{Rate: func() float64 { return row.rate }}}
		require.Equal(t, row.want, tr.spare(), "%v", row.rate)
	}
	require.Zero(t, (&tracker{}).spare())
}

// unlisted is a journal that cannot be listed.
type unlisted struct{ *MemoryJournal }

func (unlisted) List(context.Context, Query) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) { yield(Entry{}, errors.New("the disk is full")) }
}

// TestListThatFailsForgetsNoPause: the keeper looks again when it would have, and takes up nothing.
func TestListThatFailsForgetsNoPause(t *testing.T) {
	w := &Wallet{journal: unlisted{NewMemoryJournal()}, holder: "me", tracker: trackerOn(nil)}
	pauses := map[string]pause{"key:a": {since: time.Unix(1, 0), next: time.Unix(2, 0)}}
	require.Equal(t, pauses, w.takeUp(t.Context(), pauses))
	require.Empty(t, w.taken)
}

// TestLedgerOfTwoProcesses: what one keeps of the ledger is not lost by what the other does.
func TestLedgerOfTwoProcesses(t *testing.T) {
	j := NewMemoryJournal()
	e := Entry{Schema: Schema, Key: ledgerKey, Version: 1, State: KeyConfirmed, Ledger: &Ledger{Genesis: "genesis"}}
	require.NoError(t, j.Store(t.Context(), 0, e))
	first, second := &record{w: &Wallet{journal: j}, entry: e}, &record{w: &Wallet{journal: j}, entry: e.clone()}
	require.NoError(t, first.write(func(l *Ledger) { l.Final = made(5000) }))
	require.NoError(t, second.write(func(l *Ledger) { l.Resets = append(l.Resets, Reset{By: "me"}) }))
	kept, err := j.Load(t.Context(), ledgerKey)
	require.NoError(t, err)
	require.Equal(t, &Ledger{Genesis: "genesis", Final: made(5000), Resets: []Reset{{By: "me"}}}, kept.Ledger)
	require.Equal(t, uint64(3), kept.Version)
}

// TestNodeThatHasShownNothingMayAtAnyTime: when the others can show more says nothing of it.
func TestNodeThatHasShownNothingMayAtAnyTime(t *testing.T) {
	b := provingOn(t, 3)
	b.nodes[2].Hear = failsAt("valid")
	f := b.sent("s", 5000, 4960)
	b.turn(5019, f)
	require.Zero(t, b.untilNews(f))
	b.nodes[2].Hear = nil
	b.turn(5020, f)
	require.Greater(t, b.untilNews(f), 20*time.Second)
}

// TestSearchesAreBounded: of the turns that take many calls, one node has so many at once.
func TestSearchesAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := provingOn(t, 1)
		begun := time.Now()
		b.nodes[0].Tip = func() Head { return made(5000 + uint64(time.Since(begun)/(400*time.Millisecond))) }
		var under, most atomic.Int32
		b.nodes[0].Hear = func(ctx context.Context, question string) error {
			if question != "block" {
				return nil
			}
			defer under.Add(-1)
			if n := under.Add(1); n > most.Load() {
				most.Store(n)
			}
			<-ctx.Done()
			return ctx.Err()
		}
		for i := range uint64(2 * maxDeep) {
			f := b.sent(fmt.Sprint("s", i), 4000+i, 4100)
			f.parcel.under, f.patience = map[*door]bool{}, time.Hour
			b.add(f.parcel)
		}
		<-time.After(30 * time.Second)
		synctest.Wait()
		require.Equal(t, int32(maxDeep), most.Load())
	})
}
