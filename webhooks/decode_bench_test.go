package webhooks

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

// BenchmarkDecodeEVM measures a payload of 200 transactions, by hand and with
// encoding/json into plain structs in turn; x-encoding/json is how many times
// as fast the former is.
func BenchmarkDecodeEVM(b *testing.B) {
	body := evmBody(200)
	b.SetBytes(int64(len(body)))
	byHand, plain := stopwatch{}, stopwatch{}
	for b.Loop() {
		byHand.measure(func() {
			var p EVMPayload
			require.True(b, scanEVM(body, &p))
		})
		plain.measure(func() {
			var p plainPayload
			require.NoError(b, json.Unmarshal(body, &p))
		})
	}
	b.ReportMetric(plain.each()/byHand.each(), "x-encoding/json")
	b.ReportMetric(byHand.each()/1e3, "µs/by-hand")
	b.ReportMetric(plain.each()/1e3, "µs/encoding-json")
}

func BenchmarkDecodeEVMByHand(b *testing.B) {
	body := evmBody(200)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		var p EVMPayload
		require.True(b, scanEVM(body, &p))
	}
}

func BenchmarkDecodeEVMPlain(b *testing.B) {
	body := evmBody(200)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		var p plainPayload
		require.NoError(b, json.Unmarshal(body, &p))
	}
}
