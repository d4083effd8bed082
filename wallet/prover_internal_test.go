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
)

// liar tells other heads and blocks than the ledger's.
type liar struct {
	*Honest
	head func(Head) Head
}

func (l liar) FinalHead(ctx context.Context) (Head, error) {
	h, err := l.Honest.FinalHead(ctx)
	return l.head(h), err
}

func (l liar) FinalBlock(ctx context.Context, slot uint64) (Head, error) {
	if h, err := l.FinalHead(ctx); h.Slot == slot {
		return h, err
	}
	b, err := l.Honest.FinalBlock(ctx, slot)
	return l.head(b), err
}

// proverOn asks nodes at slot 5000, of which some lag.
func proverOn(t *testing.T, c walletfi.Clock, lags ...uint64) (*prover, []*Honest) {
	var nodes []any
	var all []*Honest
	for i, lag := range lags {
		n := &Honest{T: t, Name: fmt.Sprint("n", i), Lag: lag, Tip: func() Head { return made(5000) }}
		nodes, all = append(nodes, n), append(all, n)
	}
	p := newProver(nodes, c)
	t.Cleanup(p.close)
	return p, all
}

// TestFinalHeadOfAMajority: the newest block that a majority of the configured nodes
// shows, whatever a minority says.
func TestFinalHeadOfAMajority(t *testing.T) {
	up := func(h Head) Head { return Head{Slot: h.Slot, Height: h.Height + 7} }
	ahead := func(h Head) Head { return Head{Slot: h.Slot + 1e6, Height: h.Height} }
	slotAlone := func(h Head) Head { return Head{Slot: h.Slot, Height: h.Slot} }
	for _, row := range []struct {
		what string
		lags []uint64
		lie  func(Head) Head // of the first node
		away int             // nodes, the last ones
		want uint64          // 0 for none
	}{
		{"a lone node", []uint64{0}, nil, 0, 4968},
		{"a lone node that is away", []uint64{0}, nil, 1, 0},
		{"two", []uint64{0, 3}, nil, 0, 4965},
		{"one of two", []uint64{0, 3}, nil, 1, 0},
		{"three", []uint64{0, 3, 40}, nil, 0, 4965},
		{"two of three", []uint64{0, 3, 40}, nil, 1, 4965},
		{"one of three", []uint64{0, 3, 40}, nil, 2, 0},
		{"one tells a wrong height", []uint64{0, 0, 3}, up, 0, 4965},
		{"one tells a wrong height, and is behind", []uint64{3, 0, 0}, up, 0, 4968},
		{"one is far ahead", []uint64{0, 0, 3}, ahead, 0, 4965},
		{"one tells the first block", []uint64{0, 2, 3}, func(Head) Head { return Head{} }, 0, 4965},
		{"one tells the slot for the height", []uint64{0, 2, 3}, slotAlone, 0, 4965},
		{"one lies, one is away", []uint64{0, 0, 0}, up, 1, 0},
		{"two of five are away", []uint64{9, 4, 3, 0, 0}, nil, 2, 4959},
	} {
		p, nodes := proverOn(t, nil, row.lags...)
		if row.lie != nil {
			p.nodes[0].prover = liar{nodes[0], row.lie}
		}
		for i := range row.away {
			nodes[len(nodes)-1-i].Hear = fails
		}
		err := p.refresh(t.Context(), 0)
		if row.want == 0 {
			require.Error(t, err, row.what)
			require.Zero(t, p.head(), row.what)
			continue
		}
		require.NoError(t, err, row.what)
		require.Equal(t, made(row.want), p.head(), row.what)
	}
	require.Nil(t, newProver([]any{"nobody", nil}, nil), "no node shows anything")
	require.Zero(t, (*prover)(nil).head())
	p := newProver([]any{&Honest{T: t, Name: "a", Tip: func() Head { return made(5000) }}, "mute", "mute"}, nil)
	defer p.close()
	require.Error(t, p.refresh(t.Context(), 0), "a majority of the configured nodes, not of those that can")
	require.Equal(t, []string{"a", "node 2", "node 3"}, p.ids)
}

// TestHeadOnlyGrows: one that goes back, or does not follow, changes nothing. After it
// was forgotten by hand, what the nodes show next is taken.
func TestHeadOnlyGrows(t *testing.T) {
	tip := made(5000)
	n := &Honest{T: t, Tip: func() Head { return tip }}
	p := newProver([]any{n}, nil)
	defer p.close()
	ask := func(slot, height uint64) Head {
		t.Helper()
		tip = Head{Slot: slot + Finality, Height: height + Finality}
		require.NoError(t, p.refresh(t.Context(), 0))
		return p.head()
	}
	known := ask(5000, 4000)
	require.Equal(t, made(5000), known)
	require.Equal(t, known, ask(4990, 3990), "it goes back")
	require.Equal(t, known, ask(5010, 4011), "more blocks than slots")
	require.Equal(t, known, ask(5010, 3999), "it is lower")
	require.Equal(t, Head{Slot: 5010, Height: 4008}, ask(5010, 4008))
	p.forget()
	require.Zero(t, p.head())
	require.Equal(t, made(3000), ask(3000, 2000))
}

// TestHeadIsAskedForOnce: who comes while it is asked for, or soon after, shares the
// answer, or ends with its own context. A clock that was set back makes it of no known
// age.
func TestHeadIsAskedForOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &setBack{}
		p, nodes := proverOn(t, c, 0)
		defer p.close()
		nodes[0].Hear = func(context.Context, string) error { <-time.After(time.Second); return nil }
		var all sync.WaitGroup
		for range 5 {
			all.Go(func() { require.NoError(t, p.refresh(t.Context(), 2*time.Second)) })
		}
		soon, cancel := context.WithTimeout(t.Context(), time.Second/2)
		defer cancel()
		<-time.After(time.Millisecond)
		require.ErrorIs(t, p.refresh(soon, 0), context.DeadlineExceeded)
		all.Wait()
		require.Equal(t, []string{"head"}, nodes[0].Asked())
		for _, step := range []struct {
			wait, back time.Duration
			asked      bool
		}{{1999 * time.Millisecond, 0, false}, {time.Millisecond, 0, true}, {0, time.Minute, true}, {0, 0, false}} {
			<-time.After(step.wait)
			c.off -= step.back
			require.NoError(t, p.refresh(t.Context(), 2*time.Second))
			require.Equal(t, step.asked, len(nodes[0].Asked()) > 0, "%+v", step)
		}
	})
}

// setBack is real time, as far back as somebody has set it.
type setBack struct{ off time.Duration }

func (c *setBack) Now() time.Time { return time.Now().Round(0).Add(c.off) }

func (*setBack) AfterFunc(d time.Duration, f func()) (stop func() bool) {
	return time.AfterFunc(d, f).Stop
}

// TestHeadBeforeSigning: one that is near the head that was told, or a few seconds old.
// If the nodes show none in time, what is known serves as well.
func TestHeadBeforeSigning(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, nodes := proverOn(t, nil, 0)
		defer p.close()
		before := func(told uint64) (Head, bool) {
			head, err := p.beforeSigning(t.Context(), made(told))
			require.NoError(t, err)
			return head, len(nodes[0].Asked()) > 0
		}
		head, asked := before(5000)
		require.True(t, asked)
		require.Equal(t, made(4968), head)
		<-time.After(2 * time.Second)
		_, asked = before(4968 + 64)
		require.False(t, asked, "it is near, and young")
		_, asked = before(4968 + 65)
		require.True(t, asked, "it is far from what was told")
		_, asked = before(4968 + 65)
		require.False(t, asked, "it was asked for in this second")
		<-time.After(20 * time.Second)
		_, asked = before(4968)
		require.True(t, asked, "it is old")

		nodes[0].Hear = func(ctx context.Context, _ string) error { <-ctx.Done(); return ctx.Err() }
		<-time.After(time.Minute)
		begun := time.Now()
		head, asked = before(9000)
		require.True(t, asked)
		require.Equal(t, made(4968), head, "an older one is as true")
		require.LessOrEqual(t, time.Since(begun), 2*nodePatience, "nodes that do not answer keep no payment waiting")
	})
	head, err := (*prover)(nil).beforeSigning(t.Context(), made(5000))
	require.NoError(t, err)
	require.Zero(t, head)
}

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
	f.evidence.Told = b.prover.head().Height + 9
	require.Equal(t, 2*time.Second, b.untilNews(f), "a service says that its blockhash is older")
	f.evidence.Told = b.prover.head().Height
	require.Equal(t, 200*time.Millisecond, b.untilNews(f), "it has just ended")
	f.evidence.Told--
	require.Greater(t, b.untilNews(f), 20*time.Second, "it ended before, and nobody has shown that")
	b.again(5019, 10*time.Second, f)
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

// TestQuestionsInVain: those that take many calls are asked again after growing pauses,
// and the error stands meanwhile.
func TestQuestionsInVain(t *testing.T) {
	c := &handClock{now: time.Now()}
	p := &pauses{clock: c}
	turn := &pass{dear: p}
	asked, away := 0, errors.New("away")
	answer := away
	ask := func(name string) error { return turn.dearly(name, nil, func() error { asked++; return answer }) }
	waits := append([]time.Duration{firstDear, 2 * firstDear}, slices.Repeat([]time.Duration{time.Minute}, 180)...)
	for _, wait := range append(waits, 2*time.Minute, 4*time.Minute, lastDear, lastDear) {
		before := asked
		require.Equal(t, away, ask("a"))
		require.Equal(t, before+1, asked)
		c.now = c.now.Add(wait - 1)
		require.Equal(t, away, ask("a"))
		require.Equal(t, before+1, asked, "not before %v", wait)
		c.now = c.now.Add(1)
	}
	before := asked
	require.Equal(t, away, ask("b"), "another question waits for nothing")
	require.Equal(t, before+1, asked)
	c.now = c.now.Add(-time.Hour)
	require.Equal(t, away, ask("b"))
	require.Equal(t, before+2, asked, "the clock was set back")
	answer = nil
	require.NoError(t, ask("a"))
	answer = away
	require.Equal(t, away, ask("a"))
	c.now = c.now.Add(firstDear)
	before = asked
	require.Equal(t, away, ask("a"))
	require.Equal(t, before+1, asked, "an answer ends the pauses")
	for i := range 2 * mostDear {
		_ = ask(fmt.Sprint(i))
	}
	require.LessOrEqual(t, len(p.held), mostDear)
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
		k := &tracker{prover: &prover{}}
		k.missing(f, now)
		k.missing(f, now.Add(time.Hour))
		require.Equal(t, c.wait, f.proveWait)
		require.Equal(t, c.at, f.proveAt)
	}
	f := &flight{parcel: &parcel{}}
	(&tracker{}).missing(f, now)
	require.Zero(t, f.proveWait, "no node can show anything")
}
