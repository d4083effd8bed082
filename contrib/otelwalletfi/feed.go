package otelwalletfi

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/walletfi/walletfi-go/observe"
)

// feed takes the events of a WebSocket.
func (o *Observer) feed(ctx context.Context, event observe.Event) {
	m := o.metrics
	of := func(service string) metric.MeasurementOption {
		return metric.WithAttributes(o.names.of(keyService, service))
	}
	switch e := event.(type) {
	case observe.FeedConnected:
		m.connections.Add(ctx, 1, of(e.Service))
	case observe.FeedDisconnected:
		m.disconnections.Add(ctx, 1,
			metric.WithAttributes(withError([]attribute.KeyValue{o.names.of(keyService, e.Service)}, e.Err)...))
	case observe.FeedGap:
		m.gap.Record(ctx, max(0, e.To.Sub(e.From).Seconds()), of(e.Service))
	case observe.FeedDropped:
		m.dropped.Add(ctx, int64(e.Events), of(e.Service))
	case observe.FeedLag:
		m.lag.Record(ctx, e.Oldest.Seconds(), of(e.Service))
		m.queue.Record(ctx, int64(e.Events), of(e.Service))
	}
}
