package transport

import (
	"context"
	"errors"
	"io"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/peer"
)

// attempt is the http.RoundTripper under the loop: each request through it is one
// attempt. It has no CloseIdleConnections, which the library calls after each failed
// call, for the pool that all clients share.
type attempt struct{}

// RoundTrip admits, authorises, sends and observes an attempt. The response is the
// service's, its body read.
func (attempt) RoundTrip(r *http.Request) (*http.Response, error) {
	x, ctx := exchangeOf(r.Context()), r.Context()
	if err := x.waitOut(ctx); err != nil {
		return nil, err
	}
	done, queued, err := x.admit(ctx)
	if err != nil {
		return nil, err
	}
	a := &answer{sent: true}
	if err := x.authorise(ctx, r.Header, a); err != nil {
		x.release(ctx, done, false)
		return nil, err
	}
	x.progress.attempts++
	if x.client.observer != nil {
		var end func(*answer)
		ctx, end = x.watchAttempt(ctx, queued)
		defer end(a)
	}
	response := x.send(ctx, a, done)
	x.observe(ctx, a, queued)
	if response == nil {
		return nil, lostAnswer{a.err, a}
	}
	response.Body = readBody{a}
	peer.StayPut(response)
	return response, nil
}

// waitOut waits for the pause before a repeat, which go-retryablehttp has waited for
// in real time. A call whose context has ended asks for no slot.
func (x *exchange) waitOut(ctx context.Context) error {
	err := walletfi.Sleep(ctx, x.client.clock, x.progress.pause)
	x.endBackoff(ctx)
	return err
}

// readBody is the body of a response that was read whole, and carries what the
// attempt brought to judge.
type readBody struct{ *answer }

func (readBody) Read([]byte) (int, error) { return 0, io.EOF }
func (readBody) Close() error             { return nil }

// lostAnswer is the error of an attempt without a response.
type lostAnswer struct {
	error
	*answer
}

// attempted returns what an attempt brought, nil if nothing was sent.
func attempted(response *http.Response, err error) *answer {
	if l, ok := errors.AsType[lostAnswer](err); ok {
		return l.answer
	}
	return answerOf(response)
}

func answerOf(response *http.Response) *answer {
	if response == nil {
		return nil
	}
	b, _ := response.Body.(readBody)
	return b.answer
}
