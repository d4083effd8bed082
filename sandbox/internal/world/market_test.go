package world_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox/internal/worldtest"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// pricesOf asks every service that prices by the market what a SOL is worth, in
// dollars: the quotes for a hundredth of one, so that the pools' depth does not count.
func pricesOf(t *testing.T, s *started) map[string]float64 {
	t.Helper()
	number := func(a worldtest.Answer, path ...any) float64 {
		t.Helper()
		x, err := strconv.ParseFloat(strings.TrimSpace(a.Text(path...)), 64)
		require.NoError(t, err, "%s", a.Raw)
		return x
	}
	const part = 10_000_000
	sol, usdc := s.Mint("SOL"), s.Mint("USDC")
	venues := map[string]float64{}
	for _, venue := range []string{"atlas", "delta", "prism", "tidal", "quill"} {
		a := s.Do(t, play.Swap, "GET", s.SwapQuery("/quote", "SOL", "USDC", part, "dexes", venue, "onlyDirectRoutes", "true"), nil)
		venues["swap over "+venue] = number(a, "outAmount") / 1e4
	}
	f := s.Do(t, play.AMM, "GET", fmt.Sprintf("/compute/swap-base-in?inputMint=%s&outputMint=%s&amount=%d&slippageBps=50&txVersion=V0", sol, usdc, part), nil)
	venues["amm quote"] = number(f, "data", "outAmount") / 1e4
	venues["amm price list"] = number(s.DoAt(t, s.AMMDataURL(), play.AMM, "GET", "/mint/price?mints="+sol, nil), "data", sol)
	g := s.Do(t, play.ProviderSwap, "GET", fmt.Sprintf("/api/v2/quote?src_mint=%s&dst_mint=%s&amount_in=%d&slippage_bps=50", sol, usdc, part), nil)
	venues["providerswap quote"] = number(g, "destAmountOut") / 1e4
	pool := s.DoAt(t, s.AMMDataURL(), play.AMM, "GET", "/pools/info/mint?mint1="+sol+"&mint2="+usdc, nil)
	venues["amm pool"] = number(pool, "data", "data", 0, "price")
	token := s.Do(t, play.OnchainData, "GET", "/networks/solana/tokens/"+sol, nil)
	venues["onchaindata token"] = number(token, "data", "attributes", "price_usd")
	simple := s.Do(t, play.OnchainData, "GET", "/simple/networks/solana/token_price/"+sol, nil)
	venues["onchaindata price"] = number(simple, "data", "attributes", "token_prices", sol)
	candles := s.Do(t, play.OnchainData, "GET", "/networks/solana/tokens/"+sol+"/ohlcv/minute?limit=1", nil)
	venues["onchaindata candle"] = number(candles, "data", "attributes", "ohlcv_list", 0, 4)
	offers := s.Do(t, play.Leverage, "GET", "/api/v1/offers?includeTokens=true", nil)
	venues["leverage"] = number(offers, 0, "baseToken", "priceUsd")
	return venues
}

// TestMarketPriceIsOne: SetPrice moves every service that prices by the market, at
// once, far and back.
func TestMarketPriceIsOne(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, NoLimits: true, Shape: 1})
	s.Advance(7 * time.Second)
	for _, dollars := range []float64{150, 300, 3, 40_000, 149} {
		require.NoError(t, s.Pools.SetPrice(s.Mint("SOL"), uint64(dollars*1e6)))
		prices := pricesOf(t, s)
		assert.Len(t, prices, 13)
		for service, price := range prices {
			assert.InEpsilon(t, dollars, price, 0.02, service)
		}
		s.Advance(time.Hour)
		for service, price := range pricesOf(t, s) {
			assert.InEpsilon(t, dollars, price, 0.06, "%s an hour later", service)
		}
	}
}

// TestMarketStablePoolsFollow: a pool of two tokens that were worth the same trades
// them at what they are worth.
func TestMarketStablePoolsFollow(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, NoLimits: true, Shape: 1})
	for _, micros := range []uint64{500_000, 1_000_000, 2_500_000} {
		require.NoError(t, s.Pools.SetPrice(s.Mint("USDT"), micros))
		for _, venue := range []string{"plateau", "atlas", "prism"} {
			a := s.Do(t, play.Swap, "GET", s.SwapQuery("/quote", "USDT", "USDC", 1_000_000, "dexes", venue, "onlyDirectRoutes", "true"), nil)
			assert.InEpsilon(t, float64(micros), worldtest.Number(t, a.Text("outAmount")), 0.01, "%s at %d", venue, micros)
			back := s.Do(t, play.Swap, "GET", s.SwapQuery("/quote", "USDC", "USDT", 1_000_000, "dexes", venue, "onlyDirectRoutes", "true"), nil)
			assert.InEpsilon(t, 1e12/float64(micros), worldtest.Number(t, back.Text("outAmount")), 0.01, "%s at %d, the other way", venue, micros)
		}
	}
}

// TestMarketTradeMovesAll: a trade through one service moves the pool for the others.
func TestMarketTradeMovesAll(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, NoLimits: true, Shape: 1})
	s.Advance(7 * time.Second)
	before := pricesOf(t, s)
	require.NoError(t, s.FundWallet(s.WalletAddress(), 100_000_000_000_000))
	quote := s.SwapQuote(t, "SOL", "USDC", 20_000_000_000_000, "dexes", "atlas", "onlyDirectRoutes", "true", "slippageBps", "100")
	receipt := s.SignAndSubmit(t, s.swapOf(t, quote.Raw))
	require.Nil(t, receipt.Err, "%v", receipt.Logs)
	s.Advance(3 * time.Second)
	after := pricesOf(t, s)
	for _, service := range []string{"swap over atlas", "amm price list", "amm pool", "onchaindata token", "onchaindata price", "onchaindata candle"} {
		assert.Less(t, after[service], before[service]*0.95, service)
	}
	assert.Less(t, after["amm quote"], before["amm quote"], "which goes around by another pool")
	assert.Equal(t, before["swap over delta"], after["swap over delta"], "another pool")
}

func (s *started) swapOf(t *testing.T, quote []byte) string {
	t.Helper()
	a := s.Do(t, play.Swap, "POST", "/swap", `{"userPublicKey":"`+s.WalletAddress()+`","quoteResponse":`+string(quote)+`}`)
	require.Equal(t, 200, a.Status, "%s", a.Raw)
	return a.Text("swapTransaction")
}

// TestMarketSlippageAtExecution: swaps of all three services execute at the market's
// price at execution, and fail if it has moved beyond the tolerance.
func TestMarketSlippageAtExecution(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, NoLimits: true, Shape: 1})
	sol, usdc, me := s.Mint("SOL"), s.Mint("USDC"), s.WalletAddress()
	build := map[play.Service]func() string{
		play.Swap: func() string {
			quote := s.SwapQuote(t, "SOL", "USDC", 1_000_000_000, "slippageBps", "500")
			return s.swapOf(t, quote.Raw)
		},
		play.AMM: func() string {
			a := s.Do(t, play.AMM, "GET", fmt.Sprintf("/compute/swap-base-in?inputMint=%s&outputMint=%s&amount=1000000000&slippageBps=500&txVersion=V0", sol, usdc), nil)
			var envelope struct{ Data json.RawMessage }
			require.NoError(t, json.Unmarshal(a.Raw, &envelope))
			a = s.Do(t, play.AMM, "POST", "/transaction/swap-base-in", `{"swapResponse":`+string(envelope.Data)+`,"wallet":"`+me+`","txVersion":"V0"}`)
			require.Equal(t, true, a.At("success"), "%s", a.Raw)
			return a.Text("data", 0, "transaction")
		},
		play.ProviderSwap: func() string {
			a := s.Do(t, play.ProviderSwap, "GET", fmt.Sprintf("/api/v2/quote?src_mint=%s&dst_mint=%s&amount_in=1000000000&slippage_bps=500&user_account=%s", sol, usdc, me), nil)
			return a.Text("txn")
		},
	}
	require.Len(t, build, 3)
	for service, built := range build {
		require.NoError(t, s.Pools.SetPrice(sol, 150_000_000))
		late, good := built(), built()
		require.NoError(t, s.Pools.SetPrice(sol, 145_000_000))
		held := s.View().TokenBalance(me, usdc)
		receipt := s.SignAndSubmit(t, good)
		require.Nil(t, receipt.Err, "%s: %v", service, receipt.Logs)
		got := float64(s.View().TokenBalance(me, usdc)-held) / 1e6
		assert.InEpsilon(t, 145, got, 0.01, "%s: at the price at execution, not at the quote's", service)
		require.NoError(t, s.Pools.SetPrice(sol, 135_000_000))
		receipt = s.SignAndSubmit(t, late)
		require.NotNil(t, receipt.Err, "%s: beyond the tolerance", service)
		assert.Contains(t, receipt.Err.Error(), "0x1771", service)
	}
}

// TestMarketPartialFill: an order is filled in part if the market moves between two
// fills, and the rest of its input is paid back.
func TestMarketPartialFill(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, NoLimits: true, Shape: 1})
	query := s.SwapQuery("/intent", "USDC", "SOL", 100_000_000, "userPublicKey", s.WalletAddress(), "slippageBps", "100")
	intent := s.Do(t, play.Swap, "GET", query, nil)
	signed := worldtest.Sign(t, intent.Text("transaction"), s.Wallet())
	sent := s.Do(t, play.Swap, "POST", "/submit-intent", map[string]any{"signedTransaction": base64Of(signed), "intentResponse": json.RawMessage(intent.Raw)})
	require.Equal(t, 200, sent.Status, "%s", sent.Raw)
	held := s.View().TokenBalance(s.WalletAddress(), s.Mint("USDC"))
	s.Advance(1500 * time.Millisecond) // the first fill
	require.NoError(t, s.Pools.SetPrice(s.Mint("SOL"), 200_000_000))
	s.Advance(10 * time.Second)
	status := s.Do(t, play.Swap, "GET", "/order-status?signature="+sent.Text("openSignature"), nil)
	assert.Equal(t, "failed", status.Text("status"))
	require.Len(t, status.At("fills"), 1)
	assert.Equal(t, "60000000", status.Text("fills", 0, "inAmount"))
	assert.Len(t, status.At("reverts"), 3)
	assert.Equal(t, held+40_000_000, s.View().TokenBalance(s.WalletAddress(), s.Mint("USDC")), "the rest is paid back")
}

// TestMarketRoundsNeverEnd: however far the clock is advanced, there are events that
// have not closed, new ones among them.
func TestMarketRoundsNeverEnd(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, NoLimits: true, Shape: 1})
	active := func() (tickers []string) {
		a := s.Do(t, play.PredictMeta, "GET", "/api/v1/events?status=active&limit=500", nil)
		for i := range a.At("events").([]any) {
			tickers = append(tickers, a.Text("events", i, "ticker"))
		}
		return tickers
	}
	assert.Len(t, active(), 30)
	seen := map[string]bool{}
	for range 30 {
		s.Advance(5 * 24 * time.Hour)
		now := active()
		assert.Len(t, now, 30)
		fresh := 0
		for _, ticker := range now {
			if !seen[ticker] {
				fresh++
			}
			seen[ticker] = true
		}
		assert.GreaterOrEqual(t, fresh, 10, "new ones, day after day")
	}
	event := active()[29]
	a := s.Do(t, play.PredictMeta, "GET", "/api/v1/event/"+event+"?include_markets=true", nil)
	market := a.Text("markets", 0, "ticker")
	assert.NotEmpty(t, s.Do(t, play.PredictMeta, "GET", "/api/v1/orderbook/"+market, nil).At("bids"))
	mint := a.Text("markets", 0, "yes_mint")
	init := s.Do(t, play.Swap, "GET", "/prediction-market-init?marketMint="+mint+"&userPublicKey="+s.WalletAddress(), nil)
	require.Nil(t, s.SignAndSubmit(t, init.Text("transaction")).Err)
	order := s.Do(t, play.Swap, "GET", "/order?inputMint="+s.Mint("USDC")+"&outputMint="+mint+"&amount=1000000&userPublicKey="+s.WalletAddress(), nil)
	require.Equal(t, 200, order.Status, "%s", order.Raw)
	require.Nil(t, s.SignAndSubmit(t, order.Text("transaction")).Err)
	s.Advance(30 * time.Second)
	assert.Positive(t, s.View().TokenBalance(s.WalletAddress(), s.Mint("USDC")))
}

// TestMarketPoliciesRefuseByControlOnly: the params of four policies are not shown, so
// that none of them refuses anything until a test says so.
func TestMarketPoliciesRefuseByControlOnly(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, NoLimits: true})
	access, _ := s.SmartAccount.SignIn("a@example.com")
	do := func(method, path string, body any) worldtest.Answer {
		return s.Do(t, play.SmartAccount, method, path, body, "Authorization", "Bearer "+access)
	}
	account := "/accounts/" + do("POST", "/accounts", map[string]any{"name": "x", "type": "personal"}).Text("id")
	transfer := map[string]any{"instructions": []any{map[string]any{
		"programId": "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr", "accounts": []any{}, "data": "aGk=",
	}}}
	for _, kind := range []string{"allowlist", "blocklist", "time_window", "approval_required"} {
		id := do("POST", account+"/policies", map[string]any{"type": kind, "name": kind, "params": map[string]any{"destinations": []string{}, "start": "00:00", "end": "00:00"}}).Text("id")
		assert.Equal(t, 200, do("POST", account+"/transactions", transfer).Status, kind)
		require.NoError(t, s.SmartAccount.SetPolicyRefuses(id, true))
		assert.Equal(t, "POLICY_VIOLATION", do("POST", account+"/transactions", transfer).Text("error", "code"), kind)
		require.NoError(t, s.SmartAccount.SetPolicyRefuses(id, false))
		assert.Equal(t, 200, do("POST", account+"/transactions", transfer).Status, kind)
	}
}

func base64Of(raw []byte) string { return base64.StdEncoding.EncodeToString(raw) }
