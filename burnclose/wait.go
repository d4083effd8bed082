package burnclose

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/pause"
)

// WaitRequest says which transaction to wait for, and until when.
type WaitRequest struct {
	Signature string // base58; required
	// Commitment is how settled it must be. Empty means
	// walletfi.CommitmentConfirmed.
	Commitment walletfi.Commitment
	// MinWait is the time between the first two polls; it grows by half each time,
	// up to MaxWait. 0 means 500 milliseconds.
	MinWait time.Duration
	// MaxWait is 4 seconds where it is 0.
	MaxWait time.Duration
}

// maxUnansweredPolls is how many polls in a row may fail before WaitConfirmed
// gives up. Each poll has repeats of its own.
const maxUnansweredPolls = 5

// WaitConfirmed asks for a transaction's status until it succeeded and is as
// settled as req.Commitment. It ends with a *FailedError where the transaction
// failed for good: a failure that is only processed can still be rolled back,
// and is waited out.
//
// It ends with ctx too. A transaction that never lands is never found, so give
// ctx a deadline, or cancel it once the transaction's last valid block height
// has passed. Beside an error the last status that was seen is returned, nil
// where there was none.
//
// POST /transactions/status, as GetTransactionStatus.
func (c *Client) WaitConfirmed(ctx context.Context, req WaitRequest, opts ...walletfi.CallOption) (*TransactionStatus, error) {
	if err := req.problem(); err != nil {
		return nil, err
	}
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
		case !errors.Is(err, walletfi.ErrUnavailable) && !errors.Is(err, walletfi.ErrRateLimited) || ctx.Err() != nil:
			return last, err
		default:
			if unanswered++; unanswered == maxUnansweredPolls {
				return last, err
			}
		}
		if err := pause.For(ctx, wait); err != nil {
			return last, fmt.Errorf("burnclose: waiting for transaction %s: %w", req.Signature, err)
		}
	}
}

// settled tells whether there is nothing more to wait for.
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
