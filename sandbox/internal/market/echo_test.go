package market_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/market"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

func TestEchoIsByteExactAndBounded(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, StrictEcho: true})
	e := market.NewEchoes[int](s.Core, time.Minute)
	s.Lock()
	e.Keep([]byte(` {"a": 1} `), 7)
	got, fresh, known := e.Find([]byte("{\"a\": 1}\n"))
	assert.True(t, fresh && known, "white space around a value is not part of it")
	assert.Equal(t, 7, got)
	_, _, known = e.Find([]byte(`{"a":1}`))
	assert.False(t, known)
	s.Unlock()
	s.Advance(time.Hour)
	s.Lock()
	defer s.Unlock()
	_, fresh, known = e.Find([]byte(`{"a": 1}`))
	assert.Equal(t, []bool{false, true}, []bool{fresh, known}, "what is too old is told from what was never served")
	for i := range market.MostEchoes {
		e.Keep(kit.MustJSON(i), i)
	}
	_, _, known = e.Find([]byte(`{"a": 1}`))
	assert.False(t, known, "the oldest is forgotten")
}

// Canonical is the same for what a correct encoder makes of a value, and for
// nothing else.
func TestControlCanonical(t *testing.T) {
	same := func(a, b string) bool {
		x, ok := market.Canonical([]byte(a))
		assert.True(t, ok, a)
		y, ok := market.Canonical([]byte(b))
		assert.True(t, ok, b)
		return string(x) == string(y)
	}
	for a, b := range map[string]string{
		`1.50`: `1.5`, `1E+2`: `100.0`, `-0`: `0`, `0.00012`: `1.2e-4`, `100`: ` 1e2 `,
		`123456789012345680000000000000`: `1.2345678901234568e+29`,
		`"c\/d \u00e9\u2028<"`:           "\"c/d \u00e9\u2028\\u003c\"", `{"a":1,"b":[ ]}`: "{\"b\":[],\n\"a\":1.0}",
		`[true,null,"x"]`: `[ true, null ,"x" ]`, `9007199254740993`: `9007199254740993.0`, `1e99999999999999999999`: `1E99999999999999999999`,
	} {
		assert.True(t, same(a, b), "%s, %s", a, b)
	}
	for a, b := range map[string]string{
		`9007199254740993`: `9007199254740992`, `1`: `"1"`, `{}`: `[]`, `[1,2]`: `[2,1]`, `{"a":1}`: `{"a":1,"a":1}`,
		`0`: `null`, `-1`: `1`, `1e-1`: `1e1`, `"a"`: `"A"`, `1.2345678901234568e+29`: `123456789012345678901234567890`, `[12]`: `[1,2]`,
	} {
		assert.False(t, same(a, b), "%s, %s", a, b)
	}
	_, ok := market.Canonical([]byte(`{}x`))
	assert.False(t, ok)
}
