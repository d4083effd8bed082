package swap_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/swap"
)

// madeUp is a deployment with words of its own; those of the two amounts are
// exchanged, so that a quote read in the wrong words would be a wrong quote.
var madeUp = wiretest.Words{
	Headers:  map[string]string{"x-api-key": "x-acme-key", "retry-after": "x-acme-wait"},
	Segments: map[string]string{"quote": "acme-quote", "swap-instructions": "acme-steps", "submit-intent": "acme-intent"},
	Query:    map[string]string{"slippageBps": "slip", "onlyJitRoutes": "onlyAcmeRoutes", "dexes": "venues"},
	Keys: map[string]string{
		"inAmount": "outAmount", "outAmount": "inAmount", "venue": "acmeVenue", "routePlan": "path",
		"userPublicKey": "trader", "quoteResponse": "acmeQuote", "swapTransaction": "acmeTransaction",
		"signedTransaction": "signed", "intentResponse": "acmeIntent", "orderId": "acmeOrder", "status": "state", "error": "fault",
	},
	Values: map[string]map[string]string{"status": {"submitted": "taken"}, "dexes": {"alpha": "acme-alpha"}, "venue": {"alpha": "acme-alpha"}},
}

// spoken puts a file of testdata into the words of that deployment.
func spoken(t testing.TB, file string) string {
	t.Helper()
	return strings.NewReplacer(
		`"inAmount":`, `"outAmount":`, `"outAmount":`, `"inAmount":`, `"venue":"alpha"`, `"acmeVenue":"acme-alpha"`, `"routePlan":`, `"path":`,
		`"orderId":`, `"acmeOrder":`, `"status": "submitted"`, `"state": "taken"`, `"swapTransaction":`, `"acmeTransaction":`,
	).Replace(wiretest.File(t, file))
}

// speaker is a client of a server that answers each path in live words, and
// the server.
func speaker(t *testing.T, answers map[string]string) (*swap.Client, *wiretest.Server) {
	t.Helper()
	server := wiretest.Serve(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, answers[r.URL.Path]) })
	c, err := swap.New(swap.Config{
		BaseURL: server.URL, APIKey: walletfi.NewSecret("k-123456"),
		Options: walletfi.Options{Deployment: madeUp.Of("swap"), Retry: walletfi.RetryPolicy{MaxRetries: new(0)}},
	})
	require.NoError(t, err)
	return c, server
}

// TestDeploymentOfQuotes: a quote is read in the documented words and goes back
// in the live ones, byte for byte, on both routes.
func TestDeploymentOfQuotes(t *testing.T) {
	quote := spoken(t, "GetQuote.json")
	c, server := speaker(t, map[string]string{
		"/acme-quote": quote, "/swap": strings.Replace(wiretest.File(t, "BuildSwap.json"), "swapTransaction", "acmeTransaction", 1), "/acme-steps": wiretest.File(t, "BuildSwapInstructions.json"),
	})
	q, err := c.GetQuote(t.Context(), swap.QuoteRequest{
		InputMint: sol, OutputMint: usdc, Amount: 1_000_000_000, Slippage: walletfi.SlippageBps(50), OnlyJITRoutes: new(true), DEXes: []string{"alpha", "quote"},
	})
	require.NoError(t, err)
	sent := server.Requests()[0]
	require.Equal(t, "/acme-quote?amount=1000000000&inputMint="+sol+"&onlyAcmeRoutes=true&outputMint="+usdc+"&slip=50&venues=acme-alpha%2Cquote", sent.Target)
	require.Equal(t, "k-123456", sent.Header.Get("x-acme-key"))
	require.Empty(t, sent.Header.Get("x-api-key"))

	require.Equal(t, walletfi.Amount(1_000_000_000), q.InAmount)
	require.Equal(t, walletfi.Amount(150_000_000), q.OutAmount)
	require.Equal(t, "alpha", q.RoutePlan[0].Venue)
	require.Equal(t, strings.TrimSpace(quote), q.Raw.String(), "as it came")

	built, err := c.BuildSwap(t.Context(), swap.BuildRequest{Owner: user, Quote: q})
	require.NoError(t, err)
	require.Equal(t, walletfi.Base64Transaction("AQID"), built.Transaction)
	_, err = c.BuildSwapInstructions(t.Context(), swap.BuildRequest{Owner: user, Quote: q})
	require.NoError(t, err)
	for i, path := range []string{"/swap", "/acme-steps"} {
		require.Equal(t, path, server.Requests()[i+1].Target)
		require.Equal(t, `{"trader":"`+user+`","acmeQuote":`+strings.TrimSpace(quote)+`}`, server.Requests()[i+1].Body)
	}
	require.Equal(t, walletfi.Amount(1_000_000_000), built.Unsigned().Intent.Spend[0].Amount)
}

func TestDeploymentOfIntents(t *testing.T) {
	intent := spoken(t, "BuildIntent.json")
	c, server := speaker(t, map[string]string{"/intent": intent, "/acme-intent": spoken(t, "SubmitIntent.json")})
	i, err := c.BuildIntent(t.Context(), swap.IntentRequest{InputMint: sol, OutputMint: usdc, Amount: maxAmount, Owner: user})
	require.NoError(t, err)
	require.Equal(t, maxAmount, i.InAmount)
	require.Equal(t, intent, i.Raw.String())

	order, err := c.SubmitIntent(t.Context(), swap.SubmitIntentRequest{Transaction: signedTransaction(), Intent: i})
	require.NoError(t, err)
	require.Equal(t, &swap.SubmittedIntent{OrderID: "order-7", Status: swap.OrderSubmitted, OpenSignature: signature, EstimatedFillTime: new(int64(3))}, order)
	require.Equal(t, `{"signed":"`+signedTransaction().String()+`","acmeIntent":`+intent+`}`, server.Requests()[1].Body)
}

// TestDeploymentOfRefusals: an error's words, and a wait under the live name of
// its header.
func TestDeploymentOfRefusals(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cfg := keyed()
		cfg.Deployment = madeUp.Of("swap")
		c, _ := carriedClient(t, cfg, map[string][]answer{"/acme-quote": {
			{Status: 429, Header: map[string]string{"X-Acme-Wait": "11"}},
			{Status: 400, Body: `{"fault":"no route"}`},
		}})
		began := time.Now()
		_, err := c.GetQuote(t.Context(), swap.QuoteRequest{InputMint: sol, OutputMint: usdc, Amount: 1})
		require.Equal(t, 11*time.Second, time.Since(began))
		refused := wiretest.As[*walletfi.ResponseError](t, err)
		require.Equal(t, "no route", refused.Message)
		require.Equal(t, `{"fault":"no route"}`, string(refused.Body))
		require.Equal(t, "/acme-quote", refused.Path)
	})
}
