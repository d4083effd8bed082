package otelwalletfi

import (
	"context"
	"math"
	"strings"
	"sync"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"

	"github.com/walletfi/walletfi-go/observe"
)

// user adds what tells who acted to a span, if that is allowed.
func (o *Observer) user(span trace.Span, key attribute.Key, value string) {
	if o.users && value != "" {
		span.SetAttributes(key.String(strings.ToValidUTF8(value, "\uFFFD")))
	}
}

func (o *Observer) execution(ctx context.Context, op observe.Execution) (context.Context, func(observe.End)) {
	service := o.names.of(keyService, op.Service)
	ctx, span := o.span(ctx, "wallet.Execute", trace.SpanKindInternal, service,
		keyCount.Int(op.Transactions), keyBundle.Bool(op.Bundle))
	o.user(span, keyOwner, op.Owner)
	return ctx, func(end observe.End) {
		e, _ := end.(observe.ExecutionEnd)
		state, earlier := o.names.of(keyState, e.State), keyEarlier.Bool(e.Earlier)
		span.SetAttributes(state, earlier)
		finish(span, e.Err)
		o.metrics.executions.Add(ctx, 1, metric.WithAttributes(service, state, earlier))
	}
}

func (o *Observer) guard(ctx context.Context, op observe.Guard) (context.Context, func(observe.End)) {
	service := o.names.of(keyService, op.Service)
	ctx, span := o.span(ctx, "wallet.guard", trace.SpanKindInternal, service, keyCount.Int(op.Transactions))
	o.user(span, keyOwner, op.Owner)
	return ctx, func(end observe.End) {
		e, _ := end.(observe.GuardEnd)
		if e.Rule != "" {
			rule := o.names.of(keyRule, e.Rule)
			span.SetAttributes(rule)
			o.metrics.refusals.Add(ctx, 1, metric.WithAttributes(service, rule))
		}
		finish(span, e.Err)
	}
}

func (o *Observer) sign(ctx context.Context, op observe.Sign) (context.Context, func(observe.End)) {
	ctx, span := o.span(ctx, "wallet.sign", trace.SpanKindInternal, o.names.of(keyService, op.Service))
	o.user(span, keyOwner, op.Owner)
	return ctx, func(end observe.End) {
		e, _ := end.(observe.SignEnd)
		finish(span, e.Err)
	}
}

func (o *Observer) submit(ctx context.Context, op observe.Submit) (context.Context, func(observe.End)) {
	service, door := o.names.of(keyService, op.Service), o.names.of(keyDoor, op.Door)
	ctx, span := o.span(ctx, "wallet.submit", trace.SpanKindInternal, service, door,
		keyRound.Int(op.Number), keyBundle.Bool(op.Bundle))
	o.user(span, keyOwner, op.Owner)
	o.user(span, keySignature, op.Signature)
	return ctx, func(end observe.End) {
		e, _ := end.(observe.SubmitEnd)
		finish(span, e.Err)
		attributes := withError([]attribute.KeyValue{service, door, keyAgain.Bool(op.Number > 1)}, e.Err)
		o.metrics.submissions.Add(ctx, 1, metric.WithAttributes(attributes...))
	}
}

func (o *Observer) confirm(ctx context.Context, op observe.Confirm) (context.Context, func(observe.End)) {
	service := o.names.of(keyService, op.Service)
	ctx, span := o.span(ctx, "wallet.confirm", trace.SpanKindInternal, service)
	o.user(span, keyOwner, op.Owner)
	o.user(span, keySignature, op.Signature)
	return ctx, func(end observe.End) {
		e, _ := end.(observe.ConfirmEnd)
		state := o.names.of(keyState, e.State)
		span.SetAttributes(state)
		finish(span, e.Err)
		o.metrics.confirm.Record(ctx, e.SinceSigned.Seconds(), metric.WithAttributes(service, state))
	}
}

func (o *Observer) landing(ctx context.Context, e observe.Landing) {
	service, state := o.names.of(keyService, e.Service), o.names.of(keyState, e.State)
	o.metrics.attempts.Add(ctx, 1, metric.WithAttributes(service, state))
	o.metrics.landed.Record(ctx, e.Took.Seconds(), metric.WithAttributes(service, state))
	o.metrics.landingCost.Add(ctx, whole(e.Lamports), metric.WithAttributes(service))
	o.metrics.price.Record(ctx, whole(e.Price), metric.WithAttributes(service))
	o.metrics.market.Record(ctx, whole(e.Market), metric.WithAttributes(service))
}

func (o *Observer) door(ctx context.Context, e observe.Door) {
	vain := int64(e.Trials)
	if e.Lands {
		vain = 0
	}
	o.metrics.vain.Record(ctx, vain, metric.WithAttributes(o.names.of(keyDoor, e.Name)))
}

// whole is n as far as a metric can hold it: a reader of fees may say anything.
func whole(n uint64) int64 { return int64(min(n, math.MaxInt64)) }

// doubts counts the unsettled keys of each wallet. The metric is their sum, since a wallet's
// name is random.
type doubts struct {
	mu  sync.Mutex
	of  map[string]int
	sum int
}

// set notes a wallet's number and returns the sum.
func (d *doubts) set(wallet string, keys int) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.sum += keys - d.of[wallet]
	if d.of == nil {
		d.of = map[string]int{}
	}
	if d.of[wallet] = keys; keys == 0 {
		delete(d.of, wallet)
	}
	return d.sum
}

func (o *Observer) unsettled(ctx context.Context, e observe.Unsettled) {
	o.metrics.unsettled.Record(ctx, int64(o.doubt.set(e.Wallet, e.Keys)))
}
