package burnclose

import (
	"context"
	"fmt"
	"iter"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
)

// CloseStep carries out what was built for one stretch of accounts: it checks,
// signs, submits and confirms the transactions, and returns how many of them
// are confirmed. Its error ends CloseAll; a transaction that failed on its own
// is none, it is just not counted.
type CloseStep func(ctx context.Context, built *CloseAllTransactions) (confirmed int, err error)

// CloseRound is one stretch of accounts that CloseAll went through.
type CloseRound struct {
	Offset    int // in the list as it was then
	Built     *CloseAllTransactions
	Confirmed int // transactions of Built that step confirmed
}

// maxCloseRounds ends CloseAll against a service that goes on offering what is
// closed already, each time at the price of a network fee.
const maxCloseRounds = 1000

var errTooManyRounds = fmt.Errorf("burnclose: after %d rounds there are still accounts to close: %w", maxCloseRounds, walletfi.ErrDecode)

// CloseAll closes a wallet's accounts, a stretch of req.Limit at a time: it
// builds the transactions, has step carry them out, and yields the round.
//
// A confirmed transaction takes its accounts off the list and moves the others
// up, so the next round starts again at req.Offset. Where nothing was
// confirmed the list is as it was, and the next round starts behind this one.
// It ends where nothing more can be closed, and at the first error, which is
// its last element; the round beside it is nil where none was built. A
// transaction whose outcome is unknown may have shifted the list: range over
// it again later to be sure of everything.
//
// POST /batch/close-all, as BuildCloseAll.
func (c *Client) CloseAll(ctx context.Context, req CloseAllRequest, step CloseStep, opts ...walletfi.CallOption) iter.Seq2[*CloseRound, error] {
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
			round := &CloseRound{Offset: page.Offset, Built: built}
			round.Confirmed, err = step(ctx, built)
			if !yield(round, err) || err != nil {
				return
			}
			page.Offset = req.Offset
			if round.Confirmed <= 0 {
				page.Offset = round.Offset + round.accounts(req.Limit)
			}
		}
		yield(nil, errTooManyRounds)
	}
}

// accounts is how many accounts of the list the round was about, at the least:
// to come upon one again does no harm, to miss one does.
func (r *CloseRound) accounts(limit int) int {
	accounts := max(r.Built.AccountsClosed, len(r.Built.Transactions))
	if limit > 0 {
		accounts = min(accounts, limit)
	}
	return accounts
}
