package sandbox_test

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox"
)

// user is a tenant under test.
type user struct {
	*port
	sandbox.TenantAccess
}

// ask makes a request with the tenant's key, or without one, at the tenant's address.
func (u user) ask(service sandbox.Service, method, path, body string, keyed bool) (int, string) {
	headers := []string{"User-Agent", u.Name}
	for _, s := range u.Services {
		if s.Service != service || s.Host != "" || !keyed {
			continue
		}
		prefix := ""
		if s.Header == "Authorization" {
			prefix = "Bearer "
		}
		headers = append(headers, s.Header, prefix+s.Key)
	}
	return call(method, u.TenantAccess.URL(service)+path, body, headers...)
}

// trade buys USDC for a tenth of a SOL of the tenant's wallet.
func (u user) trade() {
	u.t.Helper()
	status, raw := u.ask(sandbox.Swap, "GET", "/order?inputMint="+u.Mint("SOL")+"&outputMint="+u.Mint("USDC")+
		"&amount=100000000&userPublicKey="+u.Address, "", true)
	require.Equal(u.t, 200, status, raw)
	var built struct{ Transaction string }
	require.NoError(u.t, json.Unmarshal([]byte(raw), &built))
	tx, err := base64.StdEncoding.DecodeString(built.Transaction)
	require.NoError(u.t, err)
	copy(tx[1:65], ed25519.Sign(u.TenantAccess.Wallet(), tx[65:]))
	status, raw = u.ask(sandbox.RPC, "POST", "", `{"jsonrpc":"2.0","id":1,"method":"sendTransaction","params":["`+
		base64.StdEncoding.EncodeToString(tx)+`",{"encoding":"base64","preflightCommitment":"confirmed"}]}`, false)
	require.Equal(u.t, 200, status)
	require.Contains(u.t, raw, `"result"`, raw)
}

// users are n tenants, the last of which comes when the sandbox runs.
func users(t *testing.T, n int) (all []user) {
	c := sandbox.Config{ManualClock: true, Shape: 1}
	for i := range n - 1 {
		c.Tenants = append(c.Tenants, sandbox.Tenant{Name: fmt.Sprintf("team-%d", i)})
	}
	c.Tenants[0].Keys = map[sandbox.Service]string{sandbox.Lending: "my-own-key"}
	p := openPort(t, c)
	added := p.do("POST", "/add-tenant", `{"name":"late","keys":{"swap":"late-key"}}`)["tenant"].(map[string]any)
	for _, access := range sandbox.Tenants(p.Sandbox) {
		all = append(all, user{p, access})
	}
	require.Len(t, all, n)
	assert.Equal(t, "late-key", all[n-1].Key(sandbox.Swap))
	assert.Equal(t, all[n-1].Address, added["address"])
	assert.Equal(t, "my-own-key", all[0].Key(sandbox.Lending))
	return all
}

// TestTenantsDoNotMeet: of 200 users of one sandbox one floods, and one has faults. The others see
// no limit but their own, no violation, no webhook and no money of another.
func TestTenantsDoNotMeet(t *testing.T) {
	all := users(t, 200)
	flood, faulty, others := all[0], all[1], all[2:]
	limited := 0
	for range 200 {
		if status, _ := flood.ask(sandbox.Lending, "GET", "/v1/pools?nonsense=1", "", true); status == http.StatusTooManyRequests {
			limited++
		}
	}
	require.Positive(t, limited)
	for range 12 {
		flood.ask(sandbox.Swap, "GET", "/tokens", "", false)
	}
	flood.do("POST", "/fault", `{"fault":{"status":503,"tenant":"`+faulty.Name+`"}}`)
	status, _ := faulty.ask(sandbox.Lending, "GET", "/v1/pools", "", true)
	require.Equal(t, 503, status)
	status, _ = faulty.ask(sandbox.RPC, "POST", "", `{"jsonrpc":"2.0","id":1,"method":"getSlot"}`, false)
	require.Equal(t, 503, status)

	wallets := map[string]bool{}
	for _, u := range others {
		wallets[u.Address] = true
		require.EqualValues(t, uint64(100_000_000_000), u.Ledger().Balance(u.Address), u.Name)
		status, raw := u.ask(sandbox.Lending, "GET", "/v1/pools", "", true)
		require.Equal(t, 200, status, raw)
		for range 2 {
			status, raw = u.ask(sandbox.Swap, "GET", "/tokens", "", false)
			require.Equal(t, 200, status, "%s, without a key: %s", u.Name, raw)
		}
		u.trade()
		status, raw = u.ask(sandbox.Webhooks, "POST", "/webhooks/rest/v1/webhooks/template/"+sandbox.LedgerWalletFilter,
			`{"name":"`+u.Name+`","network":"mainnet","destination_url":"http://127.0.0.1:1","templateArgs":{"addresses":["`+u.Address+`"]}}`, true)
		require.Equal(t, 201, status, raw)
	}
	require.Len(t, wallets, 198)
	for _, u := range others {
		status, raw := u.ask(sandbox.Webhooks, "GET", "/webhooks/rest/v1/webhooks", "", true)
		require.Equal(t, 200, status, raw)
		require.Equal(t, 1, strings.Count(raw, `"destination_url"`), raw)
		require.Contains(t, raw, `"`+u.Name+`"`)
		require.Empty(t, u.do("GET", "/violations?tenant="+u.Name, "")["violations"])
		require.Greater(t, u.Ledger().TokenBalance(u.Address, u.Mint("USDC")), uint64(10_000_000_000), u.Name)
	}
	for _, v := range flood.Violations() {
		require.Equal(t, flood.Name, v.Tenant)
	}
	require.NotEmpty(t, flood.Violations())
	assert.EqualValues(t, uint64(10_000_000_000), flood.Ledger().TokenBalance(flood.WalletAddress(), flood.Mint("USDC")))
	assert.EqualValues(t, uint64(10_000_000_000), flood.Ledger().TokenBalance(flood.Address, flood.Mint("USDC")))
}

func TestTenantsAreToldApart(t *testing.T) {
	all := users(t, 3)
	one, two := all[0], all[1]
	ask := func(url, key string) int {
		status, _ := call("GET", url+"/v1/pools", "", "X-Api-Key", key)
		return status
	}
	for name, c := range map[string]struct {
		want     int
		url, key string
	}{
		"at its own address":      {200, one.TenantAccess.URL(sandbox.Lending), one.Key(sandbox.Lending)},
		"at everybody's address":  {200, one.Sandbox.URL(sandbox.Lending), one.Key(sandbox.Lending)},
		"at another's address":    {401, two.TenantAccess.URL(sandbox.Lending), one.Key(sandbox.Lending)},
		"everybody's key":         {401, two.TenantAccess.URL(sandbox.Lending), one.APIKey(sandbox.Lending)},
		"a key of no one":         {401, two.TenantAccess.URL(sandbox.Lending), "nobody"},
		"the key of another room": {401, one.TenantAccess.URL(sandbox.Lending), one.Key(sandbox.Swap)},
		"an address of no one": {404, strings.Replace(one.TenantAccess.URL(sandbox.Lending), one.Name, "nobody", 1),
			one.Key(sandbox.Lending)},
	} {
		assert.Equal(t, c.want, ask(c.url, c.key), name)
	}
	feed := two.Services[slices.IndexFunc(two.Services, func(s sandbox.ServiceAccess) bool { return s.Host == "feed" })].URL
	conn, _, err := websocket.DefaultDialer.DialContext(t.Context(), feed, nil)
	require.NoError(t, err)
	defer conn.Close()
	require.NoError(t, conn.WriteMessage(websocket.TextMessage, []byte("garbage")))
	require.NoError(t, conn.WriteMessage(websocket.TextMessage, []byte(`{"type":"nonsense"}`)))
	require.NoError(t, conn.WriteMessage(websocket.CloseMessage, nil))
	for err == nil { // until the close comes back: all of it was read
		_, _, err = conn.ReadMessage()
	}
	require.Len(t, one.Violations(), 5)
	for _, v := range one.Violations() {
		assert.Equal(t, two.Name, v.Tenant, v.Problem)
	}
	keys := map[sandbox.Service]string{}
	for _, s := range sandbox.Services() {
		keys[s] = one.APIKey(s)
	}
	require.NoError(t, sandbox.Reset(one.Sandbox, sandbox.PartState))
	assert.Equal(t, 200, ask(one.TenantAccess.URL(sandbox.Lending), one.Key(sandbox.Lending)), "tenants outlive a reset")
	assert.EqualValues(t, uint64(100_000_000_000), one.Ledger().Balance(all[2].Address))
	for problem, tenant := range map[string]sandbox.Tenant{
		"already":         {Name: one.Name},
		"1 to 32":         {Name: "Team"},
		"is another's":    {Name: "new", Keys: map[sandbox.Service]string{sandbox.Lending: one.Key(sandbox.Lending)}},
		"without blanks":  {Name: "new", Keys: map[sandbox.Service]string{sandbox.Lending: "a b"}},
		"takes no key":    {Name: "new", Keys: map[sandbox.Service]string{sandbox.SmartAccount: "a"}},
		`"lendin" takes`:  {Name: "new", Keys: map[sandbox.Service]string{"lendin": "a"}},
		"printable ASCII": {Name: "new", Keys: map[sandbox.Service]string{sandbox.Swap: ""}},
	} {
		_, err := sandbox.AddTenant(one.Sandbox, tenant)
		assert.ErrorContains(t, err, problem)
		_, err = sandbox.Start(sandbox.Config{Tenants: []sandbox.Tenant{{Name: one.Name, Keys: map[sandbox.Service]string{
			sandbox.Lending: one.Key(sandbox.Lending)}}, tenant}})
		assert.ErrorContains(t, err, problem)
	}
	assert.Len(t, sandbox.Tenants(one.Sandbox), 3, "what failed added none")
	for _, s := range sandbox.Services() {
		assert.Equal(t, keys[s], one.APIKey(s), "everybody's keys outlive a reset: %s", s)
	}
	status, _, raw := one.request("POST", "/fault", `{"fault":{"status":503,"tenant":"nobody"}}`, nil)
	assert.Equal(t, 422, status)
	assert.Contains(t, raw, "fault.tenant")
}

// TestNoTenantTakesTheKeyOfAnother: what the sandbox draws for a tenant who is still to come, or for
// anybody later on, is no tenant's to name; nor is a tenant's key for one service its key for another.
func TestNoTenantTakesTheKeyOfAnother(t *testing.T) {
	p := openPort(t, sandbox.Config{ManualClock: true})
	twin := openPort(t, sandbox.Config{ManualClock: true}) // the same seed: the same keys
	drawn := map[string]sandbox.TenantAccess{}
	for _, name := range []string{"eve", "bob", "eve-bob", "bob-0123456789abcdef"} {
		access, err := sandbox.AddTenant(twin.Sandbox, sandbox.Tenant{Name: name})
		require.NoError(t, err)
		drawn[name] = access
	}
	later := p.APIKey(sandbox.BurnClose)
	later = later[:len(later)-16] + "0123456789abcdef"
	own := drawn["eve"].Key(sandbox.Lending)
	for why, keys := range map[string]map[sandbox.Service]string{
		"another's":             {sandbox.Lending: drawn["bob"].Key(sandbox.Lending)},
		"one that begins alike": {sandbox.Lending: drawn["eve-bob"].Key(sandbox.Lending)},
		"one that ends alike":   {sandbox.Lending: drawn["bob-0123456789abcdef"].Key(sandbox.Lending)},
		"for another service":   {sandbox.Swap: drawn["bob"].Key(sandbox.Lending)},
		"generated later":       {sandbox.BurnClose: later},
		"everybody's":           {sandbox.Swap: p.APIKey(sandbox.Swap)},
		"of another seed":       {sandbox.Swap: "sandbox-swap-bob-0123456789abcdef"},
		"twice":                 {sandbox.Lending: "k", sandbox.Swap: "k"},
		"own, drawn":            {sandbox.Swap: own},
	} {
		_, err := sandbox.AddTenant(p.Sandbox, sandbox.Tenant{Name: "eve", Keys: keys})
		require.Error(t, err, why)
		assert.Contains(t, err.Error(), "sandbox: tenant eve: the key of ", why)
	}
	require.Empty(t, sandbox.Tenants(p.Sandbox))
	eve, err := sandbox.AddTenant(p.Sandbox, sandbox.Tenant{Name: "eve", Keys: map[sandbox.Service]string{
		sandbox.Lending: own, sandbox.Swap: "sandbox-swap-mine"}})
	require.NoError(t, err, "its own key, and one of another form")
	_, err = sandbox.AddTenant(p.Sandbox, sandbox.Tenant{Name: "bob"})
	require.NoError(t, err)
	status, raw := call("GET", eve.URL(sandbox.Lending)+"/v1/pools", "", "X-Api-Key", own)
	assert.Equal(t, 200, status, raw)
}
