package program

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signer"
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

// TestServeHasOtherPrices: further sources are asked over HTTP, and what they say without a time is as of now.
func TestServeHasOtherPrices(t *testing.T) {
	answer, status := `[{"mint":"a","value":"1.5","at":"2026-11-29T12:00:00Z"},{"mint":"b","value":2}]`, http.StatusOK
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		assert.Equal(t, "key=secret&mints=a%2Cb&unit=USD", r.URL.RawQuery)
		w.Header().Set("Location", "https://elsewhere.example")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, answer)
	}))
	t.Cleanup(server.Close)
	file := filepath.Join(t.TempDir(), "others")
	write := func(text string) ([]signer.Prices, error) {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		return (&pricing{others: file}).sources()
	}
	_, err := write("mine")
	require.ErrorContains(t, err, "a name and a URL")
	all, err := write("mine " + server.URL + "?key=secret\nsecond http://127.0.0.1:1/?key=secret\n")
	require.NoError(t, err)
	require.Len(t, all, 2)
	assert.Equal(t, "mine", all[0].Source())
	prices, err := all[0].Prices(t.Context(), "USD", []string{"a", "b"})
	require.NoError(t, err)
	require.Len(t, prices, 2)
	assert.Equal(t, "1.5", prices[0].Value.String())
	assert.Equal(t, 2026, prices[0].At.Year())
	assert.True(t, prices[1].At.IsZero())
	for _, code := range []int{http.StatusFound, http.StatusInternalServerError} {
		status = code
		_, err = all[0].Prices(t.Context(), "USD", []string{"a", "b"})
		require.Error(t, err)
	}
	status, answer = http.StatusOK, `[{"mint":"a","value":"NaN"}]`
	_, err = all[0].Prices(t.Context(), "USD", []string{"a", "b"})
	require.Error(t, err)
	_, err = all[1].Prices(t.Context(), "USD", []string{"a", "b"})
	require.Error(t, err)
	assert.NotContains(t, err.Error(), "secret")
}
