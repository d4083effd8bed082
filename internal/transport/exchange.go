package transport

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/hashicorp/go-retryablehttp"
	"github.com/walletfi/walletfi-go"
)

// exchange is the state of one call. It is the http.RoundTripper under
// go-retryablehttp's loop, which keeps that library's CloseIdleConnections
// from the pool that all clients share.
type exchange struct {
	client   *Client
	call     *Call
	settings *walletfi.CallSettings
	request  *encoded
	limiter  walletfi.Limiter

	number    int           // attempts that were tried
	queued    time.Duration // the last attempt's wait for a slot
	renewed   bool          // the credential was renewed once already
	ambiguous bool          // an attempt may have been carried out and nobody said so
	answer    answer        // of the last attempt
	payload   []byte        // of a success
	failure   error         // of the last attempt, typed
	decision  decision      // what follows from it
}

// attempts runs the loop. A nil error leaves the result in x.payload.
func (x *exchange) attempts(ctx context.Context) error {
	if x.settings.Urgent {
		ctx = walletfi.ContextUrgent(ctx)
	}
	x.limiter = x.client.limiters.of(x.call.Class)
	httpClient := http.Client{Transport: x, Jar: x.client.http.Jar}
	loop := retryablehttp.Client{
		HTTPClient: &httpClient,
		RetryMax:   x.retries(),
		CheckRetry: func(context.Context, *http.Response, error) (bool, error) { return x.decision.retry, nil },
		Backoff:    func(_, _ time.Duration, n int, _ *http.Response) time.Duration { return x.backoff(n) },
		// The loop's own words and wrapped errors are of no use here: x.failure
		// says it better.
		ErrorHandler: func(r *http.Response, err error, _ int) (*http.Response, error) {
			if x.failure == nil {
				x.failure = err
			}
			return r, nil
		},
	}
	request := (&http.Request{Method: x.call.Method, URL: &x.request.url, Header: http.Header{}}).WithContext(ctx)
	response, err := loop.Do(&retryablehttp.Request{Request: request})
	if response != nil {
		response.Body.Close()
	}
	if err != nil && ctx.Err() != nil && !errors.Is(x.failure, ctx.Err()) {
		// Cancelled in backoff: the last failure is worth knowing too.
		return x.noAnswer(nil, errors.Join(ctx.Err(), x.failure))
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
	for {
		header, err := x.attempt(r)
		if err != nil {
			x.failure, x.decision = x.noAnswer(nil, errors.Join(err, x.failure)), decision{}
			return nil, err
		}
		if !x.renew(r.Context(), header) {
			break
		}
	}
	if x.answer.err != nil {
		return nil, x.answer.err
	}
	return &http.Response{StatusCode: http.StatusOK, Header: x.answer.header, Body: http.NoBody, Request: r}, nil
}

// attempt passes one request through admission, authorisation, the wire and
// classification. Its error means that nothing was sent.
func (x *exchange) attempt(r *http.Request) (http.Header, error) {
	ctx := r.Context()
	done, err := x.admit(ctx)
	if err != nil {
		return nil, err
	}
	header, err := x.authorise(ctx, r.Header)
	if err != nil {
		done(false)
		return nil, err
	}
	x.number++
	x.answer = x.send(ctx, header)
	done(x.answer.sent)
	x.observe()
	x.classify(ctx)
	return header, nil
}

// authorise returns the headers of one attempt. Those that net/http added for
// a cookie jar are kept.
func (x *exchange) authorise(ctx context.Context, jar http.Header) (http.Header, error) {
	header := make(http.Header, len(x.request.header)+len(jar)+1)
	for name, values := range jar {
		header[name] = values
	}
	for name, values := range x.request.header {
		header[name] = values
	}
	if x.client.auth == nil || x.call.Public {
		return header, nil
	}
	if err := x.client.auth.Authorise(ctx, header); err != nil {
		return nil, err
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
		x.failure = errors.Join(x.failure, err)
	}
	return again
}
