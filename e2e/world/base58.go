package world

import (
	"encoding/binary"
	"errors"
)

const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

// group is 58^5, the most digits that fit 32 bits; working in groups makes
// the conversion of a signature a matter of a few hundred multiplications.
const (
	group       = 58 * 58 * 58 * 58 * 58
	groupDigits = 5
	longest     = 64 // bytes with a fixed length; longer data takes the slow path
)

var errBase58 = errors.New("not base58 of the right length")

var digits = func() (t [256]int8) {
	for i := range t {
		t[i] = -1
	}
	for i := range len(alphabet) {
		t[alphabet[i]] = int8(i)
	}
	return t
}()

func encode58(b []byte) string { return string(append58(nil, b)) }

// append58 appends the base58 of b.
func append58(out, b []byte) []byte {
	zeros := 0
	for zeros < len(b) && b[zeros] == 0 {
		zeros++
	}
	for range zeros {
		out = append(out, '1')
	}
	rest := b[zeros:]
	if len(rest) == 0 {
		return out
	}
	var small [24]uint32
	groups := small[:0]
	if len(rest) > longest {
		groups = make([]uint32, 0, len(rest)/3)
	}
	for len(rest) > 0 {
		n := (len(rest)-1)%4 + 1
		carry := uint64(word(rest[:n]))
		for i := range groups {
			carry += uint64(groups[i]) << (8 * n)
			groups[i] = uint32(carry % group)
			carry /= group
		}
		for carry > 0 {
			groups = append(groups, uint32(carry%group))
			carry /= group
		}
		rest = rest[n:]
	}
	return appendGroups(out, groups)
}

func word(b []byte) uint32 {
	var v uint32
	for _, c := range b {
		v = v<<8 | uint32(c)
	}
	return v
}

// appendGroups writes groups of five digits, the highest last in groups and
// without leading zeros.
func appendGroups(out []byte, groups []uint32) []byte {
	leading := true
	for i := len(groups) - 1; i >= 0; i-- {
		var text [groupDigits]byte
		v := groups[i]
		for j := groupDigits - 1; j >= 0; j-- {
			text[j] = byte(v % 58)
			v /= 58
		}
		for _, d := range text {
			if leading && d == 0 {
				continue
			}
			leading = false
			out = append(out, alphabet[d])
		}
	}
	return out
}

// decode58 fills dst, of at most 64 bytes, from text, which must stand for
// exactly as many.
func decode58[T string | []byte](dst []byte, text T) error {
	limbs := len(dst) / 4
	if len(text) < len(dst) || len(text) > len(dst)*2 {
		return errBase58
	}
	var value [longest / 4]uint32 // lowest first
	for at := 0; at < len(text); {
		n := min(groupDigits, len(text)-at)
		carry, factor := uint64(0), uint64(1)
		for range n {
			d := digits[text[at]]
			if d < 0 {
				return errBase58
			}
			carry = carry*58 + uint64(d)
			factor *= 58
			at++
		}
		for i := range limbs {
			carry += uint64(value[i]) * factor
			value[i] = uint32(carry)
			carry >>= 32
		}
		if carry > 0 {
			return errBase58
		}
	}
	for i := range limbs {
		binary.BigEndian.PutUint32(dst[len(dst)-4*i-4:], value[i])
	}
	return checkZeros(dst, text)
}

// checkZeros compares the leading zero bytes with the leading ones.
func checkZeros[T string | []byte](dst []byte, text T) error {
	zeros := 0
	for zeros < len(dst) && dst[zeros] == 0 {
		zeros++
	}
	ones := 0
	for ones < len(text) && text[ones] == alphabet[0] {
		ones++
	}
	if ones != zeros {
		return errBase58
	}
	return nil
}

// longDecode58 reads base58 of any length, for transactions.
func longDecode58(text string) ([]byte, error) {
	var value []byte // lowest first
	ones := 0
	for ones < len(text) && text[ones] == alphabet[0] {
		ones++
	}
	for _, c := range []byte(text[ones:]) {
		d := digits[c]
		if d < 0 {
			return nil, errBase58
		}
		carry := int(d)
		for i := range value {
			carry += int(value[i]) * 58
			value[i] = byte(carry)
			carry >>= 8
		}
		for carry > 0 {
			value = append(value, byte(carry))
			carry >>= 8
		}
	}
	out := make([]byte, ones+len(value))
	for i, b := range value {
		out[len(out)-1-i] = b
	}
	return out, nil
}
