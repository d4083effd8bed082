package rpcnode

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gagliardetto/solana-go/rpc"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/clock"
	"github.com/walletfi/walletfi-go/internal/observing"
	"github.com/walletfi/walletfi-go/internal/peer"
	"github.com/walletfi/walletfi-go/observe"
)

// A call is repeated three times, after up to 0.5, 1 and 2 seconds, or after
// what the node asks to wait if that is not too long.
const (
	repeats       = 3
	firstWait     = 500 * time.Millisecond
	lastWait      = 2 * time.Second
	maxRetryAfter = 10 * time.Second
)

// firstPatience is how long the first attempt of a read may take once it is sent. Each
// further attempt has twice as long: of one address's nodes one may hang and the next may not.
const firstPatience = 4 * time.Second

// patience is the context's key of how long an attempt may take.
type patience struct{}

// read runs what changes nothing, again if the node was busy or away.
func (c *Client) read(ctx context.Context, call func(context.Context) error) error {
	for n := 0; ; n++ {
		err := call(context.WithValue(ctx, patience{}, firstPatience<<n))
		if err == nil || errors.Is(err, rpc.ErrNotFound) || !passes(err) || n == repeats {
			return err
		}
		if again, err := c.await(ctx, n, err); !again {
			return err
		}
	}
}

// ask calls a method that changes nothing. A null, or an answer that is not whole, is an
// error.
func ask[T any](ctx context.Context, c *Client, method string, whole func(*T) bool, params ...any) (*T, error) {
	var answer *T
	err := c.read(ctx, func(ctx context.Context) error {
		answer = nil
		return c.rpc.RPCCallForInto(ctx, &answer, method, params)
	})
	if err == nil && (answer == nil || !whole(answer)) {
		err = incomplete(method)
	}
	if err != nil {
		return nil, err
	}
	return answer, nil
}

// insist asks so many times again for what is not whole: an archive that fails answers null,
// and of one address's nodes one may lack what the next one has.
func insist[T any](ctx context.Context, c *Client, again int, question func() (T, error)) (answer T, err error) {
	for n := 0; ; n++ {
		answer, err = question()
		if n == again || !errors.Is(err, walletfi.ErrDecode) {
			return answer, err
		}
		if more, err := c.await(ctx, n, err); !more {
			return answer, err
		}
	}
}

// incomplete is the error for an answer without what was asked for.
func incomplete(method string) error {
	return &Error{Method: method, Message: "the answer lacks what was asked for", Kind: walletfi.ErrDecode}
}

// await waits before repeat n. If there is to be none, it returns the call's
// error: that of last, and what keeps the call from being repeated.
func (c *Client) await(ctx context.Context, n int, last error) (again bool, err error) {
	wait := clock.Jitter(c.clock, firstWait, lastWait, n)
	if refused, ok := errors.AsType[*Error](last); ok && refused.RetryAfter > 0 {
		wait = refused.RetryAfter
		if wait > maxRetryAfter || clock.Ends(ctx, c.clock, wait) {
			return false, tooLong(last, wait)
		}
	}
	_, span := observing.Start(
		ctx, c.observer, observe.Backoff{Service: service, Op: methodOf(last), Number: n + 1, StatusCode: statusOf(last)},
	)
	begun := time.Now()
	err = c.pause(ctx, wait)
	observing.End(span, observe.BackoffEnd{Waited: time.Since(begun), Err: err})
	if err != nil {
		return false, peer.After(err, last)
	}
	return true, nil
}

// tooLong makes an outage whose end is further off than we wait answer to
// ErrRateLimited too.
func tooLong(last error, wait time.Duration) error {
	if errors.Is(last, walletfi.ErrRateLimited) {
		return last
	}
	return fmt.Errorf("%w: %w", last, peer.TooLong(wait))
}
