package swap_test

import (
	"encoding/base64"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
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

// quoted, ordered, intended and swapped are whole answers with other values for some members.
func quoted(t testing.TB, members string) string {
	t.Helper()
	const plain = `"platformFee":null,"slippageBps":0,"minOutAmount":1,"otherAmountThreshold":1`
	return wiretest.FileWith(t, "GetQuote.json", `{`+plain+`,`+members+`}`)
}

func ordered(t testing.TB, members string) string {
	t.Helper()
	return wiretest.FileWith(t, "BuildOrder.json", `{"routePlan":[],"prioritizationFeeLamports":0,`+members+`}`)
}

func intended(t testing.TB, members string) string {
	t.Helper()
	return wiretest.FileWith(t, "BuildIntent.json", `{"inAmount":1,"slippageBps":0,`+members+`}`)
}

func swapped(t testing.TB, members string) string {
	t.Helper()
	return wiretest.FileWith(t, "BuildSwap.json", `{`+members+`}`)
}

// refused is the error of an answer whose amounts are not those of a trade.
func refused(t testing.TB, err error) {
	t.Helper()
	if !errors.Is(err, walletfi.ErrDecode) {
		require.ErrorIs(t, err, walletfi.ErrMismatch)
	}
}
