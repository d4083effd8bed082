package feedtext

import (
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/instant"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// TimeAt reads what walletfi.Time reads.
func TimeAt(b []byte, i int) (t walletfi.Time, end int) {
	read := instant.Unix[[]byte]
	var text []byte
	if i = wire.Space(b, i); i < len(b) && b[i] == '"' {
		if text, end = wire.ASCII(b, i); end >= 0 && len(text) == 0 {
			return t, end
		}
		read = instant.Parse[[]byte]
	} else {
		text, end = wire.Number(b, i)
	}
	if end < 0 {
		return t, wire.None
	}
	var ok bool
	if t.Time, ok = read(text); !ok || !IsOrdinary(t) {
		return t, wire.None // an unusual one
	}
	return t, end
}

// IsOrdinary reports whether a feed can be of a time. None is, if that is let through.
func IsOrdinary(t walletfi.Time) bool { return t.IsZero() || t.Year() >= 2000 && t.Year() < 2200 }
