package sandbox

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

func (s *started) providerSwapV2(from, to string, amount uint64, bps int, user string) string {
	path := fmt.Sprintf("/api/v2/quote?src_mint=%s&dst_mint=%s&amount_in=%d&slippage_bps=%d", s.Mint(from), s.Mint(to), amount, bps)
	if user != "" {
		path += "&user_account=" + user
	}
	return path
}

func (s *started) providerSwapV1(route, from, to string, amount uint64, bps int, more string) string {
	return fmt.Sprintf("/api/v1/%s?fromMint=%s&toMint=%s&amount=%d&slippage=%d%s", route, s.Mint(from), s.Mint(to), amount, bps, more)
}

// providerSwapBuilt is the transaction of an answer in whichever form it came.
func providerSwapBuilt(a answer) string {
	for _, path := range [][]any{{}, {"transaction"}, {"data", "txn"}, {"data", "serializedTransaction"}, {"txn"}} {
		if text := a.text(path...); text != "" {
			return text
		}
	}
	return string(a.Raw)
}

func (s *started) providerSwapGet(t *testing.T, path string) answer {
	t.Helper()
	a := s.do(t, ProviderSwap, "GET", path, nil)
	require.Equal(t, 200, a.Status, "%s", a.Raw)
	return a
}

func (s *started) providerSwapBuild(t *testing.T, from, to string, amount uint64, bps int, more string) string {
	t.Helper()
	return providerSwapBuilt(s.providerSwapGet(t, s.providerSwapV1("swap", from, to, amount, bps, "&owner="+s.WalletAddress()+more)))
}

func TestProviderSwapV2(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	for form := range 2 {
		plain := s.providerSwapGet(t, s.providerSwapV2("SOL", "USDC", 3_000_000_000, 50, ""))
		assert.NotContains(t, string(plain.Raw), "txn")
		a := s.providerSwapGet(t, s.providerSwapV2("SOL", "USDC", 3_000_000_000, 50, s.WalletAddress()))
		out := swapNumber(t, a.text("destAmountOut"))
		assert.Equal(t, plain.text("destAmountOut"), a.text("destAmountOut"))
		assert.Equal(t, "3000000000", a.text("srcAmountIn"))
		assert.Equal(t, out*9950/10_000, swapNumber(t, a.text("destAmountOutMin")))
		assert.NotEmpty(t, a.text("priceImpactPct"))
		before := s.ammHeld("USDC")
		require.Nil(t, s.signAndSubmit(t, a.text("txn")).Err)
		assert.Equal(t, before+out, s.ammHeld("USDC"), form)
	}
	strings, numbers := s.providerSwapGet(t, s.providerSwapV2("SOL", "USDC", 1_000_000, 50, "")), s.providerSwapGet(t, s.providerSwapV2("SOL", "USDC", 1_000_000, 50, ""))
	assert.IsType(t, "", strings.at("destAmountOut"))
	assert.IsType(t, json.Number(""), numbers.at("destAmountOut"))
	assert.NotEmpty(t, strings.text("routePlan", 0, "provider"))
	assert.NotEmpty(t, numbers.text("routePlan", 0, "swapInfo", "provider"))
}

func TestProviderSwapV2SharesALargeTrade(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	require.NoError(t, s.FundWallet(s.WalletAddress(), 50_000*lamportsPerSOL))
	a := s.providerSwapGet(t, s.providerSwapV2("SOL", "USDC", 40_000*lamportsPerSOL, 50, s.WalletAddress()))
	plan := a.at("routePlan").([]any)
	require.Greater(t, len(plan), 1)
	var percent uint64
	for i := range plan {
		percent += swapNumber(t, a.text("routePlan", i, "percent"))
	}
	assert.EqualValues(t, 100, percent)
	one := s.providerSwapGet(t, s.providerSwapV1("quote/all", "SOL", "USDC", 40_000*lamportsPerSOL, 50, ""))
	assert.Greater(t, swapNumber(t, a.text("destAmountOut")), swapNumber(t, one.text("quotes", 0, "outAmount")), "better than any provider alone")
	before := s.ammHeld("USDC")
	require.Nil(t, s.signAndSubmit(t, a.text("txn")).Err)
	assert.Equal(t, before+swapNumber(t, a.text("destAmountOut")), s.ammHeld("USDC"))
}

func TestProviderSwapSameMint(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	before := s.ammHeld("SOL")
	a := s.providerSwapGet(t, s.providerSwapV2("SOL", "SOL", 1_000_000_000, 10, s.WalletAddress()))
	r := s.signAndSubmit(t, a.text("txn"))
	require.Nil(t, r.Err)
	assert.Equal(t, before-1_000_000_000+swapNumber(t, a.text("destAmountOut"))-r.Fee, s.ammHeld("SOL"))
}

func TestProviderSwapV1QuotesEveryProvider(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	providers := s.Providers()
	require.Len(t, providers, 10)
	quoted := map[string]bool{}
	for _, pair := range [][2]string{{"SOL", "USDC"}, {"USDC", "USDT"}, {"DUST", "SOL"}, {"TAXED", "SOL"}, {"SOL", "USDT"}, {"DUST", "USDC"}} {
		list := s.providerSwapGet(t, s.providerSwapV1("quote/all", pair[0], pair[1], 1_000_000, 50, ""))
		object := s.providerSwapGet(t, s.providerSwapV1("quote/all", pair[0], pair[1], 1_000_000, 50, ""))
		assert.Len(t, object.at(), 10)
		best := uint64(0)
		for i := range list.at("quotes").([]any) {
			slug := list.text("quotes", i, "provider")
			quoted[slug] = true
			one := s.providerSwapGet(t, s.providerSwapV1("quote", pair[0], pair[1], 1_000_000, 50, "&provider="+slug))
			other := s.providerSwapGet(t, s.providerSwapV1("quote", pair[0], pair[1], 1_000_000, 50, "&provider="+slug))
			if one.at("data") != nil {
				one, other = other, one
			}
			out := list.text("quotes", i, "outAmount")
			assert.Equal(t, out, one.text("outAmount"))
			assert.Equal(t, out, other.text("data", "amountOut"))
			assert.Equal(t, out, object.text(slug, "amountOut"))
			best = max(best, swapNumber(t, out))
		}
		assert.Equal(t, best, swapNumber(t, list.text("quotes", 0, "outAmount")), "the best first")
		if pair[0] == "DUST" {
			assert.NotEmpty(t, object.text("plateau", "error"))
		}
	}
	assert.Len(t, quoted, 10, "every provider trades something")
}

func TestProviderSwapBuildsInFourForms(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	path := s.providerSwapV1("swap", "USDC", "SOL", 3_000_000, 50, "&provider=delta&owner="+s.WalletAddress())
	raw, text, object, nested := s.providerSwapGet(t, path), s.providerSwapGet(t, path), s.providerSwapGet(t, path), s.providerSwapGet(t, path)
	assert.Equal(t, "text/plain; charset=utf-8", raw.Header.Get("Content-Type"))
	assert.Nil(t, raw.JSON)
	assert.NotEmpty(t, text.text())
	assert.NotEmpty(t, object.text("transaction"))
	assert.NotEmpty(t, nested.text("data", "txn"))
	for _, a := range []answer{raw, text, object, nested} {
		built := providerSwapBuilt(a)
		bytes, err := base64.StdEncoding.DecodeString(built)
		require.NoError(t, err)
		tx, err := ledger.Parse(bytes)
		require.NoError(t, err)
		assert.Equal(t, ledger.V0, tx.Version)
		assert.NotEmpty(t, tx.Lookups)
		before := s.ammHeld("USDC")
		require.Nil(t, s.signAndSubmit(t, built).Err)
		assert.Equal(t, before-3_000_000, s.ammHeld("USDC"))
	}
}

func TestProviderSwapPoolFeesAndTips(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	chosen := s.poolPair(t, "quill", "SOL", "USDC").pool
	pool := "&provider=quill&pool=" + chosen.address.String()
	reserves := chosen.reserves
	receiver := publicKey(s.keypair("partner")).String()
	require.NoError(t, s.FundWallet(receiver, lamportsPerSOL))
	before, tips := s.ammHeld("SOL"), s.chain.Balance(publicKey(s.keypair(providerSwapTips)))
	tx := s.providerSwapBuild(t, "SOL", "USDC", 1_000_000_000, 100, pool+"&feeLamports=7000&feeReceiver="+receiver+"&mevSafe=true&priorityMicroLamports=10000&gasless=false")
	r := s.signAndSubmit(t, tx)
	require.Nil(t, r.Err)
	assert.EqualValues(t, 5000+3000, r.Fee)
	assert.Equal(t, before-1_000_000_000-7000-providerSwapTip-r.Fee, s.ammHeld("SOL"))
	assert.EqualValues(t, lamportsPerSOL+7000, s.Ledger().Balance(receiver))
	assert.Equal(t, tips+providerSwapTip, s.chain.Balance(publicKey(s.keypair(providerSwapTips))))
	assert.Equal(t, reserves[0]+1_000_000_000, chosen.reserves[0], "the pool that was asked for")
	assert.Equal(t, 400, s.do(t, ProviderSwap, "GET", s.providerSwapV1("quote", "SOL", "USDC", 1, 1, "&provider=atlas&pool="+chosen.address.String()), nil).Status)
}

func TestProviderSwapGasless(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	poor := s.keypair("poor")
	address := publicKey(poor).String()
	require.NoError(t, s.FundToken(address, s.Mint("USDC"), 5_000_000))
	a := s.providerSwapGet(t, s.providerSwapV1("swap", "USDC", "SOL", 5_000_000, 50, "&provider=atlas&gasless=true&owner="+address))
	require.Nil(t, s.signAndSubmitAs(t, providerSwapBuilt(a), poor).Err, "a wallet without any SOL")
	assert.Greater(t, s.Ledger().Balance(address), uint64(33_000_000))
	wrong := s.providerSwapV1("swap", "SOL", "USDC", 5_000_000, 50, "&provider=atlas&gasless=true&owner="+address)
	assert.Equal(t, 400, s.do(t, ProviderSwap, "GET", wrong, nil).Status)
	assert.Equal(t, []string{"gasless where the output is not the native currency"}, s.takeViolations())
}

func TestProviderSwapBundle(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	bundle := func(signed []byte) string {
		return "/api/v1/swap/bundle?signedTransaction=" + url.QueryEscape(base64.StdEncoding.EncodeToString(signed))
	}
	for _, path := range [][]any{{"signature"}, {"transactionHash"}, {"data", "txHash"}} {
		signed := sign(t, s.providerSwapBuild(t, "SOL", "USDC", 1_000_000, 50, "&provider=atlas&mevSafe=true"), s.Wallet())
		before := s.ammHeld("USDC")
		a := s.providerSwapGet(t, bundle(signed))
		assert.Equal(t, swapSignature(t, signed), a.text(path...))
		assert.Greater(t, s.ammHeld("USDC"), before)
		again := s.do(t, ProviderSwap, "GET", bundle(signed), nil)
		assert.Equal(t, 400, again.Status)
		assert.Contains(t, string(again.Raw), "already been processed")
	}
	slow := sign(t, s.providerSwapBuild(t, "SOL", "USDC", 1_000_000_000, 0, "&provider=quill"), s.Wallet())
	fast := sign(t, s.providerSwapBuild(t, "SOL", "USDC", 1_000_000_000, 50, "&provider=quill"), s.Wallet())
	s.providerSwapGet(t, bundle(fast))
	before := s.ammHeld("SOL")
	failed := s.do(t, ProviderSwap, "GET", bundle(slow), nil)
	assert.Equal(t, 400, failed.Status)
	assert.Contains(t, string(failed.Raw), "0x1771")
	assert.Equal(t, before, s.ammHeld("SOL"), "a bundle that fails costs nothing")

	unsigned, err := base64.StdEncoding.DecodeString(s.providerSwapBuild(t, "SOL", "USDC", 1_000_000, 50, "&provider=atlas"))
	require.NoError(t, err)
	assert.Equal(t, 400, s.do(t, ProviderSwap, "GET", bundle(unsigned), nil).Status)
	assert.Equal(t, 400, s.do(t, ProviderSwap, "GET", bundle([]byte("x")), nil).Status)
	assert.Equal(t, 400, s.do(t, ProviderSwap, "GET", "/api/v1/swap/bundle?signedTransaction=AA+A", nil).Status)
	assert.Equal(t, []string{"signedTransaction is not base64: was it escaped?"}, s.takeViolations(), "a plus that is not escaped is a space")
}

func TestProviderSwapCustomFee(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	receiver := publicKey(s.keypair("partner")).String()
	path := "/api/v1/fee/custom?payer=" + s.WalletAddress() + "&receiver=" + receiver + "&lamports=2000000"
	for i, at := range [][]any{{"transaction"}, {"data", "serializedTransaction"}} {
		a := s.providerSwapGet(t, path)
		require.Nil(t, s.signAndSubmit(t, a.text(at...)).Err)
		assert.EqualValues(t, 2_000_000*(i+1), s.Ledger().Balance(receiver))
		s.Advance(poolMinute) // the same transfer on a new blockhash
	}
	assert.Equal(t, 400, s.do(t, ProviderSwap, "GET", strings.Replace(path, "2000000", "0", 1), nil).Status)
}

func TestProviderSwapIsStrict(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	v1, v2 := s.providerSwapV1("quote", "SOL", "USDC", 1000, 50, "&provider=atlas"), s.providerSwapV2("SOL", "USDC", 1000, 50, "")
	swap := s.providerSwapV1("swap", "SOL", "USDC", 1000, 50, "&provider=atlas&owner="+s.WalletAddress())
	for _, bad := range []string{
		v2 + "&fromMint=x", v2 + "&provider=atlas", v1 + "&src_mint=x", v1 + "&owner=" + s.WalletAddress(), strings.Replace(v1, "&provider=atlas", "", 1),
		strings.Replace(v2, "50", "10001", 1), strings.Replace(v2, "50", "0.5", 1), strings.Replace(v1, "amount=1000", "amount=1e3", 1),
		swap + "&feeLamports=1", swap + "&mevSafe=1", swap + "&pool=", "/api/v1/fee/custom?payer=" + s.WalletAddress() + "&lamports=1",
	} {
		assert.Equal(t, 400, s.do(t, ProviderSwap, "GET", bad, nil).Status, bad)
		assert.Len(t, s.takeViolations(), 1, bad)
	}
	for _, no := range []string{
		strings.Replace(v1, "atlas", "nobody", 1), strings.Replace(v1, "atlas", "Atlas", 1), strings.Replace(v1, s.Mint("USDC"), s.WalletAddress(), 1),
		strings.Replace(v2, s.Mint("SOL"), s.WalletAddress(), 1), strings.Replace(v2, "1000", "0", 1), v2 + "&user_account=x", swap + "&feeLamports=1&feeReceiver=x",
		strings.Replace(v1, "atlas", "plateau", 1), strings.Replace(swap, s.WalletAddress(), "x", 1),
	} {
		assert.Equal(t, 400, s.do(t, ProviderSwap, "GET", no, nil).Status, no)
	}
	assert.Equal(t, 401, s.do(t, ProviderSwap, "GET", v2, nil, "X-API-KEY", "wrong").Status)
	assert.Equal(t, 401, s.do(t, ProviderSwap, "GET", v2, nil, "X-API-KEY", "").Status)
	assert.Len(t, s.takeViolations(), 1, "without a key nothing goes")
}

func TestProviderSwapErrorForms(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	bad := s.providerSwapV2("SOL", "USDC", 0, 50, "")
	assert.NotEmpty(t, s.do(t, ProviderSwap, "GET", bad, nil).text("error"))
	assert.NotEmpty(t, s.do(t, ProviderSwap, "GET", bad, nil).text("message"))
	s.SetProviderSwapErrors(ProviderSwapErrorsJSON)
	for range 2 {
		a := s.do(t, ProviderSwap, "GET", bad, nil)
		assert.Equal(t, map[string]any{"error": "no route for the pair and amount"}, a.JSON)
	}
	s.SetProviderSwapErrors(ProviderSwapErrorsHTML)
	s.Fault(Route{Service: ProviderSwap, Pattern: "/api/v2/quote"}, Fault{Status: 502, Times: 1})
	gateway := s.do(t, ProviderSwap, "GET", bad, nil)
	assert.Equal(t, 502, gateway.Status)
	assert.Equal(t, "text/html; charset=utf-8", gateway.Header.Get("Content-Type"))
	assert.Contains(t, string(gateway.Raw), "<h1>Bad Gateway</h1>")
	assert.Contains(t, string(s.do(t, ProviderSwap, "GET", bad, nil).Raw), "<h1>Bad Request</h1>")
}

func TestProviderSwapTransactionsCanBeAttacked(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	s.Attack(func(string, []byte, [32]byte) []byte { return []byte("attack") })
	want := base64.StdEncoding.EncodeToString([]byte("attack"))
	assert.Equal(t, want, s.providerSwapGet(t, s.providerSwapV2("SOL", "USDC", 1000_000, 50, s.WalletAddress())).text("txn"))
	assert.Equal(t, want, s.providerSwapBuild(t, "SOL", "USDC", 1_000_000, 50, "&provider=atlas"))
	fee := s.providerSwapGet(t, "/api/v1/fee/custom?payer="+s.WalletAddress()+"&receiver="+s.WalletAddress()+"&lamports=1")
	assert.Equal(t, want, providerSwapBuilt(fee))
}
