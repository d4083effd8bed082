package predictmeta

import (
	"encoding/binary"

	"github.com/walletfi/walletfi-go"
)

// A feed says the same tickers and prices over and over. The caches hand out
// the one string that is there already. A text has two places that it may be
// at; a new one takes the first and puts what was there on the second, so that
// the caches never grow.
type (
	textCache  [1 << textBits]string
	priceCache [1 << priceBits]walletfi.Decimal
)

const textBits, priceBits = 8, 10

// longestCached bounds what a cache keeps alive.
const longestCached = 64

func (c *textCache) of(text []byte) string {
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

// of returns false for what is no number.
func (c *priceCache) of(number []byte) (walletfi.Decimal, bool) {
	first := mixed(number) >> (64 - priceBits)
	second := first ^ 1
	if c[first].String() == string(number) && len(number) > 0 {
		return c[first], true
	}
	if c[second].String() == string(number) && len(number) > 0 {
		return c[second], true
	}
	fresh, err := walletfi.NewDecimal(string(number))
	if err == nil && len(number) <= longestCached {
		c[second], c[first] = c[first], fresh
	}
	return fresh, err == nil
}

// mixed spreads texts by their ends, where tickers and prices differ. Its
// highest bits depend on all of those.
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
