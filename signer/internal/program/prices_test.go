package program

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/sandbox"
)

// TestServeHasPrices: the source that the flags name has prices of tokens, as of when they were last traded.
func TestServeHasPrices(t *testing.T) {
	s, err := sandbox.Start(sandbox.Config{})
	require.NoError(t, err)
	t.Cleanup(s.Close)
	key := filepath.Join(t.TempDir(), "key")
	require.NoError(t, os.WriteFile(key, []byte(s.APIKey(sandbox.OnchainData)+"\n"), 0o600))
	none, err := (&pricing{}).sources()
	require.NoError(t, err)
	require.Empty(t, none)
	_, err = (&pricing{url: "http://127.0.0.1", key: key + "x"}).sources()
	require.ErrorIs(t, err, os.ErrNotExist)

	f := pricing{url: s.URL(sandbox.OnchainData), key: key, tier: "demo", network: "solana"}
	all, err := f.sources()
	require.NoError(t, err)
	require.Len(t, all, 1)
	assert.Equal(t, "onchaindata", all[0].Source())
	const usdc = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
	prices, err := all[0].Prices(t.Context(), "USD", []string{walletfi.NativeMint, usdc})
	require.NoError(t, err)
	require.Len(t, prices, 2)
	for i, mint := range []string{walletfi.NativeMint, usdc} {
		assert.Equal(t, mint, prices[i].Mint)
		assert.Positive(t, prices[i].Value.Sign())
		assert.False(t, prices[i].At.After(time.Now()))
	}
	_, err = all[0].Prices(t.Context(), "EUR", []string{usdc})
	require.ErrorContains(t, err, `not in "EUR"`)
}
