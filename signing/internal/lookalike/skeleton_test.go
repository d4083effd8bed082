package lookalike

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestSkeleton: what the eye takes for USDC has its skeleton, and what it does not has not.
func TestSkeleton(t *testing.T) {
	for name, text := range map[string]string{
		"itself": "USDC", "small": "usdc", "digit and dollar": "U5DC", "a dollar": "U$DC",
		"a Cyrillic letter": "USD\u0421", "Armenian and Cyrillic": "\u054d\u0405D\u0421", "full width": "\uff35\uff33\uff24\uff23",
		"mathematical": "\U0001d414\U0001d412\U0001d403\U0001d402", "circled": "\u24ca\u24c8\u24b9\u24b8",
		"an accent": "\u00dasdc", "a combining accent": "U\u0301SDC", "many": "U\u0301\u0302\u0323SDC",
		"a zero-width space": "US\u200bDC", "a joiner": "US\u200dDC", "right to left": "\u202eUSDC", "a byte order mark": "\ufeffUSDC",
		"a soft hyphen": "US\u00adDC", "a Hangul filler": "USDC\u3164", "a half-width filler": "USDC\uffa0", "a choseong filler": "\u115fUSDC",
		"a variation": "USDC\ufe0f", "a supplementary variation": "USDC\U000e0101", "a tag": "USDC\U000e0041",
		"Braille blank": "USDC\u2800", "a space": "US DC", "no-break space": "USDC\u00a0", "a control": "USDC\x07", "broken": "USDC\xff",
		"Mongolian vowel separator": "US\u180eDC", "Khmer vowel": "US\u17b4DC", "an invisible times": "US\u2062DC", "unassigned": "USDC\U0003ffff",
	} {
		assert.Equal(t, Skeleton("USDC"), Skeleton(text), name)
	}
	for _, text := range []string{"USD", "USDT", "UUSDC", "USDCC", "", "\u6c34", "EURC", "\u0416"} {
		assert.NotEqual(t, Skeleton("USDC"), Skeleton(text), text)
	}
	for a, b := range map[string]string{
		"SLIM": "S1IM", "BOB": "B0B", "MARNIE": "MAMIE", "WIF": "VVIF", "ZEUS": "2EU5", "SOL": "\u0405\u039fL", "JUP": "\u0408\u222aP", "\ufb01x": "FIX",
	} {
		if text := Skeleton(b); text != Skeleton(a) {
			t.Errorf("%s is %q, %s is %q", a, Skeleton(a), b, text)
		}
	}
	assert.NotEqual(t, Skeleton("\u6c34"), Skeleton("\u706b"), "letters of no table stay apart")
}

// TestTable: each character is in the table once, and what it looks like is ASCII.
func TestTable(t *testing.T) {
	assert.Greater(t, len(table()), 2500)
	for r, like := range table() {
		assert.True(t, Foreign(r), "%U", r)
		assert.False(t, Blank(r), "%U", r)
		for _, c := range like {
			assert.False(t, Foreign(c), "%U", r)
		}
	}
}
