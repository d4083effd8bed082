package transport

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/declared"
	"github.com/walletfi/walletfi-go/internal/observing/recorded"
	"github.com/walletfi/walletfi-go/observe"
)

type priced struct {
	Price walletfi.Decimal `json:"price" wire:"said,min=0"`
}

// TestLenient: what decides and is not as declared makes no answer, unless the options name
// the member; then the observer is notified once.
func TestLenient(t *testing.T) {
	call := callOf(Read)
	call.Answer = Says("id:id")
	bodies := []string{`{"id":1}`, `{"id":1,"price":"50%"}`, `{"id":1,"price":-1}`, `{"id":1,"price":1,"price":2}`}
	for _, body := range bodies {
		_, err := Do[priced](t.Context(), clientOf(t, serve(reply(200, body))), call, nil)
		require.ErrorIs(t, err, walletfi.ErrDecode, body)
		require.ErrorContains(t, err, "priced.price decides")
		told := recorded.New(t)
		client := clientOf(t, serve(reply(200, body), reply(200, body)), observedBy(told),
			func(cfg *Config) { cfg.Options.Lenient = []string{"priced.price"} })
		for range 2 {
			_, err = Do[priced](t.Context(), client, call, nil)
			require.NoError(t, err, body)
		}
		events := recorded.Events[observe.Drift](told)
		require.Len(t, events, 1)
		assert.Equal(t, "priced.price", events[0].Member)
		assert.NotEmpty(t, events[0].Fault)
	}
	declared := callOf(Read)
	declared.Answer = Says("id:id", "price:number")
	for body, lets := range map[string]bool{`{"id":1}`: true, `{"id":1,"price":"soon"}`: true, `{"price":1}`: false, `{"id":1,"price":1,"price":1}`: false} {
		client := clientOf(t, serve(reply(200, body)), func(cfg *Config) { cfg.Options.Lenient = []string{"priced.price"} })
		_, err := Do[priced](t.Context(), client, declared, nil)
		require.Equal(t, lets, err == nil, "%s: %v", body, err)
	}
	for _, name := range []string{"", "price", "priced.", ".price"} {
		_, err := New(Config{Service: "test", BaseURL: testBase, Options: walletfi.Options{Lenient: []string{name}}})
		require.ErrorIs(t, err, walletfi.ErrInvalidRequest, "%q", name)
	}
}

// counted has members on which nothing hangs, of each kind.
type counted struct {
	ID     string                      `json:"id"`
	Name   string                      `json:"name"`
	Volume *int64                      `json:"volume" wire:"free,min=0"`
	Cap    walletfi.Decimal            `json:"cap" wire:"free"`
	At     walletfi.Time               `json:"at" wire:"free"`
	Open   bool                        `json:"open" wire:"free"`
	Tags   []string                    `json:"tags"`
	Marks  map[string]walletfi.Decimal `json:"marks" wire:"free,min=0"`
	Sums   sums                        `json:"sums" wire:"free,min=0"`

	Raw walletfi.Document `json:"-"`
}

type sums struct {
	Day walletfi.Decimal `json:"day" wire:"free"`
}

// TestFreeIsTold: what is wrong with a member on which nothing hangs costs no answer. The
// observer is told once, and Raw has what came.
func TestFreeIsTold(t *testing.T) {
	call := callOf(Read)
	call.Answer = Says("id:id")
	for member, want := range map[string]string{
		`"volume":"soon"`: "counted.volume of another kind", `"volume":-1`: "counted.volume out of range",
		`"volume":1,"volume":2`: "counted.volume repeated", `"name":"x","name":"y"`: "counted.name repeated",
		`"name":5`: "counted.name of another kind", `"name":{}`: "counted.name of another kind",
		`"cap":"50%"`: "counted.cap of another kind", `"cap":{}`: "counted.cap of another kind",
		`"at":"soon"`: "counted.at of another kind", `"at":-1`: "counted.at out of range",
		`"open":"perhaps"`: "counted.open of another kind", `"tags":{"x":1}`: "counted.tags of another kind",
		`"tags":[{}]`: "counted.tags of another kind", `"marks":5`: "counted.marks of another kind",
		`"marks":{"a":{}}`: "counted.marks of another kind", `"marks":{"a":-1}`: "counted.marks out of range",
		`"marks":{"a":1,"a":2}`: "counted.marks repeated", `"sums":{"day":-1}`: "sums.day out of range",
		`"sums":{"day":1,"day":2}`: "sums.day repeated", `"sums":"x"`: "counted.sums of another kind",
		`"sums":[]`: "counted.sums of another kind", `"marks":[]`: "counted.marks of another kind",
	} {
		body := `{"id":"x",` + member + `}`
		raw := body
		if member == `"name":5` || strings.HasSuffix(member, ":[]") {
			raw = "" // it is read as its text, or as an empty one
		}
		silent, err := Do[counted](t.Context(), clientOf(t, serve(reply(200, body))), call, nil)
		require.NoError(t, err, body)
		require.Equal(t, raw, string(silent.Raw), body)
		told := recorded.New(t)
		client := clientOf(t, serve(reply(200, body), reply(200, body)), observedBy(told))
		for range 2 {
			got, err := Do[counted](t.Context(), client, call, nil)
			require.NoError(t, err, body)
			require.Equal(t, silent, got, body)
		}
		var said []string
		for _, e := range recorded.Events[observe.Drift](told) {
			said = append(said, e.Member+" "+e.Fault)
		}
		require.Contains(t, said, want, body)
		require.Len(t, slices.Compact(slices.Sorted(slices.Values(said))), len(said), "told once: %s", body)
	}
	for _, body := range []string{
		`{"id":"x"}`, `{"id":"x","volume":null,"cap":"","at":null,"open":null,"tags":null,"marks":null,"sums":null}`,
		`{"id":"x","volume":0,"cap":-1e3,"at":1767398400,"open":"true","tags":["a"],"marks":{"a":"1","b":2},"sums":{"day":"0"}}`,
	} {
		told := recorded.New(t)
		got, err := Do[counted](t.Context(), clientOf(t, serve(reply(200, body)), observedBy(told)), call, nil)
		require.NoError(t, err, body)
		require.Empty(t, got.Raw, body)
		require.Empty(t, recorded.Events[observe.Drift](told), body)
	}
}

// TestUnreadIsObserved: an answer without a documented shape is kept although a member does
// not fit. The observer is notified once, of which one and why.
func TestUnreadIsObserved(t *testing.T) {
	for _, answer := range []declared.Answer{Open(NoShape), Silent("nothing is promised")} {
		call := callOf(Read)
		call.Answer = answer
		told := recorded.New(t)
		const body = `{"price":-1,"other":"kept"}`
		client := clientOf(t, serve(reply(200, body), reply(200, body), reply(200, `{"price":1}`)), observedBy(told))
		for range 2 {
			got, err := Do[priced](t.Context(), client, call, nil)
			require.NoError(t, err)
			require.Equal(t, &priced{}, got)
		}
		_, err := Do[priced](t.Context(), client, call, nil)
		require.NoError(t, err)
		events := recorded.Events[observe.Drift](told)
		require.Len(t, events, 1)
		require.Equal(t, "price", events[0].Member)
		require.Contains(t, events[0].Fault, "out of range")
	}
}
