package docs_test

import (
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/lending"
)

// TestLuloLike: an empty account without positions is read under the file, and is no
// answer without it. Positions that are there stay.
func TestLuloLike(t *testing.T) {
	const wallet = "9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin"
	answer := `{"totalDeposited":0,"totalInterestEarned":0,"currentApy":0}`
	server := wiretest.Serve(t, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, answer) })
	luloLike, err := deployment.Load("lulo-like.json")
	require.NoError(t, err)
	get := func(o walletfi.Options) (*lending.Account, error) {
		c := wiretest.Client(t, lending.New, lending.Config{BaseURL: server.URL, APIKey: wiretest.Key(), Options: o})
		return c.GetAccount(t.Context(), wallet)
	}
	_, err = get(walletfi.Options{Retry: walletfi.RetryPolicy{MaxRetries: new(0)}})
	require.ErrorIs(t, err, walletfi.ErrDecode)
	account, err := get(walletfi.Options{Deployment: luloLike})
	require.NoError(t, err)
	require.Empty(t, account.Positions)
	require.NotNil(t, account.Positions)
	answer = `{"totalDeposited":5,"totalInterestEarned":1,"currentApy":8.5,"positions":[{"mint":"` + wallet + `","symbol":"USDC",` +
		`"depositType":"protected","balance":6,"interestEarned":1,"apy":8.5,"protocol":"alpha"}]}`
	account, err = get(walletfi.Options{Deployment: luloLike})
	require.NoError(t, err)
	require.Len(t, account.Positions, 1)
}
