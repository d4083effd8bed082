package amm_test

import (
	"net/http"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/amm"
	"github.com/walletfi/walletfi-go/internal/wiretest"
)

// unreachable is a client whose server fails the test when it is asked.
func unreachable(t *testing.T) *amm.Client {
	t.Helper()
	server := wiretest.Serve(t, func(http.ResponseWriter, *http.Request) { t.Error("something was sent") })
	return client(t, server.URL)
}

// fields are those that the validation errors in err name, sorted.
func fields(err error) []string {
	if v, ok := err.(*walletfi.ValidationError); ok {
		return []string{v.Field}
	}
	var names []string
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range joined.Unwrap() {
			names = append(names, fields(e)...)
		}
	}
	slices.Sort(names)
	return names
}

func requireRefused(t *testing.T, err error, want ...string) {
	t.Helper()
	require.ErrorIs(t, err, walletfi.ErrInvalidRequest)
	require.Equal(t, want, fields(err))
}

func TestQuoteRequestRefused(t *testing.T) {
	c := unreachable(t)
	good := amm.QuoteRequest{InputMint: mintA, OutputMint: mintB, Amount: 1, Slippage: walletfi.SlippageBps(0)}
	wiretest.ChangesRefused(t, func() amm.QuoteRequest { return good }, map[string]func(*amm.QuoteRequest){
		"nothing: amount, inputMint, outputMint, slippageBps": func(r *amm.QuoteRequest) { *r = amm.QuoteRequest{} },
		"no address: inputMint":                               func(r *amm.QuoteRequest) { r.InputMint = "0OIl" },
		"a short address: outputMint":                         func(r *amm.QuoteRequest) { r.OutputMint = mintB[:40] },
		"negative slippage: slippageBps":                      func(r *amm.QuoteRequest) { r.Slippage = walletfi.SlippageBps(-1) },
		"more than all: slippageBps":                          func(r *amm.QuoteRequest) { r.Slippage = walletfi.SlippageBps(10_001) },
		"an unknown version: txVersion":                       func(r *amm.QuoteRequest) { r.TxVersion = "v0" },
	},
		func(req amm.QuoteRequest) error { return wiretest.Error(c.QuoteBaseIn(t.Context(), req)) },
		func(req amm.QuoteRequest) error { return wiretest.Error(c.QuoteBaseOut(t.Context(), req)) })
}

func TestBuildRequestRefused(t *testing.T) {
	c := unreachable(t)
	for name, row := range map[string]struct {
		req  amm.BuildRequest
		want []string
	}{
		"nothing":             {amm.BuildRequest{}, []string{"quote", "wallet"}},
		"a quote of the hand": {amm.BuildRequest{Quote: &amm.Quote{InputMint: mintA, OutAmount: 1}, Owner: owner}, []string{"quote"}},
		"accounts":            {amm.BuildRequest{Owner: "x", InputAccount: "y", OutputAccount: "z"}, []string{"inputAccount", "outputAccount", "quote", "wallet"}},
		"another's wallet":    {amm.BuildRequest{Owner: owner, OutputAccount: owner, OutputOwner: "z"}, []string{"outputOwner", "quote"}},
		"of no account":       {amm.BuildRequest{Owner: owner, OutputOwner: mintA}, []string{"outputOwner", "quote"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := c.BuildSwap(t.Context(), row.req)
			requireRefused(t, err, row.want...)
		})
	}
}

func TestDataRequestsRefused(t *testing.T) {
	c, ctx := unreachable(t), t.Context()
	_, err := c.ListPoolsByIDs(ctx, amm.PoolsByIDsRequest{})
	requireRefused(t, err, "ids")
	_, err = c.ListPoolsByIDs(ctx, amm.PoolsByIDsRequest{IDs: []string{"P1", ""}})
	requireRefused(t, err, "ids[1]")
	_, err = c.ListPoolsByIDs(ctx, amm.PoolsByIDsRequest{IDs: []string{"P1,P2"}})
	requireRefused(t, err, "ids[0]")
	_, err = c.ListPoolsByMints(ctx, amm.PoolsByMintsRequest{Mint2: "x"})
	requireRefused(t, err, "mint1", "mint2")
	_, err = c.ListPools(ctx, amm.PoolsRequest{Limit: new(-1), Page: new(-1)})
	requireRefused(t, err, "page", "pageSize")
	_, err = c.GetMintPrices(ctx, []string{})
	requireRefused(t, err, "mints")
	_, err = c.GetMintPrices(ctx, []string{mintA, "x"})
	requireRefused(t, err, "mints[1]")
}
