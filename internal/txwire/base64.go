package txwire

import (
	"encoding/base64"
	"encoding/binary"
	"unsafe"
)

// Base64 of a transaction is decoded here and only its last group, which may be
// padded, by the library: it stops at each character that is not of the alphabet,
// where a transaction is refused as a whole, and so takes three times as long.

const notBase64 = 1 << 31

// base64Values maps a character to its six bits at each place of a group of four,
// and to notBase64 if it has none.
var base64Values = func() (values [4][256]uint32) {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	for place := range values {
		for c := range values[place] {
			values[place][c] = notBase64
		}
		for bits, c := range []byte(alphabet) {
			values[place][c] = uint32(bits) << (18 - 6*place)
		}
	}
	return values
}()

func base64Group(text string) uint32 {
	return base64Values[0][text[0]] | base64Values[1][text[1]] | base64Values[2][text[2]] | base64Values[3][text[3]]
}

var strictBase64 = base64.StdEncoding.Strict()

// decodeBase64 reads whole groups of four characters. It reports whether text is
// the strict base64 of len(b) bytes.
func decodeBase64(b []byte, text string) bool {
	bad := uint32(0)
	// Two groups a turn, written as eight bytes: the next turn overwrites two.
	for len(text) > 8 && len(b) >= 8 {
		first, second := base64Group(text), base64Group(text[4:8])
		bad |= first | second
		binary.BigEndian.PutUint64(b, uint64(first)<<40|uint64(second)<<16)
		text, b = text[8:], b[6:]
	}
	for ; len(text) > 4 && len(b) >= 3; text, b = text[4:], b[3:] {
		group := base64Group(text)
		bad |= group
		b[0], b[1], b[2] = byte(group>>16), byte(group>>8), byte(group)
	}
	n, err := strictBase64.Decode(b, unsafe.Slice(unsafe.StringData(text), len(text)))
	return bad < notBase64 && err == nil && n == len(b)
}
