package signer_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signing"
)

// wide is a signer whose windows no benchmark fills.
func wide(b *testing.B) *rig {
	text := strings.ReplaceAll(policyText(), "5_000_000_000", "5_000_000_000_000")
	policy, err := signer.ParsePolicy([]byte(text))
	require.NoError(b, err)
	return newRig(b, 2, func(cfg *signer.Config) { cfg.Policy = policy })
}

// BenchmarkSignSet prices a request without a node's round trip: guard, decision, two durable
// writes and a local signature. Messages of the runs before stay open.
func BenchmarkSignSet(b *testing.B) {
	r := wide(b)
	all := make([]signing.SetRequest, b.N)
	for i := range all {
		all[i] = r.pay(payee, uint64(i+1))
	}
	took := make([]time.Duration, b.N)
	b.ResetTimer()
	for i, q := range all {
		began := time.Now()
		_, err := r.SignSet(b.Context(), "trader", q)
		require.NoError(b, err)
		took[i] = time.Since(began)
	}
	slices.Sort(took)
	b.ReportMetric(took[b.N/2].Seconds()*1e3, "p50-ms")
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "requests/s")
}

// BenchmarkDurableWrite prices one of the two durable writes alone: an entry of the log, and
// the anchor.
func BenchmarkDurableWrite(b *testing.B) {
	r := wide(b)
	for b.Loop() {
		require.NoError(b, r.Thaw(b.Context(), "benchmark", ""))
	}
}
