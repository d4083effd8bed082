package sandbox_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox"
)

func snapshotOf(t *testing.T, s *sandbox.Sandbox) []byte {
	t.Helper()
	raw, err := s.Snapshot()
	require.NoError(t, err)
	return raw
}

func TestSnapshotIsTheSameForTheSameState(t *testing.T) {
	b := newTrader(t, sandbox.Config{ManualClock: true})
	b.send(b.order("SOL", "USDC", "1000000"))
	b.Advance(time.Minute)
	raw := snapshotOf(t, b.Sandbox)
	assert.Equal(t, raw, snapshotOf(t, b.Sandbox))
	began := time.Now()
	other := newTrader(t, sandbox.Config{Snapshot: raw})
	t.Logf("a sandbox starts from a snapshot of %d bytes in %v", len(raw), time.Since(began))
	assert.Equal(t, b.Now(), other.Now())
	assert.Equal(t, b.Ledger().Balance(b.WalletAddress()), other.Ledger().Balance(b.WalletAddress()))
	assert.True(t, string(raw) == string(snapshotOf(t, other.Sandbox)))
	other.send(other.order("SOL", "USDC", "1000000"))
	assert.NotEqual(t, b.Ledger().Balance(b.WalletAddress()), other.Ledger().Balance(b.WalletAddress()))
	require.NoError(t, other.Restore(raw))
	assert.Equal(t, b.Ledger().Balance(b.WalletAddress()), other.Ledger().Balance(b.WalletAddress()))
	assert.True(t, string(raw) == string(snapshotOf(t, other.Sandbox)))
}
