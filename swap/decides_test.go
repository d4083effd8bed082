package swap_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/swap"
)

// answering is a client of a service that answers every route so.
func answering(t *testing.T, body string) *swap.Client {
	t.Helper()
	all := map[string][]answer{}
	for _, path := range []string{
		"/order", "/quote", "/swap", "/swap-instructions", "/intent", "/prediction-market-init", "/tokens-with-decimals",
	} {
		all[path] = []answer{{Status: 200, Body: body}}
	}
	c, _ := carriedClient(t, keyed(), all)
	return c
}

// built are the builders, each with its honest answer and the member that is signed.
func built(t *testing.T) map[string]struct {
	body, signed string
	build        func(*swap.Client) error
} {
	t.Helper()
	type builder = struct {
		body, signed string
		build        func(*swap.Client) error
	}
	trade := swap.OrderRequest{Owner: user, InputMint: sol, OutputMint: usdc, Amount: 1}
	request := swap.BuildRequest{Owner: user, Quote: plainQuote(t)}
	return map[string]builder{
		"BuildOrder": {ordered(t, `"outAmount":"1","minOutAmount":"1"`), "transaction", func(c *swap.Client) error {
			return wiretest.Error(c.BuildOrder(t.Context(), trade))
		}},
		"BuildSwap": {wiretest.File(t, "BuildSwap.json"), "swapTransaction", func(c *swap.Client) error {
			return wiretest.Error(c.BuildSwap(t.Context(), request))
		}},
		"BuildIntent": {intended(t, `"guaranteedOutAmount":1,"estimatedOutAmount":1`), "transaction", func(c *swap.Client) error {
			return wiretest.Error(c.BuildIntent(t.Context(), swap.IntentRequest{
				Owner: user, InputMint: sol, OutputMint: usdc, Amount: 1, Slippage: walletfi.SlippageBps(0),
			}))
		}},
		"BuildPredictionMarketInit": {wiretest.FileWith(t, "BuildPredictionMarketInit.json", `{"marketInfo":{"mint":"`+usdc+`"}}`), "transaction",
			func(c *swap.Client) error {
				return wiretest.Error(c.BuildPredictionMarketInit(t.Context(), swap.PredictionMarketInitRequest{MarketMint: usdc, Owner: user}))
			}},
	}
}

// TestTransactionThatIsNone: what is no base64 is nothing to sign.
func TestTransactionThatIsNone(t *testing.T) {
	n := 0
	for name, row := range built(t) {
		require.NoError(t, row.build(answering(t, row.body)), name)
		for _, lie := range []string{`"!!!"`, `"six"`, `"A==="`, `""`, `null`, `7`, `true`, `{}`, `["AQID"]`} {
			body := with(t, row.body, row.signed, lie)
			require.ErrorIs(t, row.build(answering(t, body)), walletfi.ErrDecode, "%s: %s", name, body)
			n++
		}
	}
	require.Equal(t, 4*9, n)
}

// TestHeightThatIsNone: without a height after which it cannot land, a waiter has no end.
func TestHeightThatIsNone(t *testing.T) {
	n := 0
	for name, row := range built(t) {
		if name == "BuildPredictionMarketInit" {
			continue // of which the documentation shows no height
		}
		for _, lie := range []string{"", `0`, `"0"`, `null`, `""`, `-1`, `6.5`, `"six"`, `1e3`, `18446744073709551616`, `{}`} {
			body := with(t, row.body, "lastValidBlockHeight", lie)
			require.ErrorIs(t, row.build(answering(t, body)), walletfi.ErrDecode, "%s: %s", name, body)
			n++
		}
	}
	require.Equal(t, 3*11, n)
}

// TestPriceImpactThatIsNone: a trader checks it before he signs, and what is no number is below all
// numbers.
func TestPriceImpactThatIsNone(t *testing.T) {
	trade := swap.OrderRequest{Owner: user, InputMint: sol, OutputMint: usdc, Amount: 1}
	for impact, ok := range map[string]bool{
		`"0.1"`: true, `0`: true, `1e-7`: true, `100`: true, `"NaN"`: false, `"50%"`: false, `"six"`: false, `"Infinity"`: false,
		`-1`: false, `"-0.01"`: false, `100.01`: false, `1e400`: false, `1e-500`: false, `null`: false, `""`: false, `{}`: false, "": false,
	} {
		quote := with(t, quoted(t, `"inAmount":"1","outAmount":"1"`), "priceImpactPct", impact)
		order := with(t, ordered(t, `"outAmount":"1","minOutAmount":"1"`), "priceImpactPct", impact)
		for name, err := range map[string]error{
			"GetQuote":   wiretest.Error(answering(t, quote).GetQuote(t.Context(), swap.QuoteRequest{InputMint: sol, OutputMint: usdc, Amount: 1})),
			"QuoteOrder": wiretest.Error(answering(t, order).QuoteOrder(t.Context(), trade)),
			"BuildOrder": wiretest.Error(answering(t, order).BuildOrder(t.Context(), trade)),
		} {
			require.Equal(t, ok, err == nil, "%s: %s: %v", name, impact, err)
			require.Equal(t, !ok, errors.Is(err, walletfi.ErrDecode), "%s: %s: %v", name, impact, err)
		}
	}
}

// TestTokenDecimals: a token without decimals that can be is kept, with the problem beside it, and none
// is 0 by default. An amount of 256 bits has 78 digits, so that no whole token has more than 77 decimals.
func TestTokenDecimals(t *testing.T) {
	for decimals, ok := range map[string]bool{
		`0`: true, `9`: true, `"9"`: true, `77`: true, `78`: false, `255`: false, `256`: false, "": false, `null`: false, `""`: false,
		`-1`: false, `6.5`: false, `"six"`: false, `400`: false, `1e1`: false, `9,"decimals":9`: false,
	} {
		token := `{"mint":"` + usdc + `","symbol":"T"` + strings.TrimSuffix(`,"decimals":`+decimals, `,"decimals":`) + `}`
		page, err := answering(t, `{"tokens":[`+token+`]}`).ListTokensWithDecimals(t.Context())
		require.Len(t, page.Items, 1, decimals)
		if ok {
			require.NoError(t, err, decimals)
			continue
		}
		require.ErrorIs(t, err, walletfi.ErrDecode, decimals)
		unread := wiretest.As[*walletfi.UnreadError](t, err)
		require.True(t, unread.Records[0].Kept)
		require.ErrorContains(t, err, "Token.decimals")
	}
	page, err := answering(t, `{"tokens":null}`).ListTokensWithDecimals(t.Context())
	require.NoError(t, err)
	require.Empty(t, page.Items)
}

// TestAccountFlags: a flag of an account that is not there, or is none, is not false.
func TestAccountFlags(t *testing.T) {
	build := func(instructions string) error {
		body := `{"instructions":` + instructions + `,"addressLookupTableAddresses":[],"computeUnitLimit":200000}`
		return wiretest.Error(answering(t, body).BuildSwapInstructions(t.Context(), swap.BuildRequest{Owner: user, Quote: plainQuote(t)}))
	}
	one := func(flags string) string {
		return `{"programId":"` + usdc + `","accounts":[{"pubkey":"` + user + `"` + flags + `}],"data":"AQID"}`
	}
	const honest = `,"isSigner":true,"isWritable":false`
	for flags, ok := range map[string]bool{
		honest: true, `,"isSigner":true`: false, `,"isWritable":true`: false, ``: false,
		`,"isSigner":null,"isWritable":false`: false, `,"isSigner":"perhaps","isWritable":false`: false, `,"isSigner":7,"isWritable":false`: false,
		`,"isSigner":true,"isWritable":"x"`: false, `,"isSigner":true,"isWritable":[true]`: false, honest + `,"isSigner":false`: false,
	} {
		err := build(`[` + one(flags) + `]`)
		require.Equal(t, ok, err == nil, "%s: %v", flags, err)
		require.Equal(t, !ok, errors.Is(err, walletfi.ErrDecode), flags)
	}
	for instructions, ok := range map[string]bool{
		`[` + one(honest) + `,` + strings.Replace(one(honest), "AQID", "AQIE", 1) + `]`: true,
		`[` + one(honest) + `,` + one(honest) + `]`:                                     false, // it would be done twice
		`[]`: false, `null`: false, `[null]`: false, `[{}]`: false, `["x"]`: false,
	} {
		err := build(instructions)
		require.Equal(t, ok, err == nil, "%s: %v", instructions, err)
		require.Equal(t, !ok, errors.Is(err, walletfi.ErrDecode), instructions)
	}
}

// TestStepsOfNothing: a step of a route that names no venue is none, nor are decimals of one that no
// token has.
func TestStepsOfNothing(t *testing.T) {
	const step = `{"venue":"v","inputMint":"` + sol + `","outputMint":"` + usdc + `"`
	for route, ok := range map[string]bool{
		`null`: true, `[]`: true, `[` + step + `}]`: true, `[` + step + `,"inputMintDecimals":9,"outputMintDecimals":77}]`: true,
		`[null]`: false, `[{}]`: false, `["x"]`: false, `[` + step + `,"inputMintDecimals":-1}]`: false,
		`[` + step + `,"outputMintDecimals":9007199254740993}]`: false, `[` + step + `,"outputMintDecimals":1e3}]`: false,
	} {
		body := with(t, quoted(t, `"inAmount":"1","outAmount":"1"`), "routePlan", route)
		err := wiretest.Error(answering(t, body).GetQuote(t.Context(), swap.QuoteRequest{InputMint: sol, OutputMint: usdc, Amount: 1}))
		require.Equal(t, ok, err == nil, "%s: %v", route, err)
	}
	for limit, ok := range map[string]bool{`0`: true, `1400000`: true, `1400001`: false, `500000000`: false} {
		for name, row := range built(t) {
			if name == "BuildSwap" || name == "BuildOrder" {
				err := row.build(answering(t, with(t, row.body, "computeUnitLimit", limit)))
				require.Equal(t, ok, err == nil, "%s: %s: %v", name, limit, err)
			}
		}
	}
}

// with is a body with another value for a member, or without it.
func with(t *testing.T, body, name, value string) string {
	t.Helper()
	members := map[string]json.RawMessage{}
	require.NoError(t, json.Unmarshal([]byte(body), &members))
	require.Contains(t, members, name)
	delete(members, name)
	rest, err := json.Marshal(members)
	require.NoError(t, err)
	if value == "" {
		return string(rest)
	}
	return `{"` + name + `":` + value + `,` + string(rest[1:])
}
