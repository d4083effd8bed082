package swap_test

import (
	"encoding/base64"
	"testing"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/swap"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	maxAmount = walletfi.Amount(1<<64 - 1)
	sol       = walletfi.NativeMint
	usdc      = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
	user      = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"
	other     = "ComputeBudget111111111111111111111111111111"
)

// signature is that of signedTransaction.
var signature = wiretest.Signature(7)

// signedTransaction is the least that passes for a signed legacy transaction.
func signedTransaction() walletfi.Base64Transaction { return transactionSigned(7) }

func transactionSigned(filler byte) walletfi.Base64Transaction {
	return walletfi.Base64Transaction(base64.StdEncoding.EncodeToString(wiretest.Transaction(filler, make([]byte, 32+32+1)...)))
}

// client is a client of base with a key that repeats nothing.
func client(t testing.TB, base string) *swap.Client {
	t.Helper()
	return wiretest.Client(t, swap.New, swap.Config{BaseURL: base, APIKey: wiretest.Key(), Options: wiretest.Once()})
}

// unreachable is a client whose server fails the test when it is asked.
func unreachable(t *testing.T) *swap.Client {
	t.Helper()
	return client(t, wiretest.Unasked(t).URL)
}

type answer = wiretest.Answer

// carriedClient is a client whose requests are answered by path. The config
// may lack a base URL and an HTTP client.
func carriedClient(t testing.TB, cfg swap.Config, answers map[string][]answer) (*swap.Client, *wiretest.Carrier) {
	t.Helper()
	wire := &wiretest.Carrier{Reply: wiretest.ByPath(answers)}
	cfg.BaseURL, cfg.HTTPClient = "https://swap.test", wire.Client()
	return wiretest.Client(t, swap.New, cfg), wire
}

// keyed is a config without a budget.
func keyed() swap.Config { return swap.Config{APIKey: wiretest.Key()} }
