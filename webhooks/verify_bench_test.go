package webhooks

import (
	"bytes"
	"crypto/sha256"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
)

// BenchmarkVerify measures the verification of 300 KB, reading included, and
// SHA-256 over the same bytes in turn; x-sha256 is how many times as long the
// former takes.
func BenchmarkVerify(b *testing.B) {
	body := evmBody(200)
	for len(body) < 300_000 {
		body = append(body, ' ')
	}
	body = body[:300_000]
	secret := walletfi.NewSecret("whsec_test")
	v := Verifier{Secrets: []walletfi.Secret{secret}}
	req := DeliverySigner{Secret: secret}.RequestAt("https://example.com", body, time.Now())
	req.Header.Set("Content-Length", "300000")
	b.SetBytes(int64(len(body)))
	verify, bare := stopwatch{}, stopwatch{}
	for b.Loop() {
		verify.measure(func() {
			// Without WriteTo and Len, as a request's body comes.
			_, err := v.Verify(req.Header, io.LimitReader(bytes.NewReader(body), 1<<30))
			require.NoError(b, err)
		})
		bare.measure(func() { sha256.Sum256(body) })
	}
	b.ReportMetric(verify.each()/bare.each(), "x-sha256")
	b.ReportMetric(verify.each()/1e3, "µs/verify")
	b.ReportMetric(bare.each()/1e3, "µs/sha256")
}

// BenchmarkReceive is all that a receiver does for 300 KB beside its handler:
// verification, decoding, the key for deduplication.
func BenchmarkReceive(b *testing.B) {
	body := evmBody(200)
	secret := walletfi.NewSecret("whsec_test")
	v := Verifier{Secrets: []walletfi.Secret{secret}}
	req := DeliverySigner{Secret: secret}.Request("https://example.com", body)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		read, err := v.Verify(req.Header, bytes.NewReader(body))
		require.NoError(b, err)
		require.NotNil(b, ParseDelivery(read).EVM)
	}
}
