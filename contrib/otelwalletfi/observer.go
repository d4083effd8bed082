package otelwalletfi

import (
	"context"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"

	"github.com/walletfi/walletfi-go/observe"
)

// Config says where spans and metrics go. The zero value is good.
type Config struct {
	// TracerProvider makes the spans. Nil means otel.GetTracerProvider.
	TracerProvider trace.TracerProvider
	// MeterProvider makes the metrics. Nil means otel.GetMeterProvider.
	MeterProvider metric.MeterProvider
	// Users adds what can tell which user acted to the spans: the owner's address,
	// the transaction's signature, the delivery's key, the path with the addresses
	// in it. False leaves it out. Metrics never have it.
	Users bool
}

// scope is the name of the tracer and of the meter.
const scope = "github.com/walletfi/walletfi-go/contrib/otelwalletfi"

// Observer makes spans and metrics of the events. It is safe for concurrent use,
// and any number of clients, wallets and receivers can share one.
type Observer struct {
	tracer  trace.Tracer
	users   bool
	metrics *instruments
	names   names
	doubt   doubts
}

var _ observe.Observer = (*Observer)(nil)

// New makes the instruments. The error is the meter provider's.
func New(cfg Config) (*Observer, error) {
	if cfg.TracerProvider == nil {
		cfg.TracerProvider = otel.GetTracerProvider()
	}
	if cfg.MeterProvider == nil {
		cfg.MeterProvider = otel.GetMeterProvider()
	}
	made, err := newInstruments(cfg.MeterProvider.Meter(scope))
	if err != nil {
		return nil, err
	}
	return &Observer{tracer: cfg.TracerProvider.Tracer(scope), users: cfg.Users, metrics: made}, nil
}

// Start implements observe.Observer. What this version does not know is not observed.
func (o *Observer) Start(ctx context.Context, op observe.Operation) (context.Context, func(observe.End)) {
	switch op := op.(type) {
	case observe.Call:
		return o.call(ctx, op)
	case observe.Attempt:
		return o.attempt(ctx, op)
	case observe.LimiterWait:
		return o.limiterWait(ctx, op)
	case observe.Backoff:
		return o.backoff(ctx, op)
	case observe.TokenRefresh:
		return o.tokenRefresh(ctx, op)
	case observe.Execution:
		return o.execution(ctx, op)
	case observe.Guard:
		return o.guard(ctx, op)
	case observe.Sign:
		return o.sign(ctx, op)
	case observe.Submit:
		return o.submit(ctx, op)
	case observe.Confirm:
		return o.confirm(ctx, op)
	case observe.Handle:
		return o.handle(ctx, op)
	}
	return ctx, nil
}

// Observe implements observe.Observer.
func (o *Observer) Observe(ctx context.Context, event observe.Event) {
	switch e := event.(type) {
	case observe.LimiterState:
		o.limiterState(ctx, e)
	case observe.ServiceBudget:
		o.serviceBudget(ctx, e)
	case observe.Spent:
		o.spent(ctx, e)
	case observe.Drift:
		o.drift(ctx, e)
	case observe.Landing:
		o.landing(ctx, e)
	case observe.Door:
		o.door(ctx, e)
	case observe.Unsettled:
		o.unsettled(ctx, e)
	case observe.FeedConnected, observe.FeedDisconnected, observe.FeedGap, observe.FeedDropped, observe.FeedLag:
		o.feed(ctx, e)
	default:
		o.delivery(ctx, e)
	}
}
