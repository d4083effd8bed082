package walletfi

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzNumber: the short way of telling a number is no other than the long one.
func FuzzNumber(f *testing.F) {
	for _, seed := range []string{
		"0", "-0", "1", "-1", "10", "01", "00", "1.5", "1.", ".5", "-.5", "-", "", "0.0", "0.00000000000000000001",
		"1e5", "1E-5", "1.e5", "1.5e", "1 ", " 1", "1.5.5", "1/5", "0x1", "NaN", "--1", "1:2", "\u0661",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		want := s != "" && (s[0] == '-' || s[0] >= '0' && s[0] <= '9') && json.Valid([]byte(s))
		require.Equal(t, want, isNumber(s))
		if isPlainNumber(s) {
			require.True(t, want)
			require.NotContains(t, s, "e")
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
