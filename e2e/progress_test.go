package e2e

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/e2e/flows"
	"github.com/walletfi/walletfi-go/predictmeta"
	"github.com/walletfi/walletfi-go/sandbox"
)

// TestProgress: a batch that is split tells how far it is.
func TestProgress(t *testing.T) {
	s := flows.Start(t, sandbox.Config{NoLimits: true})
	c, err := predictmeta.New(predictmeta.Config{BaseURL: s.URL(sandbox.PredictMeta), APIKey: walletfi.NewSecret(s.APIKey(sandbox.PredictMeta))})
	require.NoError(t, err)
	mints := make([]string, 450)
	for i := range mints {
		mints[i] = s.PredictMeta().LiveMarket().Yes
	}
	var told [][2]int
	_, err = c.FilterOutcomeMints(t.Context(), mints, walletfi.WithProgress(func(done, total int) { told = append(told, [2]int{done, total}) }))
	require.NoError(t, err)
	require.Len(t, told, 3)
	require.Equal(t, [2]int{450, 450}, told[2])
	require.Less(t, told[0][0], told[1][0])
}

// TestLiveMarket: there is one at any time, and the client finds it.
func TestLiveMarket(t *testing.T) {
	s := flows.Start(t, sandbox.Config{ManualClock: true, NoLimits: true})
	c, err := predictmeta.New(predictmeta.Config{BaseURL: s.URL(sandbox.PredictMeta), APIKey: walletfi.NewSecret(s.APIKey(sandbox.PredictMeta)), Options: s.Options()})
	require.NoError(t, err)
	for range 4 {
		live := s.PredictMeta().LiveMarket()
		require.True(t, live.Closes.After(s.Now()))
		market, err := c.GetMarket(context.Background(), live.Ticker)
		require.NoError(t, err)
		require.Equal(t, live.Yes, market.YesMint)
		require.Equal(t, live.Event, market.EventTicker)
		s.Advance(20 * 24 * time.Hour)
	}
}
