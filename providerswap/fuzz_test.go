package providerswap_test

import (
	"encoding/json"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/providerswap"
)

func seeds(f *testing.F) {
	for _, file := range []string{"GetQuote.json", "BuildSwap.json", "ListQuotesV1.json"} {
		f.Add([]byte(wiretest.File(f, file)))
	}
	tx := string(transaction(0))
	for _, text := range []string{``, `null`, `"b"`, `[]`, tx, `"` + tx + `"`, `{"data":{"x":"` + tx + `"}}`, `{"a":{"outAmount":1}}`,
		`{"bundleId":"b","txHash":"` + wiretest.Signature(1) + `"}`, "{\"error\":\"\xff\"}"} {
		f.Add([]byte(text))
	}
}

// FuzzDecode: no decoder panics, and what a type accepted it writes again.
func FuzzDecode(f *testing.F) {
	seeds(f)
	wiretest.FuzzDecode(f, json.Unmarshal, func() []any {
		return []any{new(providerswap.Quote), new(providerswap.QuoteV1), new(providerswap.QuoteV1Page), new(providerswap.Sent), new(providerswap.TransactionV1)}
	})
}

// FuzzSwapAnswer: any answer to a swap yields a transaction in it, or a typed
// error.
func FuzzSwapAnswer(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, body []byte) {
		c, _ := carried(t, once, always(200, string(body)))
		built, err := c.BuildSwapV1(t.Context(), providerswap.BuildV1Request{QuoteV1Request: quoteV1(), Owner: owner, MinReceive: 1})
		if err != nil {
			wiretest.As[*walletfi.ResponseError](t, err)
			return
		}
		require.NoError(t, wiretest.Error(built.Transaction.Base58()))
	})
}

// FuzzQuery: what was asked for arrives, whatever it holds.
func FuzzQuery(f *testing.F) {
	f.Add("alpha", uint64(1), uint64(0), "AQ==")
	f.Add("a+b/=&?%", uint64(1<<64-1), uint64(7), string(transaction(0xfe)))
	f.Fuzz(func(t *testing.T, provider string, amount, price uint64, tx string) {
		c, wire := carried(t, once, always(200, `{}`))
		req := providerswap.BuildV1Request{QuoteV1Request: quoteV1(), Owner: owner, MinReceive: 1, ComputeUnitPriceMicroLamports: &price}
		req.Provider, req.Amount = providerswap.Provider(provider), walletfi.Amount(amount)
		_, _ = c.BuildSwapV1(t.Context(), req)
		_, _ = c.SendBundle(t.Context(), walletfi.Base64Transaction(tx))
		for _, r := range wire.Seen {
			u, err := url.Parse(r.Target)
			require.NoError(t, err)
			if q := u.Query(); u.Path == "/api/v1/swap" {
				require.Equal(t, provider, q.Get("provider"))
				require.Equal(t, walletfi.Amount(amount).String(), q.Get("amount"))
				require.Equal(t, walletfi.Amount(price).String(), q.Get("priorityMicroLamports"))
			} else {
				require.Equal(t, url.Values{"signedTransaction": {tx}}, q)
			}
		}
	})
}
