package predictmeta

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/internal/lenient"
)

// FuzzBook holds the reader by hand against the ordinary way.
func FuzzBook(f *testing.F) {
	for _, seed := range []string{
		`{"bids":[{"price":0.5,"quantity":1}],"asks":[]}`, `{"bids":[{"price":"","quantity":1}]}`, `{"bids":[{"price":0.5}]}`,
		`{"bids":[{"price":0.5,"quantity":0,"quantity":2}]}`, `{"bids":[{"price":0.5,"quantity":null}]}`, `{"bids":null,"ticker":null}`,
		`{"bids":[null]}`, `{"bids":[{"Price":0.5,"quantity":1}]}`, `{"bids":[],"bids":[]}`, `{"ticker":"\u0041","asks":[{"quantity":"1","price":1e3}]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		var byHand, ordinary BookSnapshot
		if !fastBook(body, &byHand) {
			return
		}
		require.NoError(t, lenient.Unmarshal(body, &ordinary), "read by hand alone: %q", body)
		require.Equal(t, ordinary, byHand, "%q", body)
	})
}

// TestFastBook: the reader by hand takes what the service sends as a rule.
func TestFastBook(t *testing.T) {
	body, err := os.ReadFile("testdata/GetOrderBook.json")
	require.NoError(t, err)
	require.False(t, fastBook(body, new(BookSnapshot)), "a quantity of 20 digits is read in the ordinary way")
	usual := `{"ticker":"MK-1","timestamp":"2026-01-01T00:00:00Z","bids":[{"price":0.51,"quantity":100}],"asks":[{"price":0.53,"quantity":7}],"spread":0.02,"mid_price":0.52,"sequence":3}`
	var b BookSnapshot
	require.True(t, fastBook([]byte(usual), &b))
	require.Len(t, b.Bids, 1)
	require.Equal(t, "0.53", b.Asks[0].Price.String())
	for _, oneSided := range []string{`{"bids":[]}`, `{"asks":[]}`, `{"bids":[],"asks":null}`, `{"bids":null,"asks":[]}`} {
		require.False(t, fastBook([]byte(oneSided), new(BookSnapshot)), oneSided)
	}
}
