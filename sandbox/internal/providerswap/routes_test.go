package providerswap_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
	"github.com/walletfi/walletfi-go/sandbox/internal/market"
	"github.com/walletfi/walletfi-go/sandbox/internal/providerswap"
	"github.com/walletfi/walletfi-go/sandbox/internal/worldtest"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// started is a sandbox under test.
type started struct{ *worldtest.World }

type answer = worldtest.Answer

func start(t *testing.T, c play.Config) *started { return &started{worldtest.Start(t, c)} }

func (s *started) v2(from, to string, amount uint64, bps int, user string) string {
	path := fmt.Sprintf("/api/v2/quote?src_mint=%s&dst_mint=%s&amount_in=%d&slippage_bps=%d", s.Mint(from), s.Mint(to), amount, bps)
	if user != "" {
		path += "&user_account=" + user
	}
	return path
}

func (s *started) v1(route, from, to string, amount uint64, bps int, more string) string {
	return fmt.Sprintf("/api/v1/%s?fromMint=%s&toMint=%s&amount=%d&slippage=%d%s", route, s.Mint(from), s.Mint(to), amount, bps, more)
}

// built is the transaction of an answer in whichever form it came.
func built(a answer) string {
	for _, path := range [][]any{{}, {"transaction"}, {"data", "txn"}, {"data", "serializedTransaction"}, {"txn"}} {
		if text := a.Text(path...); text != "" {
			return text
		}
	}
	return string(a.Raw)
}

func (s *started) get(t *testing.T, path string) answer {
	t.Helper()
	a := s.Do(t, play.ProviderSwap, "GET", path, nil)
	require.Equal(t, 200, a.Status, "%s", a.Raw)
	return a
}

func (s *started) build(t *testing.T, from, to string, amount uint64, bps int, more string) string {
	t.Helper()
	return built(s.get(t, s.v1("swap", from, to, amount, bps, "&owner="+s.WalletAddress()+more)))
}

func TestV2(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	for form := range 2 {
		plain := s.get(t, s.v2("SOL", "USDC", 3_000_000_000, 50, ""))
		assert.NotContains(t, string(plain.Raw), "txn")
		a := s.get(t, s.v2("SOL", "USDC", 3_000_000_000, 50, s.WalletAddress()))
		out := worldtest.Number(t, a.Text("destAmountOut"))
		assert.Equal(t, plain.Text("destAmountOut"), a.Text("destAmountOut"))
		assert.Equal(t, "3000000000", a.Text("srcAmountIn"))
		assert.Equal(t, out*9950/10_000, worldtest.Number(t, a.Text("destAmountOutMin")))
		assert.NotEmpty(t, a.Text("priceImpactPct"))
		before := s.Held("USDC")
		require.Nil(t, s.SignAndSubmit(t, a.Text("txn")).Err)
		assert.Equal(t, before+out, s.Held("USDC"), form)
	}
	strings, numbers := s.get(t, s.v2("SOL", "USDC", 1_000_000, 50, "")), s.get(t, s.v2("SOL", "USDC", 1_000_000, 50, ""))
	assert.IsType(t, "", strings.At("destAmountOut"))
	assert.IsType(t, json.Number(""), numbers.At("destAmountOut"))
	assert.NotEmpty(t, strings.Text("routePlan", 0, "provider"))
	assert.NotEmpty(t, numbers.Text("routePlan", 0, "swapInfo", "provider"))
}

func TestV2SharesALargeTrade(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	require.NoError(t, s.FundWallet(s.WalletAddress(), 50_000*build.LamportsPerSOL))
	a := s.get(t, s.v2("SOL", "USDC", 40_000*build.LamportsPerSOL, 50, s.WalletAddress()))
	plan := a.At("routePlan").([]any)
	require.Greater(t, len(plan), 1)
	var percent uint64
	for i := range plan {
		percent += worldtest.Number(t, a.Text("routePlan", i, "percent"))
	}
	assert.EqualValues(t, 100, percent)
	one := s.get(t, s.v1("quote/all", "SOL", "USDC", 40_000*build.LamportsPerSOL, 50, ""))
	assert.Greater(t, worldtest.Number(t, a.Text("destAmountOut")), worldtest.Number(t, one.Text("quotes", 0, "outAmount")), "better than any provider alone")
	before := s.Held("USDC")
	require.Nil(t, s.SignAndSubmit(t, a.Text("txn")).Err)
	assert.Equal(t, before+worldtest.Number(t, a.Text("destAmountOut")), s.Held("USDC"))
}

func TestSameMint(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	before := s.Held("SOL")
	a := s.get(t, s.v2("SOL", "SOL", 1_000_000_000, 10, s.WalletAddress()))
	r := s.SignAndSubmit(t, a.Text("txn"))
	require.Nil(t, r.Err)
	assert.Equal(t, before-1_000_000_000+worldtest.Number(t, a.Text("destAmountOut"))-r.Fee, s.Held("SOL"))
}

func TestV1QuotesEveryProvider(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	providers := s.ProviderSwap.Providers()
	require.Len(t, providers, 10)
	quoted := map[string]bool{}
	for _, pair := range [][2]string{{"SOL", "USDC"}, {"USDC", "USDT"}, {"DUST", "SOL"}, {"TAXED", "SOL"}, {"SOL", "USDT"}, {"DUST", "USDC"}} {
		list := s.get(t, s.v1("quote/all", pair[0], pair[1], 1_000_000, 50, ""))
		object := s.get(t, s.v1("quote/all", pair[0], pair[1], 1_000_000, 50, ""))
		assert.Len(t, object.At(), 10)
		best := uint64(0)
		for i := range list.At("quotes").([]any) {
			slug := list.Text("quotes", i, "provider")
			quoted[slug] = true
			one := s.get(t, s.v1("quote", pair[0], pair[1], 1_000_000, 50, "&provider="+slug))
			other := s.get(t, s.v1("quote", pair[0], pair[1], 1_000_000, 50, "&provider="+slug))
			if one.At("data") != nil {
				one, other = other, one
			}
			out := list.Text("quotes", i, "outAmount")
			assert.Equal(t, out, one.Text("outAmount"))
			assert.Equal(t, out, other.Text("data", "amountOut"))
			assert.Equal(t, out, object.Text(slug, "amountOut"))
			best = max(best, worldtest.Number(t, out))
		}
		assert.Equal(t, best, worldtest.Number(t, list.Text("quotes", 0, "outAmount")), "the best first")
		if pair[0] == "DUST" {
			assert.NotEmpty(t, object.Text("plateau", "error"))
		}
	}
	assert.Len(t, quoted, 10, "every provider trades something")
}

func TestBuildsInFourForms(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	path := s.v1("swap", "USDC", "SOL", 3_000_000, 50, "&provider=delta&owner="+s.WalletAddress())
	raw, text, object, nested := s.get(t, path), s.get(t, path), s.get(t, path), s.get(t, path)
	assert.Equal(t, "text/plain; charset=utf-8", raw.Header.Get("Content-Type"))
	assert.Nil(t, raw.JSON)
	assert.NotEmpty(t, text.Text())
	assert.NotEmpty(t, object.Text("transaction"))
	assert.NotEmpty(t, nested.Text("data", "txn"))
	for _, a := range []answer{raw, text, object, nested} {
		built := built(a)
		bytes, err := base64.StdEncoding.DecodeString(built)
		require.NoError(t, err)
		tx, err := ledger.Parse(bytes)
		require.NoError(t, err)
		assert.Equal(t, ledger.V0, tx.Version)
		assert.NotEmpty(t, tx.Lookups)
		before := s.Held("USDC")
		require.Nil(t, s.SignAndSubmit(t, built).Err)
		assert.Equal(t, before-3_000_000, s.Held("USDC"))
	}
}

func TestPoolFeesAndTips(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	chosen := s.PoolPair(t, "quill", "SOL", "USDC").Pool
	pool := "&provider=quill&pool=" + chosen.Address.String()
	reserves := chosen.Reserves
	receiver := build.PublicKey(s.Keypair("partner")).String()
	require.NoError(t, s.FundWallet(receiver, build.LamportsPerSOL))
	before, tips := s.Held("SOL"), s.Chain.Balance(build.PublicKey(s.Keypair(providerswap.Tips)))
	tx := s.build(t, "SOL", "USDC", 1_000_000_000, 100, pool+"&feeLamports=7000&feeReceiver="+receiver+"&mevSafe=true&priorityMicroLamports=10000&gasless=false")
	r := s.SignAndSubmit(t, tx)
	require.Nil(t, r.Err)
	assert.EqualValues(t, 5000+3000, r.Fee)
	assert.Equal(t, before-1_000_000_000-7000-providerswap.Tip-r.Fee, s.Held("SOL"))
	assert.EqualValues(t, build.LamportsPerSOL+7000, s.View().Balance(receiver))
	assert.Equal(t, tips+providerswap.Tip, s.Chain.Balance(build.PublicKey(s.Keypair(providerswap.Tips))))
	assert.Equal(t, reserves[0]+1_000_000_000, chosen.Reserves[0], "the pool that was asked for")
	assert.Equal(t, 400, s.Do(t, play.ProviderSwap, "GET", s.v1("quote", "SOL", "USDC", 1, 1, "&provider=atlas&pool="+chosen.Address.String()), nil).Status)
}

func TestGasless(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	poor := s.Keypair("poor")
	address := build.PublicKey(poor).String()
	require.NoError(t, s.FundToken(address, s.Mint("USDC"), 5_000_000))
	a := s.get(t, s.v1("swap", "USDC", "SOL", 5_000_000, 50, "&provider=atlas&gasless=true&owner="+address))
	require.Nil(t, s.SignAndSubmitAs(t, built(a), poor).Err, "a wallet without any SOL")
	assert.Greater(t, s.View().Balance(address), uint64(33_000_000))
	wrong := s.v1("swap", "SOL", "USDC", 5_000_000, 50, "&provider=atlas&gasless=true&owner="+address)
	assert.Equal(t, 400, s.Do(t, play.ProviderSwap, "GET", wrong, nil).Status)
	assert.Equal(t, []string{"gasless needs the native currency as output"}, s.TakeProblems())
}

func TestBundle(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	bundle := func(signed []byte) string {
		return "/api/v1/swap/bundle?signedTransaction=" + url.QueryEscape(base64.StdEncoding.EncodeToString(signed))
	}
	for _, path := range [][]any{{"signature"}, {"transactionHash"}, {"data", "txHash"}} {
		signed := worldtest.Sign(t, s.build(t, "SOL", "USDC", 1_000_000, 50, "&provider=atlas&mevSafe=true"), s.Wallet())
		before := s.Held("USDC")
		a := s.get(t, bundle(signed))
		assert.Equal(t, worldtest.Signature(t, signed), a.Text(path...))
		assert.Greater(t, s.Held("USDC"), before)
		again := s.Do(t, play.ProviderSwap, "GET", bundle(signed), nil)
		assert.Equal(t, 400, again.Status)
		assert.Contains(t, string(again.Raw), "already been processed")
	}
	slow := worldtest.Sign(t, s.build(t, "SOL", "USDC", 1_000_000_000, 0, "&provider=quill"), s.Wallet())
	fast := worldtest.Sign(t, s.build(t, "SOL", "USDC", 1_000_000_000, 50, "&provider=quill"), s.Wallet())
	s.get(t, bundle(fast))
	before := s.Held("SOL")
	failed := s.Do(t, play.ProviderSwap, "GET", bundle(slow), nil)
	assert.Equal(t, 400, failed.Status)
	assert.Contains(t, string(failed.Raw), "0x1771")
	assert.Equal(t, before, s.Held("SOL"), "a bundle that fails costs nothing")

	unsigned, err := base64.StdEncoding.DecodeString(s.build(t, "SOL", "USDC", 1_000_000, 50, "&provider=atlas"))
	require.NoError(t, err)
	assert.Equal(t, 400, s.Do(t, play.ProviderSwap, "GET", bundle(unsigned), nil).Status)
	assert.Equal(t, 400, s.Do(t, play.ProviderSwap, "GET", bundle([]byte("x")), nil).Status)
	assert.Equal(t, 400, s.Do(t, play.ProviderSwap, "GET", "/api/v1/swap/bundle?signedTransaction=AA+A", nil).Status)
	assert.Equal(t, []string{"transaction 0: the transaction is malformed: ledger: the transaction ends early", "transaction 0: the transaction is not base64"}, s.TakeProblems(), "a plus that is not escaped is a space")
}

func TestCustomFee(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	receiver := build.PublicKey(s.Keypair("partner")).String()
	path := "/api/v1/fee/custom?payer=" + s.WalletAddress() + "&receiver=" + receiver + "&lamports=2000000"
	for i, at := range [][]any{{"transaction"}, {"data", "serializedTransaction"}} {
		a := s.get(t, path)
		require.Nil(t, s.SignAndSubmit(t, a.Text(at...)).Err)
		assert.EqualValues(t, 2_000_000*(i+1), s.View().Balance(receiver))
		s.Advance(market.Minute) // the same transfer on a new blockhash
	}
	assert.Equal(t, 400, s.Do(t, play.ProviderSwap, "GET", strings.Replace(path, "2000000", "0", 1), nil).Status)
}

func TestIsStrict(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	v1, v2 := s.v1("quote", "SOL", "USDC", 1000, 50, "&provider=atlas"), s.v2("SOL", "USDC", 1000, 50, "")
	swap := s.v1("swap", "SOL", "USDC", 1000, 50, "&provider=atlas&owner="+s.WalletAddress())
	for _, bad := range []string{
		v2 + "&fromMint=x", v2 + "&provider=atlas", v1 + "&src_mint=x", v1 + "&owner=" + s.WalletAddress(), strings.Replace(v1, "&provider=atlas", "", 1),
		strings.Replace(v2, "50", "10001", 1), strings.Replace(v2, "50", "0.5", 1), strings.Replace(v1, "amount=1000", "amount=1e3", 1),
		v2 + "&user_account=x", swap + "&feeLamports=1&feeReceiver=x", strings.Replace(swap, s.WalletAddress(), "x", 1), swap + "&feeLamports=1", swap + "&mevSafe=1", swap + "&pool=", "/api/v1/fee/custom?payer=" + s.WalletAddress() + "&lamports=1",
	} {
		assert.Equal(t, 400, s.Do(t, play.ProviderSwap, "GET", bad, nil).Status, bad)
		assert.Len(t, s.TakeProblems(), 1, bad)
	}
	for _, no := range []string{
		strings.Replace(v1, "atlas", "nobody", 1), strings.Replace(v1, "atlas", "Atlas", 1), strings.Replace(v1, s.Mint("USDC"), s.WalletAddress(), 1),
		strings.Replace(v2, s.Mint("SOL"), s.WalletAddress(), 1), strings.Replace(v2, "1000", "0", 1), strings.Replace(v1, "atlas", "plateau", 1),
	} {
		assert.Equal(t, 400, s.Do(t, play.ProviderSwap, "GET", no, nil).Status, no)
	}
	assert.Equal(t, 401, s.Do(t, play.ProviderSwap, "GET", v2, nil, "X-API-KEY", "wrong").Status)
	assert.Equal(t, 401, s.Do(t, play.ProviderSwap, "GET", v2, nil, "X-API-KEY", "").Status)
	assert.Len(t, s.TakeProblems(), 1, "without a key nothing goes")
}

func TestErrorForms(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	bad := s.v2("SOL", "USDC", 0, 50, "")
	assert.NotEmpty(t, s.Do(t, play.ProviderSwap, "GET", bad, nil).Text("error"))
	assert.NotEmpty(t, s.Do(t, play.ProviderSwap, "GET", bad, nil).Text("message"))
	s.ProviderSwap.SetErrors(providerswap.ErrorsJSON)
	for range 2 {
		a := s.Do(t, play.ProviderSwap, "GET", bad, nil)
		assert.Equal(t, map[string]any{"error": "no route for the pair and amount"}, a.JSON)
	}
	s.ProviderSwap.SetErrors(providerswap.ErrorsHTML)
	s.Fault(play.Route{Service: play.ProviderSwap, Pattern: "/api/v2/quote"}, play.Fault{Status: 502, Times: 1})
	gateway := s.Do(t, play.ProviderSwap, "GET", bad, nil)
	assert.Equal(t, 502, gateway.Status)
	assert.Equal(t, "text/html; charset=utf-8", gateway.Header.Get("Content-Type"))
	assert.Contains(t, string(gateway.Raw), "<h1>Bad Gateway</h1>")
	assert.Contains(t, string(s.Do(t, play.ProviderSwap, "GET", bad, nil).Raw), "<h1>Bad Request</h1>")
}

func TestTransactionsCanBeAttacked(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	s.Attack(func(string, []byte, [32]byte) []byte { return []byte("attack") })
	want := base64.StdEncoding.EncodeToString([]byte("attack"))
	assert.Equal(t, want, s.get(t, s.v2("SOL", "USDC", 1000_000, 50, s.WalletAddress())).Text("txn"))
	assert.Equal(t, want, s.build(t, "SOL", "USDC", 1_000_000, 50, "&provider=atlas"))
	fee := s.get(t, "/api/v1/fee/custom?payer="+s.WalletAddress()+"&receiver="+s.WalletAddress()+"&lamports=1")
	assert.Equal(t, want, built(fee))
}
