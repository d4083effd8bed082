package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signing"
)

// plain is the usual run, on a market with fixed prices.
func plain() options {
	return options{
		from: "USDC", to: "USDT", amount: "25", slippageBps: 50,
		sandbox: sandbox.Config{ManualClock: true, InstantConfirmation: true},
	}
}

// field returns the n-th word of the first line that begins with title.
func field(t *testing.T, text, title string, n int) string {
	t.Helper()
	for line := range strings.Lines(text) {
		if words := strings.Fields(line); len(words) > n && words[0] == title {
			return words[n]
		}
	}
	t.Fatalf("no line of %s in\n%s", title, text)
	return ""
}

func TestBestOffer(t *testing.T) {
	var out strings.Builder
	require.NoError(t, run(t.Context(), &out, plain()))
	text := out.String()
	require.Regexp(t, `SERVICE +OUT USDT +MINIMUM +PRICE IMPACT +AGE`, text)
	chosen := regexp.MustCompile(`(\w+) it is`).FindStringSubmatch(text)
	require.NotNil(t, chosen, text)
	best := field(t, text, chosen[1], 1)
	for _, service := range []string{"amm", "swap", "providerswap"} {
		require.LessOrEqual(t, field(t, text, service, 1), best, "all have two digits before the point:\n%s", text)
		require.Less(t, field(t, text, service, 2), field(t, text, service, 1))
	}
	require.Less(t, field(t, text, "amm", 1), best, "atlas alone is dearer than all venues")
	require.Equal(t, best, field(t, text, "arrived", 1))
	require.Contains(t, text, "1 of 1     confirmed")
}

func TestSeveralTransactions(t *testing.T) {
	o := plain()
	o.to, o.amount, o.service, o.legacy = "DUST", "5", "amm", true
	var out strings.Builder
	require.NoError(t, run(t.Context(), &out, o))
	require.Contains(t, out.String(), "1 of 2     confirmed")
	require.Contains(t, out.String(), "2 of 2     confirmed")
	require.Equal(t, field(t, out.String(), "amm", 1), field(t, out.String(), "arrived", 1))
}

func TestLamportsArrive(t *testing.T) {
	o := plain()
	o.to = "SOL"
	var out strings.Builder
	require.NoError(t, run(t.Context(), &out, o))
	require.Regexp(t, `arrived +0\.16\d+ SOL, after network fees`, out.String())
}

func TestNothingToTake(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*options)
		want   string
	}{
		"unknown token":     {func(o *options) { o.to = "NONE" }, `0 tokens have the symbol "NONE"`},
		"too many decimals": {func(o *options) { o.amount = "0.1234567" }, "more than 6 decimals"},
		"unknown service":   {func(o *options) { o.service = "other" }, "no offer from other"},
		"same token":        {func(o *options) { o.to, o.service = "USDC", "swap" }, "no offer from swap"},
		"no file":           {func(o *options) { o.live = "missing.json" }, "missing.json"},
	} {
		t.Run(name, func(t *testing.T) {
			o := plain()
			c.change(&o)
			var out strings.Builder
			require.ErrorContains(t, run(t.Context(), &out, o), c.want)
			require.NotContains(t, out.String(), "built")
		})
	}
}

// live writes the file of a deployment that is a sandbox, without a key for
// providerswap.
func live(t *testing.T, s *sandbox.Sandbox) string {
	t.Helper()
	d, err := sandboxed(sandbox.Config{}) // for the pins, which depend only on the seed
	require.NoError(t, err)
	d.close()
	wallet := filepath.Join(t.TempDir(), "id.json")
	numbers := make([]int, len(s.Wallet()))
	for i, b := range s.Wallet() {
		numbers[i] = int(b)
	}
	key, err := json.Marshal(numbers)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(wallet, key, 0o600))
	d.Swap, d.AMMTrade, d.AMMData, d.ProviderSwap, d.Wallet =
		s.URL(sandbox.Swap), s.URL(sandbox.AMM), s.AMM().DataURL(), s.URL(sandbox.ProviderSwap), wallet
	text, err := json.Marshal(d)
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "deployment.json")
	require.NoError(t, os.WriteFile(path, text, 0o600))
	t.Setenv("RPC_URL", s.URL(sandbox.RPC))
	t.Setenv("PROVIDERSWAP_API_KEY", s.APIKey(sandbox.ProviderSwap))
	t.Setenv("SWAP_API_KEY", "")
	return path
}

// TestSameOrderAgain is a run that is started again: the journal has what was paid.
func TestSameOrderAgain(t *testing.T) {
	s, err := sandbox.Start(plain().sandbox)
	require.NoError(t, err)
	defer s.Close()
	o := plain()
	o.live, o.journal, o.order, o.send = live(t, s), filepath.Join(t.TempDir(), "journal"), "order 1", true
	o.service = "amm"
	before := s.Ledger().TokenBalance(s.WalletAddress(), s.Mint("USDC"))
	for range 2 {
		var out strings.Builder
		require.NoError(t, run(t.Context(), &out, o))
		require.Contains(t, out.String(), "confirmed")
		require.Equal(t, before-25_000_000, s.Ledger().TokenBalance(s.WalletAddress(), s.Mint("USDC")))
	}
}

func TestLive(t *testing.T) {
	s, err := sandbox.Start(plain().sandbox)
	require.NoError(t, err)
	defer s.Close()
	o := plain()
	o.live, o.journal = live(t, s), filepath.Join(t.TempDir(), "journal")
	me, usdc, usdt := s.WalletAddress(), s.Mint("USDC"), s.Mint("USDT")
	before := s.Ledger().TokenBalance(me, usdc)

	var out strings.Builder
	require.NoError(t, run(t.Context(), &out, o))
	require.Contains(t, out.String(), "arrives")
	require.NotContains(t, out.String(), "confirmed", "without -send it only checks")
	require.Equal(t, before, s.Ledger().TokenBalance(me, usdc))

	// If a service is down, the best of the others is used.
	remove := s.Fault(sandbox.Route{Service: sandbox.Swap, Pattern: "/quote"}, sandbox.Fault{Status: 400})
	o.send = true
	out.Reset()
	require.NoError(t, run(t.Context(), &out, o))
	remove()
	require.Regexp(t, `swap +no quote: .*HTTP 400`, out.String())
	require.Contains(t, out.String(), "providerswap it is")
	require.Equal(t, before-25_000_000, s.Ledger().TokenBalance(me, usdc))
	held := s.Ledger().TokenBalance(me, usdt)
	require.NotZero(t, held)

	// A transaction that drains the wallet is not signed.
	thief, err := signing.GenerateLocalKey()
	require.NoError(t, err)
	drain, err := sandbox.Drain(s, thief.PublicKey().String())
	require.NoError(t, err)
	s.Attack(drain)
	out.Reset()
	require.ErrorIs(t, run(t.Context(), &out, o), signing.ErrRefused)
	require.Contains(t, out.String(), "REFUSED")
	require.Equal(t, before-25_000_000, s.Ledger().TokenBalance(me, usdc))
	require.Empty(t, s.Violations())
}
