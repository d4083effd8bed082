package burnclose

import (
	"context"
	"fmt"
	"iter"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
)

// CloseStep checks, signs, submits and confirms the transactions that were
// built for a range of accounts. It returns how many of them are confirmed. Its
// error ends [Client.CloseAll]. A transaction that failed is not an error; it
// is not counted.
type CloseStep func(ctx context.Context, built *CloseAllTransactions) (confirmed int, err error)

// CloseRound is one range of accounts that [Client.CloseAll] processed.
type CloseRound struct {
	Offset    int // in the list at that time
	Built     *CloseAllTransactions
	Confirmed int // transactions of Built that step confirmed
}

// maxCloseRounds ends CloseAll if the service keeps offering accounts that are
// closed already: each round costs a network fee.
const maxCloseRounds = 1000

var errTooManyRounds = fmt.Errorf("burnclose: after %d rounds there are still accounts to close: %w",
	maxCloseRounds, walletfi.ErrDecode)

// CloseAll closes a wallet's accounts, req.Limit at a time. In each round it
// builds the transactions, calls step to execute them, and yields the round.
//
// A confirmed transaction removes its accounts from the list and moves the
// others up, so the next round starts again at req.Offset. If nothing was
// confirmed, the list is unchanged, and the next round starts after this one.
// CloseAll ends when nothing more can be closed, and at the first error, which
// is its last element; its round is nil if none was built. A transaction whose
// outcome is unknown may have shifted the list: call CloseAll again later to
// catch every account.
//
// POST /batch/close-all, as [Client.BuildCloseAll].
func (c *Client) CloseAll(
	ctx context.Context, req CloseAllRequest, step CloseStep, opts ...walletfi.CallOption,
) iter.Seq2[*CloseRound, error] {
	return func(yield func(*CloseRound, error) bool) {
		if step == nil {
			yield(nil, check.That(false, "step", "is required"))
			return
		}
		page := req
		for range maxCloseRounds {
			built, err := c.BuildCloseAll(ctx, page, opts...)
			if err != nil {
				yield(nil, err)
				return
			}
			if len(built.Transactions) == 0 {
				return
			}
			round := &CloseRound{Built: built}
			if page.Offset != nil {
				round.Offset = *page.Offset
			}
			round.Confirmed, err = step(ctx, built)
			if !yield(round, err) || err != nil {
				return
			}
			page.Offset = req.Offset
			if round.Confirmed <= 0 {
				page.Offset = new(round.Offset + round.accounts(req.Limit))
			}
		}
		yield(nil, errTooManyRounds)
	}
}

// accounts returns how many accounts of the list the round covered, at least.
// To offer an account twice is harmless, to miss one is not.
func (r *CloseRound) accounts(limit *int) int {
	accounts := max(r.Built.AccountsClosed, len(r.Built.Transactions))
	if limit != nil && *limit > 0 {
		accounts = min(accounts, *limit)
	}
	return accounts
}
