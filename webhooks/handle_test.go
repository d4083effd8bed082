package webhooks_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/webhooks"
)

// TestHangingUp does not cut off what duplicates wait for, and keeps the
// request's values.
func TestHangingUp(t *testing.T) {
	type name struct{}
	r := newRig(t, nil)
	ctx, cancel := context.WithCancel(context.WithValue(t.Context(), name{}, "trace-1"))
	r.handler = func(ctx context.Context, _ *webhooks.Delivery) error {
		cancel()
		assert.Equal(t, "trace-1", ctx.Value(name{}))
		return ctx.Err()
	}
	require.Equal(t, 200, r.gets(signer.Request(destination, evmBody).WithContext(ctx)))
	require.Equal(t, 1, r.seen.committed())
}

// TestHandlersContextEnds: nothing that the handler left behind goes on in it.
func TestHandlersContextEnds(t *testing.T) {
	r := newRig(t, nil)
	var inside []context.Context
	r.handler = func(ctx context.Context, _ *webhooks.Delivery) error {
		inside = append(inside, ctx)
		return ctx.Err()
	}
	r.seen.during = func(ctx context.Context) { inside = append(inside, ctx) }
	require.Equal(t, 200, r.gets(signer.Request(destination, evmBody)))
	require.Len(t, inside, 2)
	for _, ctx := range inside {
		require.ErrorIs(t, ctx.Err(), context.Canceled)
	}
}
