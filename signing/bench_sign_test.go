package signing

import (
	"crypto/ed25519"
	"slices"
	"testing"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/txwire"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// BenchmarkSign measures text in, signed text out, against ed25519.Sign over
// the same message. The two alternate within one run, so that a change of the
// machine's clock meets both.
func BenchmarkSign(b *testing.B) {
	full, large := sized(b, txbuild.V0, txwire.MaxSize), sized(b, txbuild.V1, txwire.MaxSizeV1)
	base58Text, err := base64Of(full).Base58()
	if err != nil {
		b.Fatal(err)
	}
	cases := []struct {
		name  string
		bytes []byte
		run   func()
	}{
		{"base64/1232", full, signBase64(b, base64Of(full))},
		{"base58/1232", full, func() { sinkText = mustRoundTrip(b, base58Text) }},
		{"v1/4096", large, signBase64(b, base64Of(large))},
	}
	for _, c := range cases {
		b.Run(c.name, func(b *testing.B) {
			tx, err := DecodeBytes(c.bytes)
			if err != nil {
				b.Fatal(err)
			}
			private, message := privateOf("owner"), tx.Message()
			b.ReportAllocs()
			ratio(b, func() { sinkSignature = ed25519.Sign(private, message) }, c.run)
		})
	}
}

func signBase64(b *testing.B, text walletfi.Base64Transaction) func() {
	return func() { sinkText = mustRoundTrip(b, text) }
}

var (
	sinkText      walletfi.Base64Transaction
	sinkSignature []byte
)

func ratio(b *testing.B, base, measured func()) { ratioAs(b, "x-ed25519", base, measured) }

// ratioAs runs base and measured in turn and reports the median of measured
// over the median of base, so that what else the machine does hits neither.
func ratioAs(b *testing.B, unit string, base, measured func()) {
	const round = 16
	var bases, alls []time.Duration
	for b.Loop() {
		start := time.Now()
		for range round {
			base()
		}
		middle := time.Now()
		for range round {
			measured()
		}
		bases = append(bases, middle.Sub(start))
		alls = append(alls, time.Since(middle))
	}
	slices.Sort(bases)
	slices.Sort(alls)
	baseTime, time := bases[len(bases)/2], alls[len(alls)/2]
	b.ReportMetric(float64(time)/float64(baseTime), unit)
	b.ReportMetric(float64(time.Nanoseconds())/round, "ns/sign")
}
