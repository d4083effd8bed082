package main

import (
	"context"
	"errors"
	"strings"
	"time"

	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/trace"

	"github.com/walletfi/walletfi-go/contrib/otelwalletfi"
)

// telemetry sends spans and metrics to an OpenTelemetry collector.
type telemetry struct {
	observer *otelwalletfi.Observer
	traces   *trace.TracerProvider
	metrics  *metric.MeterProvider
}

// openTelemetry takes the collector's base URL, such as http://localhost:4318.
func openTelemetry(ctx context.Context, collector string) (*telemetry, error) {
	collector = strings.TrimSuffix(collector, "/")
	spans, err := otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(collector+"/v1/traces"))
	if err != nil {
		return nil, err
	}
	numbers, err := otlpmetrichttp.New(ctx, otlpmetrichttp.WithEndpointURL(collector+"/v1/metrics"))
	if err != nil {
		return nil, err
	}
	t := &telemetry{
		traces:  trace.NewTracerProvider(trace.WithBatcher(spans)),
		metrics: metric.NewMeterProvider(metric.WithReader(metric.NewPeriodicReader(numbers))),
	}
	t.observer, err = otelwalletfi.New(otelwalletfi.Config{TracerProvider: t.traces, MeterProvider: t.metrics})
	return t, err
}

// flushTime is how long Close tries to send what is left.
const flushTime = 5 * time.Second

// Close sends what is left.
func (t *telemetry) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), flushTime)
	defer cancel()
	return errors.Join(t.traces.Shutdown(ctx), t.metrics.Shutdown(ctx))
}
