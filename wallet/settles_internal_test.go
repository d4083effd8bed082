package wallet

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/proof"
	"github.com/walletfi/walletfi-go/wallet/internal/admit"
)

// TestQueueLearnsFromWhatLands: the fewer sends a transaction takes until it lands, also if it fails
// there, the more are let in. One that was never sent, or did not land, says nothing of that.
func TestQueueLearnsFromWhatLands(t *testing.T) {
	room := func(sends int, verdict KeyState) (n int) {
		tr := trackerOn(nil)
		tr.queue = &admit.Queue{Rate: func() float64 { return 40 }}
		for range 100 {
			p := parcelOf(1)
			p.sends = sends
			tr.settle(p.flights[0], verdict, nil)
		}
		tr.calls.Wait()
		for {
			if _, err := tr.queue.Enter(t.Context(), 0); err != nil {
				return n
			}
			n++
		}
	}
	first := room(1, KeyExpired)
	require.Positive(t, first)
	for _, landed := range []KeyState{KeyConfirmed, KeyFailed} {
		require.Greater(t, room(1, landed), first, landed)
		require.Equal(t, first, room(0, landed), landed)
	}
	require.Equal(t, first, room(9, KeyReleased))
}

// wraps is a submitter around another one.
type wraps struct{ walletfi.Submitter }

func (w wraps) Unwrap() walletfi.Submitter { return w.Submitter }

// limited is a submitter with a limit.
type limited struct{ walletfi.Submitter }

func (limited) SendRate() float64 { return 7 }

// TestLimitOfAWrappedSubmitter is found below 15 wrappers, and no further: they may be in a circle.
func TestLimitOfAWrappedSubmitter(t *testing.T) {
	for wrappers, found := range map[int]bool{0: true, 1: true, 15: true, 16: false, 17: false} {
		var s walletfi.Submitter = limited{}
		for range wrappers {
			s = wraps{s}
		}
		budget := budgetOf(s)
		require.Equal(t, found, budget != nil, wrappers)
	}
	require.Nil(t, budgetOf(wraps{nil}))
}

// TestPatienceThatIsMoved to when the ledger was seen to go on, as long as a slow one may take.
func TestPatienceThatIsMoved(t *testing.T) {
	const slowest = proof.Age * 2 * time.Second
	begun := time.Unix(1000, 0)
	f := &flight{begun: begun, since: begun}
	f.waitFrom(begun.Add(-time.Second))
	require.Equal(t, begun, f.since)
	f.waitFrom(begun.Add(slowest))
	require.Equal(t, begun.Add(slowest), f.since)
	f.waitFrom(begun.Add(slowest + 1))
	require.Equal(t, begun.Add(slowest), f.since)
}

// TestGlanceKeepsWhatItLearns: evidence that one look has found is in the journal for the next.
func TestGlanceKeepsWhatItLearns(t *testing.T) {
	b := provingOn(t, 1)
	b.tip = 5019
	e, j := working(t, KeySent)
	e.w.tracker = b.tracker
	e.entry.Steps[0].Blockhash, e.entry.Signing = "5000", made(4960)
	_, err := e.glance(t.Context())
	require.NoError(t, err)
	require.NotEmpty(t, j.stored)
	kept := j.stored[len(j.stored)-1].Steps[0].Evidence
	require.NotNil(t, kept)
	require.Len(t, kept.Nodes, 1)
	require.NotZero(t, kept.Nodes[0].Seen)
}
