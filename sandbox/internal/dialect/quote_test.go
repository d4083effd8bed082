package dialect_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// member is the raw value at a path of members.
func member(t *testing.T, raw []byte, names ...string) json.RawMessage {
	t.Helper()
	for _, name := range names {
		var object map[string]json.RawMessage
		require.NoError(t, json.Unmarshal(raw, &object), "%s", raw)
		raw = object[name]
	}
	return raw
}

// TestAQuoteGoesBackAsItCame: the live bytes, and no others.
func TestAQuoteGoesBackAsItCame(t *testing.T) {
	for _, strict := range []bool{true, false} {
		for shape := range 2 {
			t.Run(fmt.Sprint(strict, shape), func(t *testing.T) { quoteGoesBack(t, strict, shape) })
		}
	}
}

func quoteGoesBack(t *testing.T, strict bool, shape int) {
	steps := []deployment.Step{{Unwrap: "data"}, {Only: true}}
	s := under(t, play.Swap, deployment.Service{
		Words: deployment.Words{
			Keys:    words{"inAmount": "sold", "quoteResponse": "quote", "userPublicKey": "who", "intentResponse": "wish"},
			Numbers: map[string]deployment.Number{"inAmount": {Scale: 6}},
		},
		Operations: map[string]deployment.Operation{
			"GET /quote": {Answer: steps}, "GET /intent": {Answer: steps},
			"POST /swap": {Body: []deployment.Step{{Wrap: "order"}}},
		},
	}, func(c *play.Config) { c.StrictEcho, c.Shape = strict, shape+1 })
	answer := s.Do(t, play.Swap, "GET", s.SwapQuery("/quote", "USDC", "SOL", 1_500_000), nil)
	require.Equal(t, 200, answer.Status)
	assert.Equal(t, "1.5", answer.At("data", 0, "sold"))
	var list []json.RawMessage
	require.NoError(t, json.Unmarshal(member(t, answer.Raw, "data"), &list))
	quote := list[0]
	body := func(quote []byte) string {
		return `{"order":{"quote":` + string(quote) + `,"who":"` + s.WalletAddress() + `"}}`
	}
	assert.Equal(t, 200, s.Do(t, play.Swap, "POST", "/swap", body(quote)).Status, "to the byte")
	assert.Empty(t, s.TakeProblems())

	var compact bytes.Buffer
	require.NoError(t, json.Compact(&compact, quote))
	again := compact.Bytes()
	if bytes.Equal(again, quote) {
		again = append(bytes.TrimSuffix(again, []byte("}")), " }"...)
	}
	loose := s.Do(t, play.Swap, "POST", "/swap", body(again))
	assert.Equal(t, strict, loose.Status == 400, "equal in value: %s", loose.Raw)
	assert.Equal(t, strict, len(s.TakeProblems()) > 0)

	for name, wrong := range map[string][]byte{
		"the documented words":   bytes.ReplaceAll(quote, []byte(`"sold"`), []byte(`"inAmount"`)),
		"another amount":         bytes.ReplaceAll(quote, []byte(`"1.5"`), []byte(`"1.4"`)),
		"with what was about it": member(t, answer.Raw, "data"),
	} {
		refused := s.Do(t, play.Swap, "POST", "/swap", body(wrong))
		assert.Equal(t, 400, refused.Status, name)
		assert.NotEmpty(t, s.TakeProblems(), name)
	}
}

// TestTheDataOfAQuoteGoesBack: amm's quote is the data of an envelope.
func TestTheDataOfAQuoteGoesBack(t *testing.T) {
	s := under(t, play.AMM, deployment.Service{
		Words: deployment.Words{Keys: words{"data": "body", "outAmount": "bought", "swapResponse": "quote"}, Values: map[string]map[string]string{"txVersion": {"V0": "0"}}},
		Operations: map[string]deployment.Operation{
			"GET /compute/swap-base-in": {Answer: []deployment.Step{{Unwrap: "result"}}, Words: deployment.Words{Query: words{"txVersion": "version"}}},
		},
	})
	answer := s.Do(t, play.AMM, "GET", "/compute/swap-base-in?inputMint="+s.Mint("USDC")+"&outputMint="+s.Mint("SOL")+"&amount=1000000&slippageBps=50&version=0", nil)
	quote := member(t, answer.Raw, "result", "body")
	require.Contains(t, string(quote), `"bought"`)
	for range 2 {
		built := s.Do(t, play.AMM, "POST", "/transaction/swap-base-in", `{"quote":`+string(quote)+`,"wallet":"`+s.WalletAddress()+`","txVersion":"0"}`)
		require.Equal(t, 200, built.Status, "%s", built.Raw)
		require.Equal(t, true, built.At("success"))
		require.NotEmpty(t, built.Text("body", 0, "transaction"), "%s", built.Raw)
	}
}
