package predictmeta_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/predictmeta"
)

// answering is a client whose calls all get one answer.
func answering(t *testing.T, body string) *predictmeta.Client {
	t.Helper()
	carrier := &wiretest.Carrier{Answers: []wiretest.Answer{{Status: 200, Body: body}}}
	return wiretest.Client(t, predictmeta.New, predictmeta.Config{
		BaseURL: "https://markets.example", APIKey: wiretest.Key(), Options: walletfi.Options{HTTPClient: carrier.Client()},
	})
}

// TestTradesOutsideOfThePeriod contradict it, to the second: formats of the bounds leave out
// what is below.
func TestTradesOutsideOfThePeriod(t *testing.T) {
	start := time.Date(2026, 1, 2, 3, 4, 5, 600_000_000, time.UTC)
	both := predictmeta.TradesRequest{Start: start, End: start.Add(time.Hour)}
	for at, req := range map[string]predictmeta.TradesRequest{
		"2026-01-02T03:04:05Z": both, "2026-01-02T04:04:05.9Z": both, "2026-01-02T03:30:00Z": both,
		"2025-01-02T03:04:05Z": {End: start}, "2027-01-02T03:04:05Z": {Start: start}, "2000-01-02T00:00:00Z": {},
	} {
		page := `{"trades":[` + strings.Replace(wholeTrade, "2026-01-01T00:00:00Z", at, 1) + `]}`
		require.NoError(t, wiretest.Error(answering(t, page).ListTrades(t.Context(), req)), at)
	}
	for at, field := range map[string]string{
		"2026-01-02T03:04:04Z": "trades.timestamp", "2026-01-02T04:04:06Z": "trades.timestamp",
		"2020-01-02T03:30:00Z": "trades.timestamp", "2040-01-02T03:30:00Z": "trades.timestamp",
	} {
		page := answering(t, `{"trades":[`+wholeTrade+`,`+strings.Replace(wholeTrade, "2026-01-01T00:00:00Z", at, 1)+`]}`)
		_, listed := page.ListTrades(t.Context(), both)
		_, ofMint := page.ListTradesByMint(t.Context(), mint(1), both)
		for _, err := range []error{listed, ofMint} {
			require.ErrorIs(t, err, walletfi.ErrMismatch, at)
			require.Equal(t, field, wiretest.As[*walletfi.MismatchError](t, err).Field)
		}
	}
}

// TestInBothLists: what was asked for is in one list of the answer.
func TestInBothLists(t *testing.T) {
	yes, ledger := mint(3), mint(4)
	summary := strings.Replace(called(wholeSummary, "T"), "Y11111111111111111111111111111111", yes, 1)
	batch := func(tickers, mints []string) func(context.Context, *predictmeta.Client) error {
		return func(ctx context.Context, c *predictmeta.Client) error {
			return wiretest.Error(c.BatchMarkets(ctx, predictmeta.BatchMarketsRequest{Tickers: tickers, Mints: mints}))
		}
	}
	filter := func(ctx context.Context, c *predictmeta.Client) error {
		return wiretest.Error(c.FilterOutcomeMints(ctx, []string{mint(1), mint(2)}))
	}
	for body, c := range map[string]struct {
		call  func(context.Context, *predictmeta.Client) error
		field string // "" if the answer is taken
	}{
		`{"outcome_mints":["` + mint(1) + `"],"non_outcome_mints":["` + mint(2) + `"]}`: {filter, ""},
		`{"outcome_mints":["` + mint(1) + `"],"non_outcome_mints":[]}`:                  {filter, ""},
		`{"outcome_mints":["` + mint(1) + `"],"non_outcome_mints":["` + mint(1) + `"]}`: {filter, "non_outcome_mints"},
		`{"markets":[` + summary + `],"not_found":["U"]}`:                               {batch([]string{"T", "U"}, nil), ""},
		`{"markets":[` + summary + `],"not_found":["U","T"]}`:                           {batch([]string{"T", "U"}, nil), "not_found"},
		`{"markets":[` + summary + `],"not_found":["t"]}`:                               {batch([]string{"T", "U"}, nil), "not_found"},
		`{"markets":[` + summary + `],"not_found":["` + yes + `"]}`:                     {batch(nil, []string{yes}), "not_found"},
		`{"markets":[` + summary + `],"not_found":["` + ledger + `"]}`:                  {batch(nil, []string{yes, ledger}), ""},
	} {
		err := c.call(t.Context(), answering(t, body))
		if c.field == "" {
			require.NoError(t, err, body)
			continue
		}
		require.ErrorIs(t, err, walletfi.ErrMismatch, body)
		require.Equal(t, c.field, wiretest.As[*walletfi.MismatchError](t, err).Field)
	}
}
