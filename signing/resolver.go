package signing

import (
	"context"
	"errors"
)

// ErrUnknown is returned by a [Resolver] for what it cannot read, and by a
// [Simulator] for what it cannot run. A pinned program's call that may take something
// of the owner's is then refused by RuleBlind, unless [Policy.AllowBlind] names the
// service. After any other error of theirs
// nothing is signed.
var ErrUnknown = errors.New("signing: unknown to the resolver or simulator")

// Resolver reads address lookup tables from the ledger. rpcnode has one.
type Resolver interface {
	// LookupTable returns the addresses that a table holds, in order, or
	// ErrUnknown. The entries of a table never change, so that an answer may be
	// cached.
	LookupTable(ctx context.Context, table PublicKey) ([]PublicKey, error)
}

// MintReader is a [Resolver] that reads mints, too. Without it, a transfer of
// a Token-2022 mint among the owner's accounts counts as spent, because the mint
// may withhold a fee of up to the whole amount, unless [Policy.Mints] names it.
type MintReader interface {
	// TransferFee returns the fee that a Token-2022 mint withholds, zero if it has
	// no such extension. After an error the fee is unknown.
	TransferFee(ctx context.Context, mint PublicKey) (TransferFee, error)
}

// TransferFee is the fee that a Token-2022 mint withholds from each transfer.
type TransferFee struct {
	BasisPoints uint16 // of the amount, rounded up
	Most        uint64 // in smallest units
}
