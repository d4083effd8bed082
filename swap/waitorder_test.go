package swap_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/swap"
)

// state is the answer to a question for an order.
func state(s string) answer {
	fills := ""
	if s == string(swap.OrderClosed) {
		fills = `,"outAmount":"7","fills":[{"signature":"` + wiretest.Signature(1) + `","inAmount":"18446744073709551615","outAmount":"7"}]`
	}
	return answer{Status: 200, Body: `{"status":"` + s + `","inAmount":"18446744073709551615"` + fills + `}`}
}

// heights are what a node says, one after the other, the last for ever; 0 is
// no answer.
type heights struct {
	say   []uint64
	asked int
}

func (h *heights) BlockHeight(context.Context) (uint64, error) {
	height := h.say[min(h.asked, len(h.say)-1)]
	h.asked++
	if height == 0 {
		return 0, errors.New("no answer")
	}
	return height, nil
}

func waitFor(t *testing.T, req swap.WaitOrderRequest, answers ...answer) (*swap.OrderStatus, *wiretest.Carrier, error) {
	t.Helper()
	cfg := keyed()
	cfg.Retry.MaxRetries = new(0)
	c, wire := carriedClient(t, cfg, map[string][]answer{ask: answers})
	req.Signature = signature
	status, err := c.WaitOrder(t.Context(), req)
	return status, wire, err
}

func TestWaitOrderStates(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		status, wire, err := waitFor(t, swap.WaitOrderRequest{LastValidBlockHeight: 9},
			unknown, state("submitted"), state("pending"), state("resting"), state("open"), state("pendingClose"), state("closed"))
		require.NoError(t, err)
		require.Equal(t, &swap.OrderStatus{
			Status: swap.OrderClosed, InAmount: maxAmount, OutAmount: 7, Fills: []swap.Fill{{Signature: wiretest.Signature(1), InAmount: maxAmount, OutAmount: 7}},
		}, status)
		require.Len(t, wire.Seen, 7)
		for _, r := range wire.Seen {
			require.Equal(t, ask+"?lastValidBlockHeight=9&signature="+signature, r.Target)
		}
		// 1 + 1.5 + 2.25 + 3.375 + 5.0625 + 7.59375
		require.Equal(t, 20_781_250*time.Microsecond, time.Since(begun))
	})
}

func TestWaitOrderBackoff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		_, _, err := waitFor(t, swap.WaitOrderRequest{MinWait: 2 * time.Second, MaxWait: 3 * time.Second},
			state("open"), state("open"), state("open"), state("closed"))
		require.NoError(t, err)
		require.Equal(t, 8*time.Second, time.Since(begun))

		begun = time.Now()
		_, _, err = waitFor(t, swap.WaitOrderRequest{MinWait: time.Minute}, state("open"), state("open"), state("closed"))
		require.NoError(t, err)
		require.Equal(t, 2*time.Minute, time.Since(begun), "a MaxWait below MinWait is MinWait")
	})
}

func TestWaitOrderEnded(t *testing.T) {
	for _, end := range []swap.OrderState{swap.OrderExpired, swap.OrderFailed} {
		status, wire, err := waitFor(t, swap.WaitOrderRequest{}, state(string(end)))
		require.ErrorIs(t, err, walletfi.ErrRejected)
		ended := wiretest.As[*swap.OrderEndedError](t, err)
		require.Equal(t, swap.OrderEndedError{Signature: signature, Status: *status}, *ended)
		require.Equal(t, end, status.Status)
		require.ErrorContains(t, err, signature+" ended as "+string(end))
		require.Len(t, wire.Seen, 1)
	}
}

func TestWaitOrderNotFound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		status, _, err := waitFor(t, swap.WaitOrderRequest{}, unknown)
		assertInDoubt(t, err)
		require.Nil(t, status)
		require.GreaterOrEqual(t, time.Since(begun), time.Minute)
		require.Less(t, time.Since(begun), 70*time.Second)

		begun = time.Now()
		status, _, err = waitFor(t, swap.WaitOrderRequest{NotFoundFor: 2 * time.Second}, state("pending"), unknown)
		assertInDoubt(t, err)
		require.Equal(t, swap.OrderPending, status.Status, "the last that was seen")
		require.Equal(t, 2500*time.Millisecond, time.Since(begun))
	})
}

// assertInDoubt holds that nobody says whether the order was carried out.
func assertInDoubt(t *testing.T, err error) {
	t.Helper()
	unknown := wiretest.As[*walletfi.OutcomeUnknownError](t, err)
	require.Equal(t, signature, unknown.Signature)
	require.NotErrorIs(t, err, walletfi.ErrNotFound)
}

// TestWaitOrderUnread: an answer that cannot be read says nothing of the order.
func TestWaitOrderUnread(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, body := range []string{`<html>`, `{}`, ``, `null`, `{"status":""}`, `{"status":7}`, `{"status":"closed"}`} {
			status, wire, err := waitFor(t, swap.WaitOrderRequest{}, state("open"), answer{Status: 200, Body: body}, state("closed"))
			require.NoError(t, err, body)
			require.Equal(t, swap.OrderClosed, status.Status)
			require.Len(t, wire.Seen, 3)
		}
		status, wire, err := waitFor(t, swap.WaitOrderRequest{}, state("open"), answer{Status: 200, Body: `{}`})
		require.ErrorIs(t, err, walletfi.ErrDecode)
		require.Equal(t, swap.OrderOpen, status.Status)
		require.Len(t, wire.Seen, 6)
	})
}

// TestWaitOrderHeight: the wait ends when the height passed and the service,
// asked again after that, knows of no execution.
func TestWaitOrderHeight(t *testing.T) {
	for name, row := range map[string]struct {
		heights  []uint64
		answers  []answer
		err      error
		last     swap.OrderState
		requests int
	}{
		"never known":          {[]uint64{8, 9, 10}, []answer{unknown}, walletfi.ErrOutcomeUnknown, "", 4},
		"pending for ever":     {[]uint64{8, 10}, []answer{state("pending")}, walletfi.ErrOutcomeUnknown, swap.OrderPending, 3},
		"known just in time":   {[]uint64{10}, []answer{unknown, state("closed")}, nil, swap.OrderClosed, 2},
		"opened in time":       {[]uint64{10}, []answer{state("open"), state("open"), state("closed")}, nil, swap.OrderClosed, 3},
		"an unknown state":     {[]uint64{10}, []answer{state("x"), state("x"), state("closed")}, nil, swap.OrderClosed, 3},
		"a node that is mute":  {[]uint64{0, 0, 10}, []answer{state("pending")}, walletfi.ErrOutcomeUnknown, swap.OrderPending, 4},
		"the service's own no": {[]uint64{10}, []answer{state("pending"), state("expired")}, walletfi.ErrRejected, swap.OrderExpired, 2},
	} {
		wiretest.InBubble(t, name, func(t *testing.T) {
			status, wire, err := waitFor(t, swap.WaitOrderRequest{
				LastValidBlockHeight: 9, Heights: &heights{say: row.heights}, NotFoundFor: time.Nanosecond,
			}, row.answers...)
			require.Len(t, wire.Seen, row.requests)
			if row.last != "" {
				require.Equal(t, row.last, status.Status)
			}
			if row.err == nil {
				require.NoError(t, err)
				return
			}
			require.ErrorIs(t, err, row.err)
			var lost *walletfi.OutcomeUnknownError
			if errors.As(err, &lost) {
				require.Equal(t, signature, lost.Signature)
			}
		})
	}
}

// TestWaitOrderHeightUnused: without a last valid height there is nothing to
// hold a height against.
func TestWaitOrderHeightUnused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &heights{say: []uint64{10}}
		_, wire, err := waitFor(t, swap.WaitOrderRequest{Heights: h}, state("pending"), state("closed"))
		require.NoError(t, err)
		require.Zero(t, h.asked)
		require.Equal(t, ask+"?signature="+signature, wire.Seen[0].Target)
	})
}

func TestWaitOrderUnanswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		down := answer{Status: 503}
		_, wire, err := waitFor(t, swap.WaitOrderRequest{}, down, down, down, down, state("open"), down, down, down, down, state("closed"))
		require.NoError(t, err)
		require.Len(t, wire.Seen, 10)

		status, wire, err := waitFor(t, swap.WaitOrderRequest{}, state("open"), down)
		require.ErrorIs(t, err, walletfi.ErrUnavailable)
		require.Equal(t, swap.OrderOpen, status.Status)
		require.Len(t, wire.Seen, 6)

		_, wire, err = waitFor(t, swap.WaitOrderRequest{}, answer{Status: 401})
		require.ErrorIs(t, err, walletfi.ErrUnauthorized)
		require.Len(t, wire.Seen, 1)
	})
}

// TestWaitOrderLimited: a limit's reset is waited for.
func TestWaitOrderLimited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		_, wire, err := waitFor(t, swap.WaitOrderRequest{}, answer{Status: 429, Header: map[string]string{"Retry-After": "90"}}, state("closed"))
		require.NoError(t, err)
		require.Len(t, wire.Seen, 2)
		require.GreaterOrEqual(t, time.Since(begun), 90*time.Second)

		c, own := carriedClient(t, swap.Config{Options: walletfi.Options{MaxQueueWait: new(time.Duration(0))}},
			map[string][]answer{ask: {state("open")}})
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		defer cancel()
		_, err = c.WaitOrder(ctx, swap.WaitOrderRequest{Signature: signature, MaxWait: time.Second})
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.LessOrEqual(t, len(own.Seen), 2*swap.KeylessRequestsPerMinute)
		require.Greater(t, len(own.Seen), swap.KeylessRequestsPerMinute)
	})
}

func TestWaitOrderCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := carriedClient(t, keyed(), map[string][]answer{ask: {state("open")}})
		ctx, cancel := context.WithTimeout(t.Context(), 1800*time.Millisecond)
		defer cancel()
		begun := time.Now()
		status, err := c.WaitOrder(ctx, swap.WaitOrderRequest{Signature: signature})
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Equal(t, swap.OrderOpen, status.Status)
		require.Equal(t, 1800*time.Millisecond, time.Since(begun))
	})
}
