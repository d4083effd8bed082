package dialect

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/deployment"
)

var madeUp = deployment.Service{
	Headers:  map[string]string{"x-demo-api-key": "x-acme-demo-key"},
	Segments: map[string]string{"posts": "chirps"},
	Words: deployment.Words{
		Query: map[string]string{"post.fields": "chirp.fields"},
		Keys: map[string]string{
			"repost_count": "rechirp_count", "post": "chirp", "inAmount": "amount_in", "kind": "type", "type": "class",
			"quote": `q"<é>`,
		},
		Values: map[string]map[string]string{
			"kind":        {"repost": "rechirp", "post": "chirp"},
			"post.fields": {"repost_count": "rechirp_count"},
			"venue":       {"relay": "acme relay"},
		},
	},
}

// spoken is a service that a deployment gives these differences.
func spoken(t testing.TB, s deployment.Service) *Service {
	t.Helper()
	service, err := Compile(of(s), "swap", nil)
	require.NoError(t, err)
	return service
}

func of(s deployment.Service) *deployment.Deployment {
	return &deployment.Deployment{Services: map[string]deployment.Service{"swap": s}}
}

// plain is an operation without words of its own.
func plain(t testing.TB, s deployment.Service) *Operation {
	return spoken(t, s).Operation("GET", "/posts/{id}")
}

func live(t testing.TB, o *Operation, body string) string {
	t.Helper()
	out, err := o.ToLive([]byte(body))
	require.NoError(t, err)
	return string(out)
}

func neutral(t testing.TB, o *Operation, body string, keep ...string) string {
	t.Helper()
	out, err := o.ToNeutral([]byte(body), keep...)
	require.NoError(t, err)
	return string(out)
}

func TestWords(t *testing.T) {
	tests := []struct{ name, neutral, live string }{
		{"keys", `{"repost_count":1,"other":2}`, `{"rechirp_count":1,"other":2}`},
		{"white space and numbers stay", "{ \"repost_count\" :\t1.50e+02,\n \"inAmount\": \"007\" } ", "{ \"rechirp_count\" :\t1.50e+02,\n \"amount_in\": \"007\" } "},
		{"deep", `[{"a":[{"post":{"post":null}}]}]`, `[{"a":[{"chirp":{"chirp":null}}]}]`},
		{"exchanged words", `{"kind":"x","type":"y"}`, `{"type":"x","class":"y"}`},
		{"values under their key", `{"kind":"repost","text":"repost"}`, `{"type":"rechirp","text":"repost"}`},
		{"values in a list", `{"venue":["relay","x",1,["relay"]]}`, `{"venue":["acme relay","x",1,["acme relay"]]}`},
		{"not below an object", `{"kind":{"x":"post"}}`, `{"type":{"x":"post"}}`},
		{"values that look like keys", `{"x":"post","y":["repost_count"]}`, `{"x":"post","y":["repost_count"]}`},
		{"escapes", `{"a\"b":"\\","x":"\u0061"}`, `{"a\"b":"\\","x":"\u0061"}`},
		{"scalar", `12`, `12`},
		{"string", `"post"`, `"post"`},
		{"empty", `{}`, `{}`},
		{"nothing", ``, ``},
		{"not JSON", `{"post":`, `{"post":`},
		{"page", `<post>`, `<post>`},
	}
	words := plain(t, madeUp)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, tt.live, live(t, words, tt.neutral))
			assert.Equal(t, tt.neutral, neutral(t, words, tt.live))
		})
	}
	assert.Equal(t, `{"chirp":1}`, live(t, words, `{"p\u006fst":1}`), "an escaped key")
	assert.JSONEq(t, `{"q\"<é>":1}`, live(t, words, `{"quote":1}`))
	assert.Equal(t, "{\"post\":\"\xff\"}", live(t, words, "{\"post\":\"\xff\"}"), "not UTF-8")
	assert.Equal(t, `{"post":{"chirp":1}}`, neutral(t, words, `{"chirp":{"chirp":1}}`, "post"), "kept by its neutral name")
}

// TestStrayNumbers: what is not documented has no form that it could miss, whatever its
// name, and stays as it came.
func TestStrayNumbers(t *testing.T) {
	o := plain(t, deployment.Service{Words: deployment.Words{
		Keys:    map[string]string{"amount": "usd", "kind": "type"},
		Values:  map[string]map[string]string{"kind": {"a": "A"}},
		Numbers: map[string]deployment.Number{"amount": {Prefix: "$", Scale: 6}},
	}})
	for came, want := range map[string]string{
		`{"usd":"$2","amount":"9"}`:                       `{"amount":"2000000","~amount":"9"}`,
		`{"amount":0.1234567,"usd":"$2"}`:                 `{"~amount":0.1234567,"amount":"2000000"}`,
		`{"amount":["$1",{"usd":"$3"}],"usd":"$2"}`:       `{"~amount":["$1",{"usd":"$3"}],"amount":"2000000"}`,
		`{"kind":"A","type":"A"}`:                         `{"~kind":"A","kind":"a"}`,
		`{"amount":{"amount":"1","usd":"$1"},"usd":"$2"}`: `{"~amount":{"amount":"1","usd":"$1"},"amount":"2000000"}`,
		`{"amount":"$1"}`:                                 `{"amount":"1000000"}`,
	} {
		assert.Equal(t, want, neutral(t, o, came), came)
	}
	_, err := o.ToNeutral([]byte(`{"amount":"9"}`))
	require.ErrorIs(t, err, errBare, "there is no other")
	_, err = o.ToNeutral([]byte(`{"usd":"9","amount":"$1"}`))
	require.ErrorIs(t, err, errBare)
}

// TestStrayNames: a member that has a neutral name already gives way to the one that
// is renamed to it, in its own object only.
func TestStrayNames(t *testing.T) {
	o := plain(t, deployment.Service{Words: deployment.Words{Keys: map[string]string{"ticker": "symbol", "title": "title"}}})
	for came, want := range map[string]string{
		`{"ticker":1,"symbol":2}`:              `{"~ticker":1,"ticker":2}`,
		`{"symbol":2,"ticker":1}`:              `{"ticker":2,"~ticker":1}`,
		`{"symbol":2,"ticker":1,"ticker":3}`:   `{"ticker":2,"~ticker":1,"~ticker":3}`,
		`{"ticker":1}`:                         `{"ticker":1}`,
		`{"ticker":{"symbol":2},"title":4}`:    `{"ticker":{"ticker":2},"title":4}`,
		`{"symbol":{"ticker":1},"ticker":[2]}`: `{"ticker":{"ticker":1},"~ticker":[2]}`,
		`{"symbol":1,"symbol":2}`:              `{"ticker":1,"ticker":2}`,
	} {
		assert.Equal(t, want, neutral(t, o, came), came)
	}
}

func TestRequest(t *testing.T) {
	s := spoken(t, madeUp)
	header := http.Header{"X-Demo-Api-Key": {"k"}, "Accept": {"a"}}
	s.Rename(header)
	assert.Equal(t, http.Header{"X-Acme-Demo-Key": {"k"}, "Accept": {"a"}}, header)
	assert.Equal(t, "X-Acme-Demo-Key", s.Header("x-demo-api-key"))
	assert.Equal(t, "Accept", s.Header("Accept"))

	query := url.Values{"post.fields": {"id,repost_count"}, "kind": {"repost", "x"}, "q": {"repost"}}
	target, err := s.Operation("GET", "/posts/{id}/posts").Target([]Value{{"id", "posts", "posts"}}, query, nil, nil)
	require.NoError(t, err)
	assert.Equal(t, "/chirps/posts/chirps", target.Path, "a value is never translated")
	assert.Equal(t, url.Values{"chirp.fields": {"id,rechirp_count"}, "kind": {"rechirp", "x"}, "q": {"repost"}}, target.Query)
	assert.Equal(t, []string{"id,repost_count"}, query["post.fields"], "the request itself is not changed")
}

func TestNothing(t *testing.T) {
	body := []byte(`{"unknown":1}`)
	out, err := plain(t, madeUp).ToLive(body)
	require.NoError(t, err)
	assert.Same(t, &body[0], &out[0], "no copy where no word is translated")
	for _, d := range []*deployment.Deployment{nil, {}, {Services: map[string]deployment.Service{"amm": {}}}} {
		s, err := Compile(d, "swap", nil)
		require.NoError(t, err)
		require.Nil(t, s)
	}
	var none *Service
	assert.Nil(t, none.Plain())
	assert.Nil(t, none.Operation("GET", "/"))
	assert.Equal(t, "/a", none.Path("/a"))
	assert.Empty(t, none.URL("baseURL"))
	assert.True(t, none.OwnCredential())
}

// The caller's maps are copied.
func TestIsACopy(t *testing.T) {
	keys := map[string]string{"a": "x"}
	values := map[string]map[string]string{"k": {"v": "w"}}
	words := plain(t, deployment.Service{Words: deployment.Words{Keys: keys, Values: values}})
	keys["a"], values["k"]["v"] = "changed", "changed"
	assert.Equal(t, `{"x":1,"k":"w"}`, live(t, words, `{"a":1,"k":"v"}`))
}

func FuzzWords(f *testing.F) {
	for _, seed := range []string{
		`{"repost_count":1,"kind":["repost",{"post":"x"}]}`, `[{"venue":"relay"}, 1.50e2, "\u0061"]`,
		`{"a\"b":[{},[],{"quote":null}]}`, `"x"`, `{`, ` {"inAmount" : "\\" } `, "{\"post\":\"\xff\"}",
	} {
		f.Add([]byte(seed))
	}
	words := plain(f, madeUp)
	// A live word that is no neutral word must not occur, nor an escaped word.
	foreign := []string{"chirp", "amount_in", "class", `q\"`, "acme", `\`}
	f.Fuzz(func(t *testing.T, body []byte) {
		before := string(body)
		live, _ := words.ToLive(body)
		require.Equal(t, before, string(body))
		require.Equal(t, json.Valid(body), json.Valid(live))
		_, _ = words.ToNeutral(body)
		for _, word := range foreign {
			if strings.Contains(before, word) {
				return
			}
		}
		require.Equal(t, before, neutral(t, words, string(live)))
	})
}

func BenchmarkToNeutral(b *testing.B) {
	body := benchmarkBody()
	words := plain(b, deployment.Service{Words: deployment.Words{Keys: map[string]string{"amount": "mint"}}})
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		_, _ = words.ToNeutral(body)
	}
}

// benchmarkBody is an answer with a list of 100 records.
func benchmarkBody() []byte {
	var b strings.Builder
	b.WriteString(`{"name":"pool","level":"high","flag":true,"count":3,"slot":312345678,"lots":"123456789","price":"1.2345","parts":[`)
	for i := range 100 {
		fmt.Fprintf(&b, `{"mint":"So11111111111111111111111111111111111111112","amount":%d},`, i)
	}
	return []byte(strings.TrimSuffix(b.String(), ",") + `]}`)
}
