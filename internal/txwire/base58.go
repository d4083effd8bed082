package txwire

import (
	"encoding/binary"
	"math/bits"
)

// Base58 of a transaction is decoded here and not by the library, which works
// one chunk of ten digits at a time and waits for each carry: four chunks in
// one pass keep the multiplier busy and take a third of the time.

const base58Alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

const (
	chunkDigits = 10
	chunkBase   = 430804206899405824 // 58^10, the largest power in 64 bits
	passDigits  = 4 * chunkDigits
	maxCarried  = 4 // limbs that a pass can add: 40 digits are 235 bits
)

// base58Values maps a character to its digit, and 0xff if it has no digit.
var base58Values = func() (values [256]uint8) {
	for i := range values {
		values[i] = 0xff
	}
	for i, c := range []byte(base58Alphabet) {
		values[c] = uint8(i)
	}
	return values
}()

// base58Limbs is a number of up to 4,096 bytes, least limb first.
type base58Limbs struct {
	limb [(MaxBase58Text*6+63)/64 + maxCarried]uint64
	n    int
}

// parse reads digits, the most significant first.
func (l *base58Limbs) parse(digits string) bool {
	for len(digits)%passDigits != 0 {
		n := (len(digits)-1)%chunkDigits + 1
		value, ok := base58Chunk(digits[:n])
		if !ok {
			return false
		}
		power := uint64(1)
		for range n {
			power *= 58
		}
		l.shift(power, value)
		digits = digits[n:]
	}
	for ; digits != ""; digits = digits[passDigits:] {
		a, okA := base58Chunk(digits[:10])
		b, okB := base58Chunk(digits[10:20])
		c, okC := base58Chunk(digits[20:30])
		d, okD := base58Chunk(digits[30:40])
		if !(okA && okB && okC && okD) {
			return false
		}
		l.shift4(a, b, c, d)
	}
	return true
}

// base58Chunk reads up to ten digits.
func base58Chunk(digits string) (value uint64, ok bool) {
	bad := uint8(0)
	for i := range len(digits) {
		v := base58Values[digits[i]]
		bad |= v
		value = value*58 + uint64(v)
	}
	return value, bad < 0x80
}

// shift multiplies by power and adds value.
func (l *base58Limbs) shift(power, value uint64) {
	for i := range l.limb[:l.n] {
		l.limb[i], value = mulAdd(l.limb[i], power, value)
	}
	l.push(value)
}

// shift4 multiplies by 58^10 and adds, four times over.
func (l *base58Limbs) shift4(a, b, c, d uint64) {
	limbs := l.limb[:l.n]
	for i, x := range limbs {
		x, a = mulAdd(x, chunkBase, a)
		x, b = mulAdd(x, chunkBase, b)
		x, c = mulAdd(x, chunkBase, c)
		x, d = mulAdd(x, chunkBase, d)
		limbs[i] = x
	}
	// What each stage carries out of the top still passes through the stages
	// after it.
	var x uint64
	for range maxCarried {
		x, a = a, 0
		x, b = mulAdd(x, chunkBase, b)
		x, c = mulAdd(x, chunkBase, c)
		x, d = mulAdd(x, chunkBase, d)
		l.limb[l.n] = x
		l.n++
	}
	for l.n > 0 && l.limb[l.n-1] == 0 {
		l.n--
	}
}

func mulAdd(x, power, carry uint64) (low, high uint64) {
	high, low = bits.Mul64(x, power)
	low, c := bits.Add64(low, carry, 0)
	return low, high + c
}

func (l *base58Limbs) push(limb uint64) {
	if limb != 0 {
		l.limb[l.n] = limb
		l.n++
	}
}

// size is the number of significant bytes.
func (l *base58Limbs) size() int {
	if l.n == 0 {
		return 0
	}
	return 8*l.n - bits.LeadingZeros64(l.limb[l.n-1])/8
}

// fill writes the number big-endian; b has size bytes.
func (l *base58Limbs) fill(b []byte) {
	for _, limb := range l.limb[:l.n] {
		if len(b) < 8 {
			var word [8]byte
			binary.BigEndian.PutUint64(word[:], limb)
			copy(b, word[8-len(b):])
			return
		}
		binary.BigEndian.PutUint64(b[len(b)-8:], limb)
		b = b[:len(b)-8]
	}
}

// MaxKeyText bounds a key's base58 text: 32 bytes never take more.
const MaxKeyText = 44

// DecodeKey reads the base58 of exactly 32 bytes, without allocating.
func DecodeKey(text string) (k Key, ok bool) {
	if len(text) < len(k) || len(text) > MaxKeyText {
		return k, false
	}
	zeros := 0
	for zeros < len(text) && text[zeros] == '1' {
		zeros++
	}
	var limbs [4]uint64
	for digits := text[zeros:]; digits != ""; {
		n := (len(digits)-1)%chunkDigits + 1
		carry, ok := base58Chunk(digits[:n])
		if !ok {
			return k, false
		}
		// The first chunk meets limbs of zero, whatever the power.
		for i := range limbs {
			limbs[i], carry = mulAdd(limbs[i], chunkBase, carry)
		}
		if carry != 0 {
			return k, false
		}
		digits = digits[n:]
	}
	significant := 32
	for i := range limbs {
		binary.BigEndian.PutUint64(k[8*i:], limbs[3-i])
	}
	for significant > 0 && k[32-significant] == 0 {
		significant--
	}
	return k, zeros+significant == 32
}
