package ratelimit

import (
	"context"
	"math"
	"time"

	"golang.org/x/time/rate"
)

// Pacer is a Limiter for a service that asks for a pause between requests and
// gives no number a window: one request every so long, counted from when the
// request went, however many are under way.
type Pacer struct {
	door admission
	pace pace
}

var _ Limiter = (*Pacer)(nil)

// NewPacer makes a limiter that lets one request through every so long; 0 or
// less means no pause.
func NewPacer(every time.Duration) *Pacer {
	p := &Pacer{pace: pace{every: min(max(every, 0), maxPer)}}
	p.door.open(&p.pace)
	p.door.rank = pacedRank
	p.pace.epoch = p.door.epoch
	limit := rate.Inf
	if p.pace.every > 0 {
		limit = rate.Every(p.pace.every)
	}
	p.pace.bucket = rate.NewLimiter(limit, 1)
	return p
}

// Permit waits for the caller's turn; see Limiter and BudgetLimiter.Permit,
// whose order of service, refusals and errors are the same. done(false) gives
// the turn back if nobody went since.
func (p *Pacer) Permit(ctx context.Context, maxWait time.Duration) (done func(sent bool), err error) {
	return p.door.permit(ctx, maxWait)
}

// Hold lets nothing through until then. It never shortens a hold.
func (p *Pacer) Hold(until time.Time) { p.door.hold(until) }

func pacedRank(ctx context.Context) rank {
	if IsFollowUp(ctx) {
		return following
	}
	return rankOf(ctx)
}

// pace is the gate of a Pacer: a bucket of one token. A follow-up puts it in
// debt.
type pace struct {
	every  time.Duration
	epoch  time.Time
	bucket *rate.Limiter
	last   time.Duration // when the last request went
}

func (p *pace) ready(now time.Duration) bool { return p.pause(now) == 0 }

// pause is how long it is from now until there is a whole token, to the
// nanosecond: what is below that is the bucket's floating point.
func (p *pace) pause(now time.Duration) time.Duration {
	if p.every == 0 {
		return 0
	}
	missing := 1 - p.bucket.TokensAt(p.epoch.Add(now))
	return time.Duration(math.Round(max(missing, 0) * float64(p.every)))
}

func (p *pace) take(now time.Duration) {
	p.bucket.ReserveN(p.epoch.Add(now), 1)
	p.last = now
}

func (p *pace) settle(now, taken time.Duration, sent bool) {
	if sent || taken != p.last {
		return
	}
	// rate can cancel only what lies in the future; taking -1 puts a token back.
	p.bucket.ReserveN(p.epoch.Add(now), -1)
}

func (p *pace) earliest(now time.Duration, ahead int) time.Duration {
	at := now + p.pause(now)
	if p.every == 0 {
		return at
	}
	if time.Duration(ahead) > never/p.every {
		return never
	}
	return addSaturating(at, time.Duration(ahead)*p.every)
}
