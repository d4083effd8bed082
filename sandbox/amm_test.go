package sandbox

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

	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

func (s *started) ammComputePath(kind, from, to string, amount uint64, bps int, version string) string {
	return fmt.Sprintf("/compute/swap-base-%s?inputMint=%s&outputMint=%s&amount=%d&slippageBps=%d&txVersion=%s", kind, s.Mint(from), s.Mint(to), amount, bps, version)
}

// ammQuote returns the answer and the bytes of its data.
func (s *started) ammQuote(t *testing.T, kind, from, to string, amount uint64, bps int, version string) (answer, string) {
	t.Helper()
	a := s.do(t, AMM, "GET", s.ammComputePath(kind, from, to, amount, bps, version), nil)
	require.Equal(t, true, a.at("success"), "%s", a.Raw)
	var envelope struct{ Data json.RawMessage }
	require.NoError(t, json.Unmarshal(a.Raw, &envelope))
	return a, string(envelope.Data)
}

func (s *started) ammBody(data, version, more string) string {
	return `{"swapResponse":` + data + `,"wallet":"` + s.WalletAddress() + `","txVersion":"` + version + `"` + more + `}`
}

func (s *started) ammBuild(t *testing.T, kind, data, version, more string) []string {
	t.Helper()
	a := s.do(t, AMM, "POST", "/transaction/swap-base-"+kind, s.ammBody(data, version, more))
	require.Equal(t, true, a.at("success"), "%s", a.Raw)
	var transactions []string
	for i := range a.at("data").([]any) {
		transactions = append(transactions, a.text("data", i, "transaction"))
	}
	return transactions
}

func (s *started) ammData(t *testing.T, path string) answer {
	t.Helper()
	a := s.doAt(t, s.AMMDataURL(), AMM, "GET", path, nil)
	require.Equal(t, 200, a.Status, "%s", a.Raw)
	return a
}

// ammHeld is what the wallet holds, wrapped or not.
func (s *started) ammHeld(symbol string) uint64 {
	if symbol == "SOL" {
		return s.Ledger().Balance(s.WalletAddress())
	}
	return s.Ledger().TokenBalance(s.WalletAddress(), s.Mint(symbol))
}

func TestAMMBaseInAndBaseOutAgree(t *testing.T) {
	s := start(t, Config{ManualClock: true, NoLimits: true})
	for _, pair := range [][2]string{{"SOL", "USDC"}, {"USDC", "TAXED"}, {"DUST", "USDT"}, {"TAXED", "SOL"}} {
		for _, amount := range []uint64{10_000, 1_234_567, 99_999_999} {
			out, _ := s.ammQuote(t, "out", pair[0], pair[1], amount, 0, "V0")
			in, _ := s.ammQuote(t, "in", pair[0], pair[1], swapNumber(t, out.text("data", "inAmount")), 0, "V0")
			assert.GreaterOrEqual(t, swapNumber(t, in.text("data", "outAmount")), amount, pair)
			less, _ := s.ammQuote(t, "in", pair[0], pair[1], swapNumber(t, out.text("data", "inAmount"))*999/1000-1, 0, "V0")
			assert.Less(t, swapNumber(t, less.text("data", "outAmount")), amount, pair)
		}
	}
}

func TestAMMQuoteObeysTheProduct(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	info := s.ammData(t, "/pools/info/mint?mint1="+s.Mint("SOL")+"&mint2="+s.Mint("USDC"))
	x, y := info.at("data", "data", 0, "mintAmountA"), info.at("data", "data", 0, "mintAmountB")
	base, err := x.(json.Number).Float64()
	require.NoError(t, err)
	quote, err := y.(json.Number).Float64()
	require.NoError(t, err)
	for form := range 2 {
		a, _ := s.ammQuote(t, "in", "SOL", "USDC", 1_000_000_000_000, 50, "V0")
		net := 1000 * (1 - 0.0025)
		assert.InDelta(t, quote*net/(base+net), float64(swapNumber(t, a.text("data", "outAmount")))/1e6, 0.001)
		assert.Equal(t, "2500000000", a.text("data", "routePlan", 0, "feeAmount"))
		assert.Equal(t, "25", a.text("data", "routePlan", 0, "feeRate"))
		assert.Equal(t, s.Mint("SOL"), a.text("data", "routePlan", 0, "feeMint"))
		impact, err := json.Number(a.text("data", "priceImpactPct")).Float64()
		require.NoError(t, err)
		assert.InDelta(t, 100*net/(base+net), impact, 0.0001)
		_, isNumber := a.at("data", "priceImpactPct").(json.Number)
		assert.Equal(t, form == 1, isNumber, "a string or, in turn, a number")
		assert.Equal(t, swapNumber(t, a.text("data", "outAmount"))*9950/10_000, swapNumber(t, a.text("data", "otherAmountThreshold")))
	}
	out, _ := s.ammQuote(t, "out", "SOL", "USDC", 1_000_000, 100, "V0")
	assert.Equal(t, "1000000", out.text("data", "outAmount"))
	assert.Equal(t, (swapNumber(t, out.text("data", "inAmount"))*10_100+9999)/10_000, swapNumber(t, out.text("data", "otherAmountThreshold")))
}

func TestAMMSwapsMoveMoneyAndThePool(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	for _, version := range []string{"V0", "LEGACY"} {
		a, data := s.ammQuote(t, "in", "SOL", "USDC", 5_000_000_000, 50, version)
		txs := s.ammBuild(t, "in", data, version, `,"computeUnitPriceMicroLamports":"4000"`)
		require.Len(t, txs, 1)
		raw, err := base64.StdEncoding.DecodeString(txs[0])
		require.NoError(t, err)
		tx, err := ledger.Parse(raw)
		require.NoError(t, err)
		assert.Equal(t, version == "V0", tx.Version == ledger.V0)
		assert.Equal(t, version == "V0", len(tx.Lookups) > 0, "V0 loads from a table")
		usdc := s.ammHeld("USDC")
		r := s.signAndSubmit(t, txs[0])
		require.Nil(t, r.Err)
		assert.EqualValues(t, 5000+1000, r.Fee)
		assert.Equal(t, usdc+swapNumber(t, a.text("data", "outAmount")), s.ammHeld("USDC"))
		after, _ := s.ammQuote(t, "in", "SOL", "USDC", 5_000_000_000, 50, version)
		assert.Less(t, swapNumber(t, after.text("data", "outAmount")), swapNumber(t, a.text("data", "outAmount")), "the pool has moved")

		b, data := s.ammQuote(t, "out", "USDC", "SOL", 1_000_000_000, 50, version)
		usdc, sol := s.ammHeld("USDC"), s.ammHeld("SOL")
		r = s.signAndSubmit(t, s.ammBuild(t, "out", data, version, "")[0])
		require.Nil(t, r.Err)
		assert.Equal(t, sol+1_000_000_000-r.Fee, s.ammHeld("SOL"))
		assert.Equal(t, usdc-swapNumber(t, b.text("data", "inAmount")), s.ammHeld("USDC"))
	}
	both := s.swapQuote(t, "SOL", "USDC", 1_000_000_000, "dexes", "atlas")
	mine, _ := s.ammQuote(t, "in", "SOL", "USDC", 1_000_000_000, 50, "V0")
	assert.Equal(t, both.text("outAmount"), mine.text("data", "outAmount"), "other services trade with the same pool")
}

func TestAMMSeveralTransactions(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	for _, c := range []struct {
		kind, from, to, version string
		amount                  uint64
		count                   int
	}{
		{"in", "DUST", "USDT", "LEGACY", 5_000_000_000, 2}, {"out", "DUST", "USDT", "LEGACY", 60_000, 2},
		{"in", "DUST", "USDT", "V0", 5_000_000_000, 1}, {"in", "DUST", "TAXED", "V0", 5_000_000_000, 2},
		{"in", "USDT", "DUST", "LEGACY", 50_000, 2}, {"out", "DUST", "TAXED", "LEGACY", 100_000, 3},
	} {
		require.NoError(t, s.FundToken(s.WalletAddress(), s.Mint("DUST"), 20_000_000_000))
		a, data := s.ammQuote(t, c.kind, c.from, c.to, c.amount, 100, c.version)
		txs := s.ammBuild(t, c.kind, data, c.version, "")
		require.Len(t, txs, c.count, "%v %s", c, a.Raw)
		if c.count > 1 {
			r := s.signAndSubmit(t, txs[1])
			require.NotNil(t, r.Err)
			if c.from == "DUST" && c.kind == "in" {
				assert.Contains(t, r.Err.Error(), "Instruction", "what it spends has not come in")
			}
			txs = s.ammBuild(t, c.kind, data, c.version, "")
		}
		from, to, sol := s.ammHeld(c.from), s.ammHeld(c.to), s.ammHeld("SOL")
		for _, tx := range txs {
			require.Nil(t, s.signAndSubmit(t, tx).Err, "%v", c)
		}
		assert.Equal(t, from-swapNumber(t, a.text("data", "inAmount")), s.ammHeld(c.from), "%v", c)
		assert.Equal(t, to+swapNumber(t, a.text("data", "outAmount")), s.ammHeld(c.to), "%v", c)
		assert.InDelta(t, sol, s.ammHeld("SOL"), 5_000_000, "fees and the rent of accounts: %v", c)
		assert.Zero(t, s.Ledger().TokenBalance(s.WalletAddress(), s.Mint("SOL")), "nothing stays wrapped")
	}
}

func TestAMMSlippageReallyFails(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	_, first := s.ammQuote(t, "in", "SOL", "USDC", 50_000_000_000, 1, "V0")
	_, exact := s.ammQuote(t, "out", "SOL", "USDC", 1_000_000, 0, "V0")
	early := s.ammBuild(t, "in", first, "V0", "")
	_, second := s.ammQuote(t, "in", "SOL", "USDC", 40_000_000_000, 100, "V0")
	require.Nil(t, s.signAndSubmit(t, s.ammBuild(t, "in", second, "V0", "")[0]).Err)
	r := s.signAndSubmit(t, early[0])
	require.NotNil(t, r.Err)
	assert.Contains(t, r.Err.Error(), "0x1771")
	built := s.do(t, AMM, "POST", "/transaction/swap-base-in", s.ammBody(first, "V0", ""))
	assert.Equal(t, "Slippage exceeded", built.text("msg"))
	built = s.do(t, AMM, "POST", "/transaction/swap-base-out", s.ammBody(exact, "V0", ""))
	assert.Equal(t, "Slippage exceeded", built.text("msg"))
}

func TestAMMErrors(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	for i, c := range []struct{ path, msg string }{
		{s.ammComputePath("in", "SOL", "SOL", 1000, 50, "V0"), "No route found"},
		{s.ammComputePath("in", "SOL", "USDC", 0, 50, "V0"), "No route found"},
		{s.ammComputePath("out", "SOL", "USDC", 1<<62, 50, "V0"), "No route found"},
		{strings.Replace(s.ammComputePath("in", "SOL", "USDC", 1000, 50, "V0"), s.Mint("USDC"), s.WalletAddress(), 1), "Invalid mint"},
		{strings.Replace(s.ammComputePath("in", "SOL", "USDC", 1000, 50, "V0"), s.Mint("SOL"), "x", 1), "Invalid mint"},
	} {
		a := s.do(t, AMM, "GET", c.path, nil)
		assert.Equal(t, []int{200, 400}[i%2], a.Status, "the status is not documented: it takes turns")
		assert.Equal(t, false, a.at("success"))
		assert.Equal(t, c.msg, a.text("msg"))
		assert.NotEmpty(t, a.text("id"))
		assert.Nil(t, a.at("data"))
	}
	_, data := s.ammQuote(t, "in", "USDT", "SOL", 1_000_000, 50, "V0")
	poor := s.do(t, AMM, "POST", "/transaction/swap-base-in", s.ammBody(data, "V0", ""))
	assert.Equal(t, "Transaction simulation failed", poor.text("msg"), "the wallet has no USDT")
	_, data = s.ammQuote(t, "in", "SOL", "USDC", 1_000_000, 50, "V0")
	other := `,"inputAccount":"` + s.token("SOL").account(s.vault(AMM)).String() + `"`
	assert.Equal(t, "Transaction simulation failed", s.do(t, AMM, "POST", "/transaction/swap-base-in", s.ammBody(data, "V0", other)).text("msg"))
	unwrapped := s.do(t, AMM, "POST", "/transaction/swap-base-in", s.ammBody(data, "V0", `,"wrapSol":false`))
	assert.Equal(t, "Transaction simulation failed", unwrapped.text("msg"), "the wallet has no wrapped SOL")
}

func TestAMMIsStrict(t *testing.T) {
	s := start(t, Config{ManualClock: true, NoLimits: true})
	path := s.ammComputePath("in", "SOL", "USDC", 1000, 50, "V0")
	for _, bad := range []string{
		strings.Replace(path, "V0", "v0", 1), strings.Replace(path, "V0", "0", 1), strings.Replace(path, "&txVersion=V0", "", 1),
		strings.Replace(path, "slippageBps=50", "slippageBps=-1", 1), strings.Replace(path, "amount=1000", "amount=1.5", 1), path + "&wallet=x",
	} {
		a := s.do(t, AMM, "GET", bad, nil)
		assert.Equal(t, 400, a.Status, bad)
		assert.Equal(t, false, a.at("success"))
		assert.Len(t, s.takeViolations(), 1, bad)
	}
	_, in := s.ammQuote(t, "in", "SOL", "USDC", 1000_000, 50, "V0")
	for _, c := range []struct{ kind, body string }{
		{"out", s.ammBody(in, "V0", "")}, {"in", s.ammBody(in, "LEGACY", "")}, {"in", s.ammBody(strings.Replace(in, ":", ": ", 1), "V0", "")},
		{"in", s.ammBody(string(mustJSON(json.RawMessage(in))), "V0", "")}, {"in", s.ammBody(in, "V0", `,"computeUnitPriceMicroLamports":1`)},
		{"in", s.ammBody(in, "V0", `,"computeUnitPriceMicroLamports":"1.5"`)}, {"in", s.ammBody(in, "V0", `,"wrapSol":"true"`)},
		{"in", s.ammBody(`{"id":"x","success":true,"data":`+in+`}`, "V0", "")}, {"in", s.ammBody(in, "v0", "")},
	} {
		a := s.do(t, AMM, "POST", "/transaction/swap-base-"+c.kind, c.body)
		assert.Equal(t, 400, a.Status, c.body)
		assert.Len(t, s.takeViolations(), 1, c.body)
	}
	assert.Equal(t, 400, s.do(t, AMM, "GET", path, nil, "X-Api-Key", "k").Status)
	assert.Len(t, s.takeViolations(), 1, "a credential that nobody asked for")
	assert.Equal(t, 404, s.do(t, AMM, "GET", "/main/auto-fee", nil).Status, "the data host's")
	assert.Len(t, s.takeViolations(), 1)
}

func TestAMMWholeEnvelope(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	s.SetAMMWholeEnvelope(true)
	for range 2 {
		a, data := s.ammQuote(t, "in", "SOL", "USDC", 1_000_000, 50, "V0")
		assert.Equal(t, 400, s.do(t, AMM, "POST", "/transaction/swap-base-in", s.ammBody(data, "V0", "")).Status)
		assert.Len(t, s.takeViolations(), 1)
		require.Nil(t, s.signAndSubmit(t, s.ammBuild(t, "in", string(a.Raw), "V0", "")[0]).Err)
	}
}

func TestAMMAccountsAndWrapping(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	wallet, sol := publicKey(s.Wallet()), s.token("SOL")
	_, data := s.ammQuote(t, "in", "USDC", "SOL", 3_000_000, 50, "V0")
	own := `,"outputAccount":"` + sol.account(wallet).String() + `","inputAccount":"` + s.token("USDC").account(wallet).String() + `"`
	require.Nil(t, s.signAndSubmit(t, s.ammBuild(t, "in", data, "V0", `,"unwrapSol":false`+own)[0]).Err)
	wrapped := s.Ledger().TokenBalance(s.WalletAddress(), s.Mint("SOL"))
	assert.Greater(t, wrapped, uint64(19_000_000))

	_, data = s.ammQuote(t, "in", "SOL", "USDC", 10_000_000, 50, "V0")
	lamports := s.ammHeld("SOL")
	r := s.signAndSubmit(t, s.ammBuild(t, "in", data, "V0", `,"wrapSol":false`)[0])
	require.Nil(t, r.Err)
	assert.Equal(t, wrapped-10_000_000, s.Ledger().TokenBalance(s.WalletAddress(), s.Mint("SOL")))
	assert.Equal(t, lamports-r.Fee, s.ammHeld("SOL"))

	account := solana.NewWallet().PublicKey() // a token account of the wallet's that is not the associated one
	held := *s.chain.Account(s.token("USDC").account(wallet))
	s.chain.Put(account, held)
	_, data = s.ammQuote(t, "in", "USDC", "SOL", 1_000_000, 50, "V0")
	before := s.ammHeld("USDC")
	require.Nil(t, s.signAndSubmit(t, s.ammBuild(t, "in", data, "V0", `,"inputAccount":"`+account.String()+`"`)[0]).Err)
	assert.Equal(t, before, s.ammHeld("USDC"))
	chosen, ok := s.Ledger().TokenAccount(account.String())
	require.True(t, ok)
	assert.Equal(t, before-1_000_000, chosen.Amount)
}

func TestAMMDataHost(t *testing.T) {
	s := start(t, Config{ManualClock: true, NoLimits: true})
	fee := s.ammData(t, "/main/auto-fee")
	for _, level := range []string{"vh", "h", "m"} {
		assert.Positive(t, swapNumber(t, fee.text("data", "default", level)))
	}
	s.Advance(4 * time.Second)
	assert.NotEqual(t, fee.text("data", "default", "m"), s.ammData(t, "/main/auto-fee").text("data", "default", "m"))

	first, second := s.ammData(t, "/pools/info/list?pageSize=2&page=1"), s.ammData(t, "/pools/info/list?pageSize=2&page=3")
	assert.Len(t, first.at("data", "data"), 2)
	assert.Equal(t, "5", first.text("data", "count"))
	assert.Equal(t, true, first.at("data", "hasNextPage"))
	assert.Len(t, second.at("data", "pools"), 1)
	assert.Empty(t, s.ammData(t, "/pools/info/list?pageSize=2&page=4000000000").at("data", "data"))
	assert.Len(t, s.ammData(t, "/pools/info/list").at("data", "pools"), 5)

	id := first.text("data", "data", 0, "id")
	byID := "/pools/info/ids?ids=" + id + "," + s.WalletAddress()
	assert.Equal(t, id, s.ammData(t, byID).text("data", 0, "id"))
	assert.Equal(t, id, s.ammData(t, byID).text("data", "pools", 0, "poolId"))
	assert.Len(t, s.ammData(t, byID).at("data"), 2, "null for what is unknown")
	assert.Equal(t, false, s.doAt(t, s.AMMDataURL(), AMM, "GET", "/pools/info/ids?ids=x", nil).at("success"))

	byMint := s.ammData(t, "/pools/info/mint?mint1="+s.Mint("USDC"))
	assert.Len(t, byMint.at("data", "data"), 3)
	assert.Len(t, s.ammData(t, "/pools/info/mint?mint1="+s.Mint("USDC")+"&mint2="+s.Mint("SOL")).at("data", "pools"), 1)
	assert.Equal(t, "Invalid mint", s.doAt(t, s.AMMDataURL(), AMM, "GET", "/pools/info/mint?mint1="+s.WalletAddress(), nil).text("msg"))

	assert.Equal(t, "SOL", s.ammData(t, "/mint/list").text("data", "mintList", 0, "symbol"))
	assert.Equal(t, "SOL", s.ammData(t, "/mint/list").text("data", 0, "symbol"))
	prices := "/mint/price?mints=" + s.Mint("SOL") + "," + s.WalletAddress()
	byKey := s.ammData(t, prices)
	sol, err := json.Number(byKey.text("data", s.Mint("SOL"))).Float64()
	require.NoError(t, err)
	assert.InEpsilon(t, 150, sol, 0.01)
	assert.Contains(t, string(byKey.Raw), `"`+s.WalletAddress()+`":null`)
	assert.Equal(t, s.Mint("SOL"), s.ammData(t, prices).text("data", 0, "mint"))
}

func TestAMMLimitAndAttack(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	_, data := s.ammQuote(t, "in", "DUST", "USDT", 5_000_000_000, 100, "LEGACY")
	require.NoError(t, s.FundToken(s.WalletAddress(), s.Mint("DUST"), 20_000_000_000))
	s.Attack(func(string, []byte, [32]byte) []byte { return []byte("attack") })
	for _, tx := range s.ammBuild(t, "in", data, "LEGACY", "") {
		assert.Equal(t, base64.StdEncoding.EncodeToString([]byte("attack")), tx)
	}
	for range 118 {
		s.ammData(t, "/main/auto-fee")
	}
	limited := s.doAt(t, s.AMMDataURL(), AMM, "GET", "/main/auto-fee", nil)
	assert.Equal(t, 429, limited.Status)
	assert.Equal(t, false, limited.at("success"))
}

func TestAMMExactOutputGivesBackWhatWasWrappedTooMuch(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	a, data := s.ammQuote(t, "out", "SOL", "USDC", 150_000_000, 500, "V0")
	sol, usdc := s.ammHeld("SOL"), s.ammHeld("USDC")
	r := s.signAndSubmit(t, s.ammBuild(t, "out", data, "V0", "")[0])
	require.Nil(t, r.Err)
	assert.Equal(t, usdc+150_000_000, s.ammHeld("USDC"))
	assert.Equal(t, sol-swapNumber(t, a.text("data", "inAmount"))-r.Fee, s.ammHeld("SOL"), "the most was wrapped, what was needed is gone")
}
