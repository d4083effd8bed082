package transport

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/lenient"
)

var madeUp = walletfi.Vocabulary{
	Headers:  map[string]string{"x-demo-api-key": "x-acme-demo-key"},
	Query:    map[string]string{"post.fields": "chirp.fields"},
	Segments: map[string]string{"posts": "chirps"},
	Keys: map[string]string{
		"repost_count": "rechirp_count", "post": "chirp", "inAmount": "amount_in", "kind": "type", "type": "class",
		"quote": `q"<é>`,
	},
	Values: map[string]map[string]string{
		"kind":        {"repost": "rechirp", "post": "chirp"},
		"post.fields": {"repost_count": "rechirp_count"},
		"venue":       {"relay": "acme relay"},
	},
}

func compiled(t testing.TB, v walletfi.Vocabulary) *vocabulary {
	words, err := newVocabulary(v)
	require.NoError(t, err)
	return words
}

func TestVocabularyJSON(t *testing.T) {
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
	words := compiled(t, madeUp)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, tt.live, string(words.toLive([]byte(tt.neutral))))
			assert.Equal(t, tt.neutral, string(words.toNeutral([]byte(tt.live))))
		})
	}
	assert.Equal(t, `{"chirp":1}`, string(words.toLive([]byte(`{"p\u006fst":1}`))), "an escaped key")
	assert.JSONEq(t, `{"q\"<é>":1}`, string(words.toLive([]byte(`{"quote":1}`))))
	assert.Equal(t, "{\"post\":\"\xff\"}", string(words.toLive([]byte("{\"post\":\"\xff\"}"))), "not UTF-8")
}

// A quote is read in neutral words and goes back in the live ones.
func TestVocabularyKeepsEchoedBytes(t *testing.T) {
	words := compiled(t, madeUp)
	live := []byte(`{"amount_in": "5", "type":"rechirp"}`)
	var quote struct {
		InAmount walletfi.Amount `json:"inAmount"`
		Kind     string          `json:"kind"`
	}
	require.NoError(t, lenient.Decode(words.toNeutral(live), &quote))
	assert.Equal(t, walletfi.Amount(5), quote.InAmount)
	assert.Equal(t, "repost", quote.Kind)
	assert.Equal(t, `{"amount_in": "5", "type":"rechirp"}`, string(live), "the answer itself is not changed")

	echo := []byte(`{"kind":"post","quote":{"kind":"repost", "inAmount":1}}`)
	assert.Equal(t, `{"type":"chirp","q\"\u003cé\u003e":{"kind":"repost", "inAmount":1}}`, string(words.toLive(echo, "quote")))
	assert.Equal(t, `{"kind":"post","post":{"type":"rechirp"}}`,
		string(words.toNeutral([]byte(`{"type":"chirp","chirp":{"type":"rechirp"}}`), "post")), "kept by its neutral name")
}

func TestVocabularyRequest(t *testing.T) {
	words := compiled(t, madeUp)
	assert.Equal(t, "chirps", words.segment("posts"))
	assert.Equal(t, "users", words.segment("users"))

	header := http.Header{"X-Demo-Api-Key": {"k"}, "Accept": {"a"}}
	words.headers(header)
	assert.Equal(t, http.Header{"X-Acme-Demo-Key": {"k"}, "Accept": {"a"}}, header)

	query := url.Values{"post.fields": {"id,repost_count"}, "kind": {"repost", "x"}, "q": {"repost"}}
	assert.Equal(t, url.Values{"chirp.fields": {"id,rechirp_count"}, "kind": {"rechirp", "x"}, "q": {"repost"}}, words.query(query))
	assert.Equal(t, []string{"id,repost_count"}, query["post.fields"], "the request itself is not changed")
}

func TestVocabularyNone(t *testing.T) {
	words := compiled(t, walletfi.Vocabulary{})
	require.Nil(t, words)
	body := []byte(`{"post":1}`)
	assert.Same(t, &body[0], &words.toLive(body)[0])
	assert.Same(t, &body[0], &words.toNeutral(body)[0])
	assert.Equal(t, "posts", words.segment("posts"))
	query, header := url.Values{"a": {"b"}}, http.Header{"A": {"b"}}
	assert.Equal(t, url.Values{"a": {"b"}}, words.query(query))
	words.headers(header)
	assert.Equal(t, http.Header{"A": {"b"}}, header)
	assert.Zero(t, testing.AllocsPerRun(10, func() { words.toLive(body); words.query(query) }))

	other := compiled(t, madeUp)
	plain := []byte(`{"unknown":1}`)
	assert.Same(t, &plain[0], &other.toLive(plain)[0], "no copy where no word is translated")
}

func TestVocabularyRefused(t *testing.T) {
	tests := []struct {
		name  string
		v     walletfi.Vocabulary
		field string
	}{
		{"two keys to one", walletfi.Vocabulary{Keys: map[string]string{"a": "x", "b": "x"}}, "vocabulary.keys"},
		{"two values to one", walletfi.Vocabulary{Values: map[string]map[string]string{"k": {"a": "x", "b": "x"}}}, "vocabulary.values.k"},
		{"two headers to one", walletfi.Vocabulary{Headers: map[string]string{"a": "X-y", "b": "x-Y"}}, "vocabulary.headers"},
		{"two parameters to one", walletfi.Vocabulary{Query: map[string]string{"a": "x", "b": "x"}}, "vocabulary.query"},
		{"empty live word", walletfi.Vocabulary{Keys: map[string]string{"a": ""}}, "vocabulary.keys"},
		{"empty neutral word", walletfi.Vocabulary{Query: map[string]string{"": "a"}}, "vocabulary.query"},
		{"not UTF-8", walletfi.Vocabulary{Keys: map[string]string{"a": "\xff"}}, "vocabulary.keys"},
		{"header with a line break", walletfi.Vocabulary{Headers: map[string]string{"a": "b\r\nc"}}, "vocabulary.headers"},
		{"header with a blank", walletfi.Vocabulary{Headers: map[string]string{"a": "b c"}}, "vocabulary.headers"},
		{"segment up", walletfi.Vocabulary{Segments: map[string]string{"a": ".."}}, "vocabulary.segments"},
		{"two segments in one", walletfi.Vocabulary{Segments: map[string]string{"a": "b/c"}}, "vocabulary.segments"},
		{"segment with a query", walletfi.Vocabulary{Segments: map[string]string{"a": "b?c"}}, "vocabulary.segments"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := NewVocabulary(tt.v)
			var refused *walletfi.ValidationError
			require.ErrorAs(t, err, &refused)
			assert.Equal(t, tt.field, refused.Field)
			assert.ErrorIs(t, err, walletfi.ErrInvalidRequest)
		})
	}
}

func TestVocabularyForFeeds(t *testing.T) {
	v, err := NewVocabulary(madeUp)
	require.NoError(t, err)
	assert.Equal(t, `{"post":{"chirp":1}}`, string(v.ToNeutral([]byte(`{"chirp":{"chirp":1}}`), "post")))
	assert.Equal(t, `{"chirp":{"chirp":1}}`, string(v.ToLive([]byte(`{"post":{"post":1}}`))))
	assert.Equal(t, `{"chirp":1}`, string(Vocabulary{}.ToNeutral([]byte(`{"chirp":1}`))), "the zero value")
}

func TestVocabularyOfHandshakes(t *testing.T) {
	words, err := NewVocabulary(madeUp)
	require.NoError(t, err)
	header := http.Header{"X-Demo-Api-Key": {"k"}, "User-Agent": {"u"}}
	words.Headers(header)
	assert.Equal(t, http.Header{"X-Acme-Demo-Key": {"k"}, "User-Agent": {"u"}}, header)
	assert.Equal(t, "chirps", words.Segment("posts"))
	assert.Equal(t, "ws", words.Segment("ws"))
	var none Vocabulary
	none.Headers(header)
	assert.Len(t, header, 2)
	assert.Equal(t, "posts", none.Segment("posts"))
}

// The caller's maps are copied.
func TestVocabularyIsACopy(t *testing.T) {
	keys := map[string]string{"a": "x"}
	values := map[string]map[string]string{"k": {"v": "w"}}
	words := compiled(t, walletfi.Vocabulary{Keys: keys, Values: values})
	keys["a"], values["k"]["v"] = "changed", "changed"
	assert.Equal(t, `{"x":1,"k":"w"}`, string(words.toLive([]byte(`{"a":1,"k":"v"}`))))
}

func FuzzVocabulary(f *testing.F) {
	for _, seed := range []string{
		`{"repost_count":1,"kind":["repost",{"post":"x"}]}`, `[{"venue":"relay"}, 1.50e2, "\u0061"]`,
		`{"a\"b":[{},[],{"quote":null}]}`, `"x"`, `{`, ` {"inAmount" : "\\" } `, "{\"post\":\"\xff\"}",
	} {
		f.Add([]byte(seed))
	}
	words, err := newVocabulary(madeUp)
	require.NoError(f, err)
	// A live word that is no neutral word must not occur, nor an escaped word.
	foreign := []string{"chirp", "amount_in", "class", `q\"`, "acme", `\`}
	f.Fuzz(func(t *testing.T, body []byte) {
		before := string(body)
		live := words.toLive(body)
		require.Equal(t, before, string(body))
		require.Equal(t, json.Valid(body), json.Valid(live))
		words.toNeutral(body)
		for _, word := range foreign {
			if strings.Contains(before, word) {
				return
			}
		}
		require.Equal(t, before, string(words.toNeutral(live)))
	})
}

func BenchmarkToNeutral(b *testing.B) {
	body := benchmarkBody()
	words, err := newVocabulary(walletfi.Vocabulary{Keys: map[string]string{"amount": "mint"}})
	require.NoError(b, err)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		words.toNeutral(body)
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
