package predictmeta_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/predictmeta"
	"gopkg.in/h2non/gock.v1"
)

// A program that tests itself with gock needs no server for this client.
func TestIntercepted(t *testing.T) {
	defer gock.Off()
	gock.New("https://meta.test").Get("/api/v1/market/MK-1").MatchHeader("x-api-key", "^k-123456$").
		Reply(200).JSON(map[string]any{"ticker": "MK-1", "last_price": 0.24, "yes_price": 0.25, "no_price": 0.75})
	gock.New("https://meta.test").Get("/api/v1/market/MK-2").Reply(404)
	c := clientOf(t, predictmeta.Config{BaseURL: "https://meta.test", APIKey: walletfi.NewSecret("k-123456")})
	market, err := c.GetMarket(t.Context(), "MK-1")
	require.NoError(t, err)
	require.Equal(t, "0.25", market.YesPrice.String())
	_, err = c.GetMarket(t.Context(), "MK-2")
	require.ErrorIs(t, err, walletfi.ErrNotFound)
	require.True(t, gock.IsDone())
}
