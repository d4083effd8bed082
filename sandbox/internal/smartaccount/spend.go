package smartaccount

import (
	"maps"
	"math/bits"
	"net/http"
	"slices"
	"time"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// spend is an amount of one mint that left an account at once.
type spend struct {
	at     time.Time
	mint   string
	amount uint64
}

// outflow is the sum that a transaction takes from an account.
type outflow struct {
	amounts map[string]uint64 // by mint, SOL under that of wrapped SOL
	// destinations name each recipient by all of its addresses: the wallet, and
	// the token account if the recipient is one.
	destinations [][]string
}

// mints are in a fixed order, so that the same request meets the same refusal.
func (o outflow) mints() []string { return slices.Sorted(maps.Keys(o.amounts)) }

// outflow compares the account before and after a transaction, whatever
// instructions caused the change. Delegated amounts count as spent.
func (b *Service) outflow(w *wallet, simulation *ledger.Simulation) outflow {
	before, after := map[string]uint64{}, map[string]uint64{}
	out := outflow{amounts: map[string]uint64{}}
	sol := solana.WrappedSol.String()
	for i, key := range simulation.Keys {
		old, _ := ledger.AsToken(b.Chain.Account(key))
		now, isToken := ledger.AsToken(simulation.Touched(b.Chain.Ledger, key))
		w.hold(before, old)
		w.hold(after, now)
		switch {
		case key == w.key:
			before[sol] += simulation.Pre[i]
			after[sol] += simulation.Post[i]
		case isToken:
			out.receive(w, key, old, now)
		case simulation.Post[i] > simulation.Pre[i]:
			out.destinations = append(out.destinations, []string{key.String()})
		}
	}
	for mint, had := range before {
		if had > after[mint] {
			out.amounts[mint] = had - after[mint]
		}
	}
	return out
}

// hold adds what the account can dispose of in a token account of its own.
func (w *wallet) hold(sum map[string]uint64, t ledger.Token) {
	if t == nil || t.Owner() != w.key {
		return
	}
	own := t.Amount()
	if _, delegated := t.Delegate(); delegated {
		own -= min(own, t.DelegatedAmount())
	}
	sum[t.Mint().String()] += own
}

// receive notes who benefits from a token account: its owner, or, if the
// account owns it, its delegate.
func (o *outflow) receive(w *wallet, key solana.PublicKey, old, now ledger.Token) {
	if now.Owner() == w.key {
		delegate, ok := now.Delegate()
		if ok && (old == nil || now.DelegatedAmount() > old.DelegatedAmount()) {
			o.destinations = append(o.destinations, []string{delegate.String()})
		}
		return
	}
	if old == nil || now.Amount() > old.Amount() || old.Owner() != now.Owner() {
		o.destinations = append(o.destinations, []string{now.Owner().String(), key.String()})
	}
}

// sum returns the amount of a mint that was spent since a time.
func sum(spent []spend, mint string, since time.Time) (sum uint64) {
	for _, x := range spent {
		if x.mint == mint && x.at.After(since) {
			sum = add(sum, x.amount)
		}
	}
	return sum
}

// add adds and stays at the largest number rather than wrap.
func add(a, b uint64) uint64 {
	sum, carry := bits.Add64(a, b, 0)
	if carry != 0 {
		return 1<<64 - 1
	}
	return sum
}

// book notes what was spent.
func (o outflow) book(spent []spend, at time.Time) []spend {
	for _, mint := range o.mints() {
		spent = append(spent, spend{at, mint, o.amounts[mint]})
	}
	return spent
}

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
	panic(kit.Refuse(http.StatusBadRequest, policyViolation, format, args...).
		With(map[string]string{"sessionId": x.id, "limit": limit}))
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
