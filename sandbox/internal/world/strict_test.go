package world_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/worldtest"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// TestStrictRequests sends every route a well-formed request, which must not be
// listed, and the same with one thing wrong, which must be refused and listed, with
// the right key and with a wrong one.
func TestStrictRequests(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, NoLimits: true, InstantConfirmation: true})
	b := newBench(t, s)
	lines := 0
	for _, service := range play.Services() {
		for _, line := range text[service] {
			lines++
			b.hold(t, service, line)
		}
	}
	assert.Equal(t, 154, lines)
	assert.Greater(t, b.refused, 3000)
	assert.Greater(t, b.taken, 700)
	t.Logf("%d malformed requests refused and listed, %d well-formed ones taken", b.refused, b.taken)
}

// bench sends requests and looks at what is listed.
type bench struct {
	*started
	client         http.Client
	sample         sample
	echoes         map[string]string
	bearer         string
	refused, taken int
}

func newBench(t *testing.T, s *started) *bench {
	b := &bench{started: s, client: http.Client{Transport: kit.InProcess{Core: s.Core}}, echoes: map[string]string{}}
	b.bearer, _ = s.SmartAccount.SignIn("a@example.com")
	made := s.Do(t, play.Lending, "POST", "/v1/generate.transactions.deposit", map[string]any{"owner": s.WalletAddress(), "mintAddress": s.Mint("USDC"), "depositType": "regular", "amount": 1})
	signed := worldtest.Sign(t, made.Text("transaction"), s.Wallet())
	b.sample = sample{key: s.WalletAddress(), signature: worldtest.Signature(t, signed), tx64: base64.StdEncoding.EncodeToString(signed), tx58: base58.Encode(signed)}
	quote := s.Do(t, play.Swap, "GET", s.SwapQuery("/quote", "SOL", "USDC", 1_000_000), nil)
	b.echoes["/swap"], b.echoes["/swap-instructions"] = string(quote.Raw), string(quote.Raw)
	b.echoes["/submit-intent"] = string(s.Do(t, play.Swap, "GET", s.SwapQuery("/intent", "SOL", "USDC", 1_000_000, "userPublicKey", s.WalletAddress()), nil).Raw)
	for _, kind := range []string{"in", "out"} {
		path := fmt.Sprintf("/compute/swap-base-%s?inputMint=%s&outputMint=%s&amount=1000000&slippageBps=50&txVersion=V0", kind, s.Mint("SOL"), s.Mint("USDC"))
		var envelope struct{ Data json.RawMessage }
		require.NoError(t, json.Unmarshal(s.Do(t, play.AMM, "GET", path, nil).Raw, &envelope))
		b.echoes["/transaction/swap-base-"+kind] = string(envelope.Data)
	}
	return b
}

// parameter is one of a line's.
type parameter struct {
	name, kind string
	optional   bool
}

func parameters(words string) (all []parameter) {
	for _, word := range strings.Fields(words) {
		name, kind, _ := strings.Cut(word, "=")
		name, optional := strings.CutSuffix(name, "?")
		all = append(all, parameter{name, kind, optional})
	}
	return all
}

var inPath = regexp.MustCompile(`\{([^=}]+)=([^}]+)\}`)

// request is a request to a route.
type request struct {
	service     play.Service
	method      string
	path        map[string]string
	pattern     string
	query, body []string // written: name=value escaped, "name":value
	rawBody     *string
	credential  string
}

// hold holds one line against the sandbox.
func (b *bench) hold(t *testing.T, service play.Service, line string) {
	parts := append(strings.Split(line, "|"), "", "")
	method, path, _ := strings.Cut(strings.TrimSpace(parts[0]), " ")
	sample := b.sample
	sample.echo = b.echoes[path]
	whole := request{service: service, method: method, pattern: path, path: map[string]string{}}
	var queries, bodies []parameter
	if strings.TrimSpace(parts[1]) != "*" {
		queries = parameters(parts[1])
	}
	if strings.TrimSpace(parts[2]) != "*" {
		bodies = parameters(parts[2])
	}
	for _, m := range inPath.FindAllStringSubmatch(path, -1) {
		whole.path[m[1]] = sample.inQuery(m[2]).good[0]
	}
	for _, p := range queries {
		whole.query = append(whole.query, written(p.name, sample.inQuery(p.kind).good[0]))
	}
	for _, p := range bodies {
		whole.body = append(whole.body, fmt.Sprintf("%q:%s", p.name, sample.inBody(p.kind).good[0]))
	}
	b.take(t, whole, "everything")
	least := whole
	least.query, least.body = nil, nil
	for i, p := range queries {
		if !p.optional {
			least.query = append(least.query, whole.query[i])
			b.refuse(t, whole.without(i, -1), p.name+" missing")
		}
	}
	for i, p := range bodies {
		if !p.optional {
			least.body = append(least.body, whole.body[i])
			b.refuse(t, whole.without(-1, i), p.name+" missing")
		}
	}
	if len(bodies) == 0 || len(least.body) > 0 || method == "PATCH" {
		b.take(t, least, "what is required")
	}
	b.holdPath(t, whole, sample)
	b.holdQuery(t, whole, queries, sample, strings.TrimSpace(parts[1]) == "*")
	b.holdBody(t, whole, bodies, sample, strings.TrimSpace(parts[2]) == "*")
}

func (b *bench) holdPath(t *testing.T, whole request, sample sample) {
	for _, m := range inPath.FindAllStringSubmatch(whole.pattern, -1) {
		k := sample.inQuery(m[2])
		for _, good := range k.good {
			r := whole.clone()
			r.path[m[1]] = good
			if m[2] != "template" { // of another template the arguments differ
				b.take(t, r, m[1]+" "+good)
			}
		}
		for _, bad := range k.bad {
			if bad != "" { // no route at all
				r := whole.clone()
				r.path[m[1]] = bad
				b.refuse(t, r, m[1]+" "+bad)
			}
		}
	}
}

func (b *bench) holdQuery(t *testing.T, whole request, queries []parameter, sample sample, open bool) {
	r := whole.clone()
	if open {
		r.query = append(r.query, "any=thing", "any=twice", "limit=NaN", "interval=", "max_results=-1")
		b.take(t, r, "an open query")
		return
	}
	r.query = append(r.query, "notdocumented=1")
	b.refuse(t, r, "an unknown parameter")
	for i, p := range queries {
		k := sample.inQuery(p.kind)
		twice := whole.clone()
		twice.query = append(twice.query, whole.query[i])
		b.refuse(t, twice, p.name+" twice")
		for _, good := range k.good {
			r := whole.clone()
			r.query[i] = written(p.name, good)
			b.take(t, r, p.name+"="+good)
			r.query[i] = p.name + "=" + strings.ReplaceAll(url.QueryEscape(good), "%2C", ",")
			b.take(t, r, p.name+"="+good+" with raw commas")
		}
		for _, bad := range k.bad {
			r := whole.clone()
			r.query[i] = written(p.name, bad)
			b.refuse(t, r, p.name+"="+bad)
		}
		if p.kind == "priority" {
			r := whole.clone()
			r.query[i] = p.name + "[priorityLevel]=high"
			b.take(t, r, "brackets")
			r.query[i] = p.name + "[autoMultiplier]=1.5&" + p.name + "[maxLamports]=9"
			b.take(t, r, "brackets")
			r.query[i] = p.name + "[priorityLevel]=low"
			b.refuse(t, r, "brackets")
		}
	}
}

func (b *bench) holdBody(t *testing.T, whole request, bodies []parameter, sample sample, open bool) {
	raw := func(text string) request {
		r := whole.clone()
		r.rawBody = &text
		return r
	}
	object := "{" + strings.Join(whole.body, ",") + "}"
	switch {
	case whole.method == "GET" || whole.method == "DELETE":
		b.refuse(t, raw("{}"), "a body on a "+whole.method)
		return
	case open:
		b.take(t, raw(`{"any":"thing","mode":7,"positionAddress":5}`), "an open body")
		object = `{"any":1}`
	default:
		b.refuse(t, raw("[]"), "an array for an object")
		b.refuse(t, raw(`{"notDocumented":1`+strings.TrimPrefix(","+object[1:], ",}")), "an unknown member")
	}
	for _, rubbish := range []string{"}", "]]]x", "{}", ",", "null", "x"} {
		b.refuse(t, raw(object+rubbish), "rubbish "+rubbish+" after the body")
	}
	b.refuse(t, raw(object[:len(object)-1]), "a body that ends early")
	for i, p := range bodies {
		k := sample.inBody(p.kind)
		twice := whole.clone()
		twice.body = append(twice.body, whole.body[i])
		b.refuse(t, twice, p.name+" twice")
		for _, good := range k.good {
			if len(b.echoes[whole.pattern]) > 0 && p.name == "txVersion" && good != k.good[0] || p.kind == "spending_limit/allowlist/blocklist/time_window/approval_required" {
				continue // the other parameters would have to change too
			}
			r := whole.clone()
			r.body[i] = fmt.Sprintf("%q:%s", p.name, good)
			b.take(t, r, p.name+":"+good)
		}
		for _, bad := range k.bad {
			r := whole.clone()
			r.body[i] = fmt.Sprintf("%q:%s", p.name, bad)
			b.refuse(t, r, p.name+":"+bad)
		}
	}
}

func written(name, value string) string { return name + "=" + url.QueryEscape(value) }

func (r request) clone() request {
	path := map[string]string{}
	for name, value := range r.path {
		path[name] = value
	}
	r.path, r.query, r.body = path, slices.Clone(r.query), slices.Clone(r.body)
	return r
}

// without leaves a parameter of the query and one of the body out.
func (r request) without(query, body int) request {
	r = r.clone()
	if query >= 0 {
		r.query = slices.Delete(r.query, query, query+1)
	}
	if body >= 0 {
		r.body = slices.Delete(r.body, body, body+1)
	}
	return r
}

// take sends what must not be listed.
func (b *bench) take(t *testing.T, r request, what string) {
	t.Helper()
	status, said := b.send(t, r)
	b.taken++
	assert.Empty(t, b.TakeProblems(), "%s %s: %s", r.method, r.pattern, what)
	assert.Less(t, status, 500, "%s %s: %s: %s", r.method, r.pattern, what, said)
}

// refuse sends what must be refused and listed, also if the key is wrong.
func (b *bench) refuse(t *testing.T, r request, what string) {
	t.Helper()
	status, said := b.send(t, r)
	b.refused++
	assert.NotEmpty(t, b.TakeProblems(), "%s %s: %s is not listed: %d %s", r.method, r.pattern, what, status, said)
	assert.True(t, status >= 400 && status < 500, "%s %s: %s: %d %s", r.method, r.pattern, what, status, said)
	r.credential = "wrong"
	b.send(t, r)
	problems := b.TakeProblems()
	if !strings.Contains(what, "Response:{") { // what was served is known to the handler only
		assert.NotEmpty(t, problems, "%s %s: %s is not listed behind a wrong key", r.method, r.pattern, what)
	}
}

func (b *bench) send(t *testing.T, r request) (int, string) {
	t.Helper()
	base, path := b.URL(r.service), inPath.ReplaceAllStringFunc(r.pattern, func(m string) string {
		return url.PathEscape(r.path[inPath.FindStringSubmatch(m)[1]])
	})
	if r.service == play.AMM && !strings.HasPrefix(path, "/compute") && !strings.HasPrefix(path, "/transaction") {
		base = b.AMMDataURL()
	}
	if len(r.query) > 0 {
		path += "?" + strings.Join(r.query, "&")
	}
	body := ""
	if len(r.body) > 0 {
		body = "{" + strings.Join(r.body, ",") + "}"
	}
	if r.rawBody != nil {
		body = *r.rawBody
	}
	sent, err := http.NewRequestWithContext(t.Context(), r.method, base+path, strings.NewReader(body))
	require.NoError(t, err)
	sent.Header.Set("Content-Type", "application/json")
	b.sign(sent, r)
	answer, err := b.client.Do(sent)
	require.NoError(t, err)
	defer answer.Body.Close()
	var said strings.Builder
	answer.Write(&said)
	return answer.StatusCode, said.String()
}

// sign adds the credential that the route takes.
func (b *bench) sign(sent *http.Request, r request) {
	key := b.APIKey(r.service)
	switch {
	case r.service == play.AMM || r.service == play.BurnClose && (r.method == "GET" || r.pattern == "/api-keys/generate"):
		return
	case r.service == play.SmartAccount && strings.HasPrefix(r.pattern, "/auth/") && !strings.Contains(r.pattern, "register"):
		return
	case r.service == play.SmartAccount:
		key = b.bearer
	}
	if r.credential != "" {
		key = r.credential
	}
	switch r.service {
	case play.SmartAccount, play.SocialSearch, play.Webhooks:
		sent.Header.Set("Authorization", "Bearer "+key)
	case play.OnchainData:
		sent.Header.Set("X-Demo-Api-Key", key)
	default:
		sent.Header.Set("X-Api-Key", key)
	}
}

// kind is the form of a parameter: values that are well-formed, the first of which
// the requests carry, and values that are not. Values of a body are JSON.
type kind struct{ good, bad []string }

// sample has what well-formed values are made of.
type sample struct{ key, signature, tx64, tx58, echo string }

// notNumbers are the ways in which no number is written in a query.
var notNumbers = []string{"-1", "+1", "01", "1e3", "1_000", "NaN", "Inf", "0x10", ".5", "5.", "abc", " 1", ""}

// inQuery is a kind in a query or a path.
func (v sample) inQuery(name string) kind {
	keys := []string{"nobody", " " + v.key, v.key + " ", v.key[:20], "0OIl", ""}
	lists := []string{",a", "a,", "a,,b", "a, b", " "}
	if from, to, ok := bounds(name); ok {
		k := kind{[]string{strconv.Itoa(to), strconv.Itoa(from)}, append([]string{strconv.Itoa(to + 1), "1.5"}, notNumbers...)}
		if from > 0 {
			k.bad = append(k.bad, strconv.Itoa(from-1))
		}
		return k
	}
	if words, ok := strings.CutPrefix(name, "set:"); ok {
		one, _, _ := strings.Cut(words, "/")
		return kind{[]string{strings.ReplaceAll(words, "/", ","), one}, []string{"nope", one + "," + one, one + ",,", ", " + one, ""}}
	}
	switch name {
	case "key":
		return kind{[]string{v.key}, keys}
	case "text", "template":
		return kind{[]string{"evmWalletFilter", "any text, of any words"}, []string{"", " "}}
	case "integer":
		return kind{[]string{"1", "0"}, append([]string{"1.5", "1.0"}, notNumbers...)}
	case "number":
		return kind{[]string{"1", "0", "2.5"}, notNumbers}
	case "bps":
		return kind{[]string{"50", "10000"}, append([]string{"1.5", "10001"}, notNumbers...)}
	case "auto":
		return kind{[]string{"50", "auto"}, append([]string{"AUTO", "1.5", "10001"}, notNumbers...)}
	case "one":
		return kind{[]string{"1"}, append([]string{"7", "1.5"}, notNumbers...)}
	case "bool":
		return kind{[]string{"true", "false"}, []string{"1", "True", "yes", " true", ""}}
	case "list":
		return kind{[]string{"a", "a,b"}, append([]string{""}, lists...)}
	case "list-of-keys":
		return kind{[]string{v.key, v.key + "," + v.key}, append([]string{"x", v.key + ",x"}, lists...)}
	case "signature":
		return kind{[]string{v.signature}, []string{"x", v.key, ""}}
	case "tx64":
		return kind{[]string{v.tx64}, []string{"%", "AAAA", v.tx58, ""}}
	case "instant":
		return kind{[]string{"2027-01-01T00:00:00Z"}, []string{"tomorrow", "2027-13-01T00:00:00Z", "1767225600", ""}}
	case "timestamp":
		return kind{[]string{"1767225600", "2026-01-01T00:00:00Z", "0"}, []string{"yesterday", "-5", "+5", ""}}
	case "priority":
		return kind{[]string{"auto", "disabled", "5", `{"priorityLevel":"high"}`}, []string{"low", "1.5", "-1", "01", `{"priorityLevel":"low"}`, `{"bundleTipLamports":1.5}`, ""}}
	}
	words := strings.Split(name, "/")
	return kind{words, []string{"nope", strings.ToUpper(words[0]) + "x", " " + words[0], ""}}
}

// inBody is a kind in a body.
func (v sample) inBody(name string) kind {
	quoted := func(texts ...string) (all []string) {
		for _, t := range texts {
			all = append(all, strconv.Quote(t))
		}
		return all
	}
	notText := []string{"5", "true", "null", "[]", "{}"}
	notObject := []string{"5", "true", "null", "[]", `"x"`}
	integers := []string{"1.5", "1.0", "1e3", "-1", "-0", `"1"`, "true", "null", "[]"}
	key := strconv.Quote(v.key)
	if from, to, ok := bounds(name); ok {
		k := kind{[]string{strconv.Itoa(to), strconv.Itoa(from)}, append([]string{strconv.Itoa(to + 1)}, integers...)}
		if from > 0 {
			k.bad = append(k.bad, strconv.Itoa(from-1))
		}
		return k
	}
	switch name {
	case "integer":
		return kind{[]string{"1", "0"}, integers}
	case "bps":
		return kind{[]string{"50"}, append([]string{"10001"}, integers...)}
	case "float":
		return kind{[]string{"2", "1.5"}, []string{`"2"`, "true", "null", "[]"}}
	case "bool", "off":
		k := kind{[]string{"false", "true"}, []string{`"true"`, "1", "null", "[]"}}
		if name == "off" {
			k.good = k.good[:1]
		}
		return k
	case "digits":
		return kind{[]string{`"1"`}, append(quoted("1.5", "-1", "+1", "01", "1e3", "0x1", "1_0", "NaN", ""), notText...)}
	case "burn":
		return kind{[]string{"1", `"1"`}, []string{"0", `"0"`, "1.5", "-1", `"01"`, `"1e3"`, "null", "true"}}
	case "date":
		return kind{[]string{`"2027-01-01"`}, append(quoted("01/02/2027", "2027-02-30", "2027-01-01T00:00:00Z", ""), notText...)}
	case "email":
		return kind{[]string{`"a@example.com"`}, append(quoted("nobody", "a b@example.com", " ", ""), notText...)}
	case "base64":
		return kind{[]string{`"AQID"`}, append(quoted("!", "AQI", " ", ""), notText...)}
	case "code":
		return kind{[]string{`"abc9"`}, append(quoted("a", "ABC", "ab c", strings.Repeat("a", 21), ""), notText...)}
	case "https":
		return kind{[]string{`"https://example.com/hook"`}, append(quoted("http://example.com", "nowhere", " ", ""), notText...)}
	case "texts":
		return kind{[]string{`["x"]`}, []string{`[""]`, `[" "]`, `"x"`, "[5]", "null", "{}", `[null]`}}
	case "keys":
		return kind{[]string{"[" + key + "]"}, []string{`["nobody"]`, `[""]`, `[` + key + `,5]`, key, "null", "{}"}}
	case "object":
		return kind{[]string{`{"amount":"1"}`}, notObject}
	case "spending":
		whole := `{"mint":` + key + `,"amount":"5","period":"daily"}`
		return kind{[]string{whole, `{"mint":` + key + `,"amount":"5","period":"a word that is not shown"}`}, append([]string{
			"{}", `{"mint":"x","amount":"5","period":"daily"}`, `{"mint":` + key + `,"amount":5,"period":"daily"}`, `{"mint":` + key + `,"amount":"05","period":"daily"}`,
			`{"mint":` + key + `,"amount":"5","amount":"5","period":"daily"}`, `{"mint":` + key + `,"amount":"5","period":"daily","x":1}`, `{"mint":` + key + `,"amount":"5","period":""}`,
		}, notObject...)}
	case "limits":
		return kind{[]string{`{"perTransaction":"1","daily":"2","allowedMints":[` + key + `],"allowedDestinations":[]}`}, append([]string{`{"daily":5}`, `{"weekly":"1"}`, `{"allowedMints":["x"]}`, `{"daily":"1","daily":"1"}`}, notObject...)}
	case "instructions":
		of := func(program, pubkey, data string) string {
			return `[{"programId":` + program + `,"accounts":[{"pubkey":` + pubkey + `,"isSigner":true,"isWritable":false}],"data":` + data + `}]`
		}
		return kind{[]string{of(key, key, `""`)}, []string{"[]", "[{}]", of(`"x"`, key, `""`), of(key, `"x"`, `""`), of(key, key, `"%"`), of(key, key, "5"), `"x"`, "null", "{}"}}
	case "echo":
		return kind{[]string{v.echo}, append([]string{"{}", `{"outAmount":"1"}`}, notObject...)}
	case "fee":
		return kind{[]string{`"auto"`, `"disabled"`, "5", `{"bundleTipLamports":1}`, `{"autoMultiplier":1.5,"maxLamports":9}`}, []string{`"low"`, `"5"`, "1.5", "-1", "{}", `{"bundleTipLamports":"1"}`, `{"priorityLevel":"high","maxLamports":1}`, "null"}}
	case "destination":
		return kind{[]string{`{"address":` + key + `,"createIfNeeded":true}`}, append([]string{"{}", `{"address":"x"}`, `{"address":` + key + `,"x":1}`}, notObject...)}
	case "surplus":
		return kind{[]string{`{"mode":"split","bps":1}`, `{"mode":"a word that is not shown","bps":1}`}, append([]string{"{}", `{"mode":"split","bps":"1"}`, `{"mode":"","bps":1}`}, notObject...)}
	case "tx58":
		return kind{[]string{strconv.Quote(v.tx58)}, append(quoted("0OIl", "1111", v.tx64, ""), notText...)}
	case "tx64":
		return kind{[]string{strconv.Quote(v.tx64)}, append(quoted("%", "AAAA", v.tx58, ""), notText...)}
	case "txs58":
		return kind{[]string{"[" + strconv.Quote(v.tx58) + "]"}, []string{`["0OIl"]`, `[""]`, "[]", strconv.Quote(v.tx58), "[5]", "null"}}
	case "arguments":
		const address = `"0x00000000000000000000000000000000000000aa"`
		return kind{[]string{`{"addresses":[` + address + `]}`}, append([]string{"{}", `{"addresses":[]}`, `{"addresses":["x"]}`, `{"addresses":[""]}`, `{"addresses":[` + address + `],"wallets":1}`, `{"addresses":` + address + `}`}, notObject...)}
	case "base58":
		return kind{[]string{`"base58"`}, append(quoted("hex", "BASE58", ""), notText...)}
	}
	k := v.inQuery(name)
	return kind{quoted(k.good...), append(quoted(k.bad...), notText...)}
}

// bounds reads a range such as 1..10.
func bounds(name string) (from, to int, ok bool) {
	low, high, ok := strings.Cut(name, "..")
	if !ok {
		return 0, 0, false
	}
	from, _ = strconv.Atoi(low)
	to, _ = strconv.Atoi(high)
	return from, to, true
}
