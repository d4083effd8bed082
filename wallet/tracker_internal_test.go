package wallet

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/proof"
	"github.com/walletfi/walletfi-go/wallet/internal/evidence"
)

// statusNode tells statuses when a test lets it.
type statusNode struct {
	mu    sync.Mutex
	asked [][]string
	hold  chan struct{} // nil holds nothing
	found atomic.Bool
}

func (n *statusNode) SignatureStatuses(_ context.Context, signatures []string) (walletfi.SignatureStatuses, error) {
	n.mu.Lock()
	n.asked = append(n.asked, signatures)
	n.mu.Unlock()
	if n.hold != nil {
		<-n.hold
	}
	all := make([]walletfi.SignatureStatus, len(signatures))
	for i := range all {
		all[i] = walletfi.SignatureStatus{Found: n.found.Load(), Commitment: walletfi.CommitmentConfirmed}
	}
	return walletfi.SignatureStatuses{Statuses: all, AsOfSlot: 1}, nil
}

// batches lists what it was asked so far.
func (n *statusNode) batches() [][]string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.asked)
}

// trackerOn is a tracker that asks a node, with times that differ.
func trackerOn(n *statusNode) *tracker {
	return &tracker{
		batch: n, commitment: walletfi.CommitmentConfirmed, pollEvery: 500 * time.Millisecond,
		resendEvery: 1600 * time.Millisecond, tryTimeout: 2 * time.Second, timeout: 90 * time.Second,
	}
}

// parcelOf is a parcel of n flights that is given to no door.
func parcelOf(n int, doors ...*door) *parcel {
	c := &parcel{doors: doors, under: map[*door]bool{}}
	for i := range n {
		f := &flight{parcel: c, step: EntryStep{Signature: fmt.Sprint("s", i)}, done: func(*flight) {}, evidence: &walletfi.Evidence{}}
		c.flights = append(c.flights, f)
		c.signed = append(c.signed, walletfi.Signed{Signature: f.step.Signature})
	}
	return c
}

// TestRoundsAreRestedBetween: 25 ms for each batch of questions, but for the first four,
// and at least an eighth of the time between two questions.
func TestRoundsAreRestedBetween(t *testing.T) {
	for _, row := range []struct {
		flights   int
		pollEvery time.Duration
		want      time.Duration
	}{
		{1, 8 * time.Millisecond, time.Millisecond},
		{1024, 8 * time.Millisecond, time.Millisecond},
		{1025, 8 * time.Millisecond, 25 * time.Millisecond},
		{1281, 8 * time.Millisecond, 50 * time.Millisecond},
		{1, 800 * time.Millisecond, 100 * time.Millisecond},
		{1024, 800 * time.Millisecond, 100 * time.Millisecond},
		{8 * 256, 800 * time.Millisecond, 100 * time.Millisecond},
		{9 * 256, 800 * time.Millisecond, 125 * time.Millisecond},
	} {
		synctest.Test(t, func(t *testing.T) {
			n := &statusNode{}
			tr := trackerOn(n)
			tr.pollEvery = row.pollEvery
			now := time.Now()
			tr.mu.Lock()
			tr.ask(t.Context(), now, parcelOf(row.flights).flights)
			tr.mu.Unlock()
			tr.calls.Wait()
			tr.mu.Lock()
			defer tr.mu.Unlock()
			require.Equal(t, now.Add(row.want), tr.rest, "%d", row.flights)
			asked := 0
			for _, batch := range n.batches() {
				require.LessOrEqual(t, len(batch), batchSize)
				asked += len(batch)
			}
			require.Equal(t, row.flights, asked)
			require.Len(t, n.batches(), (row.flights-1)/batchSize+1, "no batch that is not needed")
		})
	}
}

// TestTheWatchThatEnds is the one that a flight had when it was settled, also if its
// signature gets another one at once.
func TestTheWatchThatEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ended := make(chan string, 2)
		tr, f := trackerOn(nil), parcelOf(1).flights[0]
		f.unwatch = func() { ended <- "first" }
		tr.mu.Lock()
		tr.settle(f, KeyConfirmed, nil)
		f.unwatch = func() { ended <- "second" }
		tr.mu.Unlock()
		tr.calls.Wait()
		require.Equal(t, "first", <-ended)
		require.Empty(t, ended)
	})
}

// TestOneRoundAtATime: what is asked for is not asked for again before the answer, and
// what was hinted at meanwhile at once after it.
func TestOneRoundAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := &statusNode{hold: make(chan struct{})}
		tr := trackerOn(n)
		defer tr.close()
		first, second := parcelOf(1), parcelOf(1)
		second.flights[0].step.Signature = "other"
		tr.add(first)
		<-time.After(600 * time.Millisecond)
		synctest.Wait()
		require.Equal(t, [][]string{{"s0"}}, n.batches())
		tr.mu.Lock()
		require.True(t, first.flights[0].asking)
		require.True(t, tr.asking)
		require.True(t, tr.running)
		tr.mu.Unlock()
		tr.add(second)
		tr.hint(first.flights[0])
		<-time.After(10 * time.Second)
		synctest.Wait()
		require.Len(t, n.batches(), 1, "no second round while the first is under way")
		answered := time.Now()
		close(n.hold)
		synctest.Wait()
		<-time.After(100 * time.Millisecond)
		synctest.Wait()
		require.Len(t, n.batches(), 2)
		require.ElementsMatch(t, []string{"s0", "other"}, n.batches()[1], "the hint was not forgotten")
		require.Less(t, time.Since(answered), 200*time.Millisecond)
		tr.mu.Lock()
		require.False(t, first.flights[0].asking)
		require.False(t, first.flights[0].hinted)
		tr.mu.Unlock()
	})
}

// TestBatchesAreFilled: what is due soon costs nothing if it fills the last batch, the
// soonest first.
func TestBatchesAreFilled(t *testing.T) {
	now := time.Now()
	for _, row := range []struct{ due, soon, want int }{
		{1, 0, 1}, {1, 300, 256}, {1, 255, 256}, {1, 254, 255}, {255, 2, 256}, {256, 9, 256}, {257, 300, 512}, {200, 10, 210},
	} {
		tr := trackerOn(&statusNode{})
		plan := func() {
			due, soon := parcelOf(row.due), parcelOf(row.soon)
			tr.parcels = map[*parcel]struct{}{due: {}, soon: {}}
			tr.plans = nil
			for i, f := range soon.flights {
				f.next = now.Add(time.Duration(1+(i*7919)%row.soon) * time.Second)
				tr.planAsk(f)
			}
			for _, f := range due.flights {
				tr.planAsk(f)
			}
		}
		plan()
		all := tr.dueAsks(now)
		require.Len(t, all, row.want, "%v", row)
		for i, f := range all {
			require.Equal(t, i < row.due, f.next.IsZero(), "%v: what is due goes first", row)
			if i >= row.due {
				require.LessOrEqual(t, f.next.Sub(now), time.Duration(row.want-row.due)*time.Second, "%v: the soonest", row)
			}
		}
		tr.batch = nil
		plan()
		require.Len(t, tr.dueAsks(now), row.due, "one at a time each costs a question")
	}
}

// TestImpatience: ConfirmTimeout counts from the send and, if it is known how long the
// ledger can execute the transaction, from when it was last seen at such a height.
func TestImpatience(t *testing.T) {
	c := &handClock{At: time.Now()}
	const end = 650
	ends := &walletfi.Evidence{Nodes: []walletfi.NodeEvidence{{Seen: 1, Bound: end - proof.Age}}}
	for _, row := range []struct {
		what     string
		head     Head
		evidence *walletfi.Evidence
		since    time.Duration // before now
		want     KeyState
	}{
		{"it has just been seen", Head{Slot: 9, Height: end}, ends, 91 * time.Second, ""},
		{"at the first height", Head{Slot: 9, Height: 1}, ends, 91 * time.Second, ""},
		{"past the end", Head{Slot: 9, Height: end + 1}, ends, 91 * time.Second, KeyInDoubt},
		{"no head", Head{}, ends, 91 * time.Second, KeyInDoubt},
		{"no end is known", Head{Slot: 9, Height: 1}, &walletfi.Evidence{Told: end}, 91 * time.Second, KeyInDoubt},
		{"for as long as the time-out", Head{Slot: 9, Height: end + 1}, ends, 90 * time.Second, ""},
	} {
		tr := trackerOn(nil)
		tr.clock = c
		p := parcelOf(1)
		f := p.flights[0]
		f.evidence, f.begun, f.since, f.patience = row.evidence, c.At.Add(-2*row.since), c.At.Add(-row.since), tr.timeout
		f.asked, p.lost, f.lacks = errors.New("garbled"), errors.New("the connection broke"), "node 1 is away"
		r := &round{tracker: tr, head: sample{row.head, c.At}}
		r.impatience(f)
		tr.calls.Wait()
		require.Equal(t, row.want, f.verdict, row.what)
		if row.want != "" {
			require.ErrorContains(t, f.cause, "no confirmation within 3m2s, and no proof that it can never be executed: node 1 is away")
			require.ErrorIs(t, f.cause, f.asked)
			require.ErrorIs(t, f.cause, p.lost)
			continue
		}
		r.head.at = c.At.Add(-row.since - 1)
		before := f.since
		r.impatience(f)
		require.False(t, f.since.Before(before), "an older head does not count")
	}
}

// TestWaitIsBounded: for hours, a head is far before the end, as a cluster that has stopped
// tells it, or a liar has something new each time.
func TestWaitIsBounded(t *testing.T) {
	c := &handClock{}
	for what, news := range map[string]func(*round, *flight){
		"the head stands": func(r *round, _ *flight) {
			r.head = sample{Head{Slot: 9, Height: 1}, c.At}
		},
		"its blockhash lives on": func(r *round, f *flight) {
			seen := f.evidence.Nodes[0]
			seen.Seen++
			p := r.prover.Pass(0)
			p.Items = []*evidence.Item{{For: f, Step: f.step.asked(), Shown: seen}}
			r.shown(0, p)
		},
	} {
		c.At = time.Now()
		tr := trackerOn(nil)
		tr.clock = c
		tr.prover = evidence.NewProver([]any{&Honest{Name: "n"}}, nil)
		f := parcelOf(1).flights[0]
		f.evidence = &walletfi.Evidence{Nodes: []walletfi.NodeEvidence{{Node: "n", Seen: 1, Bound: 500}}}
		f.begun, f.since, f.patience = c.At, c.At, tr.timeout
		var waited time.Duration
		for ; !f.finished && waited < 6*time.Hour; waited += maxPoll {
			c.At = c.At.Add(maxPoll)
			r := &round{tracker: tr}
			news(r, f)
			r.impatience(f)
		}
		tr.calls.Wait()
		require.Equal(t, KeyInDoubt, f.verdict, what)
		require.InDelta(t, (302*time.Second + tr.timeout).Seconds(), waited.Seconds(), 10, what)
	}
}

// TestHeadIsAskedForEachTenSeconds: it tells how long to wait, and no more.
func TestHeadIsAskedForEachTenSeconds(t *testing.T) {
	for ago, want := range map[time.Duration]bool{10 * time.Second: false, 10*time.Second + 1: true} {
		c := &handClock{At: time.Now()}
		asked := 0
		tr := trackerOn(nil)
		tr.clock = c
		tr.heads = &heads{clock: c, read: func(context.Context) (Head, error) {
			asked++
			return Head{Slot: 5001, Height: 401}, nil
		}}
		tr.heads.last = sample{Head{Slot: 5000, Height: 400}, c.At.Add(-ago)}
		r := &round{tracker: tr, flights: parcelOf(2).flights}
		r.readHead(t.Context())
		require.Equal(t, want, asked > 0, "%v", ago)
		require.NotZero(t, r.head.Slot)

		tr.heads.read = func(context.Context) (Head, error) { return Head{}, errors.New("away") }
		r.head, tr.heads.last.at = sample{}, c.At.Add(-time.Minute)
		r.readHead(t.Context())
		require.Zero(t, r.head, "without an answer nothing is believed of now")
	}
}

// TestDroppedBeforeItIsAdded: of two messages of a transaction the first can be confirmed before the tracker has the
// other. That is not followed, or the tracker would never come to its end.
func TestDroppedBeforeItIsAdded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tr, done := trackerOn(&statusNode{}), 0
		c := &parcel{left: true}
		c.flights = []*flight{{parcel: c, done: func(*flight) { done++ }}}
		tr.drop(c, nil)
		tr.add(c)
		tr.mu.Lock()
		require.Empty(t, tr.parcels)
		require.False(t, tr.running)
		tr.mu.Unlock()
		tr.close()
		require.Equal(t, 1, done)
	})
}
