package otelwalletfi

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"

	"github.com/walletfi/walletfi-go/observe"
)

func (o *Observer) handle(ctx context.Context, op observe.Handle) (context.Context, func(observe.End)) {
	begun := time.Now()
	ctx, span := o.span(ctx, "webhooks.handle", trace.SpanKindConsumer)
	o.user(span, keyDelivery, op.Delivery)
	return ctx, func(end observe.End) {
		e, _ := end.(observe.HandleEnd)
		outcome := "handled"
		if e.Err != nil {
			outcome = "failed"
		}
		finish(span, e.Err)
		o.metrics.handle.Record(ctx, time.Since(begun).Seconds(), metric.WithAttributes(keyOutcome.String(outcome)))
		o.delivered(ctx, outcome)
	}
}

func (o *Observer) delivered(ctx context.Context, outcome string) {
	o.metrics.deliveries.Add(ctx, 1, metric.WithAttributes(keyOutcome.String(outcome)))
}

// delivery takes the events of a webhook receiver.
func (o *Observer) delivery(ctx context.Context, event observe.Event) {
	switch e := event.(type) {
	case observe.DeliveryVerified:
		o.delivered(ctx, "verified")
	case observe.DeliveryRefused:
		o.delivered(ctx, "refused")
	case observe.DeliveryDuplicate:
		o.delivered(ctx, "duplicate")
	case observe.DeliveryRetried:
		o.delivered(ctx, "retried")
	case observe.DeliveryDead:
		if e.Err != nil {
			o.delivered(ctx, "lost")
			return
		}
		o.delivered(ctx, "dead")
	}
}
