package webhooks

import (
	"bytes"
	"crypto/sha256"
	"io"
	"net/http"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/bodies"
)

// BenchmarkVerify measures the verification of 300 KB, reading included, and
// SHA-256 over the same bytes in turn; x-sha256 is how many times as long the
// former takes. It is into a buffer that is used again, as a Receiver has it.
func BenchmarkVerify(b *testing.B) {
	benchmarkVerify(b, func(v *Verifier, header http.Header, body io.Reader, buffer []byte) ([]byte, error) {
		return v.VerifyAppend(buffer[:0], header, body)
	})
}

// BenchmarkVerifyCopied is the same with Verify, whose result is the caller's
// to keep: 300 KB of fresh memory each.
func BenchmarkVerifyCopied(b *testing.B) {
	benchmarkVerify(b, func(v *Verifier, header http.Header, body io.Reader, _ []byte) ([]byte, error) {
		return v.Verify(header, body)
	})
}

func benchmarkVerify(b *testing.B, run func(*Verifier, http.Header, io.Reader, []byte) ([]byte, error)) {
	body := []byte(bodies.EVM(200))
	for len(body) < 300_000 {
		body = append(body, ' ')
	}
	body = body[:300_000]
	secret := walletfi.NewSecret("whsec_test")
	v := &Verifier{Secrets: []walletfi.Secret{secret}}
	req := DeliverySigner{Secret: secret}.Request("https://example.com", body)
	req.Header.Set("Content-Length", "300000")
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	verify, bare := stopwatch{}, stopwatch{}
	var buffer []byte
	for b.Loop() {
		verify.measure(func() {
			// Without WriteTo and Len, as a request's body comes.
			read, err := run(v, req.Header, io.LimitReader(bytes.NewReader(body), 1<<30), buffer)
			require.NoError(b, err)
			buffer = read
		})
		bare.measure(func() { sha256.Sum256(body) })
	}
	b.ReportMetric(verify.each()/bare.each(), "x-sha256")
	b.ReportMetric(verify.each()/1e3, "µs/verify")
	b.ReportMetric(bare.each()/1e3, "µs/sha256")
}

// BenchmarkReceive is all that is done for 300 KB beside the handler:
// verification, decoding, the key for deduplication.
func BenchmarkReceive(b *testing.B) {
	body := []byte(bodies.EVM(200))
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

// TestDeliveriesKeepLittle: what stays alive of a delivery is at most 4 times its body,
// whether it has one transaction or a thousand.
func TestDeliveriesKeepLittle(t *testing.T) {
	for name, bodyOf := range map[string]func(int) string{"EVM": bodies.EVM, "ledger": bodies.Ledger} {
		for _, n := range []int{1, 2, 4, 8, 10, 1000} {
			body := []byte(bodyOf(n))
			kept := make([]*Delivery, max(4, 4000/n))
			before := heap()
			for i := range kept {
				kept[i] = ParseDelivery(bytes.Clone(body))
				require.NotEqual(t, kept[i].EVM == nil, kept[i].Ledger == nil)
			}
			each := (heap() - before) / len(kept) // with the body, and the copy that the texts are part of
			t.Logf("%s, %d transactions, %d B: %d B kept, %.1f times", name, n, len(body), each, float64(each)/float64(len(body)))
			require.LessOrEqual(t, each, 4*len(body), "%s, %d transactions", name, n)
			runtime.KeepAlive(kept)
		}
	}
}

func heap() int {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// stopwatch times pieces of work that take turns, so that both see the same
// machine.
type stopwatch struct{ took []time.Duration }

func (s *stopwatch) measure(work func()) {
	begun := time.Now()
	work()
	s.took = append(s.took, time.Since(begun))
}

// each is the median, in nanoseconds.
func (s *stopwatch) each() float64 {
	slices.Sort(s.took)
	return float64(s.took[len(s.took)/2])
}
