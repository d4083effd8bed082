package instant

import (
	"encoding/json"
	"math/big"
	"strconv"
	"strings"
	"time"
)

// maxSeconds is the last second of the year 9999.
const maxSeconds = 253402300799

// Unix reads a Unix time, a JSON number. A number of up to maxSeconds counts
// seconds; a larger one counts milliseconds if that is no later than maxSeconds,
// else microseconds. So milliseconds and microseconds from 1978 on are read as such,
// and no number gives a year of five digits.
func Unix[T Text](text T) (time.Time, bool) { return unix(string(text)) }

func unix(text string) (time.Time, bool) {
	if text == "" || text[0] != '-' && text[0]-'0' > 9 || text[len(text)-1]-'0' > 9 || !json.Valid([]byte(text)) {
		return time.Time{}, false
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return sized(n, 0)
	}
	return exact(text)
}

// sized is Unix for a number of n whole units and a fraction, in billionths, in the
// direction of n.
func sized(n, billionths int64) (time.Time, bool) {
	perSecond := int64(1)
	for n/perSecond > maxSeconds || n/perSecond < -maxSeconds {
		if perSecond *= 1000; perSecond > 1e6 {
			return time.Time{}, false
		}
	}
	nanos := n%perSecond*(1e9/perSecond) + billionths/perSecond
	return ofOurs(time.Unix(n/perSecond, nanos).UTC())
}

// exact reads a number with a fraction or an exponent, exactly to the nanosecond.
func exact(text string) (time.Time, bool) {
	// A larger exponent is of no time, and could take gigabytes to expand.
	const longest, longestExponent = 64, len("+99")
	_, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	if len(text) > longest || len(exponent) > longestExponent {
		return time.Time{}, false
	}
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		return time.Time{}, false
	}
	r.Mul(r, big.NewRat(1e9, 1))
	whole, rest := new(big.Int).QuoRem(new(big.Int).Quo(r.Num(), r.Denom()), big.NewInt(1e9), new(big.Int))
	if !whole.IsInt64() {
		return time.Time{}, false
	}
	return sized(whole.Int64(), rest.Int64())
}
