package sandbox

import (
	"maps"
	"math/bits"
	"slices"
	"time"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// smartAccountSpend is what left an account at once, of one mint.
type smartAccountSpend struct {
	at     time.Time
	mint   string
	amount uint64
}

// smartAccountOutflow is what a transaction takes from an account.
type smartAccountOutflow struct {
	amounts map[string]uint64 // by mint, SOL under that of wrapped SOL
	// destinations name each recipient by all of its addresses: the wallet,
	// and the token account where it is one.
	destinations [][]string
}

// mints are in a fixed order, so that the same request meets the same refusal.
func (o smartAccountOutflow) mints() []string { return slices.Sorted(maps.Keys(o.amounts)) }

// outflow compares the account before and after a transaction, whatever
// instructions brought the change about. What is delegated to somebody counts
// as gone.
func (b *smartAccount) outflow(w *smartAccountWallet, simulation *ledger.Simulation) smartAccountOutflow {
	before, after := map[string]uint64{}, map[string]uint64{}
	out := smartAccountOutflow{amounts: map[string]uint64{}}
	sol := solana.WrappedSol.String()
	for i, key := range simulation.Keys {
		old, _ := ledger.AsToken(b.chain.Account(key))
		now, isToken := ledger.AsToken(simulation.Touched(b.chain.Ledger, key))
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
func (w *smartAccountWallet) hold(sum map[string]uint64, t ledger.Token) {
	if t == nil || t.Owner() != w.key {
		return
	}
	own := t.Amount()
	if _, delegated := t.Delegate(); delegated {
		own -= min(own, t.DelegatedAmount())
	}
	sum[t.Mint().String()] += own
}

// receive notes who gains by a token account: its owner, or the delegate of
// one of the account's own.
func (o *smartAccountOutflow) receive(w *smartAccountWallet, key solana.PublicKey, old, now ledger.Token) {
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

// smartAccountSum is what was spent of a mint since a time.
func smartAccountSum(spent []smartAccountSpend, mint string, since time.Time) (sum uint64) {
	for _, x := range spent {
		if x.mint == mint && x.at.After(since) {
			sum = smartAccountAdd(sum, x.amount)
		}
	}
	return sum
}

// smartAccountAdd adds and stays at the largest number rather than wrap.
func smartAccountAdd(a, b uint64) uint64 {
	sum, carry := bits.Add64(a, b, 0)
	if carry != 0 {
		return 1<<64 - 1
	}
	return sum
}

// book notes what was spent.
func (o smartAccountOutflow) book(spent []smartAccountSpend, at time.Time) []smartAccountSpend {
	for _, mint := range o.mints() {
		spent = append(spent, smartAccountSpend{at, mint, o.amounts[mint]})
	}
	return spent
}
