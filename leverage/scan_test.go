package leverage

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/internal/lenient"
	"github.com/walletfi/walletfi-go/internal/wiretest"
)

// byHand reads a body as each kind of page, by hand and in the ordinary way, and tells
// which it took by hand. Neither is laxer than the other, and both find the same.
func byHand(t *testing.T, body []byte) (taken []string) {
	t.Helper()
	compare := func(name string, took bool, ordinary error, got, want any) {
		if took {
			require.NoError(t, ordinary, "%s: laxer than the ordinary way: %s", name, body)
			require.Equal(t, want, got, "%s: %s", name, body)
			taken = append(taken, name)
		}
	}
	var p, q PositionPage
	took, err := scanPositions(body, &p), lenient.Unmarshal(body, &q)
	q.Raw = nil
	compare("positions", took, err, p, q)
	var h, i TradeHistoryPage
	took, err = scanHistory(body, &h), lenient.Unmarshal(body, &i)
	i.Raw = nil
	compare("events", took, err, h, i)
	var o, r OfferPage
	took, err = scanOffers(body, &o), lenient.Unmarshal(body, &r)
	compare("offers", took, err, o, r)
	return taken
}

func TestPagesByHand(t *testing.T) {
	for body, want := range map[string][]string{
		`[]`:                                        {"positions", "events", "offers"},
		`[{"address":"P1","totalLiquidity":1}]`:     {"positions", "events", "offers"},
		`[{"address":"P1","totalLiquidity":0}]`:     {"positions", "events"},
		`[{"address":"P1","totalLiquidity":null}]`:  {"positions", "events"},
		`[{"positionAddress":"P1"},{}]`:             {"positions", "events"},
		`[{"address":"P1","positionAddress":"P2"}]`: {"events"},
		`{"positions":[{"address":"P1","opened":{"At":[1,{}]}}],"total":2}`:          {"positions"},
		`{"total":0,"data":[{}],"positions":[]}`:                                     {"positions"},
		`{"events":[{"eventType":"OPEN","owner":null}]}`:                             {"events"},
		`{"positions":[{"baseToken":{"symbol":"SOL","decimals":9,"priceUsd":1e3}}]}`: {"positions"},
		`{"positions":[{"roiPercent":"","currentLtv":-1.5}]}`:                        {"positions"},
		`{"positions":null}`:                                    nil,
		`{"positions":{}}`:                                      nil,
		`{"data":[]}`:                                           nil,
		`{"positions":[],"positions":[]}`:                       nil,
		`{"positions":[],"total":1,"total":2}`:                  nil,
		`{"positions":[{"Address":"P1"}]}`:                      nil,
		`{"positions":[{"status":5}]}`:                          nil,
		`{"positions":[{"address":"P1","address":"P2"}]}`:       nil,
		`{"positions":[null]}`:                                  nil,
		`{"positions":[{"baseToken":{"decimals":"9"}}]}`:        nil,
		`[{"totalLiquidity":1.5}]`:                              {"positions", "events"},
		`[{"totalLiquidity":"18446744073709551615","side":1}]`:  {"positions", "events"},
		`[{"totalLiquidity":"18446744073709551615","tags":[]}]`: {"positions", "events", "offers"},
		`7`: nil, ``: nil, `[`: nil, `[]]`: nil,
	} {
		assert.Equal(t, want, byHand(t, []byte(body)), body)
	}
}

func FuzzPagesByHand(f *testing.F) {
	for _, name := range []string{"ListPositions", "ListTradeHistory", "ListOffers"} {
		file, err := os.ReadFile("testdata/" + name + ".json")
		require.NoError(f, err)
		f.Add(file)
	}
	f.Add([]byte(`[{"address":"P1","totalLiquidity":"7","maxLeverage":null,"baseToken":{"logoUri":"\u00e9"}}]`))
	f.Add([]byte(`{"positions":[{"positionAddress":"","address":"x"}],"events":[{"owner":"W1"}],"a":{"b":[[]]}}`))
	f.Fuzz(func(t *testing.T, body []byte) { byHand(t, body) })
}

// TestDecoders holds what is read by hand to the json tags.
func TestDecoders(t *testing.T) {
	t.Run("Position", wiretest.Decoder[Position]{Fast: func(body []byte) *Position {
		var page PositionPage
		if !scanPositions([]byte("["+string(body)+"]"), &page) {
			return nil
		}
		return &page.Items[0]
	}}.Run)
	t.Run("TradeEvent", wiretest.Decoder[TradeEvent]{Fast: func(body []byte) *TradeEvent {
		var page TradeHistoryPage
		if !scanHistory([]byte("["+string(body)+"]"), &page) {
			return nil
		}
		return &page.Items[0]
	}}.Run)
	t.Run("Offer", wiretest.Decoder[Offer]{Fast: func(body []byte) *Offer {
		var page OfferPage
		if !scanOffers([]byte("["+string(body)+"]"), &page) {
			return nil
		}
		return &page.Items[0]
	}, Always: map[string]string{"totalLiquidity": "5"}}.Run)
	t.Run("Token", wiretest.Decoder[Token]{Fast: func(body []byte) *Token {
		var page PositionPage
		if !scanPositions([]byte(`[{"baseToken":`+string(body)+`}]`), &page) {
			return nil
		}
		return page.Items[0].BaseToken
	}}.Run)
}
