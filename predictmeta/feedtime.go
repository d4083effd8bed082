package predictmeta

import (
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/instant"
	"github.com/walletfi/walletfi-go/internal/jsonscan"
)

// timeAt reads what walletfi.Time reads.
func timeAt(b []byte, i int) (t walletfi.Time, end int) {
	read := instant.Unix[[]byte]
	var text []byte
	if i = jsonscan.Space(b, i); i < len(b) && b[i] == '"' {
		if text, end = jsonscan.ASCII(b, i); end >= 0 && len(text) == 0 {
			return t, end
		}
		read = instant.Parse[[]byte]
	} else {
		text, end = jsonscan.Number(b, i)
	}
	if end < 0 {
		return t, jsonscan.None
	}
	var ok bool
	if t.Time, ok = read(text); !ok {
		return t, jsonscan.None
	}
	return t, end
}
