package sandbox_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox"
)

// poolsAs asks for the pools as a client, at a path that may be wrong.
func (p *port) poolsAs(client, path string) int {
	p.t.Helper()
	r, err := http.NewRequest("GET", p.URL(sandbox.Lending)+path, nil)
	require.NoError(p.t, err)
	r.Header.Set("User-Agent", client)
	r.Header.Set("X-Api-Key", p.APIKey(sandbox.Lending))
	answer, err := p.client.Do(r)
	require.NoError(p.t, err)
	require.NoError(p.t, answer.Body.Close())
	return answer.StatusCode
}

func TestViolationsAreFiltered(t *testing.T) {
	p := openPort(t, sandbox.Config{ManualClock: true})
	require.Equal(t, 404, p.poolsAs("one/1", "/v1/none"))
	require.Equal(t, 404, p.poolsAs("two/1", "/v1/none"))
	require.Equal(t, 400, p.poolsAs("two/1", "/v1/pools?x=1"))
	for query, want := range map[string]int{
		"": 3, "?client=two": 2, "?client=two&problem=no+such": 1, "?route=GET+/v1/pools": 1, "?service=lending": 3,
		"?service=swap": 0, "?tenant=nobody": 0, "?problem=x": 1,
	} {
		assert.Len(t, p.do("GET", "/violations"+query, "")["violations"], want, query)
		assert.Len(t, p.do("GET", "/violation-groups"+query, "")["groups"], want, query)
	}
	assert.Equal(t, "two/1", p.Violations()[1].Client)
	assert.True(t, sandbox.Violation{Client: "two", Route: "GET /v1/none"}.Covers(p.Violations()[1]))
	assert.False(t, sandbox.Violation{Client: "two", Route: "GET /v1"}.Covers(p.Violations()[1]))
}

func TestResetOfParts(t *testing.T) {
	p := openPort(t, sandbox.Config{ManualClock: true})
	p.do("POST", "/fault", `{"match":{"service":"lending"},"fault":{"status":503}}`)
	require.Equal(t, 503, p.poolsAs("one/1", "/v1/pools"))
	require.Equal(t, 404, p.poolsAs("one/1", "/v1/none"))
	p.do("POST", "/reset", `{"parts":["violations"]}`)
	assert.Empty(t, p.Violations())
	assert.Equal(t, 503, p.poolsAs("one/1", "/v1/pools"), "a fault is no violation")
	p.do("POST", "/reset", `{"parts":["faults"]}`)
	assert.Equal(t, 200, p.poolsAs("one/1", "/v1/pools"))
	for _, body := range []string{`{"parts":[]}`, `{"parts":["everything"]}`, `{"parts":["violations","all"]}`} {
		status, _, raw := p.request("POST", "/reset", body, nil)
		assert.Equal(t, 422, status, raw)
		assert.Contains(t, raw, "violations, faults or state")
	}
}

// TestResetOfTheState: it is as after Start, but for the clock, the addresses and what clients wait for.
func TestResetOfTheState(t *testing.T) {
	p := openPort(t, sandbox.Config{ManualClock: true, Shape: 1})
	keys, urls := map[sandbox.Service]string{}, map[sandbox.Service]string{}
	for _, s := range append(sandbox.Services(), sandbox.RPC, sandbox.Control) {
		keys[s], urls[s] = p.APIKey(s), p.URL(s)
	}
	pools := func() string {
		status, raw := call("GET", p.URL(sandbox.Lending)+"/v1/pools", "", "X-Api-Key", p.APIKey(sandbox.Lending))
		require.Equal(t, 200, status, raw)
		return raw
	}
	first, wallet := pools(), p.Ledger().Balance(p.WalletAddress())
	fired := make(chan bool, 1)
	p.Options().Clock.AfterFunc(3*time.Hour, func() { fired <- true })

	p.Advance(2 * time.Hour)
	require.NoError(t, p.Ledger().FundWallet(p.WalletAddress(), 5))
	p.Market().SetPrice(p.Mint("SOL"), 1_000_000)
	p.SmartAccount().SignIn("a@example.com")
	p.Fault(sandbox.Route{}, sandbox.Fault{Status: 500, After: 3})
	require.Equal(t, 404, p.poolsAs("one/1", "/v1/none"))
	now := p.Now()
	p.do("POST", "/reset", `{"parts":["state"]}`)

	for s, key := range keys {
		assert.Equal(t, key, p.APIKey(s), s)
		assert.Equal(t, urls[s], p.URL(s), s)
	}
	assert.Equal(t, now, p.Now(), "the clock never goes back")
	assert.Equal(t, wallet, p.Ledger().Balance(p.WalletAddress()))
	assert.Equal(t, uint64(320_000_000), p.Ledger().Slot())
	assert.Empty(t, p.Violations())
	assert.Empty(t, p.Hits())
	for range 5 {
		assert.JSONEq(t, first, pools(), "the rates of a new sandbox, and no fault")
	}
	assert.Equal(t, "320000000", p.do("GET", "/ledger/slot", "")["slot"], "the controls are of the new state")
	assert.Empty(t, fired)
	p.Advance(time.Hour)
	assert.True(t, <-fired, "what a client waits for still comes")
	require.NoError(t, sandbox.Reset(p.Sandbox, sandbox.PartState, sandbox.PartViolations))
	assert.ErrorContains(t, sandbox.Reset(p.Sandbox), "violations, faults or state")
}
