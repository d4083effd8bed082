package predictmeta_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/predictmeta"
)

// TestOddSides: a trade of no documented side is kept, with the problem beside it, also where a
// deployment has words of its own for the sides.
func TestOddSides(t *testing.T) {
	words := wiretest.Words{
		Keys: map[string]string{"side": "takerSide"}, Values: map[string]map[string]string{"side": {"buy": "yes", "sell": "no"}},
	}.Of("predictmeta")
	for _, row := range []struct {
		words  *deployment.Deployment
		member string
		side   string
		ok     bool
	}{
		{nil, "side", `"buy"`, true}, {nil, "side", `"SELL"`, true}, {nil, "side", `"hold"`, false}, {nil, "side", `"yes"`, false}, {nil, "side", `7`, false},
		{words, "takerSide", `"yes"`, true}, {words, "takerSide", `"no"`, true}, {words, "takerSide", `"maybe"`, false}, {words, "takerSide", `1`, false},
	} {
		body := `{"trades":[` + strings.Replace(strings.Replace(wholeTrade, "@", "T1", 1), `"side":"buy"`, `"`+row.member+`":`+row.side, 1) + `],"total":1}`
		s := wiretest.Serve(t, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, body) })
		c, err := predictmeta.New(predictmeta.Config{BaseURL: s.URL, APIKey: walletfi.NewSecret("k-123456"), Options: walletfi.Options{Deployment: row.words}})
		require.NoError(t, err)
		page, err := c.ListTrades(t.Context(), predictmeta.TradesRequest{})
		require.NotNil(t, page, row.side)
		require.Len(t, page.Items, 1)
		if row.ok {
			require.NoError(t, err, row.side)
			require.Contains(t, []predictmeta.Side{predictmeta.SideBuy, predictmeta.SideSell}, page.Items[0].Side)
			continue
		}
		require.ErrorIs(t, err, walletfi.ErrDecode, row.side)
		require.ErrorContains(t, err, "Trade.side", row.side)
	}
}
