package amm_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/amm"
	"github.com/walletfi/walletfi-go/internal/wiretest"
)

// answering is a client of hosts that answer everything so, but a quote by the honest one.
func answering(t *testing.T, body, quote string) *amm.Client {
	t.Helper()
	c, _ := carried(t, amm.Config{Pause: new(time.Duration(0)), Options: once}, func(_ int, r sent) (int, string) {
		if quote != "" && strings.Contains(r.Target, "/compute/") {
			return http.StatusOK, quote
		}
		return http.StatusOK, body
	})
	return c
}

var honestQuote = `{"id":"1","success":true,"data":{"inputMint":"` + mintA + `","outputMint":"` + mintB + `","inAmount":"100",` +
	`"outAmount":"100","otherAmountThreshold":"100","priceImpactPct":%s,"routePlan":%s}}`

func quoteRequest() amm.QuoteRequest {
	return amm.QuoteRequest{InputMint: mintA, OutputMint: mintB, Amount: 100, Slippage: walletfi.SlippageBps(0)}
}

// TestPriceImpactThatIsNone: a trader checks it before he signs, and what is no number is below all
// numbers. Nor is a step of a route without its pool a step.
func TestPriceImpactThatIsNone(t *testing.T) {
	for body, ok := range map[string]bool{
		fmt.Sprintf(honestQuote, `"0.1"`, `[]`): true, fmt.Sprintf(honestQuote, `0`, `null`): true, fmt.Sprintf(honestQuote, `1e-7`, `[]`): true,
		fmt.Sprintf(honestQuote, `"NaN"`, `[]`): false, fmt.Sprintf(honestQuote, `"50%"`, `[]`): false, fmt.Sprintf(honestQuote, `"six"`, `[]`): false,
		fmt.Sprintf(honestQuote, `-1`, `[]`): false, fmt.Sprintf(honestQuote, `1e400`, `[]`): false, fmt.Sprintf(honestQuote, `1e-500`, `[]`): false,
		fmt.Sprintf(honestQuote, `null`, `[]`): false, fmt.Sprintf(honestQuote, `""`, `[]`): false, fmt.Sprintf(honestQuote, `101`, `[]`): false,
		fmt.Sprintf(honestQuote, `0`, `[{"poolId":"P","feeRate":"0.0025","feeAmount":1}]`): true,
		fmt.Sprintf(honestQuote, `0`, `[{"poolId":"P","feeRate":-1,"feeAmount":1}]`):       false,
		fmt.Sprintf(honestQuote, `0`, `[{}]`):                                              false, fmt.Sprintf(honestQuote, `0`, `[null]`): false, fmt.Sprintf(honestQuote, `0`, `["x"]`): false,
	} {
		for _, quote := range []func(*amm.Client) error{
			func(c *amm.Client) error { return wiretest.Error(c.QuoteBaseIn(t.Context(), quoteRequest())) },
			func(c *amm.Client) error { return wiretest.Error(c.QuoteBaseOut(t.Context(), quoteRequest())) },
		} {
			err := quote(answering(t, body, ""))
			require.Equal(t, ok, err == nil, "%s: %v", body, err)
			require.Equal(t, !ok, errors.Is(err, walletfi.ErrDecode), body)
		}
	}
}

// TestTransactionThatIsNone: what is no base64 is nothing to sign.
func TestTransactionThatIsNone(t *testing.T) {
	for tx, ok := range map[string]bool{
		`"AQID"`: true, `"!!!"`: false, `"six"`: false, `"A==="`: false, `""`: false, `null`: false, `7`: false, `{}`: false, `["AQID"]`: false,
	} {
		c := answering(t, `{"id":"1","success":true,"data":[{"transaction":`+tx+`}]}`, fmt.Sprintf(honestQuote, `0`, `[]`))
		quote, err := c.QuoteBaseIn(t.Context(), quoteRequest())
		require.NoError(t, err)
		err = wiretest.Error(c.BuildSwap(t.Context(), amm.BuildRequest{Quote: quote, Owner: owner}))
		require.Equal(t, ok, err == nil, "%s: %v", tx, err)
		require.Equal(t, !ok, errors.Is(err, walletfi.ErrDecode), tx)
	}
}
