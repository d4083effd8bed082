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
)

// statusNode tells statuses when a test lets it.
type statusNode struct {
	mu    sync.Mutex
	asked [][]string
	hold  chan struct{} // nil holds nothing
	found atomic.Bool
}

func (n *statusNode) SignatureStatuses(_ context.Context, signatures []string) ([]walletfi.SignatureStatus, uint64, error) {
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
	return all, 1, nil
}

// batches lists what it was asked so far.
func (n *statusNode) batches() [][]string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.asked)
}

// trackerOn is a tracker that asks a node, with times that tell what is what.
func trackerOn(n *statusNode) *tracker {
	return &tracker{
		sources: sources{batch: n}, commitment: walletfi.CommitmentConfirmed, pollEvery: 500 * time.Millisecond,
		resendEvery: 1600 * time.Millisecond, tryTimeout: 2 * time.Second, timeout: 90 * time.Second, wake: make(chan struct{}, 1),
	}
}

// parcel is cargo of n flights that is given to no door.
func parcel(n int, doors ...*door) *cargo {
	c := &cargo{doors: doors, under: map[*door]bool{}}
	for i := range n {
		f := &flight{cargo: c, step: EntryStep{Signature: fmt.Sprint("s", i)}, done: func(*flight) {}}
		c.flights = append(c.flights, f)
		c.signed = append(c.signed, walletfi.Signed{Signature: f.step.Signature})
	}
	return c
}

// TestRoundsAreRestedBetween: 25 ms for each batch of questions, and at least an eighth
// of the time between two questions.
func TestRoundsAreRestedBetween(t *testing.T) {
	for _, row := range []struct {
		flights   int
		pollEvery time.Duration
		want      time.Duration
	}{
		{1, 8 * time.Millisecond, 25 * time.Millisecond},
		{255, 8 * time.Millisecond, 25 * time.Millisecond},
		{256, 8 * time.Millisecond, 25 * time.Millisecond},
		{257, 8 * time.Millisecond, 50 * time.Millisecond},
		{512, 8 * time.Millisecond, 50 * time.Millisecond},
		{513, 8 * time.Millisecond, 75 * time.Millisecond},
		{1, 800 * time.Millisecond, 100 * time.Millisecond},
		{1024, 800 * time.Millisecond, 100 * time.Millisecond},
		{1025, 800 * time.Millisecond, 125 * time.Millisecond},
	} {
		synctest.Test(t, func(t *testing.T) {
			n := &statusNode{}
			tr := trackerOn(n)
			tr.pollEvery = row.pollEvery
			now := time.Now()
			tr.mu.Lock()
			tr.ask(t.Context(), now, parcel(row.flights).flights)
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

// TestOneRoundAtATime: what is asked for is not asked for again before the answer, and
// what was hinted at meanwhile at once after it.
func TestOneRoundAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := &statusNode{hold: make(chan struct{})}
		tr := trackerOn(n)
		defer tr.close()
		first, second := parcel(1), parcel(1)
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
		due, soon := parcel(row.due).flights, parcel(row.soon).flights
		for i, f := range soon {
			f.next = now.Add(time.Duration((i*7919)%row.soon) * time.Second)
		}
		var latest time.Time
		all := tr.filled(due, soon)
		require.Len(t, all, row.want, "%v", row)
		require.Equal(t, due, all[:row.due])
		for _, f := range all[row.due:] {
			require.Less(t, f.next.Sub(now), time.Duration(row.want-row.due)*time.Second, "%v: the soonest", row)
			latest = f.next
		}
		require.GreaterOrEqual(t, time.Now(), latest.Add(-time.Hour))
		tr.batch = nil
		require.Equal(t, row.due, len(tr.filled(due, soon)), "one at a time each costs a question")
	}
}

// TestImpatience: ConfirmTimeout counts from when the ledger was last seen at a height
// at which the transaction can land.
func TestImpatience(t *testing.T) {
	c := &handClock{now: time.Now()}
	for _, row := range []struct {
		what  string
		head  Head
		since time.Duration // before now
		want  KeyState
	}{
		{"it has just been seen", Head{9, 650}, 91 * time.Second, ""},
		{"at the first height", Head{9, 1}, 91 * time.Second, ""},
		{"past the end", Head{9, 651}, 91 * time.Second, KeyInDoubt},
		{"no head", Head{}, 91 * time.Second, KeyInDoubt},
		{"for as long as the time-out", Head{9, 651}, 90 * time.Second, ""},
	} {
		tr := trackerOn(nil)
		tr.clock = c
		p := parcel(1)
		f := p.flights[0]
		f.step.Last, f.since = 650, c.now.Add(-row.since)
		f.asked, p.lost = errors.New("garbled"), errors.New("the connection broke")
		r := &round{tracker: tr, head: sample{row.head, c.now}}
		r.impatience(f)
		tr.calls.Wait()
		require.Equal(t, row.want, f.verdict, row.what)
		if row.want != "" {
			require.ErrorContains(t, f.cause, "no confirmation within 1m30s")
			require.ErrorIs(t, f.cause, f.asked)
			require.ErrorIs(t, f.cause, p.lost)
		}
	}
}

// handClock stands still.
type handClock struct{ now time.Time }

func (c *handClock) Now() time.Time { return c.now }

func (c *handClock) AfterFunc(time.Duration, func()) func() bool { panic("nothing waits") }

// TestHeadIsAskedForMoreOftenAtTheEnd: each ten seconds, and near an end each four
// times that a status is asked for.
func TestHeadIsAskedForMoreOftenAtTheEnd(t *testing.T) {
	const slot, height = 5000, 400
	for _, row := range []struct {
		what  string
		last  uint64
		ago   time.Duration
		asked bool
	}{
		{"far from the end", 1000, 9 * time.Second, false},
		{"far from the end, after a while", 1000, 11 * time.Second, true},
		{"24 blocks past the end", height + 7 - 24, 3 * time.Second, false},
		{"25 blocks past it", height + 7 - 25, 3 * time.Second, true},
		{"25 blocks past it, a moment ago", height + 7 - 25 - 5, 1900 * time.Millisecond, false},
		{"an end of 1", 1, 3 * time.Second, true},
		{"no end", 0, 3 * time.Second, false},
	} {
		c := &handClock{now: time.Now()}
		asked := 0
		tr := trackerOn(nil)
		tr.clock = c
		tr.heads = &heads{slotTime: 400 * time.Millisecond, clock: c, asking: make(chan struct{}, 1), read: func(context.Context) (Head, error) {
			asked++
			return Head{slot + 1, height + 1}, nil
		}}
		tr.heads.last = sample{Head{slot, height}, c.now.Add(-row.ago)}
		r := &round{tracker: tr, flights: parcel(2).flights}
		r.flights[1].step.Last = row.last
		r.readHead(t.Context())
		require.Equal(t, row.asked, asked > 0, row.what)
		require.NotZero(t, r.head.Slot)

		tr.heads.read = func(context.Context) (Head, error) { return Head{}, errors.New("away") }
		r.head, tr.heads.last.at = sample{}, c.now.Add(-time.Minute)
		r.readHead(t.Context())
		require.Zero(t, r.head, "without an answer nothing is believed of now")
	}
}
