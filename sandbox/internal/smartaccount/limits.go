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
func (x *session) permit(instructions []solana.Instruction, out outflow, now time.Time) {
	needed := "transfer"
	for _, in := range instructions {
		if !slices.Contains(basic, in.ProgramID()) {
			needed = "swap"
		}
	}
	kit.RefuseIf(!slices.Contains(x.permissions, needed), http.StatusForbidden, "",
		"the session key lacks the permission %s", needed)
	for _, mint := range out.mints() {
		x.permitAmount(mint, out.amounts[mint], now)
	}
	for _, names := range out.destinations {
		allowed := x.limits.AllowedDestinations
		if len(allowed) > 0 && !slices.ContainsFunc(names, func(n string) bool { return slices.Contains(allowed, n) }) {
			x.exceeded("allowedDestinations", "the session key may not pay %s", names[0])
			return
		}
	}
}

// permitAmount holds each mint to the limits on its own: they are in smallest
// units, which cannot be added across mints.
func (x *session) permitAmount(mint string, amount uint64, now time.Time) {
	limits := x.limits
	if len(limits.AllowedMints) > 0 && !slices.Contains(limits.AllowedMints, mint) {
		x.exceeded("allowedMints", "the session key may not spend %s", mint)
		return
	}
	if limits.PerTransaction != nil && amount > uint64(*limits.PerTransaction) {
		x.exceeded("perTransaction", "the session key may spend %s in one transaction", *limits.PerTransaction)
		return
	}
	day := add(sum(x.spent, mint, now.Add(-24*time.Hour)), amount)
	if limits.Daily != nil && day > uint64(*limits.Daily) {
		x.exceeded("daily", "the session key may spend %s in a day", *limits.Daily)
		return
	}
}

func (x *session) exceeded(limit, format string, args ...any) {
	f := kit.Refuse(http.StatusBadRequest, policyViolation, format, args...).(*kit.Failure)
	f.Details = map[string]string{"sessionId": x.id, "limit": limit}
	panic(f)
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
