package number_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/internal/number"
)

// FuzzEnd compares with encoding/json.
func FuzzEnd(f *testing.F) {
	for _, seed := range []string{
		"0", "-0", "1", "-1", "10", "01", "00", "1.5", "1.", ".5", "-.5", "-", "", "0.0", "0.00000000000000000001",
		"1e5", "1E-5", "1.e5", "1.5e", "1 ", " 1", "1.5.5", "1/5", "0x1", "NaN", "--1", "1:2", "1.5]", "2e-9,", "1e+", "0e0 ", "-0.5E+7}", "\u0661",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		// encoding/json accepts blanks around a number; they are no part of it.
		whole := s != "" && s == strings.TrimSpace(s) && (s[0] == '-' || s[0] >= '0' && s[0] <= '9') && json.Valid([]byte(s))
		end := number.End(s)
		require.Equal(t, whole, end > 0 && end == len(s))
		if end > 0 {
			require.True(t, json.Valid([]byte(s[:end])))
			require.NotContains(t, " \t\r\n", s[end-1:end])
		}
	})
}

// TestEndOfDigits: eight bytes at a time are the same as one at a time.
func TestEndOfDigits(t *testing.T) {
	for length := range 20 {
		digits := strings.Repeat("0918273645", 2)[:length]
		for c := range 256 {
			if strings.ContainsRune(".eE", rune(c)) {
				continue // goes on after the digits
			}
			for at := range length + 1 {
				text := "1" + digits[:at] + string([]byte{byte(c)}) + digits[at:]
				want := 0
				for want < len(text) && text[want] >= '0' && text[want] <= '9' {
					want++
				}
				if got := number.End(text); got != want {
					t.Fatalf("%q: %d, not %d", text, got, want)
				}
			}
		}
	}
}

// TestWhole: the digits before the point are counted in numbers that are written plainly.
func TestWhole(t *testing.T) {
	for text, want := range map[string]int{"0": 0, "0.5": 0, "0.000": 0, "7": 1, "10": 2, "123456789.25": 9} {
		digits, isPlain := number.Whole(text)
		require.True(t, isPlain, text)
		require.Equal(t, want, digits, text)
	}
	for _, text := range []string{
		"", "-1", "+1", "01", "00", ".5", "5.", "1e3", "1.5E3", "1 ", " 1", "1,0", "NaN", "1.2.3", "0x1",
		strings.Repeat("9", number.MaxDigits+1),
	} {
		_, isPlain := number.Whole(text)
		require.False(t, isPlain, "%.40s", text)
	}
}
