package providerswap

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/internal/asking"
)

// TestAskedKeepsItsNames: a journal keeps what was asked for by these names. A field that is
// renamed keeps its own, or the next Execute under a running key would be refused.
func TestAskedKeepsItsNames(t *testing.T) {
	quote := QuoteRequest{InputMint: "a", OutputMint: "b", Amount: 3}
	require.Equal(t, map[string]string{
		"request": "providerswap.BuildRequest", "Owner": "o", "SrcMint": "a", "DstMint": "b", "AmountIn": "3",
	}, asking.Of(BuildRequest{quote, "o"}))
	quoteV1 := QuoteV1Request{QuotesV1Request: QuotesV1Request{InputMint: "a", OutputMint: "b", Amount: 3}}
	require.Equal(t, map[string]string{
		"request": "providerswap.BuildV1Request", "Owner": "o", "FromMint": "a", "ToMint": "b", "Amount": "3",
	}, asking.Of(BuildV1Request{QuoteV1Request: quoteV1, Owner: "o"}))
}
