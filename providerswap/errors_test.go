package providerswap_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/providerswap"
)

func TestErrors(t *testing.T) {
	for name, row := range map[string]struct {
		status  int
		body    string
		kind    error
		message string
	}{
		"a page of HTML":          {502, "<html><h1>502 Bad Gateway</h1></html>", walletfi.ErrUnavailable, ""},
		"an error text":           {400, `{"error":"unknown provider"}`, walletfi.ErrInvalidRequest, "unknown provider"},
		"an error object":         {422, `{"error":{"message":"amount too small"}}`, walletfi.ErrInvalidRequest, "amount too small"},
		"a message":               {401, `{"message":"bad key k-123456"}`, walletfi.ErrUnauthorized, "bad key [secret]"},
		"forbidden":               {403, `no`, walletfi.ErrForbidden, ""},
		"not found":               {404, `{"error":"no pool"}`, walletfi.ErrNotFound, "no pool"},
		"a limit":                 {429, `{"error":"slow down"}`, walletfi.ErrRateLimited, "slow down"},
		"a redirect":              {301, ``, walletfi.ErrRedirect, ""},
		"a refusal with a 200":    {200, `{"error":"no route"}`, walletfi.ErrRejected, "no route"},
		"an object with a 200":    {200, `{"error":{"code":7}}`, walletfi.ErrRejected, ""},
		"success:false":           {200, `{"success":false,"message":"no route"}`, walletfi.ErrRejected, "no route"},
		"success said as a text":  {200, `{"success":"false"}`, walletfi.ErrRejected, ""},
		"success said as 0":       {200, `{"success":0}`, walletfi.ErrRejected, ""},
		"a page with a 200":       {200, `<html>`, walletfi.ErrDecode, ""},
		"an amount with a comma":  {200, `{"srcAmountIn":"1,5"}`, walletfi.ErrDecode, ""},
		"an amount past the most": {200, `{"destAmountOut":18446744073709551616}`, walletfi.ErrDecode, ""},
	} {
		t.Run(name, func(t *testing.T) {
			c, wire := carried(t, once, always(row.status, row.body))
			_, err := c.GetQuote(t.Context(), providerswap.QuoteRequest{InputMint: mintA, OutputMint: mintB, Amount: 1, Slippage: walletfi.SlippageBps(0)})
			require.ErrorIs(t, err, row.kind)
			r := wiretest.As[*walletfi.ResponseError](t, err)
			require.Equal(t, row.status, r.StatusCode)
			require.Equal(t, row.message, r.Message)
			require.Equal(t, "GetQuote", r.Op)
			require.NotContains(t, string(r.Body), "k-123456")
			require.NotContains(t, err.Error(), mintA, "no query")
			require.Len(t, wire.Seen, 1)
		})
	}
}

// An error member that says nothing is no refusal.
func TestNoErrors(t *testing.T) {
	for _, member := range []string{`null`, `""`, `false`, `{}`, `[]`, `0`} {
		c, _ := carried(t, once, always(200, `{"success":true,"srcAmountIn":"7","destAmountOut":"1","destAmountOutMin":1,"priceImpactPct":0,"error":`+member+`}`))
		q, err := c.GetQuote(t.Context(), providerswap.QuoteRequest{InputMint: mintA, OutputMint: mintB, Amount: 7, Slippage: walletfi.SlippageBps(0)})
		require.NoError(t, err)
		require.Equal(t, walletfi.Amount(7), q.InAmount)
	}
}
