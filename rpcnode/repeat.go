package rpcnode

import (
	"context"
	"crypto/tls"
	"errors"
	"math/rand/v2"
	"net"
	"time"

	"github.com/gagliardetto/solana-go/rpc"
)

// The repeats of a call: three, after up to 0.5, 1 and 2 seconds, or after what
// the node asked to wait where that is not too long.
const (
	repeats       = 3
	firstWait     = 500 * time.Millisecond
	maxRetryAfter = 10 * time.Second
)

// read runs what changes nothing, again where the node was busy or away.
func (c *Client) read(ctx context.Context, call func() error) error {
	for n := 0; ; n++ {
		err := call()
		if err == nil || errors.Is(err, rpc.ErrNotFound) || !passes(err) || n == repeats {
			return err
		}
		if !pause(ctx, n, err) {
			return giveUp(ctx, err)
		}
	}
}

// pause waits before repeat n, and reports false where that is not worth it.
func pause(ctx context.Context, n int, err error) bool {
	wait := rand.N(firstWait << n)
	if refused, ok := errors.AsType[*Error](err); ok && refused.RetryAfter > 0 {
		wait += refused.RetryAfter
		if refused.RetryAfter > maxRetryAfter {
			return false
		}
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// giveUp says beside the last failure that the caller's context ended, if it
// did.
func giveUp(ctx context.Context, last error) error {
	if ctx.Err() == nil {
		return last
	}
	return errors.Join(ctx.Err(), last)
}

// final reports a failure that no repeat mends: a certificate that is not
// trusted, a name that does not exist.
func final(err error) bool {
	var call *callError
	if !errors.As(err, &call) {
		return false
	}
	var masked *maskedError
	if !errors.As(call.Cause, &masked) {
		return false
	}
	var verify *tls.CertificateVerificationError
	var name *net.DNSError
	return errors.As(masked.cause, &verify) || errors.As(masked.cause, &name) && name.IsNotFound
}
