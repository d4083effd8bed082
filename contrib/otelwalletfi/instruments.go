package otelwalletfi

import (
	"errors"
	"slices"

	"go.opentelemetry.io/otel/metric"
)

// instruments are those of the catalogue.
type instruments struct {
	request, call, limiterWait, confirm, gap, handle, landed metric.Float64Histogram

	attempts, landingCost metric.Int64Counter
	price, market         metric.Int64Gauge

	retries, refreshes, refusals, executions, submissions   metric.Int64Counter
	connections, disconnections, dropped, deliveries, drift metric.Int64Counter
	spend                                                   metric.Float64Counter

	utilization, lag, spendLeft        metric.Float64Gauge
	remaining, serviceRemaining, queue metric.Int64Gauge
	unsettled, vain                    metric.Int64Gauge
}

// seconds are the bounds of OpenTelemetry's HTTP durations, and further ones for what
// waits for a ledger or a rate limit.
var seconds = []float64{0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 30, 60, 120}

func newInstruments(meter metric.Meter) (*instruments, error) {
	b := &builder{meter: meter}
	made := &instruments{
		request: b.seconds("http.client.request.duration"), call: b.seconds("walletfi.call.duration"),
		limiterWait: b.seconds("walletfi.limiter.wait.duration"), confirm: b.seconds("walletfi.wallet.confirm.duration"),
		gap: b.seconds("walletfi.feed.gap.duration"), handle: b.seconds("walletfi.webhook.handle.duration"),

		landed: b.seconds("walletfi.wallet.landing.duration"), attempts: b.counter("walletfi.wallet.landing.attempts"),
		landingCost: b.counter("walletfi.wallet.landing.cost"), price: b.gauge("walletfi.wallet.landing.price"),
		market: b.gauge("walletfi.wallet.landing.market"),

		retries: b.counter("walletfi.retries"), refreshes: b.counter("walletfi.token.refreshes"),
		refusals: b.counter("walletfi.guard.refusals"), executions: b.counter("walletfi.wallet.executions"),
		submissions: b.counter("walletfi.wallet.submissions"), connections: b.counter("walletfi.feed.connections"),
		disconnections: b.counter("walletfi.feed.disconnections"), dropped: b.counter("walletfi.feed.dropped"),
		deliveries: b.counter("walletfi.webhook.deliveries"), drift: b.counter("walletfi.drift"),

		remaining: b.gauge("walletfi.limiter.remaining"), serviceRemaining: b.gauge("walletfi.service.remaining"),
		queue: b.gauge("walletfi.feed.queue"), unsettled: b.gauge("walletfi.wallet.unsettled"),
		vain:        b.gauge("walletfi.wallet.door.vain"),
		utilization: b.floatGauge("walletfi.limiter.utilization"), lag: b.floatGauge("walletfi.feed.lag"),
		spendLeft: b.floatGauge("walletfi.spend.remaining"),
	}
	e := entryOf("walletfi.spend")
	var err error
	made.spend, err = meter.Float64Counter(e.name, metric.WithUnit(e.unit), metric.WithDescription(e.what))
	return made, errors.Join(b.err, err)
}

type builder struct {
	meter metric.Meter
	err   error
}

func entryOf(name string) entry {
	return metrics[slices.IndexFunc(metrics, func(e entry) bool { return e.name == name })]
}

func (b *builder) seconds(name string) metric.Float64Histogram {
	e := entryOf(name)
	h, err := b.meter.Float64Histogram(name, metric.WithUnit(e.unit), metric.WithDescription(e.what),
		metric.WithExplicitBucketBoundaries(seconds...))
	b.err = errors.Join(b.err, err)
	return h
}

func (b *builder) counter(name string) metric.Int64Counter {
	e := entryOf(name)
	c, err := b.meter.Int64Counter(name, metric.WithUnit(e.unit), metric.WithDescription(e.what))
	b.err = errors.Join(b.err, err)
	return c
}

func (b *builder) gauge(name string) metric.Int64Gauge {
	e := entryOf(name)
	g, err := b.meter.Int64Gauge(name, metric.WithUnit(e.unit), metric.WithDescription(e.what))
	b.err = errors.Join(b.err, err)
	return g
}

func (b *builder) floatGauge(name string) metric.Float64Gauge {
	e := entryOf(name)
	g, err := b.meter.Float64Gauge(name, metric.WithUnit(e.unit), metric.WithDescription(e.what))
	b.err = errors.Join(b.err, err)
	return g
}
