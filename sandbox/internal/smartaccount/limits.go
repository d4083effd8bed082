package smartaccount

import (
	"net/http"
	"slices"
	"time"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// basic are the programs that a transfer needs. A session key needs the
// permission to swap to call any other program.
var basic = []solana.PublicKey{
	solana.SystemProgramID, solana.TokenProgramID, solana.Token2022ProgramID,
	solana.SPLAssociatedTokenAccountProgramID, solana.ComputeBudget, solana.MemoProgramID,
}

// permit refuses a transaction beyond the session key's permissions.
func (x *session) permit(instructions []solana.Instruction, out outflow, now time.Time) error {
	needed := "transfer"
	for _, in := range instructions {
		if !slices.Contains(basic, in.ProgramID()) {
			needed = "swap"
		}
	}
	if !slices.Contains(x.permissions, needed) {
		return kit.Refuse(http.StatusForbidden, "", "the session key lacks the permission %s", needed)
	}
	for _, mint := range out.mints() {
		if err := x.permitAmount(mint, out.amounts[mint], now); err != nil {
			return err
		}
	}
	for _, names := range out.destinations {
		allowed := x.limits.AllowedDestinations
		if len(allowed) > 0 && !slices.ContainsFunc(names, func(n string) bool { return slices.Contains(allowed, n) }) {
			return x.exceeded("allowedDestinations", "the session key may not pay %s", names[0])
		}
	}
	return nil
}

// permitAmount holds each mint to the limits on its own: they are in smallest
// units, which cannot be added across mints.
func (x *session) permitAmount(mint string, amount uint64, now time.Time) error {
	limits := x.limits
	if len(limits.AllowedMints) > 0 && !slices.Contains(limits.AllowedMints, mint) {
		return x.exceeded("allowedMints", "the session key may not spend %s", mint)
	}
	if limits.PerTransaction != nil && amount > uint64(*limits.PerTransaction) {
		return x.exceeded("perTransaction", "the session key may spend %s in one transaction", *limits.PerTransaction)
	}
	day := add(sum(x.spent, mint, now.Add(-24*time.Hour)), amount)
	if limits.Daily != nil && day > uint64(*limits.Daily) {
		return x.exceeded("daily", "the session key may spend %s in a day", *limits.Daily)
	}
	return nil
}

func (x *session) exceeded(limit, format string, args ...any) error {
	f := kit.Refuse(http.StatusBadRequest, policyViolation, format, args...).(*kit.Failure)
	f.Details = map[string]string{"sessionId": x.id, "limit": limit}
	return f
}

// poor reports whether a transaction failed for insufficient funds: the System
// and Token programs use the same error number.
func poor(err *ledger.TxError) bool {
	switch err.Kind {
	case "InsufficientFundsForRent", "InsufficientFundsForFee":
		return true
	case "InstructionError":
		return *err.Cause == *ledger.Custom(1) || err.Cause.Kind == "InsufficientFunds"
	}
	return false
}
