package sandbox

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func (s *started) swapStatusOf(t *testing.T, signature string) answer {
	t.Helper()
	a := s.do(t, Swap, "GET", "/order-status?signature="+signature, nil)
	require.Equal(t, 200, a.Status, "%s", a.Raw)
	return a
}

func TestSwapOrderWithAndWithoutAWallet(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	query := s.swapQuery("/order", "USDC", "SOL", 150_000_000, "slippageBps", "100")
	absent, null := s.do(t, Swap, "GET", query, nil), s.do(t, Swap, "GET", query, nil)
	require.Equal(t, 200, absent.Status, "%s", absent.Raw)
	assert.NotContains(t, string(absent.Raw), "transaction")
	assert.Contains(t, string(null.Raw), `"transaction":null`)
	assert.Equal(t, "sync", absent.text("executionMode"))

	a := s.do(t, Swap, "GET", query+"&userPublicKey="+s.WalletAddress()+"&prioritizationFeeLamports=disabled", nil)
	assert.Equal(t, absent.text("outAmount"), a.text("outAmount"))
	assert.Equal(t, fmt.Sprint(s.Ledger().BlockHeight()+150), a.text("lastValidBlockHeight"))
	assert.NotEmpty(t, a.text("routePlan", 0, "marketKey"))
	assert.Nil(t, a.at("routePlan", 0, "data"), "only quotes have it")
	before := s.Ledger().Balance(s.WalletAddress())
	r := s.signAndSubmit(t, a.text("transaction"))
	require.Nil(t, r.Err)
	assert.Equal(t, before+swapNumber(t, a.text("outAmount"))-5000, s.Ledger().Balance(s.WalletAddress()))
	fee := s.do(t, Swap, "GET", query+"&platformFeeBps=1000", nil)
	assert.InEpsilon(t, swapNumber(t, a.text("outAmount"))*9/10, swapNumber(t, fee.text("outAmount")), 1e-4)
}

func TestSwapOrderStatusBeforeLanding(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	a := s.do(t, Swap, "GET", s.swapQuery("/order", "USDC", "SOL", 1_000_000, "userPublicKey", s.WalletAddress()), nil)
	signed := sign(t, a.text("transaction"), s.Wallet())
	signature := swapSignature(t, signed)
	path := "/order-status?signature=" + signature + "&lastValidBlockHeight=" + a.text("lastValidBlockHeight")
	assert.Equal(t, 404, s.do(t, Swap, "GET", path, nil).Status)
	s.Advance(150 * 400 * time.Millisecond)
	assert.Equal(t, 404, s.do(t, Swap, "GET", path, nil).Status, "the last block in which it can land")
	s.Advance(400 * time.Millisecond)
	assert.Equal(t, "expired", s.do(t, Swap, "GET", path, nil).text("status"))
	assert.Equal(t, 404, s.do(t, Swap, "GET", "/order-status?signature="+signature, nil).Status)

	require.NoError(t, s.FundWallet(s.WalletAddress(), 1))
	lent := s.do(t, Lending, "POST", lendingDepositPath, s.lendingDepositBody("USDC", "regular", 1000))
	other := s.signAndSubmit(t, lent.text("transaction"))
	assert.Equal(t, 404, s.do(t, Swap, "GET", "/order-status?signature="+other.Signature.String(), nil).Status, "no order of the service's")
}

// swapIntentBody is the body that submits an intent.
func (s *started) swapIntentBody(t *testing.T, intent answer) string {
	t.Helper()
	signed := base64.StdEncoding.EncodeToString(sign(t, intent.text("transaction"), s.Wallet()))
	return `{"signedTransaction":"` + signed + `","intentResponse":` + string(intent.Raw) + `}`
}

func TestSwapIntentWalksThroughItsStates(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	for form, pair := range [][2]string{{"SOL", "USDC"}, {"USDC", "SOL"}} {
		intent := s.do(t, Swap, "GET", s.swapQuery("/intent", pair[0], pair[1], 100_000_000, "userPublicKey", s.WalletAddress(), "slippageBps", "30"), nil)
		require.Equal(t, 200, intent.Status, "%s", intent.Raw)
		guaranteed, estimated := swapNumber(t, intent.text("guaranteedOutAmount")), swapNumber(t, intent.text("estimatedOutAmount"))
		assert.Equal(t, estimated*9970/10_000, guaranteed)
		body := s.swapIntentBody(t, intent)
		compacted := strings.NewReplacer("\r", "", "\n", "", "\t", "", "[ ]", "[]", "  ", "").Replace(body)
		assert.Equal(t, 400, s.do(t, Swap, "POST", "/submit-intent", compacted).Status)
		assert.Len(t, s.takeViolations(), 1, form)

		usdc := s.Ledger().TokenBalance(s.WalletAddress(), s.Mint("USDC"))
		sol := s.Ledger().Balance(s.WalletAddress())
		sent := s.do(t, Swap, "POST", "/submit-intent", body)
		require.Equal(t, 200, sent.Status, "%s", sent.Raw)
		assert.Equal(t, "submitted", sent.text("status"))
		assert.Equal(t, "2", sent.text("estimatedFillTime"))
		again := s.do(t, Swap, "POST", "/submit-intent", body)
		assert.Equal(t, sent.text("orderId"), again.text("orderId"), "the same bytes are the same order")

		signature := sent.text("openSignature")
		assert.Equal(t, "pending", s.swapStatusOf(t, signature).text("status"))
		s.Advance(400 * time.Millisecond)
		open := s.swapStatusOf(t, signature)
		assert.Equal(t, "open", open.text("status"))
		assert.Empty(t, open.at("fills"))
		s.Advance(time.Second)
		partly := s.swapStatusOf(t, signature)
		assert.Equal(t, "open", partly.text("status"))
		assert.Equal(t, "60000000", partly.text("fills", 0, "inAmount"))
		s.Advance(time.Second)
		filled := s.swapStatusOf(t, signature)
		assert.Equal(t, "pendingClose", filled.text("status"))
		assert.Equal(t, "40000000", filled.text("fills", 1, "inAmount"))
		s.Advance(time.Second)
		closed := s.swapStatusOf(t, signature)
		assert.Equal(t, "closed", closed.text("status"))
		out := swapNumber(t, closed.text("outAmount"))
		assert.GreaterOrEqual(t, out, guaranteed)
		assert.Equal(t, out, swapNumber(t, closed.text("fills", 0, "outAmount"))+swapNumber(t, closed.text("fills", 1, "outAmount")))
		assert.True(t, s.Ledger().TransactionStatus(closed.text("fills", 1, "signature")).Found, "the keeper's own transaction")
		if pair[1] == "USDC" {
			assert.Equal(t, usdc+out, s.Ledger().TokenBalance(s.WalletAddress(), s.Mint("USDC")))
		} else {
			assert.Equal(t, usdc-100_000_000, s.Ledger().TokenBalance(s.WalletAddress(), s.Mint("USDC")))
			assert.Greater(t, s.Ledger().Balance(s.WalletAddress()), sol+out-100_000)
		}
	}
}

func TestSwapIntentFailsAndRefunds(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	intent := s.do(t, Swap, "GET", s.swapQuery("/intent", "USDC", "DUST", 1_000_000_000, "userPublicKey", s.WalletAddress(), "slippageBps", "10"), nil)
	before := s.Ledger().TokenBalance(s.WalletAddress(), s.Mint("USDC"))
	sent := s.do(t, Swap, "POST", "/submit-intent", s.swapIntentBody(t, intent))
	require.Equal(t, 200, sent.Status, "%s", sent.Raw)
	assert.Equal(t, before-1_000_000_000, s.Ledger().TokenBalance(s.WalletAddress(), s.Mint("USDC")))
	for _, p := range s.pools.pools { // the market runs away
		if p.tokens[0].Symbol == "DUST" {
			p.reserves[0] -= p.reserves[0] / 10
		}
	}
	s.Advance(10 * time.Second)
	failed := s.swapStatusOf(t, sent.text("openSignature"))
	assert.Equal(t, "failed", failed.text("status"))
	assert.Len(t, failed.at("reverts"), 3)
	assert.Equal(t, "0", failed.text("outAmount"))
	assert.Equal(t, before, s.Ledger().TokenBalance(s.WalletAddress(), s.Mint("USDC")), "paid back")
}

func TestSwapIntentRefusals(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	query := s.swapQuery("/intent", "USDC", "SOL", 1_000_000, "userPublicKey", s.WalletAddress())
	intent, other := s.do(t, Swap, "GET", query, nil), s.do(t, Swap, "GET", query, nil)
	mixed := strings.Replace(s.swapIntentBody(t, intent), string(intent.Raw), string(other.Raw), 1)
	assert.Equal(t, 400, s.do(t, Swap, "POST", "/submit-intent", mixed).Status, "the transaction of another intent")
	unsigned := `{"signedTransaction":"` + intent.text("transaction") + `","intentResponse":` + string(intent.Raw) + `}`
	assert.Equal(t, 400, s.do(t, Swap, "POST", "/submit-intent", unsigned).Status)
	assert.Equal(t, 400, s.do(t, Swap, "POST", "/submit-intent", `{"signedTransaction":"AAAA","intentResponse":`+string(intent.Raw)+`}`).Status)
	assert.Equal(t, 400, s.do(t, Swap, "POST", "/submit-intent", `{"signedTransaction":"%","intentResponse":`+string(intent.Raw)+`}`).Status)
	assert.Equal(t, []string{"signedTransaction is not base64"}, s.takeViolations())
	s.Advance(2 * time.Minute)
	assert.Equal(t, 400, s.do(t, Swap, "POST", "/submit-intent", s.swapIntentBody(t, intent)).Status, "its blockhash is too old")
	expired := s.do(t, Swap, "GET", "/order-status?signature="+swapSignature(t, sign(t, intent.text("transaction"), s.Wallet()))+"&lastValidBlockHeight="+intent.text("lastValidBlockHeight"), nil)
	assert.Equal(t, "expired", expired.text("status"))
}

// swapLiveMarket is a market that trades, or one that does not yet.
func (s *started) swapMarket(t *testing.T, live bool) *predictMetaMarket {
	t.Helper()
	for _, m := range s.predictMeta.markets {
		if now := s.Now().Unix(); m.live(now) == live && (live || m.opens > now) {
			return m
		}
	}
	require.Fail(t, "no such market")
	return nil
}

func TestSwapPredictionOrders(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	m := s.swapMarket(t, true)
	usdc := s.Mint("USDC")
	tokens := s.do(t, Swap, "GET", "/tokens", nil)
	assert.Contains(t, tokens.at("tokens"), m.no)
	order := func(from, to string, amount uint64, more string) answer {
		return s.do(t, Swap, "GET", fmt.Sprintf("/order?inputMint=%s&outputMint=%s&amount=%d%s", from, to, amount, more), nil)
	}
	user := "&userPublicKey=" + s.WalletAddress() + "&predictionMarketSlippageBps=3000"
	priced := order(usdc, m.yes, 10_000_000, "")
	assert.Equal(t, "async", priced.text("executionMode"))
	cents := uint64(m.yesPrice(s.Now().Unix()) + m.halfSpread(s.Now().Unix()))
	assert.Equal(t, fmt.Sprint(1_000_000_000/cents), priced.text("outAmount"))
	scaled := order(usdc, m.yes, 10_000_000, "&platformFeeScale=100")
	assert.Less(t, swapNumber(t, scaled.text("outAmount")), swapNumber(t, priced.text("outAmount")))

	bought := order(usdc, m.yes, 10_000_000, user)
	require.Equal(t, 200, bought.Status, "%s", bought.Raw)
	r := s.signAndSubmit(t, bought.text("transaction"))
	require.Nil(t, r.Err)
	s.Advance(5 * time.Second)
	status := s.swapStatusOf(t, r.Signature.String())
	require.Equal(t, "closed", status.text("status"), "%s", status.Raw)
	out := swapNumber(t, status.text("outAmount"))
	assert.GreaterOrEqual(t, out, swapNumber(t, bought.text("minOutAmount")))
	outcome, ok := s.swap.outcome(m.yes)
	require.True(t, ok)
	assert.Equal(t, out, s.holding(publicKey(s.Wallet()), outcome.Token))

	before := s.Ledger().TokenBalance(s.WalletAddress(), usdc)
	sold := order(m.yes, usdc, out, user)
	r = s.signAndSubmit(t, sold.text("transaction"))
	require.Nil(t, r.Err)
	s.Advance(5 * time.Second)
	assert.Equal(t, before+swapNumber(t, s.swapStatusOf(t, r.Signature.String()).text("outAmount")), s.Ledger().TokenBalance(s.WalletAddress(), usdc))

	assert.Equal(t, 400, order(s.Mint("SOL"), m.yes, 1000, "").Status, "for USDC only")
	assert.Equal(t, 400, order(usdc, m.yes, 0, "").Status)
	assert.Equal(t, 400, order(usdc, m.ledger, 1000, "").Status, "the ledger mint is no outcome")
	closed := s.predictMeta.markets[0]
	assert.Equal(t, 400, order(usdc, closed.yes, 1000, "").Status, "closed")
}

func TestSwapPredictionMarketInit(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	m := s.swapMarket(t, false)
	s.Advance(2 * time.Hour)
	require.True(t, m.live(s.Now().Unix()))
	order := fmt.Sprintf("/order?inputMint=%s&outputMint=%s&amount=1000000", s.Mint("USDC"), m.no)
	assert.Equal(t, 400, s.do(t, Swap, "GET", order, nil).Status)
	init := "/prediction-market-init?userPublicKey=" + s.WalletAddress() + "&marketMint="
	a := s.do(t, Swap, "GET", init+m.no, nil)
	require.Equal(t, 200, a.Status, "%s", a.Raw)
	assert.Equal(t, m.no, a.text("marketInfo", "mint"))
	assert.Equal(t, m.event.series.ticker, a.text("marketInfo", "series"))
	assert.Equal(t, m.event.ticker, a.text("marketInfo", "event"))
	assert.Equal(t, "no", a.text("marketInfo", "outcome"))
	require.Nil(t, s.signAndSubmit(t, a.text("transaction")).Err)
	assert.Equal(t, 200, s.do(t, Swap, "GET", order, nil).Status)
	assert.Equal(t, 404, s.do(t, Swap, "GET", init+s.Mint("USDC"), nil).Status)
}

func TestSwapTransactionsCanBeAttacked(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	quote := s.swapQuote(t, "SOL", "USDC", 1_000_000)
	m := s.swapMarket(t, true)
	var attacked []string
	s.Attack(func(service string, honest []byte, owner [32]byte) []byte {
		attacked = append(attacked, service)
		return append([]byte{0}, honest...)
	})
	user := "userPublicKey=" + s.WalletAddress()
	for _, a := range []answer{
		s.swapBuild(t, quote, ""),
		s.do(t, Swap, "GET", s.swapQuery("/order", "SOL", "USDC", 1_000_000)+"&"+user, nil),
		s.do(t, Swap, "GET", s.swapQuery("/intent", "SOL", "USDC", 1_000_000)+"&"+user, nil),
		s.do(t, Swap, "GET", "/prediction-market-init?"+user+"&marketMint="+m.yes, nil),
	} {
		text := a.text("transaction")
		if text == "" {
			text = a.text("swapTransaction")
		}
		raw, err := base64.StdEncoding.DecodeString(text)
		require.NoError(t, err)
		assert.Zero(t, raw[0])
	}
	assert.Equal(t, []string{"swap", "swap", "swap", "swap"}, attacked)
}

// swapSignature is the first signature of a signed transaction.
func swapSignature(t *testing.T, signed []byte) string {
	t.Helper()
	require.EqualValues(t, 1, signed[0])
	return base58.Encode(signed[1:65])
}
