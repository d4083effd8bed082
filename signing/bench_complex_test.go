package signing

import (
	"slices"
	"testing"

	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// BenchmarkTooComplex is the most that a hostile set costs before it is refused.
func BenchmarkTooComplex(b *testing.B) {
	s := ordinary(times(50, txbuild.Transfer(owner, friend, 1_300))...)
	u := set(txbuild.V0, slices.Repeat([]*scene{s}, 16)...)
	guard := NewGuard(s.policy)
	for b.Loop() {
		_, report, err := guard.CheckSet(b.Context(), u)
		if err == nil || report.Refusal.Rule != RuleTooComplex {
			b.Fatal(report)
		}
	}
}
