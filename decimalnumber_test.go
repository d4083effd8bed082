package walletfi

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzNumber: what a number is, encoding/json says.
func FuzzNumber(f *testing.F) {
	for _, seed := range []string{
		"0", "-0", "1", "-1", "10", "01", "00", "1.5", "1.", ".5", "-.5", "-", "", "0.0", "0.00000000000000000001",
		"1e5", "1E-5", "1.e5", "1.5e", "1 ", " 1", "1.5.5", "1/5", "0x1", "NaN", "--1", "1:2", "1.5]", "2e-9,", "1e+", "0e0 ", "-0.5E+7}", "\u0661",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		// Blanks around it are encoding/json's affair, and no part of a number.
		want := s != "" && s == strings.TrimSpace(s) && (s[0] == '-' || s[0] >= '0' && s[0] <= '9') && json.Valid([]byte(s))
		require.Equal(t, want, isNumber(s))
		d, rest, ok := CutDecimal(s)
		require.Equal(t, s, d.String()+rest)
		require.Equal(t, ok, !d.IsZero())
		if ok {
			require.True(t, json.Valid([]byte(d.String())))
			require.NotContains(t, " \t\r\n", d.String()[len(d.String())-1:])
		}
		if want {
			require.Empty(t, rest)
		}
	})
}

func BenchmarkNewDecimal(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if d, err := NewDecimal("23.948172635498172634"); err != nil || d.IsZero() {
			b.Fatal(d, err)
		}
	}
}
