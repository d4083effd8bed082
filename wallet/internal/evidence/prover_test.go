package evidence

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/wallet/internal/evidence/evidencetest"
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
func proverOn(t *testing.T, c walletfi.Clock, lags ...uint64) (*Prover, []*Honest) {
	var nodes []any
	var all []*Honest
	for i, lag := range lags {
		n := &Honest{T: t, Name: fmt.Sprint("n", i), Lag: lag, Tip: func() Head { return made(5000) }}
		nodes, all = append(nodes, n), append(all, n)
	}
	p := NewProver(nodes, c)
	t.Cleanup(p.Close)
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
		err := p.Refresh(t.Context(), 0)
		if row.want == 0 {
			require.Error(t, err, row.what)
			require.Zero(t, p.Final(), row.what)
			continue
		}
		require.NoError(t, err, row.what)
		require.Equal(t, made(row.want), p.Final(), row.what)
	}
	require.Nil(t, NewProver([]any{"nobody", nil}, nil), "no node shows anything")
	require.Zero(t, (*Prover)(nil).Final())
	p := NewProver([]any{&Honest{T: t, Name: "a", Tip: func() Head { return made(5000) }}, "mute", "mute"}, nil)
	defer p.Close()
	require.Error(t, p.Refresh(t.Context(), 0), "a majority of the configured nodes, not of those that can")
	require.Equal(t, []string{"a", "node 2", "node 3"}, p.ids)
}

// TestHeadOnlyGrows: one that goes back, or does not follow, changes nothing. After it
// was forgotten by hand, what the nodes show next is taken.
func TestHeadOnlyGrows(t *testing.T) {
	tip := made(5000)
	n := &Honest{T: t, Tip: func() Head { return tip }}
	p := NewProver([]any{n}, nil)
	defer p.Close()
	ask := func(slot, height uint64) Head {
		t.Helper()
		tip = Head{Slot: slot + Finality, Height: height + Finality}
		require.NoError(t, p.Refresh(t.Context(), 0))
		return p.Final()
	}
	known := ask(5000, 4000)
	require.Equal(t, made(5000), known)
	require.Equal(t, known, ask(4990, 3990), "it goes back")
	require.Equal(t, known, ask(5010, 4011), "more blocks than slots")
	require.Equal(t, known, ask(5010, 3999), "it is lower")
	require.Equal(t, Head{Slot: 5010, Height: 4008}, ask(5010, 4008))
	p.Forget()
	require.Zero(t, p.Final())
	require.Equal(t, made(3000), ask(3000, 2000))
}

// TestHeadIsAskedForOnce: who comes while it is asked for, or soon after, shares the
// answer, or ends with its own context. A clock that was set back makes it of no known
// age.
func TestHeadIsAskedForOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &evidencetest.SetBack{}
		p, nodes := proverOn(t, c, 0)
		defer p.Close()
		nodes[0].Hear = func(context.Context, string) error { <-time.After(time.Second); return nil }
		var all sync.WaitGroup
		for range 5 {
			all.Go(func() { require.NoError(t, p.Refresh(t.Context(), 2*time.Second)) })
		}
		soon, cancel := context.WithTimeout(t.Context(), time.Second/2)
		defer cancel()
		<-time.After(time.Millisecond)
		require.ErrorIs(t, p.Refresh(soon, 0), context.DeadlineExceeded)
		all.Wait()
		require.Equal(t, []string{"head"}, nodes[0].Asked())
		for _, step := range []struct {
			wait, back time.Duration
			asked      bool
		}{{1999 * time.Millisecond, 0, false}, {time.Millisecond, 0, true}, {0, time.Minute, true}, {0, 0, false}} {
			<-time.After(step.wait)
			c.Off -= step.back
			require.NoError(t, p.Refresh(t.Context(), 2*time.Second))
			require.Equal(t, step.asked, len(nodes[0].Asked()) > 0, "%+v", step)
		}
	})
}

// TestHeadBeforeSigning: one that is near the head that was told, or a few seconds old.
// If the nodes show none in time, what is known serves as well.
func TestHeadBeforeSigning(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, nodes := proverOn(t, nil, 0)
		defer p.Close()
		before := func(told uint64) (Head, bool) {
			head, err := p.BeforeSigning(t.Context(), made(told))
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
	head, err := (*Prover)(nil).BeforeSigning(t.Context(), made(5000))
	require.NoError(t, err)
	require.Zero(t, head)
}

// TestHomeIsAskedForOnce in a turn, however many questions it has.
func TestHomeIsAskedForOnce(t *testing.T) {
	p, nodes := proverOn(t, nil, 0)
	p.genesis = "genesis"
	home := p.homeOf(p.nodes[0])
	for range 3 {
		require.NoError(t, home(t.Context()))
	}
	require.Equal(t, []string{"genesis"}, nodes[0].Asked())
}

// TestHomeThatIsNotKnown: a question that is cut short while another one asks where the node belongs is
// an error, and no word that it belongs here.
func TestHomeThatIsNotKnown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, nodes := proverOn(t, nil, 0)
		let := make(chan struct{})
		nodes[0].Hear = func(context.Context, string) error {
			<-let
			return errors.New("away")
		}
		p.genesis = "genesis"
		home := p.homeOf(p.nodes[0])
		done := make(chan error)
		go func() { done <- home(context.Background()) }()
		synctest.Wait()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		require.ErrorIs(t, home(ctx), context.Canceled)
		close(let)
		require.NoError(t, <-done, "one that does not say is not taken for another's")
	})
}

// TestValidityThatIsNotKnown: a node that fails says nothing; one that cannot be asked is not waited for.
func TestValidityThatIsNotKnown(t *testing.T) {
	p, nodes := proverOn(t, nil, 0)
	nodes[0].Block = func(hash string) (block Head) {
		_, err := fmt.Sscan(hash, &block.Slot)
		require.NoError(t, err)
		return made(block.Slot)
	}
	nodes[0].Hear = func(_ context.Context, question string) error {
		if question == "valid" {
			return errAway
		}
		return nil
	}
	err := p.CallsValid(t.Context(), "5000")
	require.ErrorContains(t, err, "whether its blockhash is valid is not known: ")
	nodes[0].Hear = nil
	require.NoError(t, p.CallsValid(t.Context(), "4990"))
	require.ErrorIs(t, p.CallsValid(t.Context(), "6000"), ErrNotValid)
	p.nodes[0].blockhash = nil
	require.NoError(t, p.CallsValid(t.Context(), "6000"))
	_, err = p.genesisOf(t.Context(), &witness{})
	require.ErrorIs(t, err, errors.ErrUnsupported)
}
