package build

import (
	"math/big"
	"strings"
)

// The digits of base 58, and those that math/big writes in their place.
const (
	alphabet  = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
	bigDigits = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUV"
)

// fromBig turns a digit of math/big into one of base 58.
var fromBig = func() (table [256]byte) {
	for i := range bigDigits {
		table[bigDigits[i]] = alphabet[i]
	}
	return table
}()

// base58Text writes bytes in base58. Digit by digit a whole transaction takes
// half a millisecond; math/big divides faster.
func base58Text(raw []byte) string {
	zeros := 0
	for zeros < len(raw) && raw[zeros] == 0 {
		zeros++
	}
	text := []byte(strings.Repeat(alphabet[:1], zeros))
	if zeros == len(raw) {
		return string(text)
	}
	text = new(big.Int).SetBytes(raw[zeros:]).Append(text, len(alphabet))
	for i, digit := range text[zeros:] {
		text[zeros+i] = fromBig[digit]
	}
	return string(text)
}
