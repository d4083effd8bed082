package amm_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/amm"
	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/internal/wiretest"
)

// TestStoredUnderDeployment: a quote in a deployment's words and shape goes back as it
// came after a restart, with and without its envelope or all of the answer, and not if it
// was changed.
func TestStoredUnderDeployment(t *testing.T) {
	for _, goesBack := range []string{"data", "envelope", "answer"} {
		quote := `{"inputMint":"` + mintA + `", "outputMint":"` + mintB + `","inputAmount":"5","outAmount":"6","otherAmountThreshold":"6","priceImpactPct":"0"}`
		envelope := `{"ref":"1","ok":true, "payload": ` + quote + `}`
		answers := []string{`{"result": ` + envelope + `}`, `{"result":{"ref":"1","ok":true,"payload":[{"transaction":"AQID"}]}}`}
		unwrap := deployment.Operation{Answer: []deployment.Step{{Unwrap: "result"}}}
		quoted := unwrap
		quoted.EchoWhole = goesBack == "answer"
		d := wiretest.Deployed("amm", deployment.Service{
			Words: deployment.Words{Keys: map[string]string{"id": "ref", "success": "ok", "data": "payload", "inAmount": "inputAmount"}},
			Operations: map[string]deployment.Operation{
				"GET /compute/swap-base-in": quoted, "POST /transaction/swap-base-in": unwrap,
			},
		})
		c, wire := carried(t, amm.Config{Pause: new(time.Duration(0)), EchoEnvelope: goesBack == "envelope", Options: walletfi.Options{Deployment: d}},
			func(n int, _ sent) (int, string) { return 200, answers[min(n, 2)-1] })
		q, err := c.QuoteBaseIn(t.Context(), amm.QuoteRequest{InputMint: mintA, OutputMint: mintB, Amount: 5, Slippage: walletfi.SlippageBps(0)})
		require.NoError(t, err)
		back := map[string]string{"data": quote, "envelope": envelope, "answer": answers[0]}[goesBack]
		require.Equal(t, back, q.SwapResponse().String())

		text, err := json.Marshal(q)
		require.NoError(t, err)
		var again amm.Quote
		require.NoError(t, json.Unmarshal(text, &again))
		require.Equal(t, walletfi.Amount(5), again.InAmount)
		require.Equal(t, q.SwapResponse(), again.SwapResponse())
		_, err = c.BuildSwap(t.Context(), amm.BuildRequest{Quote: &again, Owner: owner})
		require.NoError(t, err)
		require.True(t, strings.HasSuffix(wire.Seen[1].Body, `"swapResponse":`+back+`}`), wire.Seen[1].Body)

		for part, to := range map[string]string{`\"6\"`: `\"7\"`, mintB: mintA} {
			i := strings.Index(string(text), `"swapResponse"`)
			changed := string(text[:i]) + strings.Replace(string(text[i:]), part, to, 1)
			require.NotEqual(t, string(text), changed)
			var q amm.Quote
			require.NoError(t, json.Unmarshal([]byte(changed), &q))
			_, err = c.BuildSwap(t.Context(), amm.BuildRequest{Quote: &q, Owner: owner})
			require.ErrorIs(t, err, walletfi.ErrMismatch, part)
		}
		require.Len(t, wire.Seen, 2)
	}
}
