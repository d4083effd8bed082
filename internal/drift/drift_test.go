package drift

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/internal/catalogue"
)

func shape(t *testing.T, text string) (s catalogue.Shape) {
	t.Helper()
	require.NoError(t, json.Unmarshal([]byte(text), &s))
	return s
}

func TestCompare(t *testing.T) {
	const documented = `{"pools":[{"id":"","kind":"open|closed"}],"prices":{"*":""},"raw":null,"tags":["a|b"]}`
	for name, c := range map[string]struct {
		body string
		want []string
	}{
		"as documented": {`{"pools":[{"id":1,"kind":"open"}]}`, []string{"0 pools", "0 pools.*.id", "0 pools.*.kind"}},
		"unknown":       {`{"pools":[{"new":{"id":1}}],"other":[1]}`, []string{"0 pools", "1 pools.*.new", "1 other"}},
		"value":         {`{"pools":[{"kind":"half"}]}`, []string{"0 pools", `2 pools.*.kind`}},
		"no value":      {`{"pools":[{"kind":null},{"kind":""}]}`, []string{"0 pools", "0 pools.*.kind", "0 pools.*.kind"}},
		"names as data": {`{"prices":{"x":1,"y":2}}`, []string{"0 prices", "0 prices.*", "0 prices.*"}},
		"open":          {`{"raw":{"a":1}}`, []string{"0 raw"}},
		"other types":   {`{"pools":{"id":1},"prices":[1]}`, []string{"0 pools", "0 prices"}},
		"no object":     {` [1]`, nil},
		"nothing":       {` `, nil},
		"escaped":       {`{"po\u006fls":[]}`, []string{"0 pools"}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			Compare(shape(t, documented), []byte(c.body), func(f Finding) { got = append(got, fmt.Sprint(int(f.Kind), " ", f.Member)) })
			assert.Equal(t, c.want, got)
		})
	}
}

// A watch tells a thing once, whoever asks, and remembers so many.
func TestWatch(t *testing.T) {
	w := NewWatch("swap")
	w.shapes["GET /x"] = shape(t, `{"status":"open|closed"}`)
	var mu sync.Mutex
	var told []string
	tell := func(member, value string) {
		mu.Lock()
		defer mu.Unlock()
		told = append(told, member+"="+value)
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			w.Look("GET /x", []byte(`{"status":"half","new":1,"new":2}`), shown, tell)
			w.Look("GET /unknown", []byte(`{"new":1}`), shown, tell)
		})
	}
	all.Wait()
	assert.ElementsMatch(t, []string{`status=half`, "new="}, told)

	for i := range 2 * most {
		w.Look("GET /x", fmt.Appendf(nil, `{"m%d":1}`, i), shown, tell)
	}
	assert.Len(t, told, most)
	assert.NotEmpty(t, NewWatch("swap").shapes)
}

func shown(text string) string { return text }

// A service makes names and values as long as an answer, and repeats what is secret:
// what is told and remembered is bounded, and no part of a secret is left by the cut.
func TestWatchIsBounded(t *testing.T) {
	w := NewWatch("swap")
	w.shapes["GET /x"] = shape(t, `{"status":"open|closed"}`)
	const secret = "sk-0123456789abcdef"
	long := strings.Repeat("é", 1<<12)
	var told []string
	for i := range most {
		body := fmt.Sprintf(`{"%d%s":1,"status":"%d%s"}`, i, long, i, long)
		w.Look("GET /x", []byte(body), shown, func(member, value string) { told = append(told, member, value) })
	}
	require.Len(t, told, 2*most)
	kept := 0
	for key := range w.seen {
		kept += len(key)
	}
	assert.Less(t, kept, most*400)
	for _, text := range told {
		assert.LessOrEqual(t, len(text), mostText+len("…"))
		assert.True(t, utf8.ValidString(text))
	}

	w = NewWatch("swap")
	w.shapes["GET /x"] = shape(t, `{"status":"open|closed"}`)
	told = nil
	before := strings.Repeat("x", mostText-5)
	body := fmt.Sprintf(`{%q:1,"status":%q}`, before+secret, before+secret)
	w.Look("GET /x", []byte(body), func(text string) string { return strings.ReplaceAll(text, secret, "[secret]") },
		func(member, value string) { told = append(told, member, value) })
	require.Len(t, told, 4)
	for _, text := range told {
		assert.NotContains(t, text, "sk-")
	}
}

func TestCut(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "short": "short", "a\xffb": "a\uFFFDb",
		strings.Repeat("x", mostText):                strings.Repeat("x", mostText),
		strings.Repeat("x", mostText+1):              strings.Repeat("x", mostText) + "…",
		strings.Repeat("x", mostText-1) + "€uro":     strings.Repeat("x", mostText-1) + "…",
		strings.Repeat("x", mostText-3) + "€":        strings.Repeat("x", mostText-3) + "€",
		strings.Repeat("x", mostText-3) + "€" + "yz": strings.Repeat("x", mostText-3) + "€" + "…",
	} {
		assert.Equal(t, want, cut(text), "%q", text)
	}
}
