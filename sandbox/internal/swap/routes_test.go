package swap_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/market"
	"github.com/walletfi/walletfi-go/sandbox/internal/swap"
	"github.com/walletfi/walletfi-go/sandbox/internal/worldtest"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// started is a sandbox under test.
type started struct{ *worldtest.World }

type answer = worldtest.Answer

func start(t *testing.T, c play.Config) *started { return &started{worldtest.Start(t, c)} }

// swapBody is a swap's body as text, the quote in it as it came.
func (s *started) body(quote []byte, more string) string {
	return `{"userPublicKey":"` + s.WalletAddress() + `","quoteResponse":` + string(quote) + more + `}`
}

func (s *started) build(t *testing.T, quote answer, more string) answer {
	t.Helper()
	a := s.Do(t, play.Swap, "POST", "/swap", s.body(quote.Raw, more))
	require.Equal(t, 200, a.Status, "%s", a.Raw)
	return a
}

func TestListings(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	mints := s.Do(t, play.Swap, "GET", "/tokens", nil)
	tokens := s.Do(t, play.Swap, "GET", "/tokens-with-decimals", nil)
	assert.Equal(t, s.Mint("SOL"), mints.Text("tokens", 0))
	assert.Equal(t, s.Mint("SOL"), tokens.Text("tokens", 0, "mint"))
	assert.Equal(t, "9", tokens.Text("tokens", 0, "decimals"))
	assert.Equal(t, "SOL", tokens.Text("tokens", 0, "symbol"))
	assert.Len(t, tokens.At("tokens"), len(mints.At("tokens").([]any)))
	venues := s.Do(t, play.Swap, "GET", "/venues", nil)
	require.Len(t, venues.At("venues"), 10)
	assert.Equal(t, "Atlas", venues.Text("venues", 0, "name"))
	assert.Equal(t, "atlas", venues.Text("venues", 0, "id"))
	assert.Equal(t, true, venues.At("venues", 0, "enabled"))
}

func TestQuoteThenSwap(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	usdc := s.Mint("USDC")
	for range market.Disguises {
		quote := s.SwapQuote(t, "SOL", "USDC", 2_000_000_000, "slippageBps", "50")
		out, least := worldtest.Number(t, quote.Text("outAmount")), worldtest.Number(t, quote.Text("minOutAmount"))
		assert.Equal(t, out*9950/10_000, least)
		assert.Equal(t, quote.Text("minOutAmount"), quote.Text("otherAmountThreshold"))
		assert.Equal(t, "2000000000", quote.Text("inAmount"))
		assert.Equal(t, "50", quote.Text("slippageBps"))
		assert.NotEmpty(t, quote.Text("requestId"))
		assert.Equal(t, fmt.Sprint(s.View().Slot()), quote.Text("contextSlot"))
		assert.NotNil(t, quote.At("trace"), "a member that nobody documents")

		lamports, held := s.View().Balance(s.WalletAddress()), s.View().TokenBalance(s.WalletAddress(), usdc)
		built := s.build(t, quote, `,"prioritizationFeeLamports":12345`)
		assert.Equal(t, "12345", built.Text("prioritizationFeeLamports"))
		assert.Equal(t, "compute-budget", built.Text("prioritizationType"))
		assert.Equal(t, "500000", built.Text("computeUnitLimit"))
		r := s.SignAndSubmit(t, built.Text("swapTransaction"))
		require.Nil(t, r.Err, "%v", r.Logs)
		assert.EqualValues(t, 5000+12_345, r.Fee, "exact lamports")
		assert.Equal(t, held+out, s.View().TokenBalance(s.WalletAddress(), usdc))
		assert.Equal(t, lamports-2_000_000_000-r.Fee, s.View().Balance(s.WalletAddress()))

		status := s.Do(t, play.Swap, "GET", "/order-status?signature="+r.Signature.String(), nil)
		assert.Equal(t, "pending", status.Text("status"))
		s.Advance(time.Second)
		status = s.Do(t, play.Swap, "GET", "/order-status?signature="+r.Signature.String(), nil)
		assert.Equal(t, "closed", status.Text("status"))
		assert.Equal(t, "2000000000", status.Text("inAmount"))
		assert.Equal(t, fmt.Sprint(out), status.Text("fills", 0, "outAmount"))
	}
}

func TestQuoteMustComeBackByteForByte(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, StrictEcho: true})
	for form := range market.Disguises {
		quote := s.SwapQuote(t, "SOL", "USDC", 1_000_000_000)
		if form == 1 {
			assert.Contains(t, string(quote.Raw), "\r", "odd white space")
		}
		for name, change := range map[string]func([]byte) []byte{
			"compacted": func(b []byte) []byte { return kit.MustJSON(json.RawMessage(b)) },
			"decoded":   func([]byte) []byte { return kit.MustJSON(quote.JSON) },
			"one digit": func(b []byte) []byte { return []byte(strings.Replace(string(b), quote.Text("outAmount"), "1", 1)) },
			"one space": func(b []byte) []byte { return []byte(strings.Replace(string(b), "{", "{ ", 1)) },
		} {
			a := s.Do(t, play.Swap, "POST", "/swap", s.body(change(quote.Raw), ""))
			assert.Equal(t, 400, a.Status, name)
			assert.Equal(t, []string{"quoteResponse is not, to the byte, what was served"}, s.TakeProblems(), name)
		}
		assert.Equal(t, 200, s.Do(t, play.Swap, "POST", "/swap-instructions", s.body(quote.Raw, "")).Status)
		s.Advance(swap.QuoteLife + time.Second)
		assert.Equal(t, 400, s.Do(t, play.Swap, "POST", "/swap", s.body(quote.Raw, "")).Status, "too old")
	}
}

// A language whose encoder writes numbers and text otherwise is understood; what
// has another value is not.
func TestControlEchoOfEqualValue(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	for range market.Disguises {
		quote := s.SwapQuote(t, "SOL", "USDC", 1_000_000_000)
		var doubles map[string]any
		require.NoError(t, json.Unmarshal(quote.Raw, &doubles))
		reencoded := kit.MustJSON(doubles)
		require.NotContains(t, string(reencoded), "1.50", "the encoder changes the trap's text")
		assert.Equal(t, 200, s.Do(t, play.Swap, "POST", "/swap", s.body(reencoded, "")).Status)
		require.Empty(t, s.TakeProblems())
		for name, change := range map[string]func(map[string]any){
			"one digit":     func(q map[string]any) { q["outAmount"] = "1" + q["outAmount"].(string) },
			"a number":      func(q map[string]any) { q["contextSlot"] = q["contextSlot"].(float64) + 1 },
			"a trap":        func(q map[string]any) { delete(q, "trace") },
			"another type":  func(q map[string]any) { q["slippageBps"] = "50" },
			"a new member":  func(q map[string]any) { q["extra"] = nil },
			"a short trap":  func(q map[string]any) { q["trace"].(map[string]any)["ratio"] = 1.4999 },
			"a lesser step": func(q map[string]any) { q["routePlan"] = []any{} },
		} {
			var changed map[string]any
			require.NoError(t, json.Unmarshal(quote.Raw, &changed))
			change(changed)
			a := s.Do(t, play.Swap, "POST", "/swap", s.body(kit.MustJSON(changed), ""))
			assert.Equal(t, 400, a.Status, name)
			assert.Equal(t, []string{"quoteResponse is not, in value, digit for digit, what was served"}, s.TakeProblems(), name)
		}
	}
}

func TestSlippageFails(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	first := s.SwapQuote(t, "SOL", "USDC", 10_000_000_000, "slippageBps", "0", "dexes", "quill")
	other := s.SwapQuote(t, "SOL", "USDC", 10_000_000_000, "slippageBps", "500", "dexes", "quill")
	late := s.build(t, first, "")
	require.Nil(t, s.SignAndSubmit(t, s.build(t, other, "").Text("swapTransaction")).Err)
	before := s.View().TokenBalance(s.WalletAddress(), s.Mint("USDC"))
	r := s.SignAndSubmit(t, late.Text("swapTransaction"))
	require.NotNil(t, r.Err)
	assert.Contains(t, r.Err.Error(), "0x1771", "slippage: the pool has moved")
	assert.Equal(t, before, s.View().TokenBalance(s.WalletAddress(), s.Mint("USDC")))
	for shape := range 2 {
		status := s.Do(t, play.Swap, "GET", "/order-status?signature="+r.Signature.String(), nil)
		assert.Equal(t, "failed", status.Text("status"))
		reason := status.Text("reverts", 0)
		if shape == 0 {
			reason = status.Text("reverts", 0, "reason")
		}
		assert.Contains(t, reason, "0x1771")
	}
}

func TestQuoteParameters(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	free := s.SwapQuote(t, "SOL", "USDC", 1_000_000_000)
	assert.Nil(t, free.At("platformFee"))
	assert.Equal(t, false, free.At("forBundle"))

	fee := s.SwapQuote(t, "SOL", "USDC", 1_000_000_000, "platformFeeBps", "100", "forBundle", "true")
	assert.Equal(t, "100", fee.Text("platformFee", "feeBps"))
	whole := worldtest.Number(t, free.Text("outAmount"))
	assert.Equal(t, fmt.Sprint(whole/100), fee.Text("platformFee", "amount"))
	assert.Equal(t, fmt.Sprint(whole-whole/100), fee.Text("outAmount"))
	assert.Equal(t, true, fee.At("forBundle"))
	onInput := s.SwapQuote(t, "SOL", "USDC", 1_000_000_000, "platformFeeBps", "100", "platformFeeMode", "inputMint")
	assert.Equal(t, "10000000", onInput.Text("platformFee", "amount"))
	assert.Equal(t, "1000000000", onInput.Text("inAmount"))
	assert.Equal(t, "990000000", onInput.Text("routePlan", 0, "inAmount"))

	long := s.SwapQuote(t, "DUST", "USDT", 1_000_000_000)
	assert.Greater(t, len(long.At("routePlan").([]any)), 1)
	assert.Equal(t, s.Mint("DUST"), long.Text("routePlan", 0, "inputMint"))
	assert.Equal(t, "5", long.Text("routePlan", 0, "inputMintDecimals"))
	assert.NotEmpty(t, long.Text("routePlan", 0, "data"))
	for _, no := range []string{"onlyDirectRoutes=true", "maxRouteLength=1", "onlyJitRoutes=true", "dexes=tidal", "dexes=nowhere", "excludeDexes=nowhere"} {
		assert.Equal(t, 400, s.Do(t, play.Swap, "GET", s.SwapQuery("/quote", "DUST", "USDT", 1_000_000_000)+"&"+no, nil).Status, no)
	}
	assert.Equal(t, "Tidal", s.SwapQuote(t, "SOL", "USDC", 1_000_000, "onlyJitRoutes", "true").Text("routePlan", 0, "venue"))
	best := free.Text("routePlan", 0, "venue")
	assert.NotEqual(t, best, s.SwapQuote(t, "SOL", "USDC", 1_000_000, "excludeDexes", best, "onlyDirectRoutes", "true").Text("routePlan", 0, "venue"))
	assert.Equal(t, "10", s.SwapQuote(t, "USDC", "USDT", 1_000_000, "slippageBps", "auto").Text("slippageBps"))
	assert.Equal(t, "50", free.Text("slippageBps"))

	gross := s.SwapQuote(t, "USDC", "TAXED", 1_000_000, "dexes", "quill")
	net := s.SwapQuote(t, "USDC", "TAXED", 1_000_000, "dexes", "quill", "sponsoredSwap", "true")
	assert.Equal(t, worldtest.Number(t, gross.Text("outAmount"))*99/100, worldtest.Number(t, net.Text("outAmount")))
	for _, q := range []answer{gross, net} {
		before := s.View().TokenBalance(s.WalletAddress(), s.Mint("TAXED"))
		require.Nil(t, s.SignAndSubmit(t, s.build(t, q, "").Text("swapTransaction")).Err)
		assert.InDelta(t, worldtest.Number(t, net.Text("outAmount")), s.View().TokenBalance(s.WalletAddress(), s.Mint("TAXED"))-before, 200)
	}
	small := s.SwapQuote(t, "SOL", "USDC", 1_000_000, "dexes", "quill")
	large := s.SwapQuote(t, "SOL", "USDC", 500_000_000_000, "dexes", "quill", "destinationSwap", "true")
	assert.Equal(t, "0.0000", small.Text("priceImpactPct")[:3]+"000")
	assert.Greater(t, large.Text("priceImpactPct"), "10", "75,000 dollars in a pool of 500,000 a side")
}

func TestRefusesWhatIsNotDocumented(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	for _, bad := range []string{
		s.SwapQuery("/quote", "SOL", "USDC", 1, "slippageBps", "10001"), s.SwapQuery("/quote", "SOL", "USDC", 1, "slippageBps", "AUTO"),
		s.SwapQuery("/quote", "SOL", "USDC", 1, "platformFeeMode", "both"),
		s.SwapQuery("/quote", "SOL", "USDC", 1, "userPublicKey", s.WalletAddress()), s.SwapQuery("/quote", "SOL", "USDC", 1, "forBundle", "1"),
		s.SwapQuery("/intent", "SOL", "USDC", 1), s.SwapQuery("/intent", "SOL", "USDC", 1, "userPublicKey", s.WalletAddress(), "slippageBps", "auto"),
		s.SwapQuery("/order", "SOL", "USDC", 1, "prioritizationFeeLamports", "low"), s.SwapQuery("/order", "SOL", "USDC", 1, "dexes", "atlas"),
		s.SwapQuery("/order", "SOL", "USDC", 1, "prioritizationFeeLamports", `{"priorityLevel":"low"}`),
		s.SwapQuery("/order", "SOL", "USDC", 1, "prioritizationFeeLamports", `{"autoMultiplier":2}`),
		s.SwapQuery("/order", "SOL", "USDC", 1, "prioritizationFeeLamports", `{"bundleTipLamports":2,"priorityLevel":"high"}`),
		"/quote?inputMint=" + s.Mint("SOL") + "&outputMint=unknown&amount=1", s.SwapQuery("/intent", "SOL", "USDC", 1000, "userPublicKey", "nobody"),
		"/order-status?signature=x", "/prediction-market-init?marketMint=x&userPublicKey=" + s.WalletAddress(),
		"/order-status", "/prediction-market-init?userPublicKey=" + s.WalletAddress(),
	} {
		assert.Equal(t, 400, s.Do(t, play.Swap, "GET", bad, nil).Status, bad)
		assert.Len(t, s.TakeProblems(), 1, bad)
	}
	for _, no := range []string{
		s.SwapQuery("/quote", "SOL", "SOL", 1), s.SwapQuery("/quote", "SOL", "USDC", 0), "/quote?inputMint=" + s.Mint("SOL") + "&outputMint=" + s.WalletAddress() + "&amount=1",
		s.SwapQuery("/order", "DUST", "SOL", 1), s.SwapQuery("/quote", "SOL", "USDC", 1, "maxRouteLength", "0"),
	} {
		assert.Equal(t, 400, s.Do(t, play.Swap, "GET", no, nil).Status, no)
	}
	assert.Empty(t, s.TakeProblems())
	quote := s.SwapQuote(t, "SOL", "USDC", 1_000_000)
	for _, bad := range []string{
		`,"computeUnitPriceMicroLamports":1,"prioritizationFeeLamports":"auto"`, `,"prioritizationFeeLamports":"7"`,
		`,"prioritizationFeeLamports":1.5`, `,"prioritizationFeeLamports":{"priorityLevel":"high","priorityLevel":"high"}`,
		`,"wrapAndUnwrapSol":"true"`, `,"destinationTokenAccount":{"createIfNeeded":true}`, `,"positiveSlippage":{"mode":"split"}`, `,"dynamic":true`, `,"sponsor":null`, `,"sponsor":"nobody"`,
	} {
		assert.Equal(t, 400, s.Do(t, play.Swap, "POST", "/swap", s.body(quote.Raw, bad)).Status, bad)
		assert.Len(t, s.TakeProblems(), 1, bad)
	}
	for _, no := range []string{
		`,"feeAccount":"` + s.WalletAddress() + `"`,
		`,"destinationTokenAccount":{"address":"` + s.WalletAddress() + `"}`, `,"prioritizationFeeLamports":1000000000001`,
	} {
		assert.Equal(t, 400, s.Do(t, play.Swap, "POST", "/swap", s.body(quote.Raw, no)).Status, no)
	}
}

func TestErrorsAndLimits(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	first := s.Do(t, play.Swap, "GET", s.SwapQuery("/quote", "SOL", "SOL", 1), nil)
	second := s.Do(t, play.Swap, "GET", s.SwapQuery("/quote", "SOL", "SOL", 1), nil)
	assert.Equal(t, "inputMint and outputMint are the same", first.Text("error"))
	assert.Equal(t, "inputMint and outputMint are the same", second.Text("message"))
	assert.Equal(t, 401, s.Do(t, play.Swap, "GET", "/venues", nil, "X-Api-Key", "wrong").Status)
	for i := range swap.Keyless {
		assert.Equal(t, 200, s.Do(t, play.Swap, "GET", "/venues", nil, "X-Api-Key", "").Status, i)
	}
	limited := s.Do(t, play.Swap, "GET", "/venues", nil, "X-Api-Key", "")
	assert.Equal(t, 429, limited.Status)
	assert.Equal(t, "60", limited.Header.Get("Retry-After"))
	assert.Equal(t, 200, s.Do(t, play.Swap, "GET", "/venues", nil).Status, "a key has a limit of its own")

	s.Swap.SetInitializing(true)
	for _, r := range []string{"/venues", "/tokens", "/tokens-with-decimals", s.SwapQuery("/order", "SOL", "USDC", 1000)} {
		assert.Equal(t, 503, s.Do(t, play.Swap, "GET", r, nil).Status)
	}
	s.Swap.SetInitializing(false)
	assert.Equal(t, 200, s.Do(t, play.Swap, "GET", "/venues", nil).Status)
}

func TestPriorityForms(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	quote := s.SwapQuote(t, "SOL", "USDC", 1_000_000)
	auto := s.Swap.Congestion()
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
		built := s.build(t, quote, `,"dynamicComputeUnitLimit":true,"prioritizationFeeLamports":`+form)
		assert.Equal(t, fmt.Sprint(want.lamports), built.Text("prioritizationFeeLamports"), form)
		assert.Equal(t, want.kind, built.Text("prioritizationType"), form)
		assert.Equal(t, "125000", built.Text("computeUnitLimit"))
		before := s.View().Balance(s.WalletAddress())
		r := s.SignAndSubmit(t, built.Text("swapTransaction"))
		require.Nil(t, r.Err)
		assert.Equal(t, before-1_000_000-5000-want.lamports, s.View().Balance(s.WalletAddress()), form)

		inQuery := s.Do(t, play.Swap, "GET", s.SwapQuery("/order", "SOL", "USDC", 1_000_000, "prioritizationFeeLamports", strings.Trim(form, `"`)), nil)
		assert.Equal(t, fmt.Sprint(want.lamports), inQuery.Text("prioritizationFeeLamports"), form)
	}
	priced := s.build(t, quote, `,"computeUnitPriceMicroLamports":3`)
	assert.Equal(t, "2", priced.Text("prioritizationFeeLamports"), "one and a half, rounded up")
	assert.EqualValues(t, 5002, s.SignAndSubmit(t, priced.Text("swapTransaction")).Fee)
}

func TestOptionsMoveMoney(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	usdc := s.Token("USDC")
	friend, sponsor := s.Keypair("friend"), s.Keypair("sponsor")
	address := build.PublicKey(friend).String()
	require.NoError(t, s.FundToken(address, usdc.Mint, 5))
	account := usdc.Account(build.PublicKey(friend)).String()

	fee := s.SwapQuote(t, "SOL", "USDC", 1_000_000_000, "platformFeeBps", "100")
	built := s.build(t, fee, `,"feeAccount":"`+account+`","includeSandwichMitigationAccount":true`)
	require.Nil(t, s.SignAndSubmit(t, built.Text("swapTransaction")).Err)
	taken := worldtest.Number(t, fee.Text("platformFee", "amount"))
	assert.Equal(t, 5+taken, s.View().TokenBalance(address, usdc.Mint))

	directed := s.SwapQuote(t, "SOL", "USDC", 1_000_000_000, "destinationSwap", "true", "slippageBps", "100")
	built = s.build(t, directed, `,"destinationTokenAccount":{"address":"`+account+`"}`)
	before := s.View().TokenBalance(s.WalletAddress(), usdc.Mint)
	require.Nil(t, s.SignAndSubmit(t, built.Text("swapTransaction")).Err)
	assert.Equal(t, before, s.View().TokenBalance(s.WalletAddress(), usdc.Mint))
	assert.Equal(t, 5+taken+worldtest.Number(t, directed.Text("outAmount")), s.View().TokenBalance(address, usdc.Mint))

	own := s.Token("USDT").Account(build.PublicKey(s.Wallet())).String()
	missing := s.SwapQuote(t, "USDC", "USDT", 1_000_000)
	body := `,"destinationTokenAccount":{"address":"` + own + `","createIfNeeded":`
	assert.Equal(t, 400, s.Do(t, play.Swap, "POST", "/swap", s.body(missing.Raw, body+`false}`)).Status)
	require.Nil(t, s.SignAndSubmit(t, s.build(t, missing, body+`true}`).Text("swapTransaction")).Err)
	assert.Equal(t, missing.Text("outAmount"), fmt.Sprint(s.View().TokenBalance(s.WalletAddress(), s.Mint("USDT"))))

	require.NoError(t, s.FundWallet(build.PublicKey(sponsor).String(), build.LamportsPerSOL))
	gasless := s.SwapQuote(t, "USDC", "SOL", 1_000_000)
	tx := s.build(t, gasless, `,"sponsor":"`+build.PublicKey(sponsor).String()+`"`).Text("swapTransaction")
	lamports := s.View().Balance(s.WalletAddress())
	r := s.SignAndSubmitAs(t, base64.StdEncoding.EncodeToString(worldtest.Sign(t, tx, sponsor)), s.Wallet())
	require.Nil(t, r.Err)
	assert.Less(t, s.View().Balance(build.PublicKey(sponsor).String()), uint64(build.LamportsPerSOL))
	assert.Equal(t, lamports+worldtest.Number(t, gasless.Text("outAmount"))+2_039_280, s.View().Balance(s.WalletAddress()), "the sponsor's rent comes back to the owner of the account")

	wrapped := s.SwapQuote(t, "USDC", "SOL", 1_000_000)
	require.Nil(t, s.SignAndSubmit(t, s.build(t, wrapped, `,"wrapAndUnwrapSol":false`).Text("swapTransaction")).Err)
	assert.Equal(t, wrapped.Text("outAmount"), fmt.Sprint(s.View().TokenBalance(s.WalletAddress(), s.Mint("SOL"))))
	back := s.SwapQuote(t, "SOL", "USDC", 1_000_000)
	require.Nil(t, s.SignAndSubmit(t, s.build(t, back, `,"wrapAndUnwrapSol":false`).Text("swapTransaction")).Err)
	assert.Equal(t, fmt.Sprint(worldtest.Number(t, wrapped.Text("outAmount"))-1_000_000), fmt.Sprint(s.View().TokenBalance(s.WalletAddress(), s.Mint("SOL"))))
}

func TestFeeOnTheInput(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	require.NoError(t, s.FundWallet(build.PublicKey(s.Keypair("friend")).String(), build.LamportsPerSOL))
	friend := build.PublicKey(s.Keypair("friend"))
	require.NoError(t, s.FundToken(friend.String(), s.Mint("SOL"), 1))
	account := s.Token("SOL").Account(friend).String()
	for i, more := range []string{`,"feeAccount":"` + account + `"`, ""} {
		quote := s.SwapQuote(t, "SOL", "USDC", 1_000_000_000, "platformFeeBps", "50", "platformFeeMode", "inputMint")
		sol, usdc := s.View().Balance(s.WalletAddress()), s.View().TokenBalance(s.WalletAddress(), s.Mint("USDC"))
		r := s.SignAndSubmit(t, s.build(t, quote, more).Text("swapTransaction"))
		require.Nil(t, r.Err)
		assert.Equal(t, sol-1_000_000_000-r.Fee, s.View().Balance(s.WalletAddress()), "the fee is part of the amount")
		assert.Equal(t, usdc+worldtest.Number(t, quote.Text("outAmount")), s.View().TokenBalance(s.WalletAddress(), s.Mint("USDC")))
		assert.EqualValues(t, 1+5_000_000, s.View().TokenBalance(friend.String(), s.Mint("SOL")), "once, where it was named: %d", i)
	}
}

func TestPositiveSlippageIsSplit(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	quote := s.SwapQuote(t, "SOL", "USDC", 10_000_000_000, "dexes", "quill")
	whole := s.build(t, quote, "").Text("swapTransaction")
	split := s.build(t, quote, `,"positiveSlippage":{"mode":"split","bps":5000}`).Text("swapTransaction")
	h := s.PoolPair(t, "quill", "USDC", "SOL")
	l, _ := s.Pools.Sell(h, 1_000_000_000)
	state := h.Pool.Reserves
	gain := func(tx string) uint64 {
		h.Pool.Reserves = state
		l.Apply() // somebody buys SOL, so that SOL pays more
		before := s.View().TokenBalance(s.WalletAddress(), s.Mint("USDC"))
		require.Nil(t, s.SignAndSubmit(t, tx).Err)
		return s.View().TokenBalance(s.WalletAddress(), s.Mint("USDC")) - before - worldtest.Number(t, quote.Text("outAmount"))
	}
	all := gain(whole)
	assert.Positive(t, all)
	assert.Equal(t, all-all/2, gain(split))
}

func TestInstructions(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	quote := s.SwapQuote(t, "SOL", "USDC", 1_000_000)
	a := s.Do(t, play.Swap, "POST", "/swap-instructions", s.body(quote.Raw, `,"prioritizationFeeLamports":{"bundleTipLamports":1}`))
	require.Equal(t, 200, a.Status, "%s", a.Raw)
	assert.Equal(t, "500000", a.Text("computeUnitLimit"))
	assert.Len(t, a.At("addressLookupTableAddresses"), 1)
	var instructions []solana.Instruction
	for i := range a.At("instructions").([]any) {
		data, err := base64.StdEncoding.DecodeString(a.Text("instructions", i, "data"))
		require.NoError(t, err)
		var metas solana.AccountMetaSlice
		for j := range a.At("instructions", i, "accounts").([]any) {
			key := solana.MustPublicKeyFromBase58(a.Text("instructions", i, "accounts", j, "pubkey"))
			metas = append(metas, solana.NewAccountMeta(key, a.At("instructions", i, "accounts", j, "isWritable") == true, a.At("instructions", i, "accounts", j, "isSigner") == true))
		}
		instructions = append(instructions, solana.NewInstruction(solana.MustPublicKeyFromBase58(a.Text("instructions", i, "programId")), metas, data))
	}
	hash, _ := s.Chain.Blockhash(0)
	tx, err := solana.NewTransaction(instructions, hash, solana.TransactionPayer(build.PublicKey(s.Wallet())))
	require.NoError(t, err)
	raw, err := s.Encode(tx, nil)
	require.NoError(t, err)
	before := s.View().TokenBalance(s.WalletAddress(), s.Mint("USDC"))
	require.Nil(t, s.SignAndSubmit(t, base64.StdEncoding.EncodeToString(raw)).Err)
	assert.Equal(t, quote.Text("outAmount"), fmt.Sprint(s.View().TokenBalance(s.WalletAddress(), s.Mint("USDC"))-before))
}
