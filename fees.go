package walletfi

import (
	"context"
	"errors"
	"fmt"
)

// ErrFeeMarket means that a transaction was not signed, because the fee market asks more for it
// than [FeePolicy] allows, and did so until the caller's time was up. Nothing was sent.
var ErrFeeMarket = errors.New("the market is above your cap")

// FeePolicy says what may be paid for landing. The zero value asks for nothing and caps nothing:
// the services decide then.
//
// The caps count what the ledger takes of the owner for a transaction: the base fee of its
// signatures and its priority fee, also if it fails.
type FeePolicy struct {
	// Percentile is which of the recent prices of the accounts that a transaction writes is
	// paid, 1 to 100. While the prices of all transactions rise, it is that of the newest slots, as
	// they will be some slots later, and at most twice as high. If others pay in nearly each slot, 8 percent
	// of all that landing costs is added to what all transactions pay, at most half of the price. Required.
	Percentile int
	// Floor is the least price that is asked for, in micro-lamports per compute unit, of tips in
	// lamports, as far as the caps allow it. 0 asks for nothing where nobody else pays.
	Floor uint64
	// MaxPerTransaction is the most for one transaction, in lamports. Required.
	MaxPerTransaction Amount
	// MaxPerKey is the most for all that ever executes under one key, in lamports: all
	// transactions of a set, and earlier ones that failed, whichever wallet on the journal signed them.
	// At least MaxPerTransaction; 0 sets no limit of its own.
	MaxPerKey Amount
	// Growth is by how many percent more than the attempt before an attempt asks, 0 to 1000.
	Growth int
}

// IsZero reports whether p asks for nothing.
func (p FeePolicy) IsZero() bool { return p == FeePolicy{} }

// Validate returns a [*ValidationError] that names the field that is wrong, if any is.
func (p FeePolicy) Validate() error {
	wrong := func(field, problem string, args ...any) error {
		return &ValidationError{Field: "fees." + field, Problem: fmt.Sprintf(problem, args...)}
	}
	switch {
	case p.IsZero():
		return nil
	case p.Percentile < 1 || p.Percentile > 100:
		return wrong("percentile", "must be 1 to 100, is %d", p.Percentile)
	case p.MaxPerTransaction == 0:
		return wrong("maxPerTransaction", "is required: it is the most that one transaction may pay, in lamports")
	case p.MaxPerKey != 0 && p.MaxPerKey < p.MaxPerTransaction:
		return wrong("maxPerKey", "must be at least maxPerTransaction, %d, is %d", p.MaxPerTransaction, p.MaxPerKey)
	case p.Growth < 0 || p.Growth > 1000:
		return wrong("growth", "must be 0 to 1000 percent, is %d", p.Growth)
	}
	return nil
}

// TipReader tells what bundles tipped lately. Package leverage implements it.
type TipReader interface {
	// TipAt returns the tip, in lamports, that so many per cent of the bundles paid at most that got
	// in lately, or the least with which one is considered now, if no more is known.
	TipAt(ctx context.Context, percentile int) (Amount, error)
}

// FeeReader tells what was paid lately for landing. Package rpcnode implements it; a provider's
// estimate can.
type FeeReader interface {
	// RecentFees returns what transactions paid that write one of the accounts, base58, or
	// without accounts what all paid. A caller may ask for each transaction, so that it keeps an
	// answer for about a slot.
	RecentFees(ctx context.Context, writable []string) (RecentFees, error)
}

// RecentFees are what was paid lately for landing.
type RecentFees struct {
	// Prices are the least that got a transaction in, in micro-lamports per compute unit, one for
	// each recent slot, the oldest first; 0 for a slot without such a transaction.
	Prices []uint64 `json:"prices"`
}
