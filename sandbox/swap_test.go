package sandbox

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// swapQuery asks for a trade of the pair, with more parameters in pairs.
func (s *started) swapQuery(path, from, to string, amount uint64, more ...string) string {
	q := url.Values{"inputMint": {s.Mint(from)}, "outputMint": {s.Mint(to)}, "amount": {fmt.Sprint(amount)}}
	for i := 0; i < len(more); i += 2 {
		q.Set(more[i], more[i+1])
	}
	return path + "?" + q.Encode()
}

// swapQuote is a quote as it was served.
func (s *started) swapQuote(t *testing.T, from, to string, amount uint64, more ...string) answer {
	t.Helper()
	a := s.do(t, Swap, "GET", s.swapQuery("/quote", from, to, amount, more...), nil)
	require.Equal(t, 200, a.Status, "%s", a.Raw)
	return a
}

// swapBody is a swap's body as text, the quote in it as it came.
func (s *started) swapBody(quote []byte, more string) string {
	return `{"userPublicKey":"` + s.WalletAddress() + `","quoteResponse":` + string(quote) + more + `}`
}

func (s *started) swapBuild(t *testing.T, quote answer, more string) answer {
	t.Helper()
	a := s.do(t, Swap, "POST", "/swap", s.swapBody(quote.Raw, more))
	require.Equal(t, 200, a.Status, "%s", a.Raw)
	return a
}

func swapNumber(t *testing.T, text string) uint64 {
	t.Helper()
	n, err := json.Number(text).Int64()
	require.NoError(t, err, text)
	return uint64(n)
}

func TestSwapListings(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	mints := s.do(t, Swap, "GET", "/tokens", nil)
	tokens := s.do(t, Swap, "GET", "/tokens-with-decimals", nil)
	assert.Equal(t, s.Mint("SOL"), mints.text("tokens", 0))
	assert.Equal(t, s.Mint("SOL"), tokens.text("tokens", 0, "mint"))
	assert.Equal(t, "9", tokens.text("tokens", 0, "decimals"))
	assert.Equal(t, "SOL", tokens.text("tokens", 0, "symbol"))
	assert.Len(t, tokens.at("tokens"), len(mints.at("tokens").([]any)))
	venues := s.do(t, Swap, "GET", "/venues", nil)
	require.Len(t, venues.at("venues"), 10)
	assert.Equal(t, "Atlas", venues.text("venues", 0, "name"))
	assert.Equal(t, "atlas", venues.text("venues", 0, "id"))
	assert.Equal(t, true, venues.at("venues", 0, "enabled"))
}

func TestSwapQuoteThenSwap(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	usdc := s.Mint("USDC")
	for range poolDisguises {
		quote := s.swapQuote(t, "SOL", "USDC", 2_000_000_000, "slippageBps", "50")
		out, least := swapNumber(t, quote.text("outAmount")), swapNumber(t, quote.text("minOutAmount"))
		assert.Equal(t, out*9950/10_000, least)
		assert.Equal(t, quote.text("minOutAmount"), quote.text("otherAmountThreshold"))
		assert.Equal(t, "2000000000", quote.text("inAmount"))
		assert.Equal(t, "50", quote.text("slippageBps"))
		assert.NotEmpty(t, quote.text("requestId"))
		assert.Equal(t, fmt.Sprint(s.Ledger().Slot()), quote.text("contextSlot"))
		assert.NotNil(t, quote.at("trace"), "a member that nobody documents")

		lamports, held := s.Ledger().Balance(s.WalletAddress()), s.Ledger().TokenBalance(s.WalletAddress(), usdc)
		built := s.swapBuild(t, quote, `,"prioritizationFeeLamports":12345`)
		assert.Equal(t, "12345", built.text("prioritizationFeeLamports"))
		assert.Equal(t, "compute-budget", built.text("prioritizationType"))
		assert.Equal(t, "500000", built.text("computeUnitLimit"))
		r := s.signAndSubmit(t, built.text("swapTransaction"))
		require.Nil(t, r.Err, "%v", r.Logs)
		assert.EqualValues(t, 5000+12_345, r.Fee, "exact lamports")
		assert.Equal(t, held+out, s.Ledger().TokenBalance(s.WalletAddress(), usdc))
		assert.Equal(t, lamports-2_000_000_000-r.Fee, s.Ledger().Balance(s.WalletAddress()))

		status := s.do(t, Swap, "GET", "/order-status?signature="+r.Signature.String(), nil)
		assert.Equal(t, "pending", status.text("status"))
		s.Advance(time.Second)
		status = s.do(t, Swap, "GET", "/order-status?signature="+r.Signature.String(), nil)
		assert.Equal(t, "closed", status.text("status"))
		assert.Equal(t, "2000000000", status.text("inAmount"))
		assert.Equal(t, fmt.Sprint(out), status.text("fills", 0, "outAmount"))
	}
}

func TestSwapQuoteMustComeBackByteForByte(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	for form := range poolDisguises {
		quote := s.swapQuote(t, "SOL", "USDC", 1_000_000_000)
		if form == 1 {
			assert.Contains(t, string(quote.Raw), "\r", "odd white space")
		}
		for name, change := range map[string]func([]byte) []byte{
			"compacted": func(b []byte) []byte { return mustJSON(json.RawMessage(b)) },
			"decoded":   func([]byte) []byte { return mustJSON(quote.JSON) },
			"one digit": func(b []byte) []byte { return []byte(strings.Replace(string(b), quote.text("outAmount"), "1", 1)) },
			"one space": func(b []byte) []byte { return []byte(strings.Replace(string(b), "{", "{ ", 1)) },
		} {
			a := s.do(t, Swap, "POST", "/swap", s.swapBody(change(quote.Raw), ""))
			assert.Equal(t, 400, a.Status, name)
			assert.Equal(t, []string{"quoteResponse is not, to the byte, what was served"}, s.takeViolations(), name)
		}
		assert.Equal(t, 200, s.do(t, Swap, "POST", "/swap-instructions", s.swapBody(quote.Raw, "")).Status)
		s.Advance(swapQuoteLife + time.Second)
		assert.Equal(t, 400, s.do(t, Swap, "POST", "/swap", s.swapBody(quote.Raw, "")).Status, "too old")
	}
}

func TestSwapSlippageFails(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	first := s.swapQuote(t, "SOL", "USDC", 10_000_000_000, "slippageBps", "0", "dexes", "quill")
	other := s.swapQuote(t, "SOL", "USDC", 10_000_000_000, "slippageBps", "500", "dexes", "quill")
	late := s.swapBuild(t, first, "")
	require.Nil(t, s.signAndSubmit(t, s.swapBuild(t, other, "").text("swapTransaction")).Err)
	before := s.Ledger().TokenBalance(s.WalletAddress(), s.Mint("USDC"))
	r := s.signAndSubmit(t, late.text("swapTransaction"))
	require.NotNil(t, r.Err)
	assert.Contains(t, r.Err.Error(), "0x1771", "slippage: the pool has moved")
	assert.Equal(t, before, s.Ledger().TokenBalance(s.WalletAddress(), s.Mint("USDC")))
	for shape := range 2 {
		status := s.do(t, Swap, "GET", "/order-status?signature="+r.Signature.String(), nil)
		assert.Equal(t, "failed", status.text("status"))
		reason := status.text("reverts", 0)
		if shape == 0 {
			reason = status.text("reverts", 0, "reason")
		}
		assert.Contains(t, reason, "0x1771")
	}
}

func TestSwapQuoteParameters(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	free := s.swapQuote(t, "SOL", "USDC", 1_000_000_000)
	assert.Nil(t, free.at("platformFee"))
	assert.Equal(t, false, free.at("forBundle"))

	fee := s.swapQuote(t, "SOL", "USDC", 1_000_000_000, "platformFeeBps", "100", "forBundle", "true")
	assert.Equal(t, "100", fee.text("platformFee", "feeBps"))
	whole := swapNumber(t, free.text("outAmount"))
	assert.Equal(t, fmt.Sprint(whole/100), fee.text("platformFee", "amount"))
	assert.Equal(t, fmt.Sprint(whole-whole/100), fee.text("outAmount"))
	assert.Equal(t, true, fee.at("forBundle"))
	onInput := s.swapQuote(t, "SOL", "USDC", 1_000_000_000, "platformFeeBps", "100", "platformFeeMode", "inputMint")
	assert.Equal(t, "10000000", onInput.text("platformFee", "amount"))
	assert.Equal(t, "1000000000", onInput.text("inAmount"))
	assert.Equal(t, "990000000", onInput.text("routePlan", 0, "inAmount"))

	long := s.swapQuote(t, "DUST", "USDT", 1_000_000_000)
	assert.Greater(t, len(long.at("routePlan").([]any)), 1)
	assert.Equal(t, s.Mint("DUST"), long.text("routePlan", 0, "inputMint"))
	assert.Equal(t, "5", long.text("routePlan", 0, "inputMintDecimals"))
	assert.NotEmpty(t, long.text("routePlan", 0, "data"))
	for _, no := range []string{"onlyDirectRoutes=true", "maxRouteLength=1", "onlyJitRoutes=true", "dexes=tidal", "dexes=nowhere", "excludeDexes=nowhere"} {
		assert.Equal(t, 400, s.do(t, Swap, "GET", s.swapQuery("/quote", "DUST", "USDT", 1_000_000_000)+"&"+no, nil).Status, no)
	}
	assert.Equal(t, "Tidal", s.swapQuote(t, "SOL", "USDC", 1_000_000, "onlyJitRoutes", "true").text("routePlan", 0, "venue"))
	best := free.text("routePlan", 0, "venue")
	assert.NotEqual(t, best, s.swapQuote(t, "SOL", "USDC", 1_000_000, "excludeDexes", best, "onlyDirectRoutes", "true").text("routePlan", 0, "venue"))
	assert.Equal(t, "10", s.swapQuote(t, "USDC", "USDT", 1_000_000, "slippageBps", "auto").text("slippageBps"))
	assert.Equal(t, "50", free.text("slippageBps"))

	gross := s.swapQuote(t, "USDC", "TAXED", 1_000_000, "dexes", "quill")
	net := s.swapQuote(t, "USDC", "TAXED", 1_000_000, "dexes", "quill", "sponsoredSwap", "true")
	assert.Equal(t, swapNumber(t, gross.text("outAmount"))*99/100, swapNumber(t, net.text("outAmount")))
	for _, q := range []answer{gross, net} {
		before := s.Ledger().TokenBalance(s.WalletAddress(), s.Mint("TAXED"))
		require.Nil(t, s.signAndSubmit(t, s.swapBuild(t, q, "").text("swapTransaction")).Err)
		assert.InDelta(t, swapNumber(t, net.text("outAmount")), s.Ledger().TokenBalance(s.WalletAddress(), s.Mint("TAXED"))-before, 200)
	}
	small := s.swapQuote(t, "SOL", "USDC", 1_000_000, "dexes", "quill")
	large := s.swapQuote(t, "SOL", "USDC", 500_000_000_000, "dexes", "quill", "destinationSwap", "true")
	assert.Equal(t, "0.0000", small.text("priceImpactPct")[:3]+"000")
	assert.Greater(t, large.text("priceImpactPct"), "10", "75,000 dollars in a pool of 500,000 a side")
}

func TestSwapRefusesWhatIsNotDocumented(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	for _, bad := range []string{
		s.swapQuery("/quote", "SOL", "USDC", 1, "slippageBps", "10001"), s.swapQuery("/quote", "SOL", "USDC", 1, "slippageBps", "AUTO"),
		s.swapQuery("/quote", "SOL", "USDC", 1, "platformFeeMode", "both"), s.swapQuery("/quote", "SOL", "USDC", 1, "maxRouteLength", "0"),
		s.swapQuery("/quote", "SOL", "USDC", 1, "userPublicKey", s.WalletAddress()), s.swapQuery("/quote", "SOL", "USDC", 1, "forBundle", "1"),
		s.swapQuery("/intent", "SOL", "USDC", 1), s.swapQuery("/intent", "SOL", "USDC", 1, "userPublicKey", s.WalletAddress(), "slippageBps", "auto"),
		s.swapQuery("/order", "SOL", "USDC", 1, "prioritizationFeeLamports", "low"), s.swapQuery("/order", "SOL", "USDC", 1, "dexes", "atlas"),
		s.swapQuery("/order", "SOL", "USDC", 1, "prioritizationFeeLamports", `{"priorityLevel":"low"}`),
		s.swapQuery("/order", "SOL", "USDC", 1, "prioritizationFeeLamports", `{"autoMultiplier":2}`),
		s.swapQuery("/order", "SOL", "USDC", 1, "prioritizationFeeLamports", `{"bundleTipLamports":2,"priorityLevel":"high"}`),
		"/order-status", "/prediction-market-init?userPublicKey=" + s.WalletAddress(),
	} {
		assert.Equal(t, 400, s.do(t, Swap, "GET", bad, nil).Status, bad)
		assert.Len(t, s.takeViolations(), 1, bad)
	}
	for _, no := range []string{
		s.swapQuery("/quote", "SOL", "SOL", 1), s.swapQuery("/quote", "SOL", "USDC", 0), "/quote?inputMint=" + s.Mint("SOL") + "&outputMint=unknown&amount=1",
		s.swapQuery("/order", "DUST", "SOL", 1), s.swapQuery("/intent", "SOL", "USDC", 1000, "userPublicKey", "nobody"),
		"/order-status?signature=x", "/prediction-market-init?marketMint=x&userPublicKey=" + s.WalletAddress(),
	} {
		assert.Equal(t, 400, s.do(t, Swap, "GET", no, nil).Status, no)
	}
	assert.Empty(t, s.takeViolations())
	quote := s.swapQuote(t, "SOL", "USDC", 1_000_000)
	for _, bad := range []string{
		`,"computeUnitPriceMicroLamports":1,"prioritizationFeeLamports":"auto"`, `,"prioritizationFeeLamports":"7"`,
		`,"prioritizationFeeLamports":1.5`, `,"prioritizationFeeLamports":{"priorityLevel":"high","priorityLevel":"high"}`,
		`,"wrapAndUnwrapSol":"true"`, `,"destinationTokenAccount":{"createIfNeeded":true}`, `,"positiveSlippage":{"mode":"split"}`, `,"dynamic":true`, `,"sponsor":null`,
	} {
		assert.Equal(t, 400, s.do(t, Swap, "POST", "/swap", s.swapBody(quote.Raw, bad)).Status, bad)
		assert.Len(t, s.takeViolations(), 1, bad)
	}
	for _, no := range []string{
		`,"feeAccount":"` + s.WalletAddress() + `"`, `,"positiveSlippage":{"mode":"keep","bps":1}`, `,"sponsor":"nobody"`,
		`,"destinationTokenAccount":{"address":"` + s.WalletAddress() + `"}`, `,"prioritizationFeeLamports":1000000000001`,
	} {
		assert.Equal(t, 400, s.do(t, Swap, "POST", "/swap", s.swapBody(quote.Raw, no)).Status, no)
	}
}

func TestSwapErrorsAndLimits(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	first := s.do(t, Swap, "GET", s.swapQuery("/quote", "SOL", "SOL", 1), nil)
	second := s.do(t, Swap, "GET", s.swapQuery("/quote", "SOL", "SOL", 1), nil)
	assert.Equal(t, "inputMint and outputMint are the same", first.text("error"))
	assert.Equal(t, "inputMint and outputMint are the same", second.text("message"))
	assert.Equal(t, 401, s.do(t, Swap, "GET", "/venues", nil, "X-Api-Key", "wrong").Status)
	for i := range swapKeyless {
		assert.Equal(t, 200, s.do(t, Swap, "GET", "/venues", nil, "X-Api-Key", "").Status, i)
	}
	limited := s.do(t, Swap, "GET", "/venues", nil, "X-Api-Key", "")
	assert.Equal(t, 429, limited.Status)
	assert.Equal(t, "60", limited.Header.Get("Retry-After"))
	assert.Equal(t, 200, s.do(t, Swap, "GET", "/venues", nil).Status, "a key has a limit of its own")

	s.SetSwapInitializing(true)
	for _, r := range []string{"/venues", "/tokens", "/tokens-with-decimals", s.swapQuery("/order", "SOL", "USDC", 1000)} {
		assert.Equal(t, 503, s.do(t, Swap, "GET", r, nil).Status)
	}
	s.SetSwapInitializing(false)
	assert.Equal(t, 200, s.do(t, Swap, "GET", "/venues", nil).Status)
}

func TestSwapPriorityForms(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	quote := s.swapQuote(t, "SOL", "USDC", 1_000_000)
	auto := s.swap.congestion()
	for form, want := range map[string]struct {
		lamports uint64
		kind     string
	}{
		`"auto"`: {auto, "compute-budget"}, `"disabled"`: {0, "compute-budget"}, `0`: {0, "compute-budget"}, `77777`: {77_777, "compute-budget"},
		`{"priorityLevel":"medium"}`: {10_000, "compute-budget"}, `{"priorityLevel":"high"}`: {50_000, "compute-budget"},
		`{"priorityLevel":"veryHigh"}`:                {200_000, "compute-budget"},
		`{"autoMultiplier":1.5,"maxLamports":100000}`: {auto * 3 / 2, "compute-budget"},
		`{"maxLamports":9000,"autoMultiplier":20}`:    {9000, "compute-budget"},
		`{"bundleTipLamports":30000}`:                 {30_000, "bundle-tip"},
	} {
		built := s.swapBuild(t, quote, `,"dynamicComputeUnitLimit":true,"prioritizationFeeLamports":`+form)
		assert.Equal(t, fmt.Sprint(want.lamports), built.text("prioritizationFeeLamports"), form)
		assert.Equal(t, want.kind, built.text("prioritizationType"), form)
		assert.Equal(t, "125000", built.text("computeUnitLimit"))
		before := s.Ledger().Balance(s.WalletAddress())
		r := s.signAndSubmit(t, built.text("swapTransaction"))
		require.Nil(t, r.Err)
		assert.Equal(t, before-1_000_000-5000-want.lamports, s.Ledger().Balance(s.WalletAddress()), form)

		inQuery := s.do(t, Swap, "GET", s.swapQuery("/order", "SOL", "USDC", 1_000_000, "prioritizationFeeLamports", strings.Trim(form, `"`)), nil)
		assert.Equal(t, fmt.Sprint(want.lamports), inQuery.text("prioritizationFeeLamports"), form)
	}
	priced := s.swapBuild(t, quote, `,"computeUnitPriceMicroLamports":3`)
	assert.Equal(t, "2", priced.text("prioritizationFeeLamports"), "one and a half, rounded up")
	assert.EqualValues(t, 5002, s.signAndSubmit(t, priced.text("swapTransaction")).Fee)
}

func TestSwapOptionsMoveMoney(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	usdc := s.token("USDC")
	friend, sponsor := s.keypair("friend"), s.keypair("sponsor")
	address := publicKey(friend).String()
	require.NoError(t, s.FundToken(address, usdc.Mint, 5))
	account := usdc.account(publicKey(friend)).String()

	fee := s.swapQuote(t, "SOL", "USDC", 1_000_000_000, "platformFeeBps", "100")
	built := s.swapBuild(t, fee, `,"feeAccount":"`+account+`","includeSandwichMitigationAccount":true`)
	require.Nil(t, s.signAndSubmit(t, built.text("swapTransaction")).Err)
	taken := swapNumber(t, fee.text("platformFee", "amount"))
	assert.Equal(t, 5+taken, s.Ledger().TokenBalance(address, usdc.Mint))

	directed := s.swapQuote(t, "SOL", "USDC", 1_000_000_000, "destinationSwap", "true", "slippageBps", "100")
	built = s.swapBuild(t, directed, `,"destinationTokenAccount":{"address":"`+account+`"}`)
	before := s.Ledger().TokenBalance(s.WalletAddress(), usdc.Mint)
	require.Nil(t, s.signAndSubmit(t, built.text("swapTransaction")).Err)
	assert.Equal(t, before, s.Ledger().TokenBalance(s.WalletAddress(), usdc.Mint))
	assert.Equal(t, 5+taken+swapNumber(t, directed.text("outAmount")), s.Ledger().TokenBalance(address, usdc.Mint))

	own := s.token("USDT").account(publicKey(s.Wallet())).String()
	missing := s.swapQuote(t, "USDC", "USDT", 1_000_000)
	body := `,"destinationTokenAccount":{"address":"` + own + `","createIfNeeded":`
	assert.Equal(t, 400, s.do(t, Swap, "POST", "/swap", s.swapBody(missing.Raw, body+`false}`)).Status)
	require.Nil(t, s.signAndSubmit(t, s.swapBuild(t, missing, body+`true}`).text("swapTransaction")).Err)
	assert.Equal(t, missing.text("outAmount"), fmt.Sprint(s.Ledger().TokenBalance(s.WalletAddress(), s.Mint("USDT"))))

	require.NoError(t, s.FundWallet(publicKey(sponsor).String(), lamportsPerSOL))
	gasless := s.swapQuote(t, "USDC", "SOL", 1_000_000)
	tx := s.swapBuild(t, gasless, `,"sponsor":"`+publicKey(sponsor).String()+`"`).text("swapTransaction")
	lamports := s.Ledger().Balance(s.WalletAddress())
	r := s.signAndSubmitAs(t, base64.StdEncoding.EncodeToString(sign(t, tx, sponsor)), s.Wallet())
	require.Nil(t, r.Err)
	assert.Less(t, s.Ledger().Balance(publicKey(sponsor).String()), uint64(lamportsPerSOL))
	assert.Equal(t, lamports+swapNumber(t, gasless.text("outAmount"))+2_039_280, s.Ledger().Balance(s.WalletAddress()), "the sponsor's rent comes back to the owner of the account")

	wrapped := s.swapQuote(t, "USDC", "SOL", 1_000_000)
	require.Nil(t, s.signAndSubmit(t, s.swapBuild(t, wrapped, `,"wrapAndUnwrapSol":false`).text("swapTransaction")).Err)
	assert.Equal(t, wrapped.text("outAmount"), fmt.Sprint(s.Ledger().TokenBalance(s.WalletAddress(), s.Mint("SOL"))))
	back := s.swapQuote(t, "SOL", "USDC", 1_000_000)
	require.Nil(t, s.signAndSubmit(t, s.swapBuild(t, back, `,"wrapAndUnwrapSol":false`).text("swapTransaction")).Err)
	assert.Equal(t, fmt.Sprint(swapNumber(t, wrapped.text("outAmount"))-1_000_000), fmt.Sprint(s.Ledger().TokenBalance(s.WalletAddress(), s.Mint("SOL"))))
}

func TestSwapFeeOnTheInput(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	require.NoError(t, s.FundWallet(publicKey(s.keypair("friend")).String(), lamportsPerSOL))
	friend := publicKey(s.keypair("friend"))
	require.NoError(t, s.FundToken(friend.String(), s.Mint("SOL"), 1))
	account := s.token("SOL").account(friend).String()
	for i, more := range []string{`,"feeAccount":"` + account + `"`, ""} {
		quote := s.swapQuote(t, "SOL", "USDC", 1_000_000_000, "platformFeeBps", "50", "platformFeeMode", "inputMint")
		sol, usdc := s.Ledger().Balance(s.WalletAddress()), s.Ledger().TokenBalance(s.WalletAddress(), s.Mint("USDC"))
		r := s.signAndSubmit(t, s.swapBuild(t, quote, more).text("swapTransaction"))
		require.Nil(t, r.Err)
		assert.Equal(t, sol-1_000_000_000-r.Fee, s.Ledger().Balance(s.WalletAddress()), "the fee is part of the amount")
		assert.Equal(t, usdc+swapNumber(t, quote.text("outAmount")), s.Ledger().TokenBalance(s.WalletAddress(), s.Mint("USDC")))
		assert.EqualValues(t, 1+5_000_000, s.Ledger().TokenBalance(friend.String(), s.Mint("SOL")), "once, where it was named: %d", i)
	}
}

func TestSwapPositiveSlippageIsSplit(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	quote := s.swapQuote(t, "SOL", "USDC", 10_000_000_000, "dexes", "quill")
	whole := s.swapBuild(t, quote, "").text("swapTransaction")
	split := s.swapBuild(t, quote, `,"positiveSlippage":{"mode":"split","bps":5000}`).text("swapTransaction")
	h := s.poolPair(t, "quill", "USDC", "SOL")
	l, _ := s.pools.sell(h, 1_000_000_000)
	state := h.pool.reserves
	gain := func(tx string) uint64 {
		h.pool.reserves = state
		l.apply() // somebody buys SOL, so that SOL pays more
		before := s.Ledger().TokenBalance(s.WalletAddress(), s.Mint("USDC"))
		require.Nil(t, s.signAndSubmit(t, tx).Err)
		return s.Ledger().TokenBalance(s.WalletAddress(), s.Mint("USDC")) - before - swapNumber(t, quote.text("outAmount"))
	}
	all := gain(whole)
	assert.Positive(t, all)
	assert.Equal(t, all-all/2, gain(split))
}

func TestSwapInstructions(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	quote := s.swapQuote(t, "SOL", "USDC", 1_000_000)
	a := s.do(t, Swap, "POST", "/swap-instructions", s.swapBody(quote.Raw, `,"prioritizationFeeLamports":{"bundleTipLamports":1}`))
	require.Equal(t, 200, a.Status, "%s", a.Raw)
	assert.Equal(t, "500000", a.text("computeUnitLimit"))
	assert.Len(t, a.at("addressLookupTableAddresses"), 1)
	var instructions []solana.Instruction
	for i := range a.at("instructions").([]any) {
		data, err := base64.StdEncoding.DecodeString(a.text("instructions", i, "data"))
		require.NoError(t, err)
		var metas solana.AccountMetaSlice
		for j := range a.at("instructions", i, "accounts").([]any) {
			key := solana.MustPublicKeyFromBase58(a.text("instructions", i, "accounts", j, "pubkey"))
			metas = append(metas, solana.NewAccountMeta(key, a.at("instructions", i, "accounts", j, "isWritable") == true, a.at("instructions", i, "accounts", j, "isSigner") == true))
		}
		instructions = append(instructions, solana.NewInstruction(solana.MustPublicKeyFromBase58(a.text("instructions", i, "programId")), metas, data))
	}
	hash, _ := s.chain.Blockhash(0)
	tx, err := solana.NewTransaction(instructions, hash, solana.TransactionPayer(publicKey(s.Wallet())))
	require.NoError(t, err)
	raw, err := s.encode(tx, nil)
	require.NoError(t, err)
	before := s.Ledger().TokenBalance(s.WalletAddress(), s.Mint("USDC"))
	require.Nil(t, s.signAndSubmit(t, base64.StdEncoding.EncodeToString(raw)).Err)
	assert.Equal(t, quote.text("outAmount"), fmt.Sprint(s.Ledger().TokenBalance(s.WalletAddress(), s.Mint("USDC"))-before))
}
