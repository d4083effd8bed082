package evidence

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
)

// slowNode answers after a time, or not before the call's end.
type slowNode struct {
	node
	after atomic.Int64
	asked atomic.Int32
	ended atomic.Int32
}

func (n *slowNode) Head(ctx context.Context) (walletfi.Head, error) {
	n.asked.Add(1)
	defer func() { n.ended.Add(1) }()
	timer := time.NewTimer(time.Duration(n.after.Load()))
	defer timer.Stop()
	select {
	case <-timer.C:
		return walletfi.Head{Slot: n.head.Slot, Height: n.head.Height}, n.err
	case <-ctx.Done():
		return walletfi.Head{}, ctx.Err()
	}
}

func slowPanel(t *testing.T, after ...time.Duration) (*Panel, []*slowNode) {
	t.Helper()
	p := panelOf(t, make([]*node, len(after))...)
	var all []*slowNode
	for i, d := range after {
		n := &slowNode{node: node{head: Head{Slot: 1000, Height: 900}}}
		n.after.Store(int64(d))
		p.nodes[i] = &witness{head: n}
		all = append(all, n)
	}
	return p, all
}

// away and under are what the panel knows of its nodes.
func away(p *Panel) (all []bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, w := range p.nodes {
		all = append(all, w.away)
	}
	return all
}

func under(p *Panel) (all []int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, w := range p.nodes {
		all = append(all, w.under)
	}
	return all
}

// TestPatienceWithANode: a node is waited for one second. From then on it is away: it
// is waited for only if there is no quorum without it, until it answers a question.
func TestPatienceWithANode(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, nodes := slowPanel(t, 0, 0, 3*time.Second)
		ask := func() time.Duration {
			begun := time.Now()
			_, err := p.Head(t.Context())
			require.NoError(t, err)
			took := time.Since(begun)
			synctest.Wait()
			return took
		}
		require.Equal(t, nodePatience, ask())
		require.Equal(t, []bool{false, false, true}, away(p))
		require.Zero(t, ask(), "a quorum has answered")
		require.Zero(t, ask())
		require.EqualValues(t, 2, nodes[2].asked.Load(), "no more than two questions are held up")
		require.Equal(t, []int{0, 0, 2}, under(p))
		<-time.After(2500 * time.Millisecond)
		require.Equal(t, []bool{false, false, false}, away(p), "it has answered")
		nodes[2].after.Store(int64(time.Second / 2))
		require.Equal(t, time.Second/2, ask())
		<-time.After(time.Minute)
		require.Equal(t, []int{0, 0, 0}, under(p))
		require.EqualValues(t, 3, nodes[2].asked.Load())
		require.EqualValues(t, 3, nodes[2].ended.Load())
	})
}

// TestQuorumThatIsSlow: if the prompt ones are too few, the others are waited for.
func TestQuorumThatIsSlow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, nodes := slowPanel(t, 0, 2*time.Second, 4*time.Second)
		begun := time.Now()
		_, err := p.Head(t.Context())
		require.NoError(t, err)
		require.Equal(t, 2*time.Second, time.Since(begun), "two are a quorum")

		nodes[1].after.Store(int64(time.Hour))
		nodes[2].after.Store(int64(time.Hour))
		<-time.After(time.Minute)
		begun = time.Now()
		_, err = p.Head(t.Context())
		require.ErrorIs(t, err, errNoAgreement, "one of three is none")
		require.Equal(t, 5*time.Second, time.Since(begun), "as long as a question lasts")
		<-time.After(time.Minute)
		require.Equal(t, []bool{false, true, true}, away(p), "they were too slow")
		require.Equal(t, []int{0, 0, 0}, under(p))

		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		begun = time.Now()
		_, err = p.Head(ctx)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Equal(t, time.Second, time.Since(begun))
	})
}

// TestNodeThatFailsIsNotAway: an error is an answer too, and is told if there is no
// other.
func TestNodeThatFailsIsNotAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, nodes := slowPanel(t, time.Second/2, 0, 0)
		down := errors.New("down")
		for _, n := range nodes {
			n.err = down
		}
		p.nodes[0].away = true
		_, err := p.Head(t.Context())
		require.ErrorIs(t, err, down)
		require.ErrorIs(t, err, errNoAgreement)
		require.Equal(t, []bool{false, false, false}, away(p))
		asked := make(chan context.Context, 3)
		_, err = gather(t.Context(), &p.members, func(ctx context.Context, _ *witness) (int, error) { asked <- ctx; return 1, nil })
		require.NoError(t, err)
		synctest.Wait()
		require.Len(t, asked, 3)
		for range 3 {
			require.Error(t, (<-asked).Err(), "it ends with the question")
		}
	})
}

// TestPanelThatIsClosed: closing ends the questions under way, waits for them, and no
// further one is asked.
func TestPanelThatIsClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, nodes := slowPanel(t, 0, time.Hour)
		p.quorum = 1
		_, err := p.Head(t.Context())
		require.NoError(t, err)
		synctest.Wait()
		require.EqualValues(t, 1, nodes[1].asked.Load())
		require.Zero(t, nodes[1].ended.Load())
		begun := time.Now()
		p.Close()
		require.EqualValues(t, 1, nodes[1].ended.Load(), "it is waited for")
		require.Zero(t, time.Since(begun), "and cut short")
		_, err = p.Head(t.Context())
		require.ErrorIs(t, err, errNoAgreement)
		require.EqualValues(t, 1, nodes[0].asked.Load())
	})
}

// TestNodesThatFail: what all nodes fail at is an error, and says why. Fewer statuses
// than signatures are no answer.
func TestNodesThatFail(t *testing.T) {
	down := errors.New("down")
	p := panelOf(t, &node{err: down}, &node{err: down})
	for _, w := range p.nodes {
		w.batch, w.effects = failing{down}, failing{down}
	}
	_, err := p.Head(t.Context())
	require.ErrorIs(t, err, down)
	_, err = p.SignatureStatuses(t.Context(), []string{"a"})
	require.ErrorIs(t, err, down)
	_, err = panelEffects{p}.Effects(t.Context(), "a")
	require.ErrorIs(t, err, down)
	for _, w := range p.nodes {
		w.batch, w.effects = tooFew{}, nil
	}
	_, err = p.SignatureStatuses(t.Context(), []string{"a", "b"})
	require.ErrorIs(t, err, walletfi.ErrDecode)
	require.ErrorContains(t, err, "1 statuses for 2 signatures")
	_, err = panelEffects{p}.Effects(t.Context(), "a")
	require.ErrorIs(t, err, errors.ErrUnsupported)

	for _, w := range p.nodes {
		w.batch = founds{}
	}
	got, err := p.SignatureStatuses(t.Context(), []string{"a", "b"})
	require.NoError(t, err)
	require.Len(t, got.Statuses, 2)
	got, err = p.SignatureStatuses(t.Context(), nil)
	require.NoError(t, err)
	require.Empty(t, got.Statuses)
}

// failing fails at everything.
type failing struct{ err error }

func (f failing) SignatureStatuses(context.Context, []string) (walletfi.SignatureStatuses, error) {
	return walletfi.SignatureStatuses{}, f.err
}

func (f failing) Effects(context.Context, string) (*walletfi.Effects, error) { return nil, f.err }

// founds has found everything.
type founds struct{}

func (founds) SignatureStatuses(_ context.Context, signatures []string) (walletfi.SignatureStatuses, error) {
	all := make([]walletfi.SignatureStatus, len(signatures))
	for i := range all {
		all[i] = walletfi.SignatureStatus{Found: true, Commitment: walletfi.CommitmentConfirmed}
	}
	return walletfi.SignatureStatuses{Statuses: all, AsOfSlot: 1}, nil
}

// tooFew leaves out one status.
type tooFew struct{ founds }

func (n tooFew) SignatureStatuses(ctx context.Context, signatures []string) (walletfi.SignatureStatuses, error) {
	return n.founds.SignatureStatuses(ctx, signatures[1:])
}

// TestSearcherOfAPanel: any node is enough.
func TestSearcherOfAPanel(t *testing.T) {
	n := &node{}
	p := panelOf(t, n, n)
	*p.nodes[0] = witness{head: n}
	*p.nodes[1] = witness{head: n}
	require.False(t, p.Searches())
	p.nodes[0].finder = n
	require.True(t, p.Searches())
}
