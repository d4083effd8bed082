package smartaccount

import (
	"maps"
	"math/bits"
	"slices"
	"time"

	"github.com/gagliardetto/solana-go"

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
