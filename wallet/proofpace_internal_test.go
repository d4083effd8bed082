package wallet

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/internal/proof"
	"github.com/walletfi/walletfi-go/wallet/internal/evidence"
)

// TestPausesBetweenTurns: five seconds after the send, then after two, four and each
// five seconds, and after two again when a node has shown more. One that was sent earlier is asked for
// at once.
func TestPausesBetweenTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := provingOn(t, 1)
		var mu sync.Mutex
		begun := time.Now()
		b.nodes[0].Tip = func() Head {
			mu.Lock()
			defer mu.Unlock()
			return made(5000 + uint64(time.Since(begun)/(400*time.Millisecond)))
		}
		var at []time.Duration
		heard := func() []time.Duration {
			mu.Lock()
			defer mu.Unlock()
			return slices.Clone(at)
		}
		b.nodes[0].Hear = func(_ context.Context, question string) error {
			mu.Lock()
			defer mu.Unlock()
			if question == "head" {
				at = append(at, time.Since(begun).Round(time.Second))
			}
			return nil
		}
		f := b.sent("s", 5000, 4960)
		f.parcel.left, f.parcel.under = false, map[*door]bool{}
		f.patience = time.Hour
		b.add(f.parcel)
		<-time.After(62 * time.Second)
		synctest.Wait()
		seconds := func(all ...int) (times []time.Duration) {
			for _, s := range all {
				times = append(times, time.Duration(s)*time.Second)
			}
			return times
		}
		first := heard()
		require.Equal(t, seconds(5, 7), first[:2], "the first has shown that the blockhash is good")
		for i, at := range first[2:] {
			require.Greater(t, at-first[i+1], 6*time.Second, "nothing more can be shown before its end: %v", first)
		}
		<-time.After(time.Minute)
		synctest.Wait()
		require.Equal(t, KeyExpired, f.verdict)
		took := time.Since(begun)
		require.Less(t, slices.Max(heard()), 110*time.Second)
		require.Greater(t, took, (proof.Age+2*Finality)*400*time.Millisecond)

		mu.Lock()
		at, begun = nil, time.Now()
		mu.Unlock()
		early := b.sent("e", 5000, 4960)
		early.parcel.under = map[*door]bool{}
		early.patience = time.Hour
		b.add(early.parcel)
		<-time.After(time.Second)
		synctest.Wait()
		require.Equal(t, seconds(0), heard(), "it was sent earlier")
	})
}

// TestPaceWhileTheHeadStands: by how far the end is from the head, a turn is put off. A head
// that stands says nothing of that: past a gap it grows by many blocks at once.
func TestPaceWhileTheHeadStands(t *testing.T) {
	b := provingOn(t, 1)
	f := b.sent("s", 5000, 4960)
	b.turn(5019, f)
	require.Greater(t, b.untilNews(f), 20*time.Second)
	f.evidence.Told = b.prover.Final().Height + 9
	require.Equal(t, 2*time.Second, b.untilNews(f), "a service says that its blockhash is older")
	f.evidence.Told = b.prover.Final().Height
	require.Equal(t, 200*time.Millisecond, b.untilNews(f), "it has just ended")
	f.evidence.Told--
	require.Greater(t, b.untilNews(f), 20*time.Second, "it ended before, and nobody has shown that")
	b.clock.Off += 10 * time.Second
	require.Zero(t, b.untilNews(f))
}

// TestNodeThatIsBusy: one that does not answer is not asked further, and the others go
// on to a verdict without it.
func TestNodeThatIsBusy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := provingOn(t, 3)
		begun := time.Now()
		for _, n := range b.nodes {
			n.Tip = func() Head { return made(5000 + uint64(time.Since(begun)/(400*time.Millisecond))) }
		}
		var mu sync.Mutex
		under, most, asked := 0, 0, 0
		b.nodes[1].Hear = func(ctx context.Context, question string) error {
			if question != "valid" && question != "absence of 1" && question != "ended" {
				return nil
			}
			mu.Lock()
			under++
			asked++
			most = max(most, under)
			mu.Unlock()
			<-ctx.Done()
			mu.Lock()
			defer mu.Unlock()
			under--
			return ctx.Err()
		}
		f := b.sent("s", 5000, 4960)
		f.parcel.under, f.patience = map[*door]bool{}, time.Hour
		told := 0
		f.learnt = func() { told++ }
		b.add(f.parcel)
		<-time.After(2 * time.Minute)
		synctest.Wait()
		require.Equal(t, KeyExpired, f.verdict)
		require.Equal(t, 1, most, "one question at a time")
		require.LessOrEqual(t, asked, 3, "a turn lasts a minute")
		require.Positive(t, asked)
		require.GreaterOrEqual(t, told, 4, "the journal is told of each new piece of evidence")
		require.Less(t, time.Since(begun), 2*time.Minute+time.Second)
	})
}

// TestSlowQuestionHoldsNobodyUp: what takes many calls of one transaction has a turn of its
// own, and the same node proves another one meanwhile.
func TestSlowQuestionHoldsNobodyUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := provingOn(t, 1)
		begun := time.Now()
		b.nodes[0].Tip = func() Head { return made(5000 + uint64(time.Since(begun)/(400*time.Millisecond))) }
		var searches atomic.Int32
		b.nodes[0].Hear = func(ctx context.Context, question string) error {
			if question != "block" {
				return nil
			}
			searches.Add(1)
			<-ctx.Done()
			return ctx.Err()
		}
		slow, f := b.sent("long ago", 4000, 4100), b.sent("s", 5000, 4960)
		for _, f := range []*flight{slow, f} {
			f.parcel.under, f.patience = map[*door]bool{}, time.Hour
			b.add(f.parcel)
		}
		<-time.After(105 * time.Second)
		synctest.Wait()
		require.Equal(t, KeyExpired, f.verdict)
		require.Positive(t, searches.Load())
		require.LessOrEqual(t, searches.Load(), int32(2), "it may last a minute")
		require.False(t, slow.finished)
	})
}

// TestHopelessIsAskedSeldom: what nobody can show is asked for at growing pauses.
func TestHopelessIsAskedSeldom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := provingOn(t, 1)
		begun := time.Now()
		b.nodes[0].Tip = func() Head { return made(5000 + uint64(time.Since(begun)/(400*time.Millisecond))) }
		var heads atomic.Int32
		b.nodes[0].Hear = func(_ context.Context, question string) error {
			switch question {
			case "head":
				heads.Add(1)
			case "absence of 1":
				return errors.New("pruned")
			}
			return nil
		}
		f := b.sent("s", 5000, 4960)
		f.parcel.under, f.patience = map[*door]bool{}, 24*time.Hour
		b.add(f.parcel)
		<-time.After(10 * time.Minute)
		synctest.Wait()
		before := heads.Load()
		<-time.After(10 * time.Minute)
		synctest.Wait()
		require.InDelta(t, 15, heads.Load()-before, 2)
	})
}

// TestWhenAProofIsAskedFor: what was just sent has a while to land. What may have been sent
// before is asked for at once, less often.
func TestWhenAProofIsAskedFor(t *testing.T) {
	begun := time.Unix(1000, 0)
	now := begun.Add(time.Second)
	for _, c := range []struct {
		left, finished bool
		wait           time.Duration
		at             time.Time
	}{
		{wait: firstProof, at: begun.Add(slowAfter)},
		{left: true, wait: lastProof, at: now},
		{finished: true},
	} {
		f := &flight{parcel: &parcel{left: c.left}, begun: begun, finished: c.finished}
		k := &tracker{prover: &evidence.Prover{}}
		k.missing(f, now)
		k.missing(f, now.Add(time.Hour))
		require.Equal(t, c.wait, f.proveWait)
		require.Equal(t, c.at, f.proveAt)
	}
	f := &flight{parcel: &parcel{}}
	(&tracker{}).missing(f, now)
	require.Zero(t, f.proveWait, "no node can show anything")
}
