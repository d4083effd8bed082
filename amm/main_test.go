package amm_test

import (
	"testing"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/amm"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const maxAmount = walletfi.Amount(1<<64 - 1)

// Addresses without an owner. The first two are the mints in testdata.
var (
	mintA = wiretest.Address(1)
	mintB = wiretest.Address(2)
	owner = wiretest.Address(3)
	other = wiretest.Address(4)
)

// once repeats nothing.
var once = wiretest.Once()

// client is a client of base, both hosts, without pauses and repeats.
func client(t testing.TB, base string) *amm.Client {
	t.Helper()
	return clientOf(t, amm.Config{TradeURL: base, DataURL: base, Pause: new(time.Duration(0)), Options: once})
}

func clientOf(t testing.TB, cfg amm.Config) *amm.Client {
	t.Helper()
	return wiretest.Client(t, amm.New, cfg)
}

type sent = wiretest.Request

// carried is a client of two hosts whose requests go to answer.
func carried(t testing.TB, cfg amm.Config, answer func(n int, r sent) (status int, body string)) (*amm.Client, *wiretest.Carrier) {
	t.Helper()
	wire := &wiretest.Carrier{Reply: func(n int, r sent) wiretest.Answer {
		status, body := answer(n, r)
		return wiretest.Answer{Status: status, Body: body}
	}}
	cfg.TradeURL, cfg.DataURL, cfg.HTTPClient = "https://trade.test", "https://data.test/api", wire.Client()
	return clientOf(t, cfg), wire
}
