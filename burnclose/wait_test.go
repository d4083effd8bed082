package burnclose_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/burnclose"
	"github.com/walletfi/walletfi-go/internal/wiretest"
)

func status(found bool, commitment, err string) answer {
	if !found {
		return answer{Status: 200, Body: `{"found":false,"status":null}`}
	}
	return answer{Status: 200, Body: `{"found":true,"status":{"slot":5,"confirmationStatus":"` + commitment + `","err":` + err + `}}`}
}

func TestWaitConfirmed(t *testing.T) {
	unknown, processed, confirmed := status(false, "", ""), status(true, "processed", "null"), status(true, "confirmed", "null")
	down := answer{Status: 503}
	for name, row := range map[string]struct {
		want    walletfi.Commitment
		answers []answer
		polls   int
		took    time.Duration
		is      error
		seen    walletfi.Commitment
	}{
		"at once":                  {"", []answer{confirmed}, 1, 0, nil, "confirmed"},
		"after two more questions": {"", []answer{unknown, processed, confirmed}, 3, 1250 * time.Millisecond, nil, "confirmed"},
		"processed is enough":      {"processed", []answer{processed}, 1, 0, nil, "processed"},
		"confirmed is not enough":  {"finalized", []answer{confirmed, status(true, "finalized", "null")}, 2, 500 * time.Millisecond, nil, "finalized"},
		"an unknown commitment":    {"", []answer{status(true, "rooted", "null"), confirmed}, 2, 500 * time.Millisecond, nil, "confirmed"},
		"failed":                   {"", []answer{unknown, status(true, "confirmed", `{"Custom":1}`)}, 2, 500 * time.Millisecond, walletfi.ErrRejected, "confirmed"},
		"failed before finalized":  {"finalized", []answer{status(true, "confirmed", `"x"`)}, 1, 0, walletfi.ErrRejected, "confirmed"},
		"failed, rolled back":      {"processed", []answer{status(true, "processed", `"x"`), unknown, confirmed}, 3, 1250 * time.Millisecond, nil, "confirmed"},
		"the service was down":     {"", []answer{down, down, down, down, confirmed}, 5, 4062500 * time.Microsecond, nil, "confirmed"},
		"the service is down":      {"", []answer{processed, down}, 6, 0, walletfi.ErrUnavailable, "processed"},
		"down, but not in a row":   {"", []answer{down, down, down, down, unknown, down, down, down, down, confirmed}, 10, 0, nil, "confirmed"},
		"limited":                  {"", []answer{{Status: 429}, confirmed}, 2, 500 * time.Millisecond, nil, "confirmed"},
		"wrong key":                {"", []answer{{Status: 401}}, 1, 0, walletfi.ErrUnauthorized, ""},
		"not understood once":      {"", []answer{processed, {Status: 200, Body: `<html>`}, confirmed}, 3, 1250 * time.Millisecond, nil, "confirmed"},
		"nothing said once":        {"", []answer{{Status: 200, Body: `{}`}, {Status: 200, Body: `{"success":false}`}, confirmed}, 3, 1250 * time.Millisecond, nil, "confirmed"},
		"never understood":         {"", []answer{processed, {Status: 200, Body: `<html>`}}, 6, 0, walletfi.ErrDecode, "processed"},
	} {
		wiretest.InBubble(t, name, func(t *testing.T) {
			c, wire := carriedClient(t, once, row.answers...)
			begun := time.Now()
			got, err := c.WaitConfirmed(t.Context(), burnclose.WaitRequest{Signature: wiretest.Signature(7), Commitment: row.want})
			if row.took > 0 {
				require.Equal(t, row.took, time.Since(begun))
			}
			require.Len(t, wire.Seen, row.polls)
			require.ErrorIs(t, err, row.is)
			if row.seen == "" {
				require.Nil(t, got)
				return
			}
			require.Equal(t, row.seen, got.Commitment)
			require.Equal(t, wiretest.Signature(7), got.Signature)
		})
	}
}

func TestWaitConfirmedFailure(t *testing.T) {
	c, _ := carriedClient(t, once, status(true, "finalized", `{"InstructionError":[0,{"Custom":1}]}`))
	_, err := c.WaitConfirmed(t.Context(), burnclose.WaitRequest{Signature: wiretest.Signature(7)})
	failed := wiretest.As[*burnclose.FailedError](t, err)
	require.Equal(t, uint64(5), failed.Status.Slot)
	require.EqualError(t, err, "burnclose: transaction "+wiretest.Signature(7)+` failed: {"InstructionError":[0,{"Custom":1}]}`)
}

func TestWaitConfirmedBacksOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked []time.Duration
		begun := time.Now()
		c, _ := replyingClient(t, once, func(_ int, _ wiretest.Request) answer {
			asked = append(asked, time.Since(begun))
			return answer{Status: 200, Body: `{"found":false}`}
		})
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		got, err := c.WaitConfirmed(ctx, burnclose.WaitRequest{Signature: wiretest.Signature(7), MinWait: 2 * time.Second, MaxWait: 4 * time.Second})
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Equal(t, 20*time.Second, time.Since(begun))
		require.False(t, got.Found)
		s := time.Second
		require.Equal(t, []time.Duration{0, 2 * s, 5 * s, 9 * s, 13 * s, 17 * s}, asked)
	})
}

func TestWaitConfirmedObeysCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		c, _ := replyingClient(t, once, func(_ int, _ wiretest.Request) answer {
			time.AfterFunc(100*time.Millisecond, cancel)
			return answer{Status: 200, Body: `{"found":false}`}
		})
		begun := time.Now()
		_, err := c.WaitConfirmed(ctx, burnclose.WaitRequest{Signature: wiretest.Signature(7)})
		require.ErrorIs(t, err, context.Canceled)
		require.Equal(t, 100*time.Millisecond, time.Since(begun))
	})
}
