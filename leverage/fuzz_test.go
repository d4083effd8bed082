package leverage_test

import (
	"math"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wire"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/leverage"
)

func FuzzAnswers(f *testing.F) {
	wiretest.FuzzDecode(f, wire.Unmarshal, func() []any {
		return []any{
			new([]leverage.Offer), new(leverage.Position), new(leverage.PositionPage), new(leverage.TradeHistoryPage),
			new(leverage.Transaction), new(leverage.PartialSell), new(leverage.BundleTip),
		}
	}, ``, `null`, `[]`, `{"data":{"data":{"data":[]}}}`, `{"newPositionAddresses":[1,2]}`, `[[]]`, `{"a":[],"b":[]}`)
}

// FuzzSent: a relay's success is a success whatever JSON it is, and its
// signature is that of what was signed.
func FuzzSent(f *testing.F) {
	for _, seed := range []string{``, `{}`, `"S9"`, `[{}]`, `{"data":{"signature":7,"bundleId":"b"}}`, `{"result":null}`, `{"success":false}`, `{"signature":`, ` `} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		c, _ := carriedClient(t, ok(string(b)))
		sent, err := c.SendBundle(t.Context(), []walletfi.Base58Transaction{signedTransaction()}, walletfi.WithoutRetry())
		if err != nil {
			require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown, "the service said 200")
			return
		}
		require.Equal(t, signature, sent.Signature)
		require.Equal(t, strings.TrimSpace(string(b)), strings.TrimSpace(sent.Raw.String()))
	})
}

// FuzzOffersQuery: the query says what the request did, and nothing of it
// leaves its parameter.
func FuzzOffersQuery(f *testing.F) {
	f.Add("sol", "LONG", "M2111111111111111111111111111111", "a", "b", 1, 2)
	f.Add("a&limit=9#x", "", "%00", "", "b,c", -1, 0)
	f.Add("", "", "", "a", "b", 0, 0)
	f.Add("", "", "", "a", "b", 1, 0)
	f.Add("é + \n", "SHORT", "?", "x y", "z=", math.MaxInt, math.MaxInt)
	f.Fuzz(func(t *testing.T, search, side, quote, tag, second string, limit, offset int) {
		c, wire := carriedClient(t, ok(`[]`))
		_, err := c.ListOffers(t.Context(), leverage.OffersRequest{
			Search: search, Side: leverage.Side(side), QuoteToken: quote, Tags: []string{tag, second}, Limit: new(limit), Offset: new(offset),
		})
		if err != nil {
			require.ErrorIs(t, err, walletfi.ErrInvalidRequest)
			require.Empty(t, wire.Seen)
			return
		}
		sent, err := url.Parse(wire.Seen[0].Target)
		require.NoError(t, err)
		require.Equal(t, "/api/v1/offers", sent.Path)
		q := sent.Query()
		require.Equal(t, search, q.Get("search"))
		require.Equal(t, side, q.Get("side"))
		require.Equal(t, quote, q.Get("quoteToken"))
		require.Equal(t, []string{tag, second}, strings.Split(q.Get("tags"), ","))
		require.Equal(t, strconv.Itoa(limit), q.Get("limit"), "an explicit zero is sent too")
		require.Equal(t, strconv.Itoa(offset), q.Get("offset"))
	})
}
