package feedtext

import (
	"encoding/binary"

	"github.com/walletfi/walletfi-go"
)

// A feed repeats the same tickers and prices. The caches return the string that
// they already have. Each text has two places; a new text takes the first and
// moves what was there to the second, so that the caches never grow.
type (
	Texts  [1 << textBits]string
	Prices [1 << priceBits]walletfi.Decimal
)

var one = walletfi.MustDecimal("1")

const textBits, priceBits = 8, 10

// longestCached is the longest text that a cache keeps.
const longestCached = 64

// Of returns the text, of which the cache keeps a copy if it is short.
func (c *Texts) Of(text []byte) string {
	first := mixed(text) >> (64 - textBits)
	second := first ^ 1
	if c[first] == string(text) {
		return c[first]
	}
	if c[second] == string(text) {
		return c[second]
	}
	fresh := string(text)
	if len(fresh) <= longestCached {
		c[second], c[first] = c[first], fresh
	}
	return fresh
}

// Of returns false if the text is not a price, which is a number from 0 to 1.
func (c *Prices) Of(number []byte) (walletfi.Decimal, bool) {
	first := mixed(number) >> (64 - priceBits)
	second := first ^ 1
	if c[first].String() == string(number) && len(number) > 0 {
		return c[first], true
	}
	if c[second].String() == string(number) && len(number) > 0 {
		return c[second], true
	}
	fresh, err := walletfi.NewDecimal(string(number))
	if err != nil || !fresh.Valid() || fresh.Sign() < 0 || fresh.Cmp(one) > 0 {
		return fresh, false
	}
	if len(number) <= longestCached {
		c[second], c[first] = c[first], fresh
	}
	return fresh, true
}

// mixed is a hash of the last eight bytes, where tickers and prices differ. Its
// highest bits depend on all of them.
func mixed(text []byte) uint64 {
	var word uint64
	if n := len(text); n >= 8 {
		word = binary.LittleEndian.Uint64(text[n-8:])
	} else {
		for _, c := range text {
			word = word<<8 | uint64(c)
		}
	}
	return (word + uint64(len(text))) * 0x9e3779b97f4a7c15
}
