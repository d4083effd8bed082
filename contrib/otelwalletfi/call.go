package otelwalletfi

import (
	"context"
	"net"
	"net/http"
	"strconv"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"

	"github.com/walletfi/walletfi-go/observe"
)

// called are the attributes of what belongs to a call.
func (o *Observer) called(service, op string) []attribute.KeyValue {
	return append(make([]attribute.KeyValue, 0, 10), o.names.of(keyService, service), o.names.of(keyOperation, op))
}

// span begins a span in ctx.
func (o *Observer) span(
	ctx context.Context, name string, kind trace.SpanKind, attributes ...attribute.KeyValue,
) (context.Context, trace.Span) {
	return o.tracer.Start(ctx, name, trace.WithSpanKind(kind), trace.WithAttributes(attributes...))
}

func (o *Observer) call(ctx context.Context, op observe.Call) (context.Context, func(observe.End)) {
	attributes := o.called(op.Service, op.Op)
	name := attributes[0].Value.AsString() + "." + attributes[1].Value.AsString()
	ctx, span := o.span(ctx, name, trace.SpanKindInternal, attributes...)
	begun := time.Now()
	return ctx, func(end observe.End) {
		e, _ := end.(observe.CallEnd)
		span.SetAttributes(keyAttempts.Int(e.Attempts))
		finish(span, e.Err)
		o.metrics.call.Record(ctx, time.Since(begun).Seconds(), metric.WithAttributes(withError(attributes, e.Err)...))
	}
}

func (o *Observer) attempt(ctx context.Context, op observe.Attempt) (context.Context, func(observe.End)) {
	attributes := append(o.called(op.Service, op.Op),
		semconv.HTTPRequestMethodKey.String(op.Method), o.names.of(semconv.URLTemplateKey, op.Route))
	if op.Server != "" {
		attributes = append(attributes, o.server(op.Server)...)
	}
	ctx, span := o.span(ctx, op.Method+" "+attributes[3].Value.AsString(), trace.SpanKindClient, attributes...)
	if span.IsRecording() {
		span.SetAttributes(keyQueued.Float64(op.Queued.Seconds()))
		if op.Number > 1 {
			span.SetAttributes(semconv.HTTPRequestResendCount(op.Number - 1))
		}
		if o.users {
			span.SetAttributes(semconv.URLPath(op.Path))
		}
	}
	return ctx, func(end observe.End) {
		e, _ := end.(observe.AttemptEnd)
		kind := ""
		switch {
		case e.Err != nil:
			kind = kindOfLoss(e.Err)
		case e.StatusCode >= 400:
			kind = strconv.Itoa(known(e.StatusCode))
		}
		if e.StatusCode != 0 {
			span.SetAttributes(semconv.HTTPResponseStatusCode(e.StatusCode))
			attributes = append(attributes, semconv.HTTPResponseStatusCode(known(e.StatusCode)))
		}
		if kind != "" {
			attributes = append(attributes, semconv.ErrorTypeKey.String(kind))
			failAs(span, kind)
		}
		span.End()
		o.metrics.request.Record(ctx, e.Duration.Seconds(), metric.WithAttributes(attributes...))
	}
}

// known returns a status that HTTP knows. Any other counts as its hundred: a service can
// answer with any number.
func known(status int) int {
	if status == 0 || http.StatusText(status) != "" {
		return status
	}
	return min(max(status, 100), 999) / 100 * 100
}

// server splits a host with an optional port.
func (o *Observer) server(host string) []attribute.KeyValue {
	name, port, err := net.SplitHostPort(host)
	if err != nil {
		return []attribute.KeyValue{o.names.of(semconv.ServerAddressKey, host)}
	}
	number, _ := strconv.Atoi(o.names.bounded(semconv.ServerPortKey, port))
	return []attribute.KeyValue{o.names.of(semconv.ServerAddressKey, name), semconv.ServerPort(number)}
}

// shortWait is a wait that is no span: most slots are free.
const shortWait = time.Millisecond

func (o *Observer) limiterWait(ctx context.Context, op observe.LimiterWait) (context.Context, func(observe.End)) {
	begun := time.Now()
	return ctx, func(end observe.End) {
		e, _ := end.(observe.LimiterWaitEnd)
		attributes := withError([]attribute.KeyValue{
			o.names.of(keyService, op.Service), o.names.of(keyClass, op.Class),
		}, e.Err)
		o.metrics.limiterWait.Record(ctx, e.Waited.Seconds(), metric.WithAttributes(attributes...))
		if e.Waited < shortWait && e.Err == nil {
			return
		}
		_, span := o.tracer.Start(ctx, "walletfi.limiter.wait",
			trace.WithTimestamp(begun), trace.WithAttributes(attributes...))
		finish(span, e.Err)
	}
}

func (o *Observer) backoff(ctx context.Context, op observe.Backoff) (context.Context, func(observe.End)) {
	attributes := append(o.called(op.Service, op.Op), semconv.HTTPResponseStatusCode(known(op.StatusCode)))
	o.metrics.retries.Add(ctx, 1, metric.WithAttributes(attributes...))
	_, span := o.span(ctx, "walletfi.backoff", trace.SpanKindInternal, attributes...)
	return ctx, func(end observe.End) {
		e, _ := end.(observe.BackoffEnd)
		finish(span, e.Err)
	}
}

func (o *Observer) tokenRefresh(ctx context.Context, op observe.TokenRefresh) (context.Context, func(observe.End)) {
	service := []attribute.KeyValue{o.names.of(keyService, op.Service)}
	ctx, span := o.span(ctx, "walletfi.token.refresh", trace.SpanKindInternal, service...)
	return ctx, func(end observe.End) {
		e, _ := end.(observe.TokenRefreshEnd)
		finish(span, e.Err)
		o.metrics.refreshes.Add(ctx, 1, metric.WithAttributes(withError(service, e.Err)...))
	}
}

func (o *Observer) limiterState(ctx context.Context, e observe.LimiterState) {
	attributes := metric.WithAttributes(o.names.of(keyService, e.Service), o.names.of(keyClass, e.Class),
		o.names.of(keyWindow, e.Per.String()))
	o.metrics.utilization.Record(ctx, float64(e.Used)/float64(max(e.Requests, 1)), attributes)
	o.metrics.remaining.Record(ctx, int64(max(0, e.Requests-e.Used)), attributes)
}

func (o *Observer) serviceBudget(ctx context.Context, e observe.ServiceBudget) {
	o.metrics.serviceRemaining.Record(ctx, int64(e.Remaining),
		metric.WithAttributes(o.names.of(keyService, e.Service), o.names.of(keyClass, e.Class)))
}

// drift leaves out the member and the value, which are the service's own words.
func (o *Observer) drift(ctx context.Context, e observe.Drift) {
	o.metrics.drift.Add(ctx, 1, metric.WithAttributes(o.called(e.Service, e.Op)...))
}

func (o *Observer) spent(ctx context.Context, e observe.Spent) {
	const micro = 1e6
	o.metrics.spend.Add(ctx, float64(e.Micros)/micro, metric.WithAttributes(o.called(e.Service, e.Op)...))
	if e.Remaining >= 0 {
		o.metrics.spendLeft.Record(ctx, float64(e.Remaining)/micro, metric.WithAttributes(o.names.of(keyService, e.Service)))
	}
}
