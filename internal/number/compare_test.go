package number_test

import (
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/internal/number"
)

// TestCompare: each pair compares as big.Rat does.
func TestCompare(t *testing.T) {
	list := []string{
		"0", "-0", "0.0", "0e5", "1", "-1", "10", "1e1", "100e-1", "0.1", "0.01", "1e-2", "9", "99", "9.9", "1.50", "1.5", "-1.5",
		"15e-1", "0.00015e4", "10.0", "10.01", "10.010", "1.0000000000", "0.10", "0.100000000001", "123456789012345678901234567890", "123456789012345678901234567891", "-1e-300", "1e300", "1E+300", "12", "2",
	}
	for _, a := range list {
		x, _ := new(big.Rat).SetString(a)
		for _, b := range list {
			y, _ := new(big.Rat).SetString(b)
			require.Equal(t, x.Cmp(y), number.Compare(a, b), "%s and %s", a, b)
		}
	}
}

// TestCompareBeyondBounds: what is not valid compares too, at once.
func TestCompareBeyondBounds(t *testing.T) {
	million := strings.Repeat("9", 1_000_000)
	begun := time.Now()
	for _, row := range []struct {
		a, b string
		want int
	}{
		{"1e99999999999999999999", "1", 1}, {"1e99999999999999999999", "", 1}, {"-1e99999999999999999999", "", -1},
		{"1e-99999999999999999999", "", 1}, {"1e-99999999999999999999", "1e-300", -1}, {"0e99999999999999999999", "", 0},
		{million, million + "1", -1}, {million, million, 0}, {"0." + million, "1", -1}, {million + "e-1000000", "1", -1},
		{"half", "-1e400", -1}, {"-5", "half", 1}, {"half", "NaN", 0}, {"half", "", -1},
	} {
		require.Equal(t, row.want, number.Compare(row.a, row.b), "%.40s and %.40s", row.a, row.b)
		require.Equal(t, -row.want, number.Compare(row.b, row.a), "%.40s and %.40s", row.b, row.a)
	}
	require.Less(t, time.Since(begun), 2*time.Second)
}

func TestValid(t *testing.T) {
	digits := strings.Repeat("9", number.MaxDigits)
	for text, want := range map[string]bool{
		"0": true, "-1.5e-7": true, "1e400": true, "1E-400": true, digits: true, "-0." + digits[1:]: true,
		"": false, "+1": false, ".5": false, "1e401": false, "1e-401": false, "1e99999999999999999999": false, digits + "9": false,
		"0." + digits: false, "NaN": false, "Infinity": false, "50%": false, "1 ": false, "1_0": false, "1,0": false,
	} {
		require.Equal(t, want, number.Valid(text), "%.40s", text)
	}
}
