package sandbox_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox"
)

// port is a control port under test.
type port struct {
	*sandbox.Sandbox
	t      *testing.T
	client *http.Client
}

func openPort(t *testing.T, c sandbox.Config) *port {
	t.Helper()
	if c.Control == nil {
		c.Control = &sandbox.ControlPort{}
	}
	s, err := sandbox.Start(c)
	require.NoError(t, err)
	t.Cleanup(s.Close)
	return &port{s, t, &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}}
}

// request makes a request with the token; change may alter it.
func (p *port) request(method, path, body string, change func(*http.Request)) (int, http.Header, string) {
	p.t.Helper()
	r, err := http.NewRequest(method, p.URL(sandbox.Control)+path, strings.NewReader(body))
	require.NoError(p.t, err)
	r.Header.Set("Authorization", "Bearer "+p.APIKey(sandbox.Control))
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if change != nil {
		change(r)
	}
	answer, err := p.client.Do(r)
	require.NoError(p.t, err)
	defer answer.Body.Close()
	raw, err := io.ReadAll(answer.Body)
	require.NoError(p.t, err)
	return answer.StatusCode, answer.Header, string(bytes.TrimSpace(raw))
}

// do makes a request that succeeds and decodes its answer.
func (p *port) do(method, path, body string) map[string]any {
	p.t.Helper()
	status, _, raw := p.request(method, path, body, nil)
	require.Equal(p.t, 200, status, "%s: %s", path, raw)
	var answer map[string]any
	require.NoError(p.t, json.Unmarshal([]byte(raw), &answer), raw)
	return answer
}

func TestControlIsClosedToOthers(t *testing.T) {
	p := openPort(t, sandbox.Config{ManualClock: true})
	own := strings.TrimPrefix(p.URL(sandbox.Control), "http://")
	for name, c := range map[string]struct {
		status int
		change func(*http.Request)
	}{
		"no token":               {401, func(r *http.Request) { r.Header.Del("Authorization") }},
		"another token":          {401, func(r *http.Request) { r.Header.Set("Authorization", "Bearer x") }},
		"a prefix of the token":  {401, func(r *http.Request) { r.Header.Set("Authorization", r.Header.Get("Authorization")[:20]) }},
		"the token alone":        {401, func(r *http.Request) { r.Header.Set("Authorization", p.APIKey(sandbox.Control)) }},
		"two tokens":             {401, func(r *http.Request) { r.Header.Add("Authorization", "Bearer x") }},
		"a name that was bound":  {403, func(r *http.Request) { r.Host = "evil.example" + own[strings.LastIndex(own, ":"):] }},
		"another port":           {403, func(r *http.Request) { r.Host = "127.0.0.1:1" }},
		"a page":                 {403, func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") }},
		"a page of its own name": {403, func(r *http.Request) { r.Header.Set("Origin", "http://"+own) }},
		"a page without origin":  {403, func(r *http.Request) { r.Header.Set("Origin", "null") }},
		"a frame":                {403, func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }},
	} {
		before := p.Now()
		status, h, raw := p.request("POST", "/advance", `{"by":1}`, c.change)
		assert.Equal(t, c.status, status, "%s: %s", name, raw)
		for header := range h {
			assert.NotContains(t, header, "Access-Control", name)
		}
		assert.Equal(t, before, p.Now(), name)
		assert.NotContains(t, raw, p.APIKey(sandbox.Control))
	}
	status, h, _ := p.request("OPTIONS", "/advance", "", func(r *http.Request) { r.Header.Set("Access-Control-Request-Method", "POST") })
	assert.Equal(t, 405, status)
	assert.Empty(t, h.Get("Access-Control-Allow-Origin"))
	status, _, _ = p.request("POST", "/advance", `{"by":1}`, func(r *http.Request) { r.Host = "localhost" + own[strings.LastIndex(own, ":"):] })
	assert.Equal(t, 200, status)
	none, err := sandbox.Start(sandbox.Config{})
	require.NoError(t, err)
	defer none.Close()
	assert.Empty(t, none.URL(sandbox.Control), "closed by default")
	assert.NotEqual(t, p.APIKey(sandbox.Control), openPort(t, sandbox.Config{}).APIKey(sandbox.Control), "tokens are random, whatever the seed")
	assert.Equal(t, "mine-0123", openPort(t, sandbox.Config{Control: &sandbox.ControlPort{Token: "mine-0123"}}).APIKey(sandbox.Control))
	_, err = sandbox.Start(sandbox.Config{Control: &sandbox.ControlPort{Token: "two words"}})
	assert.ErrorContains(t, err, "Control.Token")
}

func TestControlIsStrict(t *testing.T) {
	p := openPort(t, sandbox.Config{ManualClock: true})
	for _, c := range []struct {
		status             int
		method, path, body string
		says               string
	}{
		{404, "GET", "/nothing", "", "no such route"},
		{405, "GET", "/advance", "", "must be POST"},
		{400, "POST", "/advance", "", "by is missing"},
		{400, "POST", "/advance", `{"by":"1s"}`, "by must be a number of seconds"},
		{400, "POST", "/advance", `{"by":-1}`, "by must be"},
		{400, "POST", "/advance", `{"by":1}}`, "not one JSON value"},
		{400, "POST", "/advance", `{"by":1,"by":2}`, "by is unknown, or given twice"},
		{422, "POST", "/advance", `{"by":9000000000}`, "at most 366 days"},
		{422, "POST", "/advance-until", `{"time":"9000-01-01T00:00:00Z"}`, "at most 366 days"},
		{400, "POST", "/advance?by=1", ``, "in the body"},
		{400, "POST", "/advance-until", `{"time":"tomorrow"}`, "RFC 3339"},
		{422, "POST", "/advance-until", `{"time":"2020-01-01T00:00:00Z"}`, "past"},
		{400, "GET", "/mint?symbol=SOL&x=1", "", "x is unknown"},
		{400, "POST", "/fault", `{"fault":{"statis":503}}`, "fault.statis is unknown"},
		{400, "POST", "/fault", `{"fault":{"status":"503"}}`, "fault.status must be of type integer"},
		{422, "POST", "/fault", `{"match":{"service":"lendin"},"fault":{"status":503}}`, "match is of no route"},
		{422, "POST", "/fault", `{"match":{"service":"lending","pattern":"/v1/pool"},"fault":{"status":503}}`, "match is of no route"},
		{422, "POST", "/fault", `{"match":{"method":"get"},"fault":{"status":503}}`, "match is of no route"},
		{422, "POST", "/fault", `{"fault":{"status":99}}`, "fault.status"},
		{422, "POST", "/fault", `{"fault":{"status":503,"times":-1}}`, "negative"},
		{422, "POST", "/fault", `{"fault":{"times":1}}`, "does nothing"},
		{422, "POST", "/fault", `{"fault":{"lie":"nul","member":"a"}}`, `fault.lie is of no kind`},
		{422, "POST", "/fault", `{"fault":{"lie":"null"}}`, "fault.member names what lies"},
		{422, "POST", "/lied", `{"text":"e30=","lie":"nul","member":"a"}`, "sandbox: lie is of no kind"},
		{200, "POST", "/fault", `{"match":{"service":"rpc","pattern":"sendTransaction"},"fault":{"status":503}}`, "undo-1"},
		{200, "POST", "/fault", `{"fault":{"status":503}}`, "undo-2"},
		{422, "POST", "/ledger/fund-wallet", `{"address":"x","lamports":1}`, "no address"},
		{422, "POST", "/ledger/fund-wallet", `{"address":"` + p.WalletAddress() + `","lamports":"18446744073709551615"}`, "2^64-1"},
		{422, "POST", "/ledger/fund-token", `{"wallet":"` + p.WalletAddress() + `","mint":"` + p.Mint("USDC") + `","amount":"18446744073709551615"}`, "2^64-1"},
		{422, "POST", "/burnclose/open-empty-accounts", `{"wallet":"` + p.WalletAddress() + `","n":1000000000}`, "from 0 to 10,000"},
		{422, "POST", "/burnclose/open-empty-accounts", `{"wallet":"` + p.WalletAddress() + `","n":-1}`, "from 0 to 10,000"},
		{422, "POST", "/ledger/nodesocket/drop", `{"i":9}`, "no node 9"},
		{400, "POST", "/ledger/fund-wallet", `{"address":"x","lamports":1.5}`, "lamports must be a whole number"},
		{400, "POST", "/ledger/fund-wallet", `{"address":"x","lamports":18446744073709551616}`, "2^64-1"},
		{422, "POST", "/undo", `{"id":"undo-9"}`, "undo-9"},
		{422, "POST", "/sign-transaction", `{"transaction":"!"}`, "base64"},
	} {
		status, _, raw := p.request(c.method, c.path, c.body, nil)
		assert.Equal(t, c.status, status, "%s %s: %s", c.path, c.body, raw)
		assert.Contains(t, raw, c.says, c.path)
	}
	status, _, raw := p.request("POST", "/advance", `{"by":1}`, func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") })
	assert.Equal(t, 415, status, raw)
	assert.Empty(t, p.Violations(), "the control port is no service")
}

func TestControlClockAndFaults(t *testing.T) {
	p := openPort(t, sandbox.Config{ManualClock: true})
	start := p.Now()
	p.do("POST", "/advance", `{"by":1.5}`)
	assert.Equal(t, 1500*time.Millisecond, p.Now().Sub(start))
	p.do("POST", "/advance-until", `{"time":"2026-01-02T00:00:00Z"}`)
	assert.Equal(t, "2026-01-02T00:00:00Z", p.do("GET", "/now", "")["time"])

	pools := func() int {
		status, _ := call("GET", p.URL(sandbox.Lending)+"/v1/pools", "", "X-Api-Key", p.APIKey(sandbox.Lending))
		return status
	}
	id := p.do("POST", "/fault", `{"match":{"service":"lending","pattern":"/v1/pools"},"fault":{"status":503,"body":"e30=","header":{"Retry-After":["1"]}}}`)["id"]
	assert.Equal(t, 503, pools())
	p.do("POST", "/undo", `{"id":"`+id.(string)+`"}`)
	assert.Equal(t, 200, pools())
	assert.Equal(t, []any{map[string]any{"count": 2.0, "route": map[string]any{"service": "lending", "method": "GET", "pattern": "/v1/pools"}}}, p.do("GET", "/hits", "")["hits"])
	call("GET", p.URL(sandbox.Lending)+"/v1/pools?x=1", "", "X-Api-Key", p.APIKey(sandbox.Lending))
	assert.Contains(t, p.do("GET", "/violations", "")["violations"].([]any)[0].(map[string]any)["problem"], "x")
}

// Bit by bit over the wire: what a program in another language does with money.
func TestControlMoney(t *testing.T) {
	p := openPort(t, sandbox.Config{ManualClock: true, Shape: 1})
	const huge = "9007199254740993" // no double has it
	p.do("POST", "/ledger/fund-token", `{"wallet":"`+p.WalletAddress()+`","mint":"`+p.Mint("USDT")+`","amount":"`+huge+`"}`)
	assert.Equal(t, huge, p.do("GET", "/ledger/token-balance?wallet="+p.WalletAddress()+"&mint="+p.Mint("USDT"), "")["amount"])
	p.do("POST", "/market/set-price", `{"mint":"`+p.Mint("SOL")+`","microUsd":75000000}`)
	_, order := call("GET", p.URL(sandbox.Swap)+"/order?inputMint="+p.Mint("SOL")+"&outputMint="+p.Mint("USDC")+"&amount=1000000000&userPublicKey="+p.WalletAddress(), "")
	var built struct{ Transaction string }
	require.NoError(t, json.Unmarshal([]byte(order), &built), order)
	signed := p.do("POST", "/sign-transaction", `{"transaction":"`+built.Transaction+`"}`)
	_, sent := call("POST", p.URL(sandbox.RPC), `{"jsonrpc":"2.0","id":1,"method":"sendTransaction","params":["`+signed["transaction"].(string)+`",{"encoding":"base64","preflightCommitment":"confirmed"}]}`)
	require.Contains(t, sent, signed["signature"])
	status := p.do("GET", "/ledger/transaction-status?signature="+signed["signature"].(string), "")["status"].(map[string]any)
	assert.Equal(t, []any{true, "", "13000"}, []any{status["found"], status["err"], status["fee"]})
	p.do("POST", "/drain", `{"thief":"`+p.ProgramID(sandbox.AMM)+`"}`)
	_, attacked := call("GET", p.URL(sandbox.Swap)+"/order?inputMint="+p.Mint("SOL")+"&outputMint="+p.Mint("USDC")+"&amount=1000000000&userPublicKey="+p.WalletAddress(), "")
	assert.Less(t, len(attacked), len(order)-100)
	p.do("POST", "/attack", `{"transaction":"AQID"}`)
	_, attacked = call("GET", p.URL(sandbox.Swap)+"/order?inputMint="+p.Mint("SOL")+"&outputMint="+p.Mint("USDC")+"&amount=1000000000&userPublicKey="+p.WalletAddress(), "")
	assert.Contains(t, attacked, `"transaction":"AQID"`)
	p.do("POST", "/attack/stop", ``)
}

// A passkey is registered and signs in, by the virtual authenticator.
func TestControlPasskey(t *testing.T) {
	p := openPort(t, sandbox.Config{ManualClock: true, Shape: 1})
	access := p.do("POST", "/smartaccount/sign-in", `{"email":"a@example.com"}`)["accessToken"].(string)
	passkey, err := json.Marshal(p.do("POST", "/smartaccount/create-passkey", "")["passkey"])
	require.NoError(t, err)
	status, body := call("POST", p.URL(sandbox.SmartAccount)+"/auth/passkey/register", string(passkey), "Authorization", "Bearer "+access)
	require.Equal(t, 200, status, body)
	var made struct{ CredentialID string }
	require.NoError(t, json.Unmarshal(passkey, &made))
	assertion, err := json.Marshal(p.do("POST", "/smartaccount/assert-passkey", `{"credentialId":"`+made.CredentialID+`"}`)["assertion"])
	require.NoError(t, err)
	status, body = call("POST", p.URL(sandbox.SmartAccount)+"/auth/passkey/authenticate", `{"credentialId":"`+made.CredentialID+`","assertion":`+string(assertion)+`}`)
	assert.Equal(t, 200, status, body)
	assert.Contains(t, body, "accessToken")
	assert.Empty(t, p.Violations())
}

func TestControlCloses(t *testing.T) {
	closed := make(chan struct{})
	p := openPort(t, sandbox.Config{Control: &sandbox.ControlPort{Closed: func() { close(closed) }}})
	assert.Empty(t, p.do("POST", "/close", ""))
	<-closed
	_, err := p.client.Get(p.URL(sandbox.Control))
	assert.Error(t, err)
}
