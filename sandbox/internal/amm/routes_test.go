package amm_test

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
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
	"github.com/walletfi/walletfi-go/sandbox/internal/worldtest"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// started is a sandbox under test.
type started struct{ *worldtest.World }

type answer = worldtest.Answer

func start(t *testing.T, c play.Config) *started { return &started{worldtest.Start(t, c)} }

func (s *started) computePath(kind, from, to string, amount uint64, bps int, version string) string {
	return fmt.Sprintf("/compute/swap-base-%s?inputMint=%s&outputMint=%s&amount=%d&slippageBps=%d&txVersion=%s", kind, s.Mint(from), s.Mint(to), amount, bps, version)
}

// quote returns the answer and the bytes of its data.
func (s *started) quote(t *testing.T, kind, from, to string, amount uint64, bps int, version string) (answer, string) {
	t.Helper()
	a := s.Do(t, play.AMM, "GET", s.computePath(kind, from, to, amount, bps, version), nil)
	require.Equal(t, true, a.At("success"), "%s", a.Raw)
	var envelope struct{ Data json.RawMessage }
	require.NoError(t, json.Unmarshal(a.Raw, &envelope))
	return a, string(envelope.Data)
}

func (s *started) body(data, version, more string) string {
	return `{"swapResponse":` + data + `,"wallet":"` + s.WalletAddress() + `","txVersion":"` + version + `"` + more + `}`
}

func (s *started) build(t *testing.T, kind, data, version, more string) []string {
	t.Helper()
	a := s.Do(t, play.AMM, "POST", "/transaction/swap-base-"+kind, s.body(data, version, more))
	require.Equal(t, true, a.At("success"), "%s", a.Raw)
	var transactions []string
	for i := range a.At("data").([]any) {
		transactions = append(transactions, a.Text("data", i, "transaction"))
	}
	return transactions
}

func (s *started) data(t *testing.T, path string) answer {
	t.Helper()
	a := s.DoAt(t, s.AMMDataURL(), play.AMM, "GET", path, nil)
	require.Equal(t, 200, a.Status, "%s", a.Raw)
	return a
}

func TestBaseInAndBaseOutAgree(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, NoLimits: true})
	for _, pair := range [][2]string{{"SOL", "USDC"}, {"USDC", "TAXED"}, {"DUST", "USDT"}, {"TAXED", "SOL"}} {
		for _, amount := range []uint64{10_000, 1_234_567, 99_999_999} {
			out, _ := s.quote(t, "out", pair[0], pair[1], amount, 0, "V0")
			in, _ := s.quote(t, "in", pair[0], pair[1], worldtest.Number(t, out.Text("data", "inAmount")), 0, "V0")
			assert.GreaterOrEqual(t, worldtest.Number(t, in.Text("data", "outAmount")), amount, pair)
			less, _ := s.quote(t, "in", pair[0], pair[1], worldtest.Number(t, out.Text("data", "inAmount"))*999/1000-1, 0, "V0")
			assert.Less(t, worldtest.Number(t, less.Text("data", "outAmount")), amount, pair)
		}
	}
}

func TestQuoteObeysTheProduct(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, Drift: true})
	info := s.data(t, "/pools/info/mint?mint1="+s.Mint("SOL")+"&mint2="+s.Mint("USDC"))
	x, y := info.At("data", "data", 0, "mintAmountA"), info.At("data", "data", 0, "mintAmountB")
	base, err := x.(json.Number).Float64()
	require.NoError(t, err)
	quote, err := y.(json.Number).Float64()
	require.NoError(t, err)
	for form := range 2 {
		a, _ := s.quote(t, "in", "SOL", "USDC", 1_000_000_000_000, 50, "V0")
		net := 1000 * (1 - 0.0025)
		assert.InDelta(t, quote*net/(base+net), float64(worldtest.Number(t, a.Text("data", "outAmount")))/1e6, 0.001)
		assert.Equal(t, "2500000000", a.Text("data", "routePlan", 0, "feeAmount"))
		assert.Equal(t, "25", a.Text("data", "routePlan", 0, "feeRate"))
		assert.Equal(t, s.Mint("SOL"), a.Text("data", "routePlan", 0, "feeMint"))
		impact, err := json.Number(a.Text("data", "priceImpactPct")).Float64()
		require.NoError(t, err)
		assert.InDelta(t, 100*net/(base+net), impact, 0.0001)
		_, isNumber := a.At("data", "priceImpactPct").(json.Number)
		assert.Equal(t, form == 1, isNumber, "a string or, in turn, a number: the sandbox drifts")
		assert.Equal(t, worldtest.Number(t, a.Text("data", "outAmount"))*9950/10_000, worldtest.Number(t, a.Text("data", "otherAmountThreshold")))
	}
	out, _ := s.quote(t, "out", "SOL", "USDC", 1_000_000, 100, "V0")
	assert.Equal(t, "1000000", out.Text("data", "outAmount"))
	assert.Equal(t, (worldtest.Number(t, out.Text("data", "inAmount"))*10_100+9999)/10_000, worldtest.Number(t, out.Text("data", "otherAmountThreshold")))
}

func TestSwapsMoveMoneyAndThePool(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	for _, version := range []string{"V0", "LEGACY"} {
		a, data := s.quote(t, "in", "SOL", "USDC", 5_000_000_000, 50, version)
		txs := s.build(t, "in", data, version, `,"computeUnitPriceMicroLamports":"4000"`)
		require.Len(t, txs, 1)
		raw, err := base64.StdEncoding.DecodeString(txs[0])
		require.NoError(t, err)
		tx, err := ledger.Parse(raw)
		require.NoError(t, err)
		assert.Equal(t, version == "V0", tx.Version == ledger.V0)
		assert.Equal(t, version == "V0", len(tx.Lookups) > 0, "V0 loads from a table")
		usdc := s.Held("USDC")
		r := s.SignAndSubmit(t, txs[0])
		require.Nil(t, r.Err)
		assert.EqualValues(t, 5000+1000, r.Fee)
		assert.Equal(t, usdc+worldtest.Number(t, a.Text("data", "outAmount")), s.Held("USDC"))
		after, _ := s.quote(t, "in", "SOL", "USDC", 5_000_000_000, 50, version)
		assert.Less(t, worldtest.Number(t, after.Text("data", "outAmount")), worldtest.Number(t, a.Text("data", "outAmount")), "the pool has moved")

		b, data := s.quote(t, "out", "USDC", "SOL", 1_000_000_000, 50, version)
		usdc, sol := s.Held("USDC"), s.Held("SOL")
		r = s.SignAndSubmit(t, s.build(t, "out", data, version, "")[0])
		require.Nil(t, r.Err)
		assert.Equal(t, sol+1_000_000_000-r.Fee, s.Held("SOL"))
		assert.Equal(t, usdc-worldtest.Number(t, b.Text("data", "inAmount")), s.Held("USDC"))
	}
	both := s.SwapQuote(t, "SOL", "USDC", 1_000_000_000, "dexes", "atlas")
	mine, _ := s.quote(t, "in", "SOL", "USDC", 1_000_000_000, 50, "V0")
	assert.Equal(t, both.Text("outAmount"), mine.Text("data", "outAmount"), "other services trade with the same pool")
}

func TestSeveralTransactions(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
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
		a, data := s.quote(t, c.kind, c.from, c.to, c.amount, 100, c.version)
		txs := s.build(t, c.kind, data, c.version, "")
		require.Len(t, txs, c.count, "%v %s", c, a.Raw)
		if c.count > 1 {
			r := s.SignAndSubmit(t, txs[1])
			require.NotNil(t, r.Err)
			if c.from == "DUST" && c.kind == "in" {
				assert.Contains(t, r.Err.Error(), "Instruction", "what it spends has not come in")
			}
			txs = s.build(t, c.kind, data, c.version, "")
		}
		from, to, sol := s.Held(c.from), s.Held(c.to), s.Held("SOL")
		for _, tx := range txs {
			require.Nil(t, s.SignAndSubmit(t, tx).Err, "%v", c)
		}
		assert.Equal(t, from-worldtest.Number(t, a.Text("data", "inAmount")), s.Held(c.from), "%v", c)
		assert.Equal(t, to+worldtest.Number(t, a.Text("data", "outAmount")), s.Held(c.to), "%v", c)
		assert.InDelta(t, sol, s.Held("SOL"), 5_000_000, "fees and the rent of accounts: %v", c)
		assert.Zero(t, s.View().TokenBalance(s.WalletAddress(), s.Mint("SOL")), "nothing stays wrapped")
	}
}

func TestSlippageReallyFails(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	_, first := s.quote(t, "in", "SOL", "USDC", 50_000_000_000, 1, "V0")
	_, exact := s.quote(t, "out", "SOL", "USDC", 1_000_000, 0, "V0")
	early := s.build(t, "in", first, "V0", "")
	_, second := s.quote(t, "in", "SOL", "USDC", 40_000_000_000, 100, "V0")
	require.Nil(t, s.SignAndSubmit(t, s.build(t, "in", second, "V0", "")[0]).Err)
	r := s.SignAndSubmit(t, early[0])
	require.NotNil(t, r.Err)
	assert.Contains(t, r.Err.Error(), "0x1771")
	built := s.Do(t, play.AMM, "POST", "/transaction/swap-base-in", s.body(first, "V0", ""))
	assert.Equal(t, "Slippage exceeded", built.Text("msg"))
	built = s.Do(t, play.AMM, "POST", "/transaction/swap-base-out", s.body(exact, "V0", ""))
	assert.Equal(t, "Slippage exceeded", built.Text("msg"))
}

func TestErrors(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	for i, c := range []struct{ path, msg string }{
		{s.computePath("in", "SOL", "SOL", 1000, 50, "V0"), "No route found"},
		{s.computePath("in", "SOL", "USDC", 0, 50, "V0"), "No route found"},
		{s.computePath("out", "SOL", "USDC", 1<<62, 50, "V0"), "No route found"},
		{strings.Replace(s.computePath("in", "SOL", "USDC", 1000, 50, "V0"), s.Mint("USDC"), s.WalletAddress(), 1), "Invalid mint"},
	} {
		a := s.Do(t, play.AMM, "GET", c.path, nil)
		assert.Equal(t, []int{200, 400}[i%2], a.Status, "the status is not documented: it takes turns")
		assert.Equal(t, false, a.At("success"))
		assert.Equal(t, c.msg, a.Text("msg"))
		assert.NotEmpty(t, a.Text("id"))
		assert.Nil(t, a.At("data"))
	}
	a := s.Do(t, play.AMM, "GET", strings.Replace(s.computePath("in", "SOL", "USDC", 1000, 50, "V0"), s.Mint("SOL"), "x", 1), nil)
	assert.Equal(t, "Invalid mint", a.Text("msg"))
	assert.Equal(t, []string{"query parameter inputMint is no address"}, s.TakeProblems())
	_, data := s.quote(t, "in", "USDT", "SOL", 1_000_000, 50, "V0")
	poor := s.Do(t, play.AMM, "POST", "/transaction/swap-base-in", s.body(data, "V0", ""))
	assert.Equal(t, "Transaction simulation failed", poor.Text("msg"), "the wallet has no USDT")
	_, data = s.quote(t, "in", "SOL", "USDC", 1_000_000, 50, "V0")
	other := `,"inputAccount":"` + s.Token("SOL").Account(s.Vault(play.AMM)).String() + `"`
	assert.Equal(t, "Transaction simulation failed", s.Do(t, play.AMM, "POST", "/transaction/swap-base-in", s.body(data, "V0", other)).Text("msg"))
	unwrapped := s.Do(t, play.AMM, "POST", "/transaction/swap-base-in", s.body(data, "V0", `,"wrapSol":false`))
	assert.Equal(t, "Transaction simulation failed", unwrapped.Text("msg"), "the wallet has no wrapped SOL")
}

func TestIsStrict(t *testing.T) {
	s := start(t, play.Config{StrictEcho: true, ManualClock: true, NoLimits: true})
	path := s.computePath("in", "SOL", "USDC", 1000, 50, "V0")
	for _, bad := range []string{
		strings.Replace(path, "V0", "v0", 1), strings.Replace(path, "V0", "0", 1), strings.Replace(path, "&txVersion=V0", "", 1),
		strings.Replace(path, "slippageBps=50", "slippageBps=-1", 1), strings.Replace(path, "amount=1000", "amount=1.5", 1), path + "&wallet=x",
	} {
		a := s.Do(t, play.AMM, "GET", bad, nil)
		assert.Equal(t, 400, a.Status, bad)
		assert.Equal(t, false, a.At("success"))
		assert.Len(t, s.TakeProblems(), 1, bad)
	}
	_, in := s.quote(t, "in", "SOL", "USDC", 1000_000, 50, "V0")
	for _, c := range []struct{ kind, body string }{
		{"out", s.body(in, "V0", "")}, {"in", s.body(in, "LEGACY", "")}, {"in", s.body(strings.Replace(in, ":", ": ", 1), "V0", "")},
		{"in", s.body(string(kit.MustJSON(json.RawMessage(in))), "V0", "")}, {"in", s.body(in, "V0", `,"computeUnitPriceMicroLamports":1`)},
		{"in", s.body(in, "V0", `,"computeUnitPriceMicroLamports":"1.5"`)}, {"in", s.body(in, "V0", `,"wrapSol":"true"`)},
		{"in", s.body(`{"id":"x","success":true,"data":`+in+`}`, "V0", "")}, {"in", s.body(in, "v0", "")},
	} {
		a := s.Do(t, play.AMM, "POST", "/transaction/swap-base-"+c.kind, c.body)
		assert.Equal(t, 400, a.Status, c.body)
		assert.Len(t, s.TakeProblems(), 1, c.body)
	}
	assert.Equal(t, 400, s.Do(t, play.AMM, "GET", path, nil, "X-Api-Key", "k").Status)
	assert.Len(t, s.TakeProblems(), 1, "a credential that nobody asked for")
	assert.Equal(t, 404, s.Do(t, play.AMM, "GET", "/main/auto-fee", nil).Status, "the data host's")
	assert.Len(t, s.TakeProblems(), 1)
}

func TestWholeEnvelope(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	s.AMM.SetWholeEnvelope(true)
	for range 2 {
		a, data := s.quote(t, "in", "SOL", "USDC", 1_000_000, 50, "V0")
		assert.Equal(t, 400, s.Do(t, play.AMM, "POST", "/transaction/swap-base-in", s.body(data, "V0", "")).Status)
		assert.Len(t, s.TakeProblems(), 1)
		require.Nil(t, s.SignAndSubmit(t, s.build(t, "in", string(a.Raw), "V0", "")[0]).Err)
	}
}

func TestAccountsAndWrapping(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	wallet, sol := build.PublicKey(s.Wallet()), s.Token("SOL")
	_, data := s.quote(t, "in", "USDC", "SOL", 3_000_000, 50, "V0")
	own := `,"outputAccount":"` + sol.Account(wallet).String() + `","inputAccount":"` + s.Token("USDC").Account(wallet).String() + `"`
	require.Nil(t, s.SignAndSubmit(t, s.build(t, "in", data, "V0", `,"unwrapSol":false`+own)[0]).Err)
	wrapped := s.View().TokenBalance(s.WalletAddress(), s.Mint("SOL"))
	assert.Greater(t, wrapped, uint64(19_000_000))

	_, data = s.quote(t, "in", "SOL", "USDC", 10_000_000, 50, "V0")
	lamports := s.Held("SOL")
	r := s.SignAndSubmit(t, s.build(t, "in", data, "V0", `,"wrapSol":false`)[0])
	require.Nil(t, r.Err)
	assert.Equal(t, wrapped-10_000_000, s.View().TokenBalance(s.WalletAddress(), s.Mint("SOL")))
	assert.Equal(t, lamports-r.Fee, s.Held("SOL"))

	account := solana.NewWallet().PublicKey() // a token account of the wallet's that is not the associated one
	held := *s.Chain.Account(s.Token("USDC").Account(wallet))
	s.Chain.Put(account, held)
	_, data = s.quote(t, "in", "USDC", "SOL", 1_000_000, 50, "V0")
	before := s.Held("USDC")
	require.Nil(t, s.SignAndSubmit(t, s.build(t, "in", data, "V0", `,"inputAccount":"`+account.String()+`"`)[0]).Err)
	assert.Equal(t, before, s.Held("USDC"))
	chosen, ok := s.View().TokenAccount(account.String())
	require.True(t, ok)
	assert.Equal(t, before-1_000_000, chosen.Amount)
}

func TestDataHost(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, NoLimits: true})
	fee := s.data(t, "/main/auto-fee")
	for _, level := range []string{"vh", "h", "m"} {
		assert.Positive(t, worldtest.Number(t, fee.Text("data", "default", level)))
	}
	s.Advance(4 * time.Second)
	assert.NotEqual(t, fee.Text("data", "default", "m"), s.data(t, "/main/auto-fee").Text("data", "default", "m"))

	first, second := s.data(t, "/pools/info/list?pageSize=2&page=1"), s.data(t, "/pools/info/list?pageSize=2&page=3")
	assert.Len(t, first.At("data", "data"), 2)
	assert.Equal(t, "5", first.Text("data", "count"))
	assert.Equal(t, true, first.At("data", "hasNextPage"))
	assert.Len(t, second.At("data", "pools"), 1)
	assert.Empty(t, s.data(t, "/pools/info/list?pageSize=2&page=4000000000").At("data", "data"))
	assert.Len(t, s.data(t, "/pools/info/list").At("data", "pools"), 5)

	id := first.Text("data", "data", 0, "id")
	byID := "/pools/info/ids?ids=" + id + "," + s.WalletAddress()
	assert.Equal(t, id, s.data(t, byID).Text("data", 0, "id"))
	assert.Equal(t, id, s.data(t, byID).Text("data", "pools", 0, "poolId"))
	assert.Len(t, s.data(t, byID).At("data"), 2, "null for what is unknown")
	assert.Equal(t, false, s.DoAt(t, s.AMMDataURL(), play.AMM, "GET", "/pools/info/ids?ids=x", nil).At("success"))
	assert.Len(t, s.TakeProblems(), 1)

	byMint := s.data(t, "/pools/info/mint?mint1="+s.Mint("USDC"))
	assert.Len(t, byMint.At("data", "data"), 3)
	assert.Len(t, s.data(t, "/pools/info/mint?mint1="+s.Mint("USDC")+"&mint2="+s.Mint("SOL")).At("data", "pools"), 1)
	assert.Equal(t, "Invalid mint", s.DoAt(t, s.AMMDataURL(), play.AMM, "GET", "/pools/info/mint?mint1="+s.WalletAddress(), nil).Text("msg"))

	assert.Equal(t, "SOL", s.data(t, "/mint/list").Text("data", "mintList", 0, "symbol"))
	assert.Equal(t, "SOL", s.data(t, "/mint/list").Text("data", 0, "symbol"))
	prices := "/mint/price?mints=" + s.Mint("SOL") + "," + s.WalletAddress()
	byKey := s.data(t, prices)
	sol, err := json.Number(byKey.Text("data", s.Mint("SOL"))).Float64()
	require.NoError(t, err)
	assert.InEpsilon(t, 150, sol, 0.01)
	assert.Contains(t, string(byKey.Raw), `"`+s.WalletAddress()+`":null`)
	assert.Equal(t, s.Mint("SOL"), s.data(t, prices).Text("data", 0, "mint"))
}

func TestLimitAndAttack(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	_, data := s.quote(t, "in", "DUST", "USDT", 5_000_000_000, 100, "LEGACY")
	require.NoError(t, s.FundToken(s.WalletAddress(), s.Mint("DUST"), 20_000_000_000))
	s.Attack(func(string, []byte, [32]byte) []byte { return []byte("attack") })
	attacked := s.build(t, "in", data, "LEGACY", "")
	assert.NotEmpty(t, attacked)
	for _, tx := range attacked {
		assert.Equal(t, base64.StdEncoding.EncodeToString([]byte("attack")), tx)
	}
	for range 118 {
		s.data(t, "/main/auto-fee")
	}
	limited := s.DoAt(t, s.AMMDataURL(), play.AMM, "GET", "/main/auto-fee", nil)
	assert.Equal(t, 429, limited.Status)
	assert.Equal(t, false, limited.At("success"))
}

func TestExactOutputGivesBackWhatWasWrappedTooMuch(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	a, data := s.quote(t, "out", "SOL", "USDC", 150_000_000, 500, "V0")
	sol, usdc := s.Held("SOL"), s.Held("USDC")
	r := s.SignAndSubmit(t, s.build(t, "out", data, "V0", "")[0])
	require.Nil(t, r.Err)
	assert.Equal(t, usdc+150_000_000, s.Held("USDC"))
	assert.Equal(t, sol-worldtest.Number(t, a.Text("data", "inAmount"))-r.Fee, s.Held("SOL"), "the most was wrapped, what was needed is gone")
}
