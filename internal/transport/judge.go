package transport

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/declared"
	"github.com/walletfi/walletfi-go/internal/peer"
)

// event is what can become of an attempt. A certificate that does not verify
// and a name that does not exist count as rejected, though nothing was sent.
type event uint8

const (
	succeeded     event = iota
	rejected            // not carried out, and a repeat would not help
	expired             // 401: a new token may help
	unsent              // not a byte reached the service
	limited             // 429
	limitedByCode       // the service's own code says so: certainly not carried out
	unserved            // 503 and 425
	failed              // 408 and the other 5xx
	lost                // sent, and no whole answer came
	gone                // may have been carried out, and a repeat would not help
)

// outcome is what an attempt came to, and with the last one the call.
type outcome struct {
	payload []byte // the result, if failure is nil
	came    []byte // the same as it came
	unread  error  // why the payload cannot be read
	failure error  // typed
	again   bool   // the call is made again
	answer  *answer
}

// judge says what an attempt came to and whether the call is made again.
// Without an answer, admission or authorisation failed with err.
func (x *exchange) judge(ctx context.Context, a *answer, err error) outcome {
	if a == nil {
		return outcome{failure: x.unanswered(peer.After(x.beside(err), x.progress.failure))}
	}
	x.heedWait(a)
	what, result, failure := x.look(ctx, a)
	switch what {
	case succeeded:
		x.client.quota.earn()
		x.trust(ctx)
		return result
	case expired:
		return x.renew(ctx, a, failure)
	case limited, limitedByCode:
		x.heedLimit(ctx, a, failure)
	case rejected:
		if passedLimit(a.status) {
			x.trust(ctx)
		}
	}
	again, tooLong := x.repeatable(ctx, what, a)
	if what == unserved || what == failed {
		addCause(failure, tooLong)
	}
	return outcome{failure: failure, again: again}
}

// addCause makes an outage whose end is further off than we wait answer to
// ErrRateLimited too: to wait until ResetAt is right in both cases.
func addCause(failure, tooLong error) {
	if r, ok := errors.AsType[*walletfi.ResponseError](failure); ok && r.Cause == nil && tooLong != nil {
		r.Cause = tooLong
	}
}

// look says what became of an attempt, with the result or the typed failure.
func (x *exchange) look(ctx context.Context, a *answer) (event, outcome, error) {
	switch {
	case a.err != nil && (a.status < 300 || ctx.Err() != nil):
		what := lossOf(ctx, a)
		x.doubt(what, a.status)
		return what, outcome{}, x.broken(a)
	case a.status >= 200 && a.status < 300:
		return x.accepted(a)
	case x.deletedBefore(a):
		return succeeded, outcome{}, nil
	}
	said := x.refusal(a, nil)
	what := refusalOf(a.status, said)
	x.doubt(what, a.status)
	said.response.Kind = x.kept(said.response.Kind)
	return what, outcome{}, said.Err
}

// doubt notes that an attempt may have been carried out.
func (x *exchange) doubt(what event, status int) {
	switch what {
	case unserved, failed, lost, gone:
		x.progress.doubt = x.progress.doubt || peer.MayHaveRun(status)
	}
}

// lossOf is the event of an attempt without a whole answer.
func lossOf(ctx context.Context, a *answer) event {
	final := a.final || ctx.Err() != nil || a.err == errTooLarge
	switch {
	case a.sent && final:
		return gone
	case a.sent:
		return lost
	case final:
		return rejected
	}
	return unsent
}

// refusalOf is the event of an answer that is not a success.
func refusalOf(status int, said Verdict) event {
	final := said.Final || peer.Final(status)
	switch {
	case said.RateLimited && !said.Final:
		return limitedByCode
	case status == http.StatusTooManyRequests && !final:
		return limited
	case status == http.StatusUnauthorized && !said.KeepToken:
		return expired
	case (status == http.StatusServiceUnavailable || status == http.StatusTooEarly) && !final:
		return unserved
	case !peer.MayHaveRun(status):
		return rejected
	case final:
		return gone
	}
	return failed
}

// accepted takes the result out of a 2xx, and reads it: it may be a refusal all the same,
// by the rule of [declared.Reading.No] for all services, or by the service's own.
func (x *exchange) accepted(a *answer) (event, outcome, error) {
	result, whole := outcome{payload: a.body, came: a.body}, a.body
	if x.call.Answer.Form == declared.FormSilent && declared.Affirms(bytes.TrimSpace(a.body)) {
		x.read(nil) // as good as no body
		return succeeded, outcome{came: a.body}, nil
	}
	if x.request.operation != nil {
		result = x.live(a)
		whole = result.payload
	}
	no := false
	if accept := x.client.accept; accept != nil && len(whole) > 0 {
		payload, ok := accept(whole)
		switch {
		case !ok && json.Valid(whole), declared.SaysNo(whole):
			no = true
		case ok:
			result = x.taken(result, payload)
		} // else not a refusal but garbage: decoding it says so
	}
	if read := x.read(result.payload); x.client.accept == nil && read.Err == nil {
		no = read.No() && !read.Twice() || read.Suspect && x.client.refused != nil && x.client.refused(whole)
	}
	if envelope := x.request.operation.Envelope(a.body); len(envelope) > 0 {
		no = no || declared.SaysNo(envelope)
	}
	if !no {
		return succeeded, result, nil
	}
	what, failure := x.refusedBy(a)
	return what, outcome{}, failure
}

// taken is a result of which Accept took a part out.
func (x *exchange) taken(whole outcome, payload []byte) outcome {
	if x.request.operation == nil {
		return outcome{payload: payload, came: payload}
	}
	whole.payload, whole.came = payload, x.client.partOf(x.request.operation, whole.came)
	return whole
}

// refusedBy types a success whose body is a refusal.
func (x *exchange) refusedBy(a *answer) (event, error) {
	said := x.refusal(a, walletfi.ErrRejected)
	x.doubtRefusal(said)
	if said.RateLimited && !said.Final {
		return limitedByCode, said.Err
	}
	return rejected, said.Err
}

// deletedBefore reports a repeated DELETE's 404: the first may have worked and
// its answer been lost.
func (x *exchange) deletedBefore(a *answer) bool {
	return a.status == http.StatusNotFound && x.progress.doubt &&
		x.call.Effect == Set && x.call.Method == http.MethodDelete
}

// passedLimit reports a refusal of the request itself, which no limit was in the way of.
func passedLimit(status int) bool {
	switch status {
	case http.StatusBadRequest, http.StatusNotFound, http.StatusConflict, http.StatusUnprocessableEntity:
		return true
	}
	return status >= 200 && status < 300
}

// renew gets a newer credential after a 401, once a call.
func (x *exchange) renew(ctx context.Context, a *answer, failure error) outcome {
	if x.progress.renewals > 0 || x.client.auth == nil || x.call.Public {
		return outcome{failure: failure}
	}
	if x.settings.NoRetry { // the next call gets the new token
		x.client.auth.Spent(a.credential)
		return outcome{failure: failure}
	}
	again, err := x.client.auth.Refused(ctx, a.credential)
	if err != nil {
		failure = fmt.Errorf("%w; %w", failure, x.beside(err))
	}
	if again {
		x.progress.renewals++
	}
	return outcome{failure: failure, again: again}
}

// heedLimit lets no other call ask before a rate limit resets, and tells the
// caller when that is, even if a code and not the status says so.
func (x *exchange) heedLimit(ctx context.Context, a *answer, failure error) {
	if !a.stated {
		return
	}
	x.hold(ctx, a)
	if r, ok := errors.AsType[*walletfi.ResponseError](failure); ok && r.ResetAt.IsZero() {
		r.RetryAfter, r.ResetAt = a.wait, a.at.Add(a.wait)
	}
}
