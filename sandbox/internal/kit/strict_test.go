package kit

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/internal/atwork"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// strictSample has one of everything that a request may carry.
type strictSample struct {
	ID      string          `path:"id" open:"any text"`
	Query   string          `query:"q,required" open:"any text"`
	Flag    *bool           `query:"flag"`
	Count   int8            `query:"count" min:"1" max:"100"`
	Big     *uint64         `query:"big"`
	Ratio   float64         `query:"ratio"`
	Level   strictLevel     `query:"level"`
	Name    string          `body:"name,required" oneof:"a b"`
	Amount  *uint64         `body:"amount" min:"1"`
	Tags    []string        `body:"tags" open:"any text"`
	Inner   *strictInner    `body:"inner"`
	Inners  []strictInner   `body:"inners"`
	Free    json.RawMessage `body:"free" open:"any value"`
	Numbers map[string]int  `body:"numbers"`
}

type strictInner struct {
	Key  string `body:"key,required" open:"any text"`
	Deep *bool  `body:"deep"`
}

// strictLevel is a number or the word auto.
type strictLevel string

func (l *strictLevel) UnmarshalText(b []byte) error {
	if string(b) != "auto" {
		return errors.New("is not auto")
	}
	*l = strictLevel(b)
	return nil
}

func TestInputIsReadStrictly(t *testing.T) {
	spec := newInputSpec(reflect.TypeFor[strictSample]())
	read := func(method, query, body, contentType string) (*strictSample, []string) {
		r := httptest.NewRequest(method, "/x?"+query, strings.NewReader(body))
		r.Header.Set("Content-Type", contentType)
		c := &Call{Core: &Core{}, Service: &Spec{}, Route: &Route{Method: method}, Request: r, body: []byte(body), parameters: map[string]string{"id": "7"}}
		in, problems := spec.read(c)
		return in.(*strictSample), problems
	}
	const js = "application/json; charset=utf-8"

	in, problems := read("POST", "q=x&flag=false&count=100&big=18446744073709551615&ratio=0.5&level=auto",
		`{"name":"a","amount":18446744073709551615,"tags":["x"],"inner":{"key":"k","deep":false},"inners":[{"key":"l"}],"free":[1],"numbers":{"n":2}}`, js)
	assert.Empty(t, problems)
	assert.Equal(t, &strictSample{
		ID: "7", Query: "x", Flag: new(false), Count: 100, Big: new(uint64(1<<64 - 1)), Ratio: 0.5, Level: "auto",
		Name: "a", Amount: new(uint64(1<<64 - 1)), Tags: []string{"x"}, Inner: &strictInner{"k", new(false)},
		Inners: []strictInner{{Key: "l"}}, Free: json.RawMessage("[1]"), Numbers: map[string]int{"n": 2},
	}, in)

	for _, test := range []struct {
		name, method, query, body, contentType, problem string
	}{
		{"unknown query", "POST", "q=x&z=1", `{"name":"a"}`, js, "unknown query parameter z"},
		{"query missing", "POST", "", `{"name":"a"}`, js, "query parameter q is missing"},
		{"query twice", "POST", "q=x&q=y", `{"name":"a"}`, js, "query parameter q is sent more than once"},
		{"query empty", "POST", "q=", `{"name":"a"}`, js, "query parameter q is empty"},
		{"query semicolon", "POST", "q=x;y", `{"name":"a"}`, js, "the query cannot be read"},
		{"bool", "POST", "q=x&flag=1", `{"name":"a"}`, js, "query parameter flag is not of type bool"},
		{"int", "POST", "q=x&count=1.5", `{"name":"a"}`, js, "query parameter count is not of type int8"},
		{"below", "POST", "q=x&count=0", `{"name":"a"}`, js, "query parameter count is out of range: 0"},
		{"above", "POST", "q=x&count=101", `{"name":"a"}`, js, "query parameter count is out of range: 101"},
		{"zeros", "POST", "q=x&count=007", `{"name":"a"}`, js, "query parameter count is not of type int8"},
		{"not a number", "POST", "q=x&ratio=NaN", `{"name":"a"}`, js, "query parameter ratio is not of type float64"},
		{"negative", "POST", "q=x&big=-1", `{"name":"a"}`, js, "query parameter big is not of type uint64"},
		{"custom", "POST", "q=x&level=5", `{"name":"a"}`, js, "query parameter level is not auto"},
		{"unknown field", "POST", "q=x", `{"name":"a","z":1}`, js, "unknown field z"},
		{"case", "POST", "q=x", `{"name":"a","Amount":1}`, js, "unknown field Amount"},
		{"field twice", "POST", "q=x", `{"name":"a","name":"a"}`, js, "field name is sent twice"},
		{"field missing", "POST", "q=x", `{}`, js, "field name is missing"},
		{"no body", "POST", "q=x", ``, js, "field name is missing"},
		{"null", "POST", "q=x", `{"name":"a","amount":null}`, js, "field amount is null"},
		{"number for text", "POST", "q=x", `{"name":1}`, js, "field name is not of type string"},
		{"text for number", "POST", "q=x", `{"name":"a","amount":"1"}`, js, "field amount is not of type uint64"},
		{"fraction", "POST", "q=x", `{"name":"a","amount":1.5}`, js, "field amount is not of type uint64"},
		{"beyond 64 bits", "POST", "q=x", `{"name":"a","amount":18446744073709551616}`, js, "field amount is not of type uint64"},
		{"zero", "POST", "q=x", `{"name":"a","amount":0}`, js, "field amount is out of range: 0"},
		{"enum", "POST", "q=x", `{"name":"c"}`, js, "field name is none of a, b"},
		{"nested unknown", "POST", "q=x", `{"name":"a","inner":{"key":"k","z":1}}`, js, "unknown field inner.z"},
		{"nested missing", "POST", "q=x", `{"name":"a","inners":[{"key":"k"},{}]}`, js, "field inners[1].key is missing"},
		{"not an array", "POST", "q=x", `{"name":"a","tags":"x"}`, js, "field tags is not an array"},
		{"trailing", "POST", "q=x", `{"name":"a"} {}`, js, "the body, or field , is not an object: something follows it"},
		{"content type", "POST", "q=x", `{"name":"a"}`, "text/plain", "Content-Type is not application/json"},
		{"body on a GET", "GET", "q=x", `{"name":"a"}`, js, "a body on a GET"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, problems := read(test.method, test.query, test.body, test.contentType)
			if assert.Len(t, problems, 1) {
				assert.Contains(t, problems[0], test.problem)
			}
		})
	}
}

func TestCredentialForms(t *testing.T) {
	headers := func(pairs ...string) http.Header {
		h := http.Header{}
		for i := 0; i < len(pairs); i += 2 {
			h.Add(pairs[i], pairs[i+1])
		}
		return h
	}
	either := Auth{Required, []string{"X-Api-Key", "Authorization"}}
	for _, test := range []struct {
		name                string
		auth                Auth
		header              http.Header
		credential, problem string
	}{
		{"key", HeaderKey, headers("X-Api-Key", "k"), "k", ""},
		{"twice", HeaderKey, headers("X-Api-Key", "k", "X-Api-Key", "k"), "", "header X-Api-Key is sent more than once"},
		{"bearer", Bearer, headers("Authorization", "Bearer k"), "k", ""},
		{"bearer without scheme", Bearer, headers("Authorization", "k"), "", "Authorization is not of the form Bearer <token>"},
		{"bearer without token", Bearer, headers("Authorization", "Bearer "), "", "Authorization is not of the form Bearer <token>"},
		{"either", either, headers("Authorization", "Bearer k"), "k", ""},
		{"both", either, headers("Authorization", "Bearer k", "X-Api-Key", "k"), "", "two credentials: X-Api-Key and Authorization"},
		{"optional", OptionalHeaderKey, headers(), "", ""},
		{"empty", OptionalHeaderKey, headers("X-Api-Key", ""), "", "header X-Api-Key is empty"},
		{"of another service", HeaderKey, headers("X-Api-Key", "k", "X-Pro-Api-Key", "k"), "", "a credential in X-Pro-Api-Key, which is not asked for"},
		{"open", NoAuth, headers(), "", ""},
		{"needless", NoAuth, headers("X-Api-Key", "k"), "", "a credential in X-Api-Key, which is not asked for"},
	} {
		t.Run(test.name, func(t *testing.T) {
			credential, problem := test.auth.credential(test.header)
			assert.Equal(t, test.credential, credential)
			assert.Equal(t, test.problem, problem)
		})
	}
}

func TestRouterPrefersLiterals(t *testing.T) {
	v := &Spec{Name: "x", Prefix: "/api"}
	byMint, ticker, deep := &Route{Method: "GET", Path: "/m/by-mint/{mint}"}, &Route{Method: "GET", Path: "/m/{ticker}/candles"}, &Route{Method: "POST", Path: "/m/{ticker}/candles"}
	var r router
	for _, each := range []*Route{ticker, byMint, deep} {
		r.add(v, each)
	}
	found, parameters, _ := r.find("GET", "/api/m/by-mint/candles")
	assert.Same(t, byMint, found, "the earlier literal decides")
	assert.Equal(t, map[string]string{"mint": "candles"}, parameters)
	found, parameters, _ = r.find("GET", "/api/m/a%2Fb/candles")
	assert.Same(t, ticker, found)
	assert.Equal(t, map[string]string{"ticker": "a/b"}, parameters)
	found, _, other := r.find("PUT", "/api/m/x/candles")
	assert.Nil(t, found)
	assert.True(t, other)
	found, _, other = r.find("GET", "/api/m//candles")
	assert.Nil(t, found, "an empty parameter")
	assert.False(t, other)
}

// TestStuck: a clock that cannot move because somebody works says who.
func TestStuck(t *testing.T) {
	s, err := Open(play.Config{ManualClock: true})
	require.NoError(t, err)
	defer s.Close()
	s.patience = 10 * time.Millisecond
	s.ClientWorks(atwork.Joined, 2)
	s.ClientWorks("swap GetQuote", 1)
	never := func() bool { return false }
	from := s.ClientNow()
	err = s.AdvanceUntil(t.Context(), time.Hour, never)
	require.ErrorContains(t, err, "0 requests, 0 deliveries; 2 of a goroutine, 1 of swap GetQuote")
	require.Equal(t, from, s.ClientNow())
	s.ClientWorks("swap GetQuote", -1)
	s.ClientWorks(atwork.Joined, -2)
	require.ErrorContains(t, s.AdvanceUntil(t.Context(), time.Hour, never), "does not hold after 1h0m0s")
	require.Equal(t, time.Hour, s.ClientNow().Sub(from))
}
