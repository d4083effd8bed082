package burnclose_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/burnclose"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const maxAmount = walletfi.Amount(1<<64 - 1)

// Addresses without an owner.
var (
	owner   = wiretest.Address(1)
	asset   = wiretest.Address(2)
	sponsor = wiretest.Address(3)
	partner = wiretest.Address(4)
)

// signed is a transaction that has the shape of a signed one and the signature
// of its filler.
func signed(filler byte) walletfi.Base64Transaction {
	return walletfi.Base64Transaction(base64.StdEncoding.EncodeToString(wiretest.Transaction(filler, make([]byte, 32+32+1)...)))
}

func inBase58(t testing.TB, tx walletfi.Base64Transaction) walletfi.Base58Transaction {
	t.Helper()
	short, err := tx.Base58()
	require.NoError(t, err)
	return short
}

// reply is a file under testdata with the signature of a filler put in.
func reply(t testing.TB, file string, filler byte) string {
	t.Helper()
	return strings.ReplaceAll(wiretest.File(t, file), "$SIGNATURE", wiretest.Signature(filler))
}

// client is a client of base that repeats nothing.
func client(t testing.TB, base string) *burnclose.Client {
	t.Helper()
	return wiretest.Client(t, burnclose.New, burnclose.Config{BaseURL: base, APIKey: wiretest.Key(), Options: once})
}

// numbered is a transaction that looks signed, and its signature.
func numbered(n int) (walletfi.EncodedTransaction, string) {
	sig := make([]byte, 64)
	sig[0], sig[1], sig[63] = byte(n>>8), byte(n), 1
	b := append([]byte{1}, sig...)
	b = append(b, 1, 0, 0, 1)
	b = append(b, make([]byte, 32+32+1)...)
	return walletfi.Base64Transaction(base64.StdEncoding.EncodeToString(b)), base58.Encode(sig)
}

type answer = wiretest.Answer

// carriedClient is a client whose requests are answered in order.
func carriedClient(t testing.TB, options walletfi.Options, answers ...answer) (*burnclose.Client, *wiretest.Carrier) {
	t.Helper()
	wire := &wiretest.Carrier{Answers: answers}
	return clientOn(t, options, wire), wire
}

// replyingClient is a client whose requests go to reply.
func replyingClient(t testing.TB, options walletfi.Options, reply func(n int, r wiretest.Request) answer) (*burnclose.Client, *wiretest.Carrier) {
	t.Helper()
	wire := &wiretest.Carrier{Reply: reply}
	return clientOn(t, options, wire), wire
}

func clientOn(t testing.TB, options walletfi.Options, wire *wiretest.Carrier) *burnclose.Client {
	t.Helper()
	options.HTTPClient = wire.Client()
	return wiretest.Client(t, burnclose.New, burnclose.Config{BaseURL: "https://burn.test", APIKey: wiretest.Key(), Options: options})
}

// once allows no repeats.
var once = wiretest.Once()
