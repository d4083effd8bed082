package otelwalletfi_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"go.opentelemetry.io/otel/metric"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

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
	tracing := sdktrace.NewTracerProvider(sdktrace.WithSyncer(spans))
	if err := observed(service.URL, walletfi.NewSecret("k-123456"), tracing, sdkmetric.NewMeterProvider()); err != nil {
		fmt.Println(err)
	}
	for _, span := range spans.GetSpans() {
		fmt.Println(span.Name, span.SpanKind)
	}
	// Output:
	// GET /v1/pools client
	// lending.ListPools internal
}

func observed(url string, key walletfi.Secret, tracing trace.TracerProvider, meters metric.MeterProvider) error {
	observer, err := otelwalletfi.New(otelwalletfi.Config{
		TracerProvider: tracing, // nil: the global ones
		MeterProvider:  meters,
	})
	if err != nil {
		return err
	}
	client, err := lending.New(lending.Config{
		BaseURL: url, APIKey: key,
		Options: walletfi.Options{Observer: observer},
	})
	if err != nil {
		return err
	}
	_, err = client.ListPools(context.Background())
	return err
}
