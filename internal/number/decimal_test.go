package number

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// texts are numbers of many forms, random ones among them.
func texts() []string {
	list := []string{
		"0", "-0", "0.0", "1", "-1", "1.50", "-0.001", "2e-9", "1E3", "-1.25e+2", "123456789012345678901234567890.000000000000000001",
		"1e-400", "1e400", "0.5", "0.25", "-0.5", "9.99", "1e0",
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		list = append(list, fmt.Sprintf("%d.%03de%d", random.IntN(2000)-1000, random.IntN(1000), random.IntN(41)-20))
	}
	return list
}

func rat(t *testing.T, text string) *big.Rat {
	r, ok := new(big.Rat).SetString(text)
	require.True(t, ok, text)
	return r
}

// same fails unless text is plain digits of the value want.
func same(t *testing.T, want *big.Rat, text string) {
	t.Helper()
	require.Equal(t, len(text), End(text), text)
	require.NotContains(t, strings.ToLower(text), "e")
	require.NotEqual(t, "-0", text)
	require.Zero(t, want.Cmp(rat(t, text)), "%s is not %s", text, want)
}

// TestArithmetic: each operation agrees with big.Rat.
func TestArithmetic(t *testing.T) {
	list := texts()
	for _, a := range list {
		x := rat(t, a)
		if plain := Plain(a); a != "-0" {
			same(t, x, plain)
		}
		for _, b := range list {
			y := rat(t, b)
			same(t, new(big.Rat).Add(x, y), Add(a, b))
			same(t, new(big.Rat).Sub(x, y), Sub(a, b))
			same(t, new(big.Rat).Mul(x, y), Mul(a, b))
		}
	}
}

// TestRound: the result is a multiple of the tick, on the right side and less
// than a tick away.
func TestRound(t *testing.T) {
	for _, a := range texts() {
		for _, tick := range []string{"0.01", "1", "0.005", "25e-1", "7", "1e-9"} {
			x, step := rat(t, a), rat(t, tick)
			for _, to := range []Rounding{Down, Up, Nearest} {
				text := Round(a, tick, to)
				got := rat(t, text)
				same(t, got, text)
				require.True(t, new(big.Rat).Quo(got, step).IsInt(), text)
				off := new(big.Rat).Sub(got, x)
				switch far := new(big.Rat).Abs(off); to {
				case Down:
					require.True(t, off.Sign() <= 0 && far.Cmp(step) < 0)
				case Up:
					require.True(t, off.Sign() >= 0 && far.Cmp(step) < 0)
				case Nearest:
					require.True(t, far.Mul(far, big.NewRat(2, 1)).Cmp(step) <= 0)
				}
			}
		}
	}
	for _, row := range [][2]string{{"0.5", "1"}, {"-0.5", "-1"}, {"1.5", "2"}, {"0.49", "0"}} {
		require.Equal(t, row[1], Round(row[0], "1", Nearest))
	}
	for _, tick := range []string{"0", "-1", "", "x"} {
		require.Empty(t, Round("1", tick, Down), tick)
	}
}

// TestTooManyDigits: what has no sensible size gives no value, at once.
func TestTooManyDigits(t *testing.T) {
	long := strings.Repeat("9", MaxDigits)
	require.Equal(t, long, Add(long, "0"))
	for _, text := range []string{
		Add(long, "1"), Mul(long, long), Add(long+"9", "0"), Add("1e1000000000", "1"), Add("1", "1e-1000000000"), Plain("1e1001"),
		Plain("1e99999999999999999999"), Add("", "1"), Add("1", ""), Sub("NaN", "1"), Mul("1", "0x10"), Add("1_0", "1"), Add("1e-1000", "1e1"),
	} {
		require.Empty(t, text)
	}
}
