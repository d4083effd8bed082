package swap_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/swap"
)

// wrapping is madeUp with another shape: a quote without what is beside it, and with a
// part that comes from there.
func wrapping() *deployment.Deployment {
	d := madeUp.Of("swap")
	s := d.Services["swap"]
	s.Operations = map[string]deployment.Operation{
		"GET /quote":  {Answer: []deployment.Step{{Move: "meta.slot", To: "result.contextSlot"}, {Unwrap: "result"}}},
		"GET /intent": {Answer: []deployment.Step{{Unwrap: "result"}}},
	}
	d.Services["swap"] = s
	return d
}

// restored stores a value and reads it in another process.
func restored[T any](t *testing.T, v T, change func(form map[string]any)) *T {
	t.Helper()
	text, err := json.Marshal(v)
	require.NoError(t, err)
	var form map[string]any
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.UseNumber()
	require.NoError(t, d.Decode(&form))
	if change != nil {
		change(form)
	}
	text, err = json.Marshal(form)
	require.NoError(t, err)
	again := new(T)
	require.NoError(t, json.Unmarshal(text, again))
	return again
}

// TestStoredUnderDeployment: after a restart the fields are known, the bytes go back
// as they came, and a quote that was changed is refused before anything is sent.
func TestStoredUnderDeployment(t *testing.T) {
	quote := strings.TrimSpace(spoken(t, "GetQuote.json"))
	inner := strings.Replace(quote, `"contextSlot"`, `"otherSlot"`, 1)
	require.NotEqual(t, quote, inner)
	for name, c := range map[string]struct {
		d    *deployment.Deployment
		came string
		raw  string
	}{
		"words":  {madeUp.Of("swap"), quote, quote},
		"shapes": {wrapping(), `{"meta":{"slot":77}, "result": ` + inner + `}`, inner},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := keyed()
			cfg.Deployment = c.d
			client, wire := carriedClient(t, cfg, map[string][]answer{
				"/acme-quote": {{Status: 200, Body: c.came}}, "/swap": {{Status: 200, Body: strings.Replace(wiretest.File(t, "BuildSwap.json"), "swapTransaction", "acmeTransaction", 1)}},
			})
			q, err := client.GetQuote(t.Context(), swap.QuoteRequest{InputMint: sol, OutputMint: usdc, Amount: 1_000_000_000})
			require.NoError(t, err)
			require.Equal(t, c.raw, q.Raw.String())
			if name == "shapes" {
				require.Equal(t, uint64(77), q.ContextSlot)
			}

			again := restored(t, *q, nil)
			require.Equal(t, q.OutAmount, again.OutAmount)
			require.Equal(t, q.RoutePlan, again.RoutePlan)
			require.Equal(t, q.ContextSlot, again.ContextSlot)
			require.Equal(t, q.Raw, again.Raw)
			again = restored(t, *again, nil)
			built, err := client.BuildSwap(t.Context(), swap.BuildRequest{Owner: user, Quote: again})
			require.NoError(t, err)
			require.Equal(t, `{"trader":"`+user+`","acmeQuote":`+c.raw+`}`, wire.Seen[1].Body)
			want, err := client.BuildSwap(t.Context(), swap.BuildRequest{Owner: user, Quote: q})
			require.NoError(t, err)
			require.Equal(t, want.Unsigned().Intent, built.Unsigned().Intent)

			sent := len(wire.Seen)
			for name, change := range map[string]func(map[string]any){
				"a better price":       func(f map[string]any) { f["answer"].(map[string]any)["outAmount"] = "150000001" },
				"another route":        func(f map[string]any) { f["answer"].(map[string]any)["routePlan"] = []any{} },
				"other bytes":          func(f map[string]any) { f["raw"] = strings.Replace(f["raw"].(string), "150000000", "150000001", 1) },
				"another mint in them": func(f map[string]any) { f["raw"] = strings.ReplaceAll(f["raw"].(string), usdc, user) },
				"bytes of the documentation": func(f map[string]any) {
					f["raw"] = strings.Replace(wiretest.File(t, "GetQuote.json"), usdc, user, 1)
				},
			} {
				changed := restored(t, *q, change)
				_, err := client.BuildSwap(t.Context(), swap.BuildRequest{Owner: user, Quote: changed})
				require.ErrorIs(t, err, walletfi.ErrMismatch, name)
				_, err = client.BuildSwapInstructions(t.Context(), swap.BuildRequest{Owner: user, Quote: changed})
				require.ErrorIs(t, err, walletfi.ErrMismatch, name)
			}
			require.Len(t, wire.Seen, sent, "nothing is sent")

			other, otherWire := carriedClient(t, keyed(), nil)
			_, err = other.BuildSwap(t.Context(), swap.BuildRequest{Owner: user, Quote: restored(t, *q, nil)})
			require.Error(t, err, "a client without the deployment")
			require.Empty(t, otherWire.Seen)
		})
	}
}

// TestServiceJSONUnderDeployment: the client reads the fields when it builds.
func TestServiceJSONUnderDeployment(t *testing.T) {
	quote := spoken(t, "GetQuote.json")
	c, server := speaker(t, map[string]string{"/swap": strings.Replace(wiretest.File(t, "BuildSwap.json"), "swapTransaction", "acmeTransaction", 1)})
	var q swap.Quote
	require.NoError(t, json.Unmarshal([]byte(quote), &q))
	built, err := c.BuildSwap(t.Context(), swap.BuildRequest{Owner: user, Quote: &q})
	require.NoError(t, err)
	require.Equal(t, walletfi.Amount(1_000_000_000), built.Unsigned().Intent.Spend[0].Amount)
	require.Contains(t, server.Requests()[0].Body, strings.TrimSpace(quote))
}

func TestStoredIntentUnderDeployment(t *testing.T) {
	c, server := speaker(t, map[string]string{"/intent": spoken(t, "BuildIntent.json"), "/acme-intent": spoken(t, "SubmitIntent.json")})
	i, err := c.BuildIntent(t.Context(), swap.IntentRequest{InputMint: sol, OutputMint: usdc, Amount: maxAmount, Owner: user})
	require.NoError(t, err)
	again := restored(t, *i, nil)
	require.Equal(t, i.InAmount, again.InAmount)
	require.Equal(t, i.Transaction, again.Transaction)
	require.Equal(t, i.Unsigned(), again.Unsigned())
	_, err = c.SubmitIntent(t.Context(), swap.SubmitIntentRequest{Transaction: signedTransaction(), Intent: again})
	require.NoError(t, err)
	require.Contains(t, server.Requests()[1].Body, i.Raw.String())

	changed := restored(t, *i, func(f map[string]any) { f["answer"].(map[string]any)["guaranteedOutAmount"] = "1" })
	_, err = c.SubmitIntent(t.Context(), swap.SubmitIntentRequest{Transaction: signedTransaction(), Intent: changed})
	require.ErrorIs(t, err, walletfi.ErrMismatch)
	require.Len(t, server.Requests(), 2)
}

// TestWholeAnswerGoesBack: under a deployment that says so, the envelope of a quote goes back
// too, and after a restart the fields are read from it.
func TestWholeAnswerGoesBack(t *testing.T) {
	cfg := keyed()
	cfg.Deployment = wiretest.Deployed("swap", deployment.Service{Operations: map[string]deployment.Operation{
		"GET /quote": {
			Words:  deployment.Words{Keys: map[string]string{"outAmount": "out"}},
			Answer: []deployment.Step{{Unwrap: "result"}}, EchoWhole: true,
		},
	}})
	answered := `{"signature":"s", "result": ` + strings.Replace(strings.TrimSpace(wiretest.File(t, "GetQuote.json")), "outAmount", "out", 1) + `}`
	c, wire := carriedClient(t, cfg, map[string][]answer{
		"/quote": {{Status: 200, Body: answered}}, "/swap": {{Status: 200, Body: wiretest.File(t, "BuildSwap.json")}},
	})
	q, err := c.GetQuote(t.Context(), swap.QuoteRequest{InputMint: sol, OutputMint: usdc, Amount: 1_000_000_000})
	require.NoError(t, err)
	require.Equal(t, answered, q.Raw.String())
	for _, quote := range []*swap.Quote{q, restored(t, *q, nil)} {
		require.Equal(t, walletfi.Amount(150_000_000), quote.OutAmount)
		require.NoError(t, wiretest.Error(c.BuildSwap(t.Context(), swap.BuildRequest{Owner: user, Quote: quote})))
		require.Equal(t, `{"userPublicKey":"`+user+`","quoteResponse":`+answered+`}`, wire.Seen[len(wire.Seen)-1].Body)
	}
}

// TestWholeAnswerThatIsTwo: an envelope that has the quote twice, or with a refusal, is not sent back.
func TestWholeAnswerThatIsTwo(t *testing.T) {
	cfg := keyed()
	cfg.Deployment = wiretest.Deployed("swap", deployment.Service{Operations: map[string]deployment.Operation{
		"GET /quote": {Answer: []deployment.Step{{Unwrap: "result"}}, EchoWhole: true},
	}})
	quote := strings.TrimSpace(wiretest.File(t, "GetQuote.json"))
	other := strings.Replace(quote, `"inAmount"`, `"x":1,"inAmount"`, 1)
	for _, answered := range []string{
		`{"result":` + quote + `,"result":` + other + `}`, `{"result":` + quote + `,"success":false}`, `{"result":` + quote + `,"error":"no route"}`,
		`{"result":null,"result":` + quote + `}`,
	} {
		c, _ := carriedClient(t, cfg, map[string][]answer{"/quote": {{Status: 200, Body: answered}}})
		q, err := c.GetQuote(t.Context(), swap.QuoteRequest{InputMint: sol, OutputMint: usdc, Amount: 1_000_000_000})
		require.Error(t, err, answered)
		require.Nil(t, q)
	}
}
