package providerswap_test

import (
	"bytes"
	"encoding/base64"
	"testing"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/providerswap"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const maxAmount = walletfi.Amount(1<<64 - 1)

// Addresses without an owner.
var (
	mintA = wiretest.Address(1)
	mintB = wiretest.Address(2)
	owner = wiretest.Address(3)
	other = wiretest.Address(4)
)

// transaction has the shape of one whose first signature is of that filler;
// 0 is unsigned. Its base64 holds +, / and =.
func transaction(filler byte) walletfi.Base64Transaction {
	rest := append(bytes.Repeat([]byte{0xfb, 0xff}, 32), 0)
	return walletfi.Base64Transaction(base64.StdEncoding.EncodeToString(wiretest.Transaction(filler, rest...)))
}

// once repeats nothing.
var once = wiretest.Once()

func client(t testing.TB, base string) *providerswap.Client {
	t.Helper()
	return clientOf(t, providerswap.Config{BaseURL: base, Options: once})
}

func clientOf(t testing.TB, cfg providerswap.Config) *providerswap.Client {
	t.Helper()
	cfg.APIKey = wiretest.Key()
	return wiretest.Client(t, providerswap.New, cfg)
}

type answer = wiretest.Answer

// carried is a client whose requests are answered in order.
func carried(t testing.TB, options walletfi.Options, answers ...answer) (*providerswap.Client, *wiretest.Carrier) {
	t.Helper()
	wire := &wiretest.Carrier{Answers: answers}
	options.HTTPClient = wire.Client()
	return clientOf(t, providerswap.Config{BaseURL: "https://swap.test", Options: options}), wire
}

func always(status int, body string) answer { return answer{Status: status, Body: body} }
