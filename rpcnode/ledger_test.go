package rpcnode_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/ratelimit"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/sandbox"
)

func TestLedgerWithItsSlots(t *testing.T) {
	b := onSandbox(t, sandbox.Config{ManualClock: true})
	ctx := t.Context()
	head, err := b.Head(ctx)
	require.NoError(t, err)
	require.Less(t, head.Height, head.Slot, "slots of the past had no block")
	tx := b.build(t, b.pay(2_000_000))
	blockhash := tx.Blockhash().String()
	sent, err := b.Submit(ctx, b.sign(t, tx))
	require.NoError(t, err)
	got, err := b.SignatureStatuses(ctx, []string{solana.Signature{7}.String(), sent})
	require.NoError(t, err)
	require.GreaterOrEqual(t, got.AsOfSlot, head.Slot)
	require.Equal(t, []bool{false, true}, []bool{got.Statuses[0].Found, got.Statuses[1].Found})
	state, err := b.BlockhashValid(ctx, blockhash)
	require.NoError(t, err)
	require.True(t, state.Valid)
	require.GreaterOrEqual(t, state.AsOfSlot, head.Slot)
	b.s.Advance(time.Hour)
	state, err = b.BlockhashValid(ctx, blockhash)
	require.NoError(t, err)
	require.False(t, state.Valid)
	at, err := b.Head(ctx)
	require.NoError(t, err)
	require.EqualValues(t, 9000, at.Slot-head.Slot)

	for _, signatures := range [][]string{nil, {"none"}, make([]string, 257)} {
		_, err = b.SignatureStatuses(ctx, signatures)
		var invalid *walletfi.ValidationError
		require.ErrorAs(t, err, &invalid)
	}
}

// TestFinalTime: the time of a slot is the ledger's, to the second.
func TestFinalTime(t *testing.T) {
	b := onSandbox(t, sandbox.Config{ManualClock: true})
	head, err := b.Head(t.Context())
	require.NoError(t, err)
	first, err := b.FinalTime(t.Context(), head.Slot)
	require.NoError(t, err)
	b.s.Advance(time.Hour)
	head, err = b.Head(t.Context())
	require.NoError(t, err)
	later, err := b.FinalTime(t.Context(), head.Slot)
	require.NoError(t, err)
	require.InDelta(t, time.Hour, later.Sub(first), float64(2*time.Second))
	_, err = b.FinalTime(t.Context(), head.Slot+1_000_000)
	require.Error(t, err)
}

// TestLimiter: what the limit refuses was not sent.
func TestLimiter(t *testing.T) {
	b := onSandbox(t, sandbox.Config{ManualClock: true})
	node, err := rpcnode.New(rpcnode.Config{
		URL: walletfi.NewSecret(b.s.URL(sandbox.RPC)), HTTPClient: httpClient(t, 5*time.Second),
		Limiter: ratelimit.New(ratelimit.Budget{Requests: 1, Per: time.Hour}),
	})
	require.NoError(t, err)
	_, err = node.BlockHeight(t.Context())
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	_, err = node.Submit(ctx, b.sign(t, b.build(t, b.pay(2_000_000))))
	require.ErrorIs(t, err, walletfi.ErrNotSent)
	require.ErrorIs(t, err, walletfi.ErrRateLimited)
	require.False(t, errors.Is(err, walletfi.ErrOutcomeUnknown))
	require.Zero(t, b.hits("sendTransaction"))
}
