package transport

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/walletfi/walletfi-go"
)

// decision is what follows from an attempt.
type decision struct {
	retry     bool
	wait      time.Duration
	waitKnown bool // the service said how long
	keepToken bool // a 401 that a new token would not cure
}

// What may be repeated, by effect:
//
//	         not sent  429                      no answer after sending, 408, 5xx
//	Read     repeat    after the reset          repeat
//	Build    repeat    after the reset          repeat
//	Set      repeat    after the reset          repeat; a repeated DELETE's 404 is success
//	Relay    repeat    after the reset          repeat the same bytes; outcome unknown if nothing better comes
//	Create   repeat    only on the service's    never: outcome unknown
//	                   own rate-limit code
//
// A name that does not resolve and a certificate that does not verify are
// final for all.

// classify types the attempt's failure and decides whether it is repeated.
func (x *exchange) classify(ctx context.Context) {
	x.failure, x.decision, x.payload = nil, decision{}, nil
	a := &x.answer
	switch {
	case a.err != nil && (a.status < 300 || ctx.Err() != nil):
		x.classifyLost(ctx)
	case a.status >= 200 && a.status < 300:
		x.classifySuccess(ctx)
	case x.deletedBefore():
		x.client.quota.earn()
	default:
		x.classifyRefusal(ctx)
	}
}

// repeatable reports whether the call has a repeat left, and pays for it.
func (x *exchange) repeatable() bool { return x.triesLeft() && x.client.quota.spend() }

func (x *exchange) triesLeft() bool {
	tries := x.number
	if x.renewed {
		tries-- // the one that a new token cured
	}
	return tries <= x.retries()
}

func (x *exchange) classifySuccess(ctx context.Context) {
	payload, ok := x.answer.body, true
	if x.client.accept != nil && len(payload) > 0 {
		payload, ok = x.client.accept(payload)
	}
	if !ok && !json.Valid(x.answer.body) {
		// Not a refusal but garbage: what reads it says so.
		payload, ok = x.answer.body, true
	}
	if !ok {
		verdict := x.refusal(walletfi.ErrRejected)
		x.failure = verdict.Err
		if verdict.RateLimited {
			x.classifyLimit(ctx, verdict)
		}
		return
	}
	x.payload = payload
	x.client.quota.earn()
}

// deletedBefore: the first DELETE may have worked and its answer been lost.
func (x *exchange) deletedBefore() bool {
	return x.answer.status == http.StatusNotFound && x.ambiguous &&
		x.call.Effect == Set && x.call.Method == http.MethodDelete
}

// classifyLost handles an attempt without a whole answer.
func (x *exchange) classifyLost(ctx context.Context) {
	a := &x.answer
	x.ambiguous = x.ambiguous || a.sent
	x.failure = x.noAnswer(a, a.err)
	switch {
	case a.final || ctx.Err() != nil || a.err == errTooLarge:
	case a.sent && (x.call.Effect == Create || x.call.NoTimeoutRetry):
	default:
		x.decision.retry = x.repeatable()
	}
}

// classifyRefusal handles a whole answer that is not a success.
func (x *exchange) classifyRefusal(ctx context.Context) {
	a := &x.answer
	verdict := x.refusal(nil)
	x.failure = verdict.Err
	x.decision.keepToken = verdict.KeepToken
	switch {
	case a.status == http.StatusTooManyRequests || verdict.RateLimited:
		x.classifyLimit(ctx, verdict)
	case a.status == http.StatusRequestTimeout || a.status >= 500:
		x.ambiguous = true
		if x.call.Effect == Create || verdict.Final || !worthRepeating(a.status) || x.call.NoTimeoutRetry && a.status != http.StatusServiceUnavailable {
			return
		}
		x.decision.wait, x.decision.waitKnown = serverWait(a.header, a.at, x.client.minWait)
		if !x.withinReach(ctx) {
			x.waitRefused()
			return
		}
		x.decision.retry = x.repeatable()
	}
}

// waitRefused makes an outage whose end the service put further off than we
// wait answer to ErrRateLimited too: whoever waits for ResetAt does right.
func (x *exchange) waitRefused() {
	if r, ok := errors.AsType[*walletfi.ResponseError](x.failure); ok && r.Cause == nil {
		r.Cause = fmt.Errorf("%w: the service asks to wait %v", walletfi.ErrRateLimited, x.decision.wait)
	}
}

// maxHold bounds for how long one answer keeps all calls back: a garbled
// header must not silence a client for good.
const maxHold = 24 * time.Hour

// classifyLimit handles a refusal by a rate limit: nobody else asks before it
// resets, and waiting it out costs no quota.
func (x *exchange) classifyLimit(ctx context.Context, verdict Verdict) {
	a := &x.answer
	wait, known := serverWait(a.header, a.at, x.client.minWait)
	if known && !verdict.Final {
		x.limiter.Hold(a.at.Add(min(wait, maxHold)))
		x.noteReset(wait)
	}
	if verdict.Final || x.call.Effect == Create && !verdict.RateLimited {
		return
	}
	x.decision.wait, x.decision.waitKnown = wait, known
	x.decision.retry = x.triesLeft() && x.withinReach(ctx)
}

// noteReset tells the caller when the limit resets, also where it is a code and
// not the status that says so.
func (x *exchange) noteReset(wait time.Duration) {
	if r, ok := errors.AsType[*walletfi.ResponseError](x.failure); ok && r.ResetAt.IsZero() {
		r.RetryAfter, r.ResetAt = wait, x.answer.at.Add(wait)
	}
}

// withinReach reports whether the wait that the service asked for is one that
// the policy and ctx's deadline allow.
func (x *exchange) withinReach(ctx context.Context) bool {
	if !x.decision.waitKnown {
		return true
	}
	if x.decision.wait > x.client.maxAfter {
		return false
	}
	deadline, ok := ctx.Deadline()
	return !ok || time.Now().Add(x.decision.wait).Before(deadline)
}

func worthRepeating(status int) bool {
	switch status {
	case http.StatusNotImplemented, http.StatusHTTPVersionNotSupported, http.StatusNetworkAuthenticationRequired:
		return false
	}
	return true
}
