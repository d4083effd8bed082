package paid

import (
	"math"
	"time"
)

// dice draws by hashing what is asked for, never from a shared sequence: the
// same question has the same answer however goroutines are scheduled, and a
// key that is left out of a run changes nothing for the others.
type dice uint64

// of returns the dice of a question.
func (d dice) of(question string, ns ...int) dice {
	h := mix(uint64(d) ^ 0x9e3779b97f4a7c15)
	for _, c := range []byte(question) {
		h = (h ^ uint64(c)) * 0x100000001b3
	}
	for _, n := range ns {
		h = mix(h ^ uint64(n)*0xd6e8feb86659fd93)
	}
	return dice(mix(h))
}

// mix is the last step of splitmix64.
func mix(x uint64) uint64 {
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	return x ^ x>>31
}

// float is in [0, 1).
func (d dice) float() float64 { return float64(mix(uint64(d))>>11) / (1 << 53) }

func (d dice) chance(p float64) bool { return d.float() < p }

// int is in [lo, hi].
func (d dice) int(lo, hi int) int {
	if hi <= lo {
		return lo
	}
	return lo + int(d.float()*float64(hi-lo+1))
}

// span is even between lo and hi.
func (d dice) span(lo, hi time.Duration) time.Duration {
	return lo + time.Duration(d.float()*float64(hi-lo))
}

// long is even on a logarithmic scale: seconds are as likely as hours.
func (d dice) long(lo, hi time.Duration) time.Duration {
	if lo <= 0 || hi <= lo {
		return lo
	}
	return time.Duration(float64(lo) * math.Pow(float64(hi)/float64(lo), d.float()))
}

// seed fills 32 bytes, for keys.
func (d dice) seed() (b [32]byte) {
	for i := range b {
		b[i] = byte(d.of("byte", i))
	}
	return b
}

func pick[T any](d dice, from ...T) T { return from[d.int(0, len(from)-1)] }
