package leverage

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/internal/wiretest"
)

// byHand tells as which kinds of page a body was taken by hand: see wiretest.TakenByHand.
func byHand(t *testing.T, body []byte) (taken []string) {
	t.Helper()
	if wiretest.TakenByHand(t, body, scanPositions, func(p *PositionPage) { p.Raw = nil }) {
		taken = append(taken, "positions")
	}
	if wiretest.TakenByHand(t, body, scanHistory, func(p *TradeHistoryPage) { p.Raw = nil }) {
		taken = append(taken, "events")
	}
	if wiretest.TakenByHand(t, body, scanOffers, nil) {
		taken = append(taken, "offers")
	}
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
