package otelwalletfi

import (
	"bytes"
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
	metricnoop "go.opentelemetry.io/otel/metric/noop"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace/noop"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/observe"
	"github.com/walletfi/walletfi-go/ratelimit"
)

// memory answers from memory, so that a benchmark measures the client's own work.
type memory []byte

func (m memory) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: 200, Request: r, Header: http.Header{}, ContentLength: int64(len(m)), Body: io.NopCloser(bytes.NewReader(m))}, nil
}

// BenchmarkCall measures a whole call of a client without an observer, with one whose
// providers do nothing, with the SDK that samples no span, and with the SDK that records
// every span and exports none.
func BenchmarkCall(b *testing.B) {
	none := func(tracing *sdktrace.TracerProvider) Config {
		return Config{TracerProvider: tracing, MeterProvider: sdkmetric.NewMeterProvider(sdkmetric.WithReader(sdkmetric.NewManualReader()))}
	}
	for _, c := range []struct {
		name string
		cfg  *Config
	}{
		{"nil", nil},
		{"noop", &Config{TracerProvider: noop.NewTracerProvider(), MeterProvider: metricnoop.NewMeterProvider()}},
		{"metrics", new(none(sdktrace.NewTracerProvider(sdktrace.WithSampler(sdktrace.NeverSample()))))},
		{"spans", new(none(sdktrace.NewTracerProvider()))},
	} {
		b.Run(c.name, func(b *testing.B) {
			var o observe.Observer
			if c.cfg != nil {
				made, err := New(*c.cfg)
				require.NoError(b, err)
				o = made
			}
			client, err := lending.New(lending.Config{
				BaseURL: "https://bench.example", APIKey: walletfi.NewSecret("bench-key-0123456789"),
				Options: walletfi.Options{Observer: o, HTTPClient: &http.Client{Transport: memory(`{"pools":[]}`)}, Limiter: unlimited},
			})
			require.NoError(b, err)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := client.ListPools(b.Context()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func unlimited(ratelimit.Scope) ratelimit.Limiter { return ratelimit.New() }
