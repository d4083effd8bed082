package lending

import (
	"context"
	"fmt"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/clock"
	"github.com/walletfi/walletfi-go/internal/echo"
)

// WaitWithdrawal waits until the cooldown of a wallet's withdrawal of a mint has ended: that
// of the first one, if there are several. The service is asked at once and when the time has
// come. The wait ends with ctx. It can take two days: after a restart, call it again.
//
// If no withdrawal of the mint is pending, the error is [walletfi.ErrNotFound]; if the service
// does not say when it can be taken, [walletfi.ErrDecode].
//
// GET /v1/account/{walletAddress}/pending-withdrawals, as [Client.ListPendingWithdrawals].
func (c *Client) WaitWithdrawal(
	ctx context.Context, wallet, mint string, opts ...walletfi.CallOption,
) (*PendingWithdrawal, error) {
	ctx, end := clock.Enter(ctx, c.made().t.Clock(), "lending WaitWithdrawal")
	defer end()
	var waited *PendingWithdrawal
	for {
		page, err := c.ListPendingWithdrawals(ctx, wallet, opts...)
		if page == nil {
			return waited, err
		}
		now := c.made().t.Now()
		pending, found := page.first(mint, waited)
		switch {
		case !found && err != nil:
			return waited, err // it may be in a record that could not be read
		case !found && waited != nil:
			return waited, nil
		case !found:
			return nil, fmt.Errorf("%w: no withdrawal of %s is pending", walletfi.ErrNotFound, mint)
		case pending.AvailableAt.IsZero():
			return &pending, fmt.Errorf("%w: when the withdrawal of %s can be taken", walletfi.ErrDecode, mint)
		case pending.Remaining(now) == 0:
			return &pending, nil
		}
		waited = &pending
		if err := clock.Wait(ctx, c.made().t.Clock(), pending.Remaining(now)); err != nil {
			return waited, fmt.Errorf("lending: waiting for a withdrawal of %s: %w", mint, err)
		}
	}
}

// first returns the withdrawal of a mint that can be taken first, or the one that is waited
// for. One without a time is the first: nothing says that it is not.
func (p *PendingWithdrawalPage) first(mint string, waited *PendingWithdrawal) (first PendingWithdrawal, ok bool) {
	for _, w := range p.Items {
		isOther := waited != nil && (!w.InitiatedAt.Equal(waited.InitiatedAt.Time) || w.Amount != waited.Amount)
		if echo.Mint("", mint, w.Mint) != nil || isOther {
			continue
		}
		if !ok || w.AvailableAt.Before(first.AvailableAt.Time) {
			first, ok = w, true
		}
	}
	return first, ok
}
