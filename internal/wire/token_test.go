package wire

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A string is read with every byte at every place.
func TestASCII(t *testing.T) {
	for length := range 20 {
		for place := range length {
			for c := range 256 {
				text := []byte(strings.Repeat("a", length) + `"`)
				text[place] = byte(c)
				got, end := ASCII(append([]byte{'"'}, text...), 0)
				switch {
				case c == '"':
					require.Equal(t, place+2, end)
					require.Len(t, got, place)
				case c == '\\' || c < ' ' || c > 127:
					require.Equal(t, None, end, "%q", text)
				default:
					require.Equal(t, len(text)+1, end)
					require.Equal(t, string(text[:length]), string(got))
				}
			}
		}
	}
}
