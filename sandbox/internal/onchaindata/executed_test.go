package onchaindata_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox/play"
)

// tradeSOL buys USDC with SOL over one pool by way of a service, and returns
// the transaction that does.
func (s *started) tradeSOL(t *testing.T, service play.Service, lamports uint64) string {
	t.Helper()
	pair := fmt.Sprintf("inputMint=%s&outputMint=%s&slippageBps=500", s.Mint("SOL"), s.Mint("USDC"))
	var a answer
	switch service {
	case play.Swap:
		quote := s.Do(t, service, "GET", fmt.Sprintf("/quote?%s&amount=%d&onlyDirectRoutes=true&dexes=atlas", pair, lamports), nil)
		require.Equal(t, 200, quote.Status, "%s", quote.Raw)
		a = s.Do(t, service, "POST", "/swap", `{"userPublicKey":"`+s.WalletAddress()+`","quoteResponse":`+string(quote.Raw)+`}`)
	case play.AMM:
		quote := s.Do(t, service, "GET", fmt.Sprintf("/compute/swap-base-in?%s&amount=%d&txVersion=LEGACY", pair, lamports), nil)
		var envelope struct{ Data json.RawMessage }
		require.NoError(t, json.Unmarshal(quote.Raw, &envelope))
		a = s.Do(t, service, "POST", "/transaction/swap-base-in", `{"swapResponse":`+string(envelope.Data)+`,"wallet":"`+s.WalletAddress()+`","txVersion":"LEGACY","wrapSol":true}`)
		require.Equal(t, true, a.At("success"), "%s", a.Raw)
		return a.Text("data", 0, "transaction")
	case play.ProviderSwap:
		a = s.Do(t, service, "GET", fmt.Sprintf("/api/v1/swap?owner=%s&fromMint=%s&toMint=%s&amount=%d&slippage=500&provider=atlas", s.WalletAddress(), s.Mint("SOL"), s.Mint("USDC"), lamports), nil)
	}
	require.Equal(t, 200, a.Status, "%s", a.Raw)
	for _, path := range [][]any{{"swapTransaction"}, {"transaction"}, {"data", "txn"}} {
		if text := a.Text(path...); text != "" {
			return text
		}
	}
	return string(a.Raw)
}

// TestExecutedTradesShow: a trade of SOL on a pool of the market is the pool's
// last trade, makes its price and is in its candle, whichever service built it.
func TestExecutedTradesShow(t *testing.T) {
	const lamports = 30_000_000_000
	for _, service := range []play.Service{play.Swap, play.AMM, play.ProviderSwap} {
		t.Run(string(service), func(t *testing.T) {
			s := start(t, play.Config{ManualClock: true, Shape: 1})
			s.Advance(7 * time.Second)
			pool := "/networks/solana/pools/" + s.poolAddress("atlas", "SOL", "USDC")
			before := items(s.onchain(t, pool+"/trades"))
			usdc := s.View().TokenBalance(s.WalletAddress(), s.Mint("USDC"))

			receipt := s.SignAndSubmit(t, s.tradeSOL(t, service, lamports))
			require.Nil(t, receipt.Err, "%v", receipt.Logs)
			got := float64(s.View().TokenBalance(s.WalletAddress(), s.Mint("USDC"))-usdc) / 1e6

			after := items(s.onchain(t, pool+"/trades"))
			require.NotEmpty(t, after)
			last := after[:1]
			assert.NotEqual(t, before[0]["id"], last[0]["id"])
			assert.Equal(t, iDs(before[:20]), iDs(after[1:21]), "the trades of others are as they were")
			assert.Equal(t, []string{receipt.Signature.String()}, attribute(last, "tx_hash"))
			assert.Equal(t, []string{s.WalletAddress()}, attribute(last, "tx_from_address"))
			assert.Equal(t, []string{strconv.FormatUint(receipt.Slot, 10)}, attribute(last, "block_number"))
			assert.Equal(t, []string{"sell"}, attribute(last, "kind"))
			assert.Equal(t, []string{"30.000000000"}, attribute(last, "from_token_amount"))
			assert.InDelta(t, got, number(t, attribute(last, "to_token_amount")[0]), 0.01*got, "but for the fee of the service")
			rate := number(t, attribute(last, "price_from_in_currency_token")[0])
			assert.InDelta(t, number(t, attribute(last, "to_token_amount")[0])/30, rate, 1e-6)

			s.Advance(3 * time.Second) // the pool's page is refreshed every ten
			assert.Equal(t, attribute(last, "price_from_in_usd"), attribute(items(s.onchain(t, pool)), "base_token_price_usd"))
			assert.Equal(t, attribute(last, "price_from_in_usd"), attribute(items(s.onchain(t, "/networks/solana/tokens/"+s.Mint("SOL"))), "price_usd"), "the pool is SOL's deepest")
			row := s.onchain(t, pool+"/ohlcv/minute?currency=token&limit=1").At("data", "attributes", "ohlcv_list", 0).([]any)
			assert.Equal(t, rate, number(t, fmt.Sprint(row[4])), "it is the close of its candle")
			low, high := number(t, fmt.Sprint(row[3])), number(t, fmt.Sprint(row[2]))
			assert.True(t, low <= rate && rate <= high)
			assert.Greater(t, number(t, fmt.Sprint(row[5])), 0.99*got)
		})
	}
}

func TestFailedTradesDoNotShow(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, Shape: 1})
	s.Advance(7 * time.Second)
	trades := "/networks/solana/pools/" + s.poolAddress("atlas", "SOL", "USDC") + "/trades"
	before := s.onchain(t, trades)
	tx := s.tradeSOL(t, play.ProviderSwap, 200_000_000_000) // more than the wallet has
	require.NotNil(t, s.SignAndSubmit(t, tx).Err)
	assert.Equal(t, string(before.Raw), string(s.onchain(t, trades).Raw))
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(text, 64)
	require.NoError(t, err)
	require.False(t, math.IsNaN(x))
	return x
}
