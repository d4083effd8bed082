package transport

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/hashicorp/go-retryablehttp"
	"github.com/walletfi/walletfi-go/internal/callopt"
	"github.com/walletfi/walletfi-go/ratelimit"
)

// exchange is the state of one call. It is the http.RoundTripper under
// go-retryablehttp's loop, which keeps that library's CloseIdleConnections
// from the pool that all clients share.
type exchange struct {
	client   *Client
	call     Call
	settings callopt.Settings
	request  encoded
	limiter  ratelimit.Limiter
	inner    http.Client          // has x as its round tripper
	loop     retryablehttp.Client // runs inner
	hollow   http.Response        // what inner and loop see of a response

	number    int           // attempts that were tried
	queued    time.Duration // the last attempt's wait for a slot
	renewed   bool          // the credential was renewed once already
	ambiguous bool          // an attempt may have been carried out and nobody said so
	answer    answer        // of the last attempt
	payload   []byte        // of a success
	failure   error         // of the last attempt, typed
	decision  decision      // what follows from it
}

// blank is what requests are made of: only WithContext sets a context.
var blank http.Request

// attempts runs the loop. A nil error leaves the result in x.payload.
func (x *exchange) attempts(ctx context.Context) error {
	if x.settings.Urgent {
		ctx = ratelimit.WithUrgent(ctx)
	}
	x.limiter = x.client.limiters.of(x.call.Class)
	x.inner = http.Client{Transport: x, Jar: x.client.jar}
	x.loop = retryablehttp.Client{
		HTTPClient: &x.inner,
		RetryMax:   x.retries(),
		CheckRetry: func(context.Context, *http.Response, error) (bool, error) { return x.decision.retry, nil },
		Backoff:    func(_, _ time.Duration, n int, _ *http.Response) time.Duration { return x.backoff(n) },
		// The loop's own words are of no use here: x.failure says it better.
		ErrorHandler: retryablehttp.PassthroughErrorHandler,
	}
	request := blank.WithContext(ctx)
	request.Method, request.URL, request.Header = x.call.Method, &x.request.url, http.Header{}
	response, err := x.loop.Do(&retryablehttp.Request{Request: request})
	if response != nil {
		response.Body.Close()
	}
	switch {
	case err != nil && x.failure == nil:
		return masked(withoutURL(err), x.secrets())
	case err != nil && ctx.Err() != nil && !errors.Is(x.failure, ctx.Err()):
		// Cancelled in backoff: the last failure is worth knowing too.
		return x.noAnswer(nil, after(ctx.Err(), x.failure))
	}
	return x.failure
}

func (x *exchange) retries() int {
	if x.settings.NoRetry {
		return 0
	}
	return x.client.retries
}

// RoundTrip makes one attempt, and a second one where a 401 was cured by a new
// token: that one does not count as a retry. The response it returns is
// hollow, so that net/http sees no redirect to follow; the real one is in x.
func (x *exchange) RoundTrip(r *http.Request) (*http.Response, error) {
	var jar http.Header
	if len(r.Header) > 0 {
		jar = r.Header.Clone()
		clear(r.Header) // net/http would add the cookies once more at each attempt
	}
	for {
		header, err := x.attempt(r.Context(), jar)
		if err != nil {
			x.failure, x.decision = x.noAnswer(nil, after(err, x.failure)), decision{}
			return nil, err
		}
		if !x.renew(r.Context(), header) {
			break
		}
	}
	if x.answer.err != nil {
		return nil, x.answer.err
	}
	x.hollow = http.Response{StatusCode: http.StatusOK, Header: x.answer.header, Body: http.NoBody, Request: r}
	return &x.hollow, nil
}

// attempt passes one request through admission, authorisation, the wire and
// classification. Its error means that nothing was sent.
func (x *exchange) attempt(ctx context.Context, jar http.Header) (http.Header, error) {
	done, err := x.admit(ctx)
	if err != nil {
		return nil, err
	}
	header, err := x.authorise(ctx, jar)
	if err != nil {
		done(false)
		return nil, err
	}
	x.number++
	x.transmit(ctx, header, done)
	x.observe(ctx)
	x.classify(ctx)
	return header, nil
}

// transmit ends the permit whatever happens: a foreign round tripper that
// panics must not keep a slot for ever.
func (x *exchange) transmit(ctx context.Context, header http.Header, done func(sent bool)) {
	x.answer = answer{sent: true}
	defer func() { done(x.answer.sent) }()
	x.answer = x.send(ctx, header)
}

// authorise returns the headers of one attempt, its own to change. Those that
// net/http added for a cookie jar are kept.
func (x *exchange) authorise(ctx context.Context, jar http.Header) (http.Header, error) {
	header := make(http.Header, 4+len(jar)+len(x.settings.Header))
	values := []string{"application/json", x.client.userAgent, "application/json"}
	header["Accept"], header["User-Agent"] = values[0:1:1], values[1:2:2]
	maps.Copy(header, jar)
	for name, extra := range x.settings.Header {
		header[name] = slices.Clone(extra)
	}
	if x.request.body != nil {
		header["Content-Type"] = values[2:3:3]
	}
	if x.client.auth != nil && !x.call.Public {
		if err := x.client.auth.Authorise(ctx, header); err != nil {
			return nil, err
		}
	}
	x.client.words.headers(header)
	return header, nil
}

// renew reports whether a 401 is worth one repeat with a newer credential.
func (x *exchange) renew(ctx context.Context, header http.Header) bool {
	if x.answer.status != http.StatusUnauthorized || x.decision.keepToken || x.renewed || x.client.auth == nil || x.call.Public {
		return false
	}
	x.renewed = true
	again, err := x.client.auth.Refused(ctx, header)
	if err != nil {
		x.failure = fmt.Errorf("%w; %w", x.failure, err)
	}
	return again
}
