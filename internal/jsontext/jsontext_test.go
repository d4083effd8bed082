package jsontext

import (
	"encoding/json"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// naiveEnd finds the end of a value with encoding/json: the shortest text that is
// valid and is not a part of a longer number.
func naiveEnd(b []byte, i int) int {
	end := 0
	for n := i + 1; n <= len(b); n++ {
		if json.Valid(b[i:n]) && (n == len(b) || b[i] == '"' || b[i] == '{' || b[i] == '[' || !json.Valid(b[i:n+1])) {
			end = n
			break
		}
	}
	return end
}

// TestValueEnd: the end of a value is found, whatever is in its strings and
// wherever in them; of text that ends early, it is the end of the text.
func TestValueEnd(t *testing.T) {
	words := []string{`\"`, `\\`, `{`, `]`, `"`, `,`, `a`, `0123456789`, "\u00e9", " "}
	r := rand.New(rand.NewPCG(1, 2))
	whole := 0
	for range 3000 {
		text := ""
		for range r.IntN(12) {
			if w := words[r.IntN(len(words))]; w != `"` {
				text += w
			}
		}
		for _, value := range []string{`"` + text + `"`, `{"k":["` + text + `"],"` + text + `":1}`, `["` + text + `",{}]`, `12`, `null`} {
			body := []byte(value + `,"next"`)
			if !json.Valid([]byte(value)) {
				continue
			}
			whole++
			require.Equal(t, len(value), ValueEnd(body, 0), "%s", body)
			require.Equal(t, naiveEnd(body[:len(value)], 0), ValueEnd(body, 0), "%s", body)
			for n := range value {
				require.LessOrEqual(t, ValueEnd(body[:n], 0), n, "%s", body[:n])
			}
		}
	}
	require.Greater(t, whole, 5000)
}

func TestStringEnd(t *testing.T) {
	for text, want := range map[string]int{
		`"`: 1, `""`: 2, `"\"`: 3, `"\""`: 4, `"abcdefgh"x`: 10, `"abcdefg\"h"x`: 12, `"abcdefghijklmnop`: 17, `"\\"`: 4, `"\`: 2,
	} {
		require.Equal(t, want, StringEnd([]byte(text), 0), text)
	}
}
