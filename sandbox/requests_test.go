package sandbox_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/sandbox"
)

// texts is all that a log says.
func texts(all []sandbox.Exchange) string { return fmt.Sprintf("%+v", all) }

func TestRequestsAreLogged(t *testing.T) {
	p := openPort(t, sandbox.Config{ManualClock: true, Shape: 1, Tenants: []sandbox.Tenant{{Name: "alice"}}})
	alice := user{p, sandbox.Tenants(p.Sandbox)[0]}
	key := p.APIKey(sandbox.Lending)
	call("GET", p.URL(sandbox.Lending)+"/v1/pools?key="+key, "", "X-Api-Key", key)
	status, _ := alice.ask(sandbox.Lending, "GET", "/v1/pools", "", true)
	require.Equal(t, 200, status)
	status, _ = alice.ask(sandbox.RPC, "POST", "", `{"jsonrpc":"2.0","id":1,"method":"getSlot"}`, false)
	require.Equal(t, 200, status)
	p.Fault(sandbox.Route{Service: sandbox.Swap}, sandbox.Fault{Reset: true})
	_, err := http.Get(p.URL(sandbox.Swap) + "/tokens")
	require.Error(t, err)
	conn, _, err := websocket.DefaultDialer.DialContext(t.Context(), p.PredictMeta().WSURL()+"/ws", nil)
	require.NoError(t, err)
	defer conn.Close()

	all := sandbox.Requests(p.Sandbox, sandbox.Exchange{})
	require.Len(t, all, 5)
	for i, want := range []sandbox.Exchange{
		{Number: 1, Status: 400, Service: sandbox.Lending, Method: "GET", Route: "GET /v1/pools", Path: "/v1/pools?key=***"},
		{Number: 2, Status: 200, Service: sandbox.Lending, Method: "GET", Route: "GET /v1/pools", Path: "/v1/pools", Tenant: "alice"},
		{Number: 3, Status: 200, Service: sandbox.RPC, Method: "POST", Route: "getSlot", Path: "/", Tenant: "alice"},
		{Number: 4, Status: 0, Service: sandbox.Swap, Method: "GET", Route: "GET /tokens", Path: "/tokens"},
		{Number: 5, Status: 101, Service: sandbox.PredictMeta, Method: "GET", Route: "GET /ws", Path: "/ws"},
	} {
		got := all[i]
		assert.Equal(t, p.Now(), got.Time)
		got.Request, got.Response, got.Client, got.Time = "", "", "", want.Time
		assert.Equal(t, want, got)
	}
	assert.Equal(t, `{"jsonrpc":"2.0","id":1,"method":"getSlot"}`, all[2].Request)
	assert.Contains(t, all[2].Response, `"result":319999968`)
	assert.Contains(t, all[1].Response, `{"pools":[`)
	assert.Equal(t, "alice", all[1].Client)
	for query, want := range map[string]int{
		"": 5, "?service=lending": 2, "?service=lending&tenant=alice": 1, "?status=200": 2, "?route=getSlot": 1,
		"?route=GET+/v1/pools&status=400": 1, "?tenant=bob": 0,
	} {
		assert.Len(t, p.do("GET", "/requests"+query, "")["requests"], want, query)
	}
	require.NoError(t, sandbox.Reset(p.Sandbox, sandbox.PartState))
	assert.Empty(t, sandbox.Requests(p.Sandbox, sandbox.Exchange{}))
}

// TestRequestsAreReadWhileTheyAreLogged holds that the log is a copy, which the race detector sees.
func TestRequestsAreReadWhileTheyAreLogged(t *testing.T) {
	p := openPort(t, sandbox.Config{ManualClock: true, NoLimits: true, Shape: 1})
	for n := range 100 {
		conn, _, err := websocket.DefaultDialer.DialContext(t.Context(), p.PredictMeta().WSURL()+"/ws", nil)
		require.NoError(t, err)
		all := sandbox.Requests(p.Sandbox, sandbox.Exchange{})
		require.Len(t, all, n+1)
		require.NoError(t, conn.Close())
	}
}

// TestRequestsHideSecrets: whoever reads the log learns no key, token or code.
func TestRequestsHideSecrets(t *testing.T) {
	odd := `odd"<&>key`
	p := openPort(t, sandbox.Config{
		ManualClock: true, Shape: 1,
		Tenants: []sandbox.Tenant{{Name: "alice", Keys: map[sandbox.Service]string{sandbox.Lending: odd}}},
	})
	secrets := []string{odd, `odd\"`, "odd%22"}
	for _, s := range sandbox.Services() {
		key := p.APIKey(s)
		if s == sandbox.SmartAccount {
			continue
		}
		require.NotEmpty(t, key, s)
		secrets = append(secrets, key)
		call("POST", p.URL(s)+"/x/"+key+"?a="+key, `{"a":"`+key+`"}`, "X-Api-Key", key, "Authorization", "Bearer "+key, "User-Agent", key)
	}
	call("POST", p.URL(sandbox.Lending)+"/x?a=odd%22%3C%26%3Ekey", `{"a":"odd\"\u003c\u0026\u003ekey"}`)
	access, refresh := p.SmartAccount().SignIn("a@example.com")
	secrets = append(secrets, access, refresh)
	status, _ := call("POST", p.URL(sandbox.SmartAccount)+"/auth/refresh", `{"refreshToken":"`+refresh+`"}`)
	require.NotEqual(t, 0, status)
	call("POST", p.URL(sandbox.SmartAccount)+"/auth/verify", `{"email":"a@example.com","otp": "123456"}`)
	call("GET", p.URL(sandbox.SmartAccount)+"/"+access, "", "Authorization", "Bearer "+access)
	// At the edge, where a body is cut.
	key := p.APIKey(sandbox.Lending)
	for at := 4050; at < 4120; at++ {
		call("POST", p.URL(sandbox.Lending)+"/x", `{"a":"`+strings.Repeat("x", at)+key+`"}`)
	}
	all := sandbox.Requests(p.Sandbox, sandbox.Exchange{})
	require.Len(t, all, 10+1+3+70)
	for _, secret := range append(secrets, "123456", key[:14]) {
		assert.NotContains(t, texts(all), secret)
	}
	assert.Contains(t, texts(all), "***")
	_, _, raw := p.request("GET", "/requests", "", nil)
	assert.NotContains(t, raw, p.APIKey(sandbox.Control))
}

func TestRequestsAreBounded(t *testing.T) {
	p := newTrader(t, sandbox.Config{ManualClock: true, NoLimits: true})
	for range 1100 {
		var found any
		p.do("GET", p.URL(sandbox.SocialSearch)+"/2/posts/search/recent?query=solana&max_results=100", "", &found)
	}
	all := sandbox.Requests(p.Sandbox, sandbox.Exchange{})
	assert.Equal(t, 1100, all[len(all)-1].Number)
	assert.LessOrEqual(t, len(all), 1000)
	assert.Greater(t, len(all), 300)
	bytes := 0
	for _, e := range all {
		bytes += len(e.Response)
		require.Len(t, e.Response, 4096, "a long answer is cut")
	}
	assert.LessOrEqual(t, bytes, 4<<20)
}

// TestRequestsHideRenamedSecrets: a secret under the name that a deployment file gives its member.
func TestRequestsHideRenamedSecrets(t *testing.T) {
	named := func(documented, live string) deployment.Words {
		return deployment.Words{Keys: map[string]string{documented: live}}
	}
	p := openPort(t, sandbox.Config{ManualClock: true, Deployment: &deployment.Deployment{Services: map[string]deployment.Service{
		"smartaccount": {Words: named("otp", "pass(code)"), Operations: map[string]deployment.Operation{
			"POST /auth/refresh": {Words: named("refreshToken", "renewal")}}},
	}}})
	call("POST", p.URL(sandbox.SmartAccount)+"/auth/verify", `{"email":"a@example.com","pass(code)":"123456","renewal":"7890"}`)
	all := sandbox.Requests(p.Sandbox, sandbox.Exchange{})
	require.Len(t, all, 1)
	assert.Equal(t, `{"email":"a@example.com","pass(code)":"***","renewal":"***"}`, all[0].Request)
}

// TestRequestsHideSecretsWhole: no part of a secret is left where a text is cut, or where two meet.
func TestRequestsHideSecretsWhole(t *testing.T) {
	long := "long" + strings.Repeat("-hexed", 200)
	keys := []string{"team", "team-b-hexed", "xteam-c", "c-hexed-d", long, `quoted"\/&hexed`}
	c := sandbox.Config{ManualClock: true, NoLimits: true}
	for i, key := range keys {
		c.Tenants = append(c.Tenants, sandbox.Tenant{Name: fmt.Sprint(i), Keys: map[sandbox.Service]string{sandbox.Lending: key}})
	}
	p := openPort(t, c)
	at := p.URL(sandbox.Lending) + "/x"
	told := func(text string) string {
		require.NoError(t, sandbox.Reset(p.Sandbox, sandbox.PartState))
		call("GET", at+"?a="+url.QueryEscape(text), "", "User-Agent", text)
		call("POST", at, text)
		all := sandbox.Requests(p.Sandbox, sandbox.Exchange{})
		require.Len(t, all, 2)
		return all[0].Path + " " + all[0].Client + " " + all[1].Request
	}
	assert.Equal(t, "/x?a=*** *** ***", told("team-b-hexed"), "one that begins with another")
	assert.Equal(t, "/x?a=*** *** ***", told("xteam-c-hexed-d"), "one that overlaps another")
	assert.Equal(t, "/x?a=******0 ******0 ******0", told("teamteam0"))
	for _, quoted := range []string{`quoted\"\\/&hexed`, `quoted\"\\\/&hexed`, `quoted\"\\/\u0026hexed`} {
		assert.True(t, strings.HasSuffix(told(quoted), " ***"), "in a body: %s", quoted)
	}
	for _, key := range append(keys, p.APIKey(sandbox.Lending)) {
		for _, most := range []int{500, 4096} {
			for back := range min(len(key), 6) {
				assert.NotContains(t, told(strings.Repeat("y", most-back)+key), "yy"+key[:1])
				assert.NotContains(t, told(strings.Repeat("y", most-len("/x?a=")-back)+key), "yy"+key[:1])
			}
		}
		many := told(strings.Repeat(key+" ", 2+20_000/len(key))) // which masks make shorter
		assert.Empty(t, strings.Trim(many, "/x?a=*+. "), key)
	}
	for back := range 12 {
		assert.NotContains(t, told(strings.Repeat("y", 4095-back)+" at_12345678"), "at_1")
		assert.NotContains(t, told(strings.Repeat("y", 4095-back)+`"otp":"87654321"`), `"8`)
	}
	assert.True(t, strings.HasSuffix(told(`{"otp":87654321}`), ` {"otp":***}`))
}
