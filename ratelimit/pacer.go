package ratelimit

import (
	"context"
	"math"
	"time"

	"golang.org/x/time/rate"
)

// Pacer is a [Limiter] for a service that asks for a pause between requests and
// states no number per window. The pause counts from when a request went,
// however many are under way.
type Pacer struct {
	queue queue
	pace  pace
}

var _ Limiter = (*Pacer)(nil)

// NewPacer makes a limiter that keeps a pause between requests; 0 or less means
// no pause.
func NewPacer(pause time.Duration) *Pacer {
	p := &Pacer{pace: pace{every: min(max(pause, 0), maxPer)}}
	p.queue.init(&p.pace)
	p.queue.rank = pacedRank
	p.pace.epoch = p.queue.epoch
	limit := rate.Inf
	if p.pace.every > 0 {
		limit = rate.Every(p.pace.every)
	}
	p.pace.bucket = rate.NewLimiter(limit, 1)
	return p
}

// Permit waits for the caller's turn; see [Limiter]. Order, refusals and errors
// are those of [BudgetLimiter.Permit]. done(false) gives the turn back if no
// other request went since.
func (p *Pacer) Permit(
	ctx context.Context, maxWait time.Duration,
) (done func(ctx context.Context, sent bool) error, err error) {
	return p.queue.permit(ctx, maxWait)
}

// Hold admits nothing until then. It never shortens a hold. The error is always
// nil.
func (p *Pacer) Hold(_ context.Context, until time.Time) error {
	p.queue.hold(until)
	return nil
}

// Tighten applies the service's own count, as [BudgetLimiter.Tighten] does. The
// error is always nil.
func (p *Pacer) Tighten(_ context.Context, remaining int, reset time.Time) error {
	p.queue.mu.Lock()
	defer p.queue.mu.Unlock()
	now := p.queue.now()
	if p.pace.stated.tighten(now, remaining, p.queue.until(reset)) {
		p.queue.reassess(now)
	}
	return nil
}

func pacedRank(ctx context.Context) rank {
	if IsFollowUp(ctx) {
		return followUp
	}
	return rankOf(ctx)
}

// pace is the limit of a Pacer: a bucket of one token. A follow-up puts it in
// debt.
type pace struct {
	every  time.Duration
	epoch  time.Time
	bucket *rate.Limiter
	stated stated
	last   time.Duration // when the last request went
}

func (p *pace) ready(now time.Duration) bool { return p.pause(now) == 0 && p.stated.ready(now) }

// pause returns how long it takes from now until the bucket has a whole token,
// rounded to the nanosecond: a smaller rest is the bucket's floating point.
func (p *pace) pause(now time.Duration) time.Duration {
	if p.every == 0 {
		return 0
	}
	missing := 1 - p.bucket.TokensAt(p.epoch.Add(now))
	return time.Duration(math.Round(max(missing, 0) * float64(p.every)))
}

func (p *pace) reserve(now time.Duration) {
	p.bucket.ReserveN(p.epoch.Add(now), 1)
	p.last = now
	p.stated.reserve()
}

func (p *pace) release(now, reserved time.Duration, sent bool) {
	p.stated.release(sent)
	if sent || reserved != p.last {
		return
	}
	// rate cancels only reservations of the future; reserving -1 puts a token back.
	p.bucket.ReserveN(p.epoch.Add(now), -1)
}

func (p *pace) earliest(now time.Duration, ahead int) time.Duration {
	at := max(now+p.pause(now), p.stated.caps.earliest(now, ahead))
	if p.every == 0 {
		return at
	}
	if time.Duration(ahead) > never/p.every {
		return never
	}
	return addSaturating(at, time.Duration(ahead)*p.every)
}
