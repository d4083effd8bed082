package burnclose

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/clock"
)

// WaitRequest says which transaction to wait for.
type WaitRequest struct {
	Signature string // base58; required
	// Commitment is the commitment to wait for. Empty means
	// walletfi.CommitmentConfirmed.
	Commitment walletfi.Commitment
	// MinWait is the time between the first two polls; it grows by half each time,
	// up to MaxWait. 0 means 500 milliseconds.
	MinWait time.Duration
	// MaxWait is the longest time between two polls. 0 means 4 seconds.
	MaxWait time.Duration
}

// maxUnansweredPolls is how many polls in a row may fail before WaitConfirmed
// gives up. Each poll has repeats of its own.
const maxUnansweredPolls = 5

// WaitConfirmed polls a transaction's status until it has succeeded at
// req.Commitment. If the transaction failed, the error is a *FailedError. A
// failure that is only processed does not end the wait, because it can still be
// rolled back.
//
// The wait also ends with ctx. A transaction that never lands is never found,
// so give ctx a deadline, or cancel it once the transaction's last valid block
// height has passed. With an error, WaitConfirmed returns the last status that
// it saw, or nil.
//
// POST /transactions/status, as [Client.GetTransactionStatus].
func (c *Client) WaitConfirmed(
	ctx context.Context, req WaitRequest, opts ...walletfi.CallOption,
) (*TransactionStatus, error) {
	if err := req.problem(); err != nil {
		return nil, err
	}
	ctx, end := clock.Enter(ctx, c.made().t.Clock(), "burnclose WaitConfirmed")
	defer end()
	req = req.withDefaults()
	var last *TransactionStatus
	unanswered := 0
	for wait := req.MinWait; ; wait = min(wait+wait/2, req.MaxWait) {
		status, err := c.GetTransactionStatus(ctx, StatusRequest{Signature: req.Signature}, opts...)
		switch {
		case err == nil:
			last, unanswered = status, 0
			if done, err := req.settled(*status); done {
				return status, err
			}
		case !passing(err) || ctx.Err() != nil:
			return last, err
		default:
			if unanswered++; unanswered == maxUnansweredPolls {
				return last, err
			}
		}
		if err := clock.Wait(ctx, c.made().t.Clock(), wait); err != nil {
			return last, fmt.Errorf("burnclose: waiting for transaction %s: %w", req.Signature, err)
		}
	}
}

// passing reports an error that the next poll may not meet. An answer that could
// not be read says nothing of the transaction.
func passing(err error) bool {
	for _, kind := range []error{
		walletfi.ErrUnavailable, walletfi.ErrRateLimited, walletfi.ErrDecode, walletfi.ErrRejected,
	} {
		if errors.Is(err, kind) {
			return true
		}
	}
	return false
}

// settled reports whether s ends the wait.
func (r WaitRequest) settled(s TransactionStatus) (bool, error) {
	switch {
	case s.Confirmed(r.Commitment):
		return true, nil
	case s.Found && s.Err != "" && s.Commitment != walletfi.CommitmentProcessed:
		return true, &FailedError{s}
	}
	return false, nil
}

func (r WaitRequest) problem() error {
	return check.All(
		check.Signature("signature", r.Signature),
		commitment("commitment", r.Commitment),
		check.NotNegative("minWait", r.MinWait),
		check.NotNegative("maxWait", r.MaxWait),
	)
}

func (r WaitRequest) withDefaults() WaitRequest {
	if r.Commitment == "" {
		r.Commitment = walletfi.CommitmentConfirmed
	}
	if r.MinWait == 0 {
		r.MinWait = 500 * time.Millisecond
	}
	if r.MaxWait == 0 {
		r.MaxWait = 4 * time.Second
	}
	r.MaxWait = max(r.MinWait, r.MaxWait)
	return r
}
