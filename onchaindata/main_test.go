package onchaindata_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/onchaindata"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// prefix is the end of both base URLs.
const prefix = "/api/v3/onchain"

// client returns a client of base, on the given tier, that repeats no request.
func client(t testing.TB, base string, tier onchaindata.Tier) *onchaindata.Client {
	t.Helper()
	return wiretest.Client(t, onchaindata.New, onchaindata.Config{
		Tier: tier, DemoBaseURL: base + prefix, ProBaseURL: base + prefix, APIKey: wiretest.Key(), Options: wiretest.Once(),
	})
}

// demo is a client of the tier that is meant without one.
func demo(t testing.TB, base string) *onchaindata.Client { return client(t, base, "") }

// unreachable is a client whose server fails the test when it is asked.
func unreachable(t *testing.T, tier onchaindata.Tier) *onchaindata.Client {
	t.Helper()
	return client(t, wiretest.Unasked(t).URL, tier)
}

func unix(seconds int64) walletfi.Time { return walletfi.Time{Time: time.Unix(seconds, 0).UTC()} }

// answer is the answer to a carried request.
type answer = wiretest.Answer

// carriedClient is a demo client whose requests are answered in order.
func carriedClient(t testing.TB, cfg onchaindata.Config, answers ...answer) (*onchaindata.Client, *wiretest.Carrier) {
	t.Helper()
	wire := &wiretest.Carrier{Answers: answers}
	cfg.HTTPClient = &http.Client{Transport: wire}
	cfg.DemoBaseURL, cfg.ProBaseURL = "https://demo.test"+prefix, "https://pro.test"+prefix
	cfg.APIKey = wiretest.Key()
	return wiretest.Client(t, onchaindata.New, cfg), wire
}

// poolNumbers and tradeMembers are what else the documentation shows of each pool, and of
// each trade.
const (
	poolNumbers  = `"reserve_in_usd":"1","base_token_price_usd":"1","quote_token_price_usd":"1","base_token_price_native_currency":"1"`
	tradeMembers = `"block_number":1,"block_timestamp":"2026-01-02T03:04:05Z","from_token_amount":"1","to_token_amount":"1",` +
		`"price_from_in_currency_token":"1","price_to_in_currency_token":"1","price_from_in_usd":"1","price_to_in_usd":"1","volume_in_usd":"1"`
)
