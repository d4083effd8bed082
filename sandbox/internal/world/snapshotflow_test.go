package world_test

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
	"github.com/walletfi/walletfi-go/sandbox/internal/snapshot"
	"github.com/walletfi/walletfi-go/sandbox/internal/webhooks"
	"github.com/walletfi/walletfi-go/sandbox/internal/world"
	"github.com/walletfi/walletfi-go/sandbox/internal/worldtest"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// moody is a destination of webhooks: what it answers depends on the body alone.
type moody struct{}

func (moody) RoundTrip(r *http.Request) (*http.Response, error) {
	h := fnv.New32a()
	if _, err := io.Copy(h, r.Body); err != nil {
		return nil, err
	}
	status := []int{200, 503, 503}[h.Sum32()%3]
	return &http.Response{StatusCode: status, Body: http.NoBody, Request: r}, nil
}

// player makes the same drawn requests of several worlds at once, and holds their answers
// against each other. What the first answers is the material of later requests.
type player struct {
	t      *testing.T
	rng    *rand.Rand
	worlds []*world.World
	bearer string
	seen   map[string][]string // texts of answers, by the name of their member
	echoes map[string]string   // answers that go back whole, by the path that made them
	signed []string            // transactions, base64
	fine   map[play.Service]int
	landed int
	hooked bool
}

func newPlayer(t *testing.T, seed uint64, c play.Config) *player {
	p := &player{
		t: t, rng: rand.New(rand.NewPCG(seed, 0)), seen: map[string][]string{}, echoes: map[string]string{},
		fine: map[play.Service]int{},
	}
	p.add(c)
	return p
}

// add opens one more world.
func (p *player) add(c play.Config) *world.World {
	p.t.Helper()
	c.WebhookClient = &http.Client{Transport: moody{}}
	w, err := world.Open(c)
	require.NoError(p.t, err)
	p.t.Cleanup(w.Close)
	p.worlds = append(p.worlds, w)
	return w
}

// signIn makes a token for the next request, which may be long after the last one.
func (p *player) signIn() {
	for i, w := range p.worlds {
		access, _ := w.SmartAccount.SignIn("a@example.com")
		require.True(p.t, i == 0 || access == p.bearer)
		p.bearer = access
	}
}

func (p *player) first() *world.World { return p.worlds[0] }

// each does something to every world.
func (p *player) each(do func(w *world.World)) {
	for _, w := range p.worlds {
		do(w)
	}
}

func one[T any](p *player, all []T) T { return all[p.rng.IntN(len(all))] }

var hosts = regexp.MustCompile(`127\.0\.0\.1:\d+`)

// ask makes a request of every world. Only the ports may differ in what they answer.
func (p *player) ask(service play.Service, method, path, body string) []byte {
	p.t.Helper()
	var answer, raw []byte
	for i, w := range p.worlds {
		status, said, whole := p.send(w, service, method, path, body)
		if i == 0 {
			raw = said
			answer = hosts.ReplaceAll(whole, nil)
			if status == 200 {
				p.fine[service]++
			}
			continue
		}
		require.Equal(p.t, string(answer), string(hosts.ReplaceAll(whole, nil)), "%s %s %s of %s", method, path, body, service)
	}
	return raw
}

func (p *player) send(w *world.World, service play.Service, method, path, body string) (status int, said, whole []byte) {
	base := w.URL(service)
	if service == play.AMM && !strings.HasPrefix(path, "/compute") && !strings.HasPrefix(path, "/transaction") {
		base = w.HostURL(play.AMM, "data")
	}
	r, err := http.NewRequestWithContext(p.t.Context(), method, base+path, strings.NewReader(body))
	require.NoError(p.t, err)
	r.Header.Set("Content-Type", "application/json")
	switch key := w.APIKey(service); {
	case service == play.RPC:
	case service == play.SmartAccount:
		if !strings.HasPrefix(path, "/auth/") || strings.Contains(path, "register") {
			r.Header.Set("Authorization", "Bearer "+p.bearer)
		}
	case service == play.SocialSearch || service == play.Webhooks:
		r.Header.Set("Authorization", "Bearer "+key)
	case service == play.OnchainData:
		r.Header.Set("X-Demo-Api-Key", key)
	case service != play.AMM && !(service == play.BurnClose && (method == "GET" || path == "/api-keys/generate")):
		r.Header.Set("X-Api-Key", key)
	}
	answer, err := kit.InProcess{Core: w.Core}.RoundTrip(r)
	require.NoError(p.t, err)
	said, err = io.ReadAll(answer.Body)
	require.NoError(p.t, err)
	var all bytes.Buffer
	fmt.Fprintln(&all, answer.StatusCode)
	require.NoError(p.t, answer.Header.Write(&all))
	all.Write(said)
	return answer.StatusCode, said, all.Bytes()
}

// step draws a request of some route, or something else that happens.
func (p *player) step() {
	switch n := p.rng.IntN(20); {
	case n < 14:
		service := one(p, play.Services())
		p.signIn()
		p.request(service, one(p, text[service]))
	case n == 14:
		price := 100_000_000 + p.rng.Uint64N(100_000_000)
		p.each(func(w *world.World) { require.NoError(p.t, w.Pools.SetPrice(w.Token("SOL").Mint, price)) })
	case n == 15:
		wallet := p.first().WalletAddress()
		p.each(func(w *world.World) {
			w.Webhooks.EmitUTXO("", play.UTXOTransaction{TxID: "ab", Inputs: []play.UTXOAmount{{Address: wallet, Value: 1}}})
		})
	case n == 16:
		route := one(p, p.first().Routes())
		p.each(func(w *world.World) { w.Fault(route, play.Fault{Status: 503, Times: 2, After: 1}) })
	case len(p.signed) > 0 && n == 17:
		p.rpc("sendTransaction", fmt.Sprintf(`%q,{"encoding":"base64","preflightCommitment":"confirmed"}`, one(p, p.signed)))
	default:
		by := time.Duration(p.rng.ExpFloat64() * float64(one(p, []time.Duration{time.Second, time.Minute, 5 * time.Hour})))
		p.each(func(w *world.World) { w.Advance(by) })
	}
	p.each(func(w *world.World) { w.Settle(10 * time.Second) })
}

func (p *player) rpc(method, params string) {
	p.ask(play.RPC, "POST", "", fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":[%s]}`, method, params))
}

// request makes a request of a route, and uses what it answers.
func (p *player) request(service play.Service, line string) {
	parts := append(strings.Split(line, "|"), "", "")
	method, pattern, _ := strings.Cut(strings.TrimSpace(parts[0]), " ")
	if strings.Contains(pattern, "templateId") {
		if p.hooked {
			return // two would be told at once, and which delivery ends first is not the sandbox's
		}
		p.hooked = true
	}
	path := inPath.ReplaceAllStringFunc(pattern, func(m string) string {
		of := inPath.FindStringSubmatch(m)
		return url.PathEscape(p.value(pattern, of[1], of[2]))
	})
	var query, body []string
	for _, q := range parameters(strings.ReplaceAll(parts[1], "*", "")) {
		if !q.optional || p.rng.IntN(3) == 0 && !strings.Contains(q.kind, "priority") {
			query = append(query, written(q.name, p.value(pattern, q.name, q.kind)))
		}
	}
	for _, b := range parameters(strings.ReplaceAll(parts[2], "*", "")) {
		if !b.optional || p.rng.IntN(6) == 0 && b.kind == "integer" {
			body = append(body, fmt.Sprintf("%q:%s", b.name, p.inBody(pattern, b)))
		}
	}
	if len(query) > 0 {
		path += "?" + strings.Join(query, "&")
	}
	text := ""
	if method != "GET" && method != "DELETE" && parts[2] != "" {
		text = "{" + strings.Join(body, ",") + "}"
	}
	answer := p.ask(service, method, path, text)
	p.echoes[pattern] = string(answer)
	var said any
	if json.Unmarshal(answer, &said) == nil {
		p.read("", said)
	}
}

// read remembers an answer, and lands the transactions in it.
func (p *player) read(name string, v any) {
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			p.read(name, v[name])
		}
	case []any:
		for _, item := range v[:min(len(v), 5)] {
			p.read(name, item)
		}
	case string:
		if p.land(v) {
			return
		}
		if len(v) < 100 {
			known := p.seen[name]
			p.seen[name] = append(known[max(0, len(known)-10):len(known):len(known)], v)
		}
	}
}

// land signs and sends what is a transaction, most of the time.
func (p *player) land(text string) bool {
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		raw, err = base58.Decode(text)
	}
	if _, parsed := ledger.Parse(raw); err != nil || len(text) < 150 || parsed != nil {
		return false
	}
	signed := base64.StdEncoding.EncodeToString(worldtest.Sign(p.t, text, p.first().Wallet()))
	p.signed = append(p.signed[max(0, len(p.signed)-20):], signed)
	if p.rng.IntN(4) > 0 {
		p.rpc("sendTransaction", fmt.Sprintf(`%q,{"encoding":"base64","preflightCommitment":"confirmed"}`, signed))
		p.landed++
	}
	return true
}

// value draws a value for a parameter, from what was answered before if that fits.
func (p *player) value(pattern, name, kind string) string {
	w := p.first()
	from := map[string][]string{
		"accountId": {"id"}, "sessionId": {"id"}, "policyId": {"id"}, "transactionId": {"id"}, "directDebitId": {"id"},
		"subscriptionId": {"id"}, "webhookId": {"id", "webhookId"}, "offerPublicKey": {"address"},
		"positionAddress": {"positionAddress", "address", "newPositionAddresses"}, "firstPositionAddress": {"positionAddress", "address"},
		"secondPositionAddress": {"positionAddress", "address"}, "ticker": {"ticker"}, "signature": {"signature"},
		"next_token": {"next_token"}, "refreshToken": {"refreshToken"}, "marketMint": {"yes_mint", "mint"},
		"mint_address": {"yes_mint", "mint"}, "address": {"address"}, "pool_address": {"address"}, "username": {"username"},
		"id": {"author_id", "id"}, "provider": {"provider"},
	}
	var known []string
	for _, member := range from[name] {
		known = append(known, p.seen[member]...)
	}
	prefix := map[string]string{"accountId": "acc", "sessionId": "sess", "policyId": "pol", "transactionId": "tx", "directDebitId": "dd", "subscriptionId": "sub"}[name]
	known = slices.DeleteFunc(slices.Clone(known), func(s string) bool { return !strings.HasPrefix(s, prefix) })
	if len(known) > 0 {
		return one(p, known)
	}
	words := strings.Split(kind, "/")
	switch {
	case name == "network":
		return "solana"
	case name == "templateId":
		return one(p, []string{webhooks.LedgerWalletFilter, webhooks.UTXOWalletFilter})
	case kind == "key" && (strings.Contains(strings.ToLower(name), "mint") || name == "assetId"):
		return w.Token(one(p, []string{"SOL", "USDC", "USDC", "DUST"})).Mint
	case kind == "key":
		return w.WalletAddress()
	case kind == "list-of-keys":
		return w.Token("SOL").Mint + "," + w.Token("USDC").Mint
	case len(words) > 1 && !strings.HasPrefix(kind, "set:"):
		return one(p, words)
	case kind == "bool":
		return one(p, []string{"true", "false"})
	case slices.Contains([]string{"integer", "number", "digits", "bps"}, kind):
		return fmt.Sprint(p.number(name))
	case kind == "float":
		return "2"
	case kind == "timestamp":
		return fmt.Sprint(w.Start.Unix())
	case kind == "instant":
		return w.Start.Add(24 * time.Hour).Format(time.RFC3339)
	case kind == "date":
		return w.Start.Add(96 * time.Hour).Format(time.DateOnly)
	case name == "email":
		return "a@example.com"
	case name == "query":
		return "sol"
	}
	return "text"
}

// number draws an amount, or what suits the name.
func (p *player) number(name string) int {
	lower := strings.ToLower(name)
	switch {
	case strings.Contains(lower, "amount") || name == "lamports":
		return 1_000_000 + p.rng.IntN(50_000_000)
	case strings.Contains(lower, "bps") || strings.Contains(lower, "slippage"):
		return 100 + p.rng.IntN(4000)
	case name == "max_results":
		return 10
	}
	return p.rng.IntN(3) + 1
}

// inBody is value as JSON.
func (p *player) inBody(pattern string, b parameter) string {
	of := map[string]string{
		"/swap": "/quote", "/swap-instructions": "/quote", "/submit-intent": "/intent",
		"/transaction/swap-base-in": "/compute/swap-base-in", "/transaction/swap-base-out": "/compute/swap-base-out",
	}[pattern]
	switch b.kind {
	case "echo":
		var envelope struct{ Data json.RawMessage }
		if json.Unmarshal([]byte(p.echoes[of]), &envelope) == nil && envelope.Data != nil {
			return string(envelope.Data)
		}
		return cmp.Or(p.echoes[of], "{}")
	case "tx64", "tx58", "txs58":
		return p.transaction(b.kind)
	case "integer", "bool", "float", "number", "bps", "off":
		return strings.ReplaceAll(p.value(pattern, b.name, b.kind), "text", "false")
	case "texts", "keys":
		return fmt.Sprintf("[%q]", p.value(pattern, strings.TrimSuffix(b.name, "s"), strings.TrimSuffix(b.kind, "s")))
	case "https":
		return `"https://receiver.example.com/hook"`
	case "arguments":
		return fmt.Sprintf(`{"addresses":[%q]}`, p.first().WalletAddress())
	case "object", "spending":
		return fmt.Sprintf(`{"mint":%q,"amount":"5000000","period":"daily"}`, p.first().Token("USDC").Mint)
	case "instructions":
		return "[]"
	case "burn":
		return `"1"`
	}
	return fmt.Sprintf("%q", p.value(pattern, b.name, b.kind))
}

// transaction is a signed one that was sent, or not.
func (p *player) transaction(kind string) string {
	if len(p.signed) == 0 {
		return `""`
	}
	text := one(p, p.signed)
	if kind == "tx64" {
		return fmt.Sprintf("%q", text)
	}
	raw, err := base64.StdEncoding.DecodeString(text)
	require.NoError(p.t, err)
	if kind == "txs58" {
		return fmt.Sprintf("[%q]", base58.Encode(raw))
	}
	return fmt.Sprintf("%q", base58.Encode(raw))
}

func (p *player) snapshot(w *world.World) []byte {
	p.t.Helper()
	raw, err := w.Snapshot()
	require.NoError(p.t, err)
	return raw
}

// TestSnapshotGoesOnAsTheOriginal draws requests of all services, takes a snapshot in their
// midst, and makes the rest of them of the original, of a sandbox that started from the
// snapshot, and of one that had a life of its own before it was restored. All answer the same
// bytes, and end in the same state.
func TestSnapshotGoesOnAsTheOriginal(t *testing.T) {
	fine, landed, met := map[play.Service]int{}, 0, map[string]bool{}
	for seed := range uint64(flows) {
		c := play.Config{ManualClock: true, NoLimits: seed%2 == 0, Drift: seed%3 == 0, Seed: seed + 1}
		if seed%3 == 1 {
			c.Network = &play.Network{Reach: 0.6, Resends: true, Nodes: make([]play.Node, 2), Fees: &play.FeeMarket{}}
		}
		p := newPlayer(t, seed, c)
		for range 150 {
			p.step()
		}
		p.scene()
		raw := p.snapshot(p.first())
		require.True(t, bytes.Equal(raw, p.snapshot(p.first())), "one state, one snapshot")
		for _, typ := range snapshot.Kept() {
			if bytes.Contains(raw, []byte(typ.String())) {
				met[typ.String()] = true
			}
		}
		p.add(play.Config{Snapshot: raw})
		other := p.add(play.Config{ManualClock: true, Seed: 99, Network: c.Network})
		other.Advance(100 * time.Hour)
		require.NoError(t, other.Restore(raw, func(w *world.World) { p.worlds[2] = w }))
		for _, w := range p.worlds[1:] {
			require.True(t, bytes.Equal(raw, p.snapshot(w)), "seed %d: it is not the same state", seed)
		}
		for range 150 {
			p.step()
		}
		last := p.snapshot(p.first())
		for _, w := range p.worlds[1:] {
			require.True(t, bytes.Equal(portless(last), portless(p.snapshot(w))), "seed %d: it went on in another way", seed)
		}
		for service, n := range p.fine {
			fine[service] += n
		}
		landed += p.landed
	}
	t.Logf("answers of 200: %v, transactions sent: %d", fine, landed)
	for _, typ := range snapshot.Kept() {
		if name := typ.String(); strings.Contains(name, ".") && name != "lending.letter" { // which never waits
			require.True(t, met[name], "no snapshot had a %s", name)
		}
	}
	for _, service := range play.Services() {
		require.Greater(t, fine[service], flows, "%s has hardly been asked", service)
	}
	require.Greater(t, landed, flows)
}

// portless is a snapshot without its sum and without the ports, of which the log of requests tells.
func portless(raw []byte) []byte { return hosts.ReplaceAll(raw[:len(raw)-32], nil) }

// flows is how many are drawn.
const flows = 6
