package otelwalletfi_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/contrib/otelwalletfi"
	"github.com/walletfi/walletfi-go/lending"
)

// A call is a span, with its attempts and waits in it.
func ExampleNew() {
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, `{"pools":[]}`)
	}))
	defer service.Close()
	spans := tracetest.NewInMemoryExporter() // in a program: an OTLP exporter
	observer, err := otelwalletfi.New(otelwalletfi.Config{
		TracerProvider: sdktrace.NewTracerProvider(sdktrace.WithSyncer(spans)),
		MeterProvider:  sdkmetric.NewMeterProvider(),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	client, err := lending.New(lending.Config{
		BaseURL: service.URL, APIKey: walletfi.NewSecret("k-123456"),
		Options: walletfi.Options{Observer: observer, HTTPClient: service.Client()},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := client.ListPools(context.Background()); err != nil {
		fmt.Println(err)
	}
	for _, span := range spans.GetSpans() {
		fmt.Println(span.Name, span.SpanKind)
	}
	// Output:
	// GET /v1/pools client
	// lending.ListPools internal
}
