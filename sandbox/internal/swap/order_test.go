package swap_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/predictmeta"
	"github.com/walletfi/walletfi-go/sandbox/internal/worldtest"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

func (s *started) statusOf(t *testing.T, signature string) answer {
	t.Helper()
	a := s.Do(t, play.Swap, "GET", "/order-status?signature="+signature, nil)
	require.Equal(t, 200, a.Status, "%s", a.Raw)
	return a
}

func TestOrderWithAndWithoutAWallet(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	query := s.SwapQuery("/order", "USDC", "SOL", 150_000_000, "slippageBps", "100")
	absent, null := s.Do(t, play.Swap, "GET", query, nil), s.Do(t, play.Swap, "GET", query, nil)
	require.Equal(t, 200, absent.Status, "%s", absent.Raw)
	assert.NotContains(t, string(absent.Raw), "transaction")
	assert.Contains(t, string(null.Raw), `"transaction":null`)
	assert.Equal(t, "sync", absent.Text("executionMode"))

	a := s.Do(t, play.Swap, "GET", query+"&userPublicKey="+s.WalletAddress()+"&prioritizationFeeLamports=disabled", nil)
	assert.Equal(t, absent.Text("outAmount"), a.Text("outAmount"))
	assert.Equal(t, s.LastValid(), a.Text("lastValidBlockHeight"))
	assert.NotEmpty(t, a.Text("routePlan", 0, "marketKey"))
	assert.Nil(t, a.At("routePlan", 0, "data"), "only quotes have it")
	before := s.View().Balance(s.WalletAddress())
	r := s.SignAndSubmit(t, a.Text("transaction"))
	require.Nil(t, r.Err)
	assert.Equal(t, before+worldtest.Number(t, a.Text("outAmount"))-5000, s.View().Balance(s.WalletAddress()))
	fee := s.Do(t, play.Swap, "GET", query+"&platformFeeBps=1000", nil)
	assert.InEpsilon(t, worldtest.Number(t, a.Text("outAmount"))*9/10, worldtest.Number(t, fee.Text("outAmount")), 1e-4)
}

func TestOrderStatusBeforeLanding(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	a := s.Do(t, play.Swap, "GET", s.SwapQuery("/order", "USDC", "SOL", 1_000_000, "userPublicKey", s.WalletAddress()), nil)
	signed := worldtest.Sign(t, a.Text("transaction"), s.Wallet())
	signature := worldtest.Signature(t, signed)
	path := "/order-status?signature=" + signature + "&lastValidBlockHeight=" + a.Text("lastValidBlockHeight")
	assert.Equal(t, 404, s.Do(t, play.Swap, "GET", path, nil).Status)
	s.Advance(150 * 400 * time.Millisecond)
	assert.Equal(t, 404, s.Do(t, play.Swap, "GET", path, nil).Status, "the last block in which it can land")
	s.Advance(400 * time.Millisecond)
	assert.Equal(t, "expired", s.Do(t, play.Swap, "GET", path, nil).Text("status"))
	assert.Equal(t, 404, s.Do(t, play.Swap, "GET", "/order-status?signature="+signature, nil).Status)

	require.NoError(t, s.FundWallet(s.WalletAddress(), 1))
	lent := s.Do(t, play.Lending, "POST", worldtest.LendingDepositPath, s.LendingDepositBody("USDC", "regular", 1000))
	other := s.SignAndSubmit(t, lent.Text("transaction"))
	assert.Equal(t, 404, s.Do(t, play.Swap, "GET", "/order-status?signature="+other.Signature.String(), nil).Status, "no order of the service's")
}

// swapIntentBody is the body that submits an intent.
func (s *started) intentBody(t *testing.T, intent answer) string {
	t.Helper()
	signed := base64.StdEncoding.EncodeToString(worldtest.Sign(t, intent.Text("transaction"), s.Wallet()))
	return `{"signedTransaction":"` + signed + `","intentResponse":` + string(intent.Raw) + `}`
}

func TestIntentWalksThroughItsStates(t *testing.T) {
	s := start(t, play.Config{StrictEcho: true, ManualClock: true})
	for form, pair := range [][2]string{{"SOL", "USDC"}, {"USDC", "SOL"}} {
		intent := s.Do(t, play.Swap, "GET", s.SwapQuery("/intent", pair[0], pair[1], 100_000_000, "userPublicKey", s.WalletAddress(), "slippageBps", "30"), nil)
		require.Equal(t, 200, intent.Status, "%s", intent.Raw)
		guaranteed, estimated := worldtest.Number(t, intent.Text("guaranteedOutAmount")), worldtest.Number(t, intent.Text("estimatedOutAmount"))
		assert.Equal(t, estimated*9970/10_000, guaranteed)
		body := s.intentBody(t, intent)
		compacted := strings.NewReplacer("\r", "", "\n", "", "\t", "", "[ ]", "[]", "  ", "").Replace(body)
		assert.Equal(t, 400, s.Do(t, play.Swap, "POST", "/submit-intent", compacted).Status)
		assert.Len(t, s.TakeProblems(), 1, form)

		usdc := s.View().TokenBalance(s.WalletAddress(), s.Mint("USDC"))
		sol := s.View().Balance(s.WalletAddress())
		sent := s.Do(t, play.Swap, "POST", "/submit-intent", body)
		require.Equal(t, 200, sent.Status, "%s", sent.Raw)
		assert.Equal(t, "submitted", sent.Text("status"))
		assert.Equal(t, "2", sent.Text("estimatedFillTime"))
		again := s.Do(t, play.Swap, "POST", "/submit-intent", body)
		assert.Equal(t, sent.Text("orderId"), again.Text("orderId"), "the same bytes are the same order")

		signature := sent.Text("openSignature")
		assert.Equal(t, "pending", s.statusOf(t, signature).Text("status"))
		s.Advance(400 * time.Millisecond)
		open := s.statusOf(t, signature)
		assert.Equal(t, "open", open.Text("status"))
		assert.Empty(t, open.At("fills"))
		s.Advance(time.Second)
		partly := s.statusOf(t, signature)
		assert.Equal(t, "open", partly.Text("status"))
		assert.Equal(t, "60000000", partly.Text("fills", 0, "inAmount"))
		s.Advance(time.Second)
		filled := s.statusOf(t, signature)
		assert.Equal(t, "pendingClose", filled.Text("status"))
		assert.Equal(t, "40000000", filled.Text("fills", 1, "inAmount"))
		s.Advance(time.Second)
		closed := s.statusOf(t, signature)
		assert.Equal(t, "closed", closed.Text("status"))
		out := worldtest.Number(t, closed.Text("outAmount"))
		assert.GreaterOrEqual(t, out, guaranteed)
		assert.Equal(t, out, worldtest.Number(t, closed.Text("fills", 0, "outAmount"))+worldtest.Number(t, closed.Text("fills", 1, "outAmount")))
		assert.True(t, s.View().TransactionStatus(closed.Text("fills", 1, "signature")).Found, "the keeper's own transaction")
		if pair[1] == "USDC" {
			assert.Equal(t, usdc+out, s.View().TokenBalance(s.WalletAddress(), s.Mint("USDC")))
		} else {
			assert.Equal(t, usdc-100_000_000, s.View().TokenBalance(s.WalletAddress(), s.Mint("USDC")))
			assert.Greater(t, s.View().Balance(s.WalletAddress()), sol+out-100_000)
		}
	}
}

func TestIntentFailsAndRefunds(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	intent := s.Do(t, play.Swap, "GET", s.SwapQuery("/intent", "USDC", "DUST", 1_000_000_000, "userPublicKey", s.WalletAddress(), "slippageBps", "10"), nil)
	before := s.View().TokenBalance(s.WalletAddress(), s.Mint("USDC"))
	sent := s.Do(t, play.Swap, "POST", "/submit-intent", s.intentBody(t, intent))
	require.Equal(t, 200, sent.Status, "%s", sent.Raw)
	assert.Equal(t, before-1_000_000_000, s.View().TokenBalance(s.WalletAddress(), s.Mint("USDC")))
	for _, p := range s.Pools.Pools { // the market runs away
		if p.Tokens[0].Symbol == "DUST" {
			p.Reserves[0] -= p.Reserves[0] / 10
		}
	}
	s.Advance(10 * time.Second)
	failed := s.statusOf(t, sent.Text("openSignature"))
	assert.Equal(t, "failed", failed.Text("status"))
	assert.Len(t, failed.At("reverts"), 3)
	assert.Equal(t, "0", failed.Text("outAmount"))
	assert.Equal(t, before, s.View().TokenBalance(s.WalletAddress(), s.Mint("USDC")), "paid back")
}

func TestIntentRefusals(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	query := s.SwapQuery("/intent", "USDC", "SOL", 1_000_000, "userPublicKey", s.WalletAddress())
	intent, other := s.Do(t, play.Swap, "GET", query, nil), s.Do(t, play.Swap, "GET", query, nil)
	mixed := strings.Replace(s.intentBody(t, intent), string(intent.Raw), string(other.Raw), 1)
	assert.Equal(t, 400, s.Do(t, play.Swap, "POST", "/submit-intent", mixed).Status, "the transaction of another intent")
	unsigned := `{"signedTransaction":"` + intent.Text("transaction") + `","intentResponse":` + string(intent.Raw) + `}`
	assert.Equal(t, 400, s.Do(t, play.Swap, "POST", "/submit-intent", unsigned).Status)
	assert.Equal(t, 400, s.Do(t, play.Swap, "POST", "/submit-intent", `{"signedTransaction":"AAAA","intentResponse":`+string(intent.Raw)+`}`).Status)
	assert.Equal(t, 400, s.Do(t, play.Swap, "POST", "/submit-intent", `{"signedTransaction":"%","intentResponse":`+string(intent.Raw)+`}`).Status)
	assert.Equal(t, []string{"transaction 0: the transaction is malformed: ledger: the transaction ends early", "transaction 0: the transaction is not base64"}, s.TakeProblems())
	s.Advance(2 * time.Minute)
	assert.Equal(t, 400, s.Do(t, play.Swap, "POST", "/submit-intent", s.intentBody(t, intent)).Status, "its blockhash is too old")
	expired := s.Do(t, play.Swap, "GET", "/order-status?signature="+worldtest.Signature(t, worldtest.Sign(t, intent.Text("transaction"), s.Wallet()))+"&lastValidBlockHeight="+intent.Text("lastValidBlockHeight"), nil)
	assert.Equal(t, "expired", expired.Text("status"))
}

// swapLiveMarket is a market that trades, or one that does not yet.
func (s *started) market(t *testing.T, live bool) *predictmeta.Market {
	t.Helper()
	for _, m := range s.PredictMeta.Markets {
		if now := s.Time().Unix(); m.Live(now) == live && (live || m.Opens > now) {
			return m
		}
	}
	require.Fail(t, "no such market")
	return nil
}

func TestPredictionOrders(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	m := s.market(t, true)
	usdc := s.Mint("USDC")
	tokens := s.Do(t, play.Swap, "GET", "/tokens", nil)
	assert.Contains(t, tokens.At("tokens"), m.No)
	order := func(from, to string, amount uint64, more string) answer {
		return s.Do(t, play.Swap, "GET", fmt.Sprintf("/order?inputMint=%s&outputMint=%s&amount=%d%s", from, to, amount, more), nil)
	}
	user := "&userPublicKey=" + s.WalletAddress() + "&predictionMarketSlippageBps=3000"
	priced := order(usdc, m.Yes, 10_000_000, "")
	assert.Equal(t, "async", priced.Text("executionMode"))
	cents := uint64(m.YesPrice(s.Time().Unix()) + m.HalfSpread(s.Time().Unix()))
	assert.Equal(t, fmt.Sprint(1_000_000_000/cents), priced.Text("outAmount"))
	scaled := order(usdc, m.Yes, 10_000_000, "&platformFeeScale=100")
	assert.Less(t, worldtest.Number(t, scaled.Text("outAmount")), worldtest.Number(t, priced.Text("outAmount")))

	bought := order(usdc, m.Yes, 10_000_000, user)
	require.Equal(t, 200, bought.Status, "%s", bought.Raw)
	r := s.SignAndSubmit(t, bought.Text("transaction"))
	require.Nil(t, r.Err)
	s.Advance(5 * time.Second)
	status := s.statusOf(t, r.Signature.String())
	require.Equal(t, "closed", status.Text("status"), "%s", status.Raw)
	out := worldtest.Number(t, status.Text("outAmount"))
	assert.GreaterOrEqual(t, out, worldtest.Number(t, bought.Text("minOutAmount")))
	outcome, ok := s.Swap.Outcome(m.Yes)
	require.True(t, ok)
	assert.Equal(t, out, s.Holding(build.PublicKey(s.Wallet()), outcome.Token))

	before := s.View().TokenBalance(s.WalletAddress(), usdc)
	sold := order(m.Yes, usdc, out, user)
	r = s.SignAndSubmit(t, sold.Text("transaction"))
	require.Nil(t, r.Err)
	s.Advance(5 * time.Second)
	assert.Equal(t, before+worldtest.Number(t, s.statusOf(t, r.Signature.String()).Text("outAmount")), s.View().TokenBalance(s.WalletAddress(), usdc))

	assert.Equal(t, 400, order(s.Mint("SOL"), m.Yes, 1000, "").Status, "for USDC only")
	assert.Equal(t, 400, order(usdc, m.Yes, 0, "").Status)
	assert.Equal(t, 400, order(usdc, m.Ledger, 1000, "").Status, "the ledger mint is no outcome")
	closed := s.PredictMeta.Markets[0]
	assert.Equal(t, 400, order(usdc, closed.Yes, 1000, "").Status, "closed")
}

func TestPredictionMarketInit(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	m := s.market(t, false)
	s.Advance(2 * time.Hour)
	require.True(t, m.Live(s.Time().Unix()))
	order := fmt.Sprintf("/order?inputMint=%s&outputMint=%s&amount=1000000", s.Mint("USDC"), m.No)
	assert.Equal(t, 400, s.Do(t, play.Swap, "GET", order, nil).Status)
	init := "/prediction-market-init?userPublicKey=" + s.WalletAddress() + "&marketMint="
	a := s.Do(t, play.Swap, "GET", init+m.No, nil)
	require.Equal(t, 200, a.Status, "%s", a.Raw)
	assert.Equal(t, m.No, a.Text("marketInfo", "mint"))
	assert.Equal(t, m.Event.Series.Ticker, a.Text("marketInfo", "series"))
	assert.Equal(t, m.Event.Ticker, a.Text("marketInfo", "event"))
	assert.Equal(t, "no", a.Text("marketInfo", "outcome"))
	require.Nil(t, s.SignAndSubmit(t, a.Text("transaction")).Err)
	assert.Equal(t, 200, s.Do(t, play.Swap, "GET", order, nil).Status)
	assert.Equal(t, 404, s.Do(t, play.Swap, "GET", init+s.Mint("USDC"), nil).Status)
}

func TestTransactionsCanBeAttacked(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	quote := s.SwapQuote(t, "SOL", "USDC", 1_000_000)
	m := s.market(t, true)
	var attacked []string
	s.Attack(func(service string, honest []byte, owner [32]byte) []byte {
		attacked = append(attacked, service)
		return append([]byte{0}, honest...)
	})
	user := "userPublicKey=" + s.WalletAddress()
	for _, a := range []answer{
		s.build(t, quote, ""),
		s.Do(t, play.Swap, "GET", s.SwapQuery("/order", "SOL", "USDC", 1_000_000)+"&"+user, nil),
		s.Do(t, play.Swap, "GET", s.SwapQuery("/intent", "SOL", "USDC", 1_000_000)+"&"+user, nil),
		s.Do(t, play.Swap, "GET", "/prediction-market-init?"+user+"&marketMint="+m.Yes, nil),
	} {
		text := a.Text("transaction")
		if text == "" {
			text = a.Text("swapTransaction")
		}
		raw, err := base64.StdEncoding.DecodeString(text)
		require.NoError(t, err)
		assert.Zero(t, raw[0])
	}
	assert.Equal(t, []string{"swap", "swap", "swap", "swap"}, attacked)
}
