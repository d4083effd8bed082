package signer_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signing"
)

// BenchmarkSignSet prices a request without a node's round trip: guard, decision, two durable
// writes and a local signature. Messages of the runs before stay open.
func BenchmarkSignSet(b *testing.B) {
	text := strings.ReplaceAll(policyText(), "5_000_000_000", "5_000_000_000_000")
	policy, err := signer.ParsePolicy([]byte(text))
	require.NoError(b, err)
	r := newRig(b, 2, func(cfg *signer.Config) { cfg.Policy = policy })
	all := make([]signing.SetRequest, b.N)
	for i := range all {
		all[i] = r.pay(payee, uint64(i+1))
	}
	b.ResetTimer()
	for _, q := range all {
		_, err := r.SignSet(b.Context(), "trader", q)
		require.NoError(b, err)
	}
}
