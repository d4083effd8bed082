package judge

import (
	"fmt"
	"slices"

	"github.com/walletfi/walletfi-go/signing/internal/caps"
	"github.com/walletfi/walletfi-go/signing/internal/program"
	"github.com/walletfi/walletfi-go/signing/internal/rule"
)

// maxSteps bounds the matching of a set, to some 10 ms. An honest set needs a
// few hundred steps.
const maxSteps = 200_000

// ledger adds up what leaves over a whole set.
type ledger struct {
	want      *wanted
	findings  *Findings
	items     []caps.Item
	sources   []source     // of the items
	begins    []int        // first item of each transaction
	credited  []Key        // accounts that get lamports
	burned    []caps.Limit // by burns that have no cap
	mints     []Key        // that the set names
	changes   []change     // that simulations saw
	step      step         // in the newest transaction
	costs     []rented     // of accounts, by the simulations: what is ours, or was not paid, costs nothing
	left      []Key        // accounts of ours that are closed to a sponsor
	lent      []lent       // what delegates may take
	rents     uint64       // what exempted new accounts of others, and those left, as far as SOL was lost
	own       uint64       // what exempted new accounts of ours
	strangers uint64       // what exempted new token accounts of other wallets
	released  uint64       // what accounts of others that were closed held
	unseen    bool         // some of those may be in lookup tables that were not resolved

	closed     []Key  // listed accounts that an earlier transaction closes
	networkFee uint64 // that the owner pays so far
	arrivals   arrivals
	mintsTried int
	read       int             // accounts, to find whose they are
	steps      int             // left for matching
	done       <-chan struct{} // of the check's context
}

func (l *ledger) nameMints(all []Key) {
	for _, mint := range all {
		if len(l.mints) < maxMintsTried && !slices.Contains(l.mints, mint) {
			l.mints = append(l.mints, mint)
		}
	}
}

// source is the operation that an item comes from.
type source struct {
	rule.Site
	rule     string // that lets it pass if a cap has room
	to       *Key
	movement int  // in Findings.Leaves
	shown    bool // an outcome shows the account that it leaves, which is ours
}

// outgoing is value that leaves the owner.
type outgoing struct {
	rule   string
	mint   Key
	amount uint64
	may    caps.Bucket
	from   *Key // account, if a call's transfer names it
	to     *Key
	wallet *Key // that To is an associated account of, nil if unknown
}

// spend adds what leaves by an operation.
func (c *checker) spend(at rule.Site, out outgoing) {
	if out.amount == 0 {
		return
	}
	l, mint := c.ledger, program.Asset(out.mint)
	l.items = append(l.items, caps.Item{Mint: mint, Amount: out.amount, May: out.may})
	l.sources = append(l.sources, source{at, out.rule, out.to, c.findings.leaves(at, mint, out), c.shows(out.from)})
}

// settle matches what the newest transaction sends to the caps, and then the
// whole set's, if it is the last.
func (l *ledger) settle(last bool) {
	l.settleFrom(len(l.begins)-1, func(r *rule.Refusal) *rule.Refusal { return r })
	if last && len(l.begins) > 1 {
		// Each transaction fits by itself now: what does not fit is the sum.
		l.settleFrom(0, func(r *rule.Refusal) *rule.Refusal {
			r.Rule = rule.Set
			r.Found += ", with the other transactions of the set"
			return r
		})
	}
}

// settleFrom matches the items of the transactions from an index on. What a
// rule refuses is taken out, all that falls under it, and the rest is matched
// again: so each rule says what it says alone.
func (l *ledger) settleFrom(transaction int, by func(*rule.Refusal) *rule.Refusal) {
	for {
		first := l.begins[transaction]
		m := caps.Matching{
			Caps:   &l.want.caps,
			Items:  l.items[first:],
			Begins: l.begins[transaction:],
			Steps:  &l.steps,
			Done:   l.done,
		}
		if m.Fit() {
			return
		}
		if l.steps < 0 {
			at := rule.Site{Transaction: len(l.begins) - 1, Instruction: rule.Envelope}
			l.findings.refuse(at.Refuse(rule.TooComplex,
				fmt.Sprintf("amounts that can be matched to their caps in %d steps", maxSteps),
				fmt.Sprintf("%d amounts in %d transactions that cannot", len(m.Items), len(m.Begins))))
			return
		}
		i, past := m.Unfit()
		r := l.refusal(&m, i, first, past)
		under := r.Rule
		l.findings.refuse(by(r))
		l.drop(first, first+i, under)
	}
}

// drop takes item i out, and the items from first on that fall under a rule.
func (l *ledger) drop(first, i int, under string) {
	kept := first
	for j := first; j < len(l.items); j++ {
		if j == i || l.fallsUnder(j) == under {
			for n := range l.begins {
				if l.begins[n] > kept {
					l.begins[n]--
				}
			}
			continue
		}
		l.items[kept], l.sources[kept] = l.items[j], l.sources[j]
		kept++
	}
	l.items, l.sources = l.items[:kept], l.sources[:kept]
}

// fallsUnder is the rule that refuses an item if no cap has room for it.
func (l *ledger) fallsUnder(i int) string {
	item := &l.items[i]
	if item.May&caps.Spend == 0 && item.May&(caps.Tip|caps.Fee) != 0 {
		return l.unnamedRule(i)
	}
	return l.sources[i].rule
}

// unnamedRule is the rule under which value for a recipient that the caller
// did not name falls.
func (l *ledger) unnamedRule(i int) string {
	item, c := &l.items[i], &l.want.caps
	switch {
	case l.sources[i].to == nil:
		return rule.Lookup
	case c.Tip > 0 && item.May&caps.Tip != 0 || caps.Most(c.Fee, item.Mint) > 0:
		return rule.Tip
	}
	return l.sources[i].rule
}

// cost is how much of an amount is lost. A check of the bytes alone has to assume all of a rent: creating
// an associated account that is there already costs nothing, and what an account of ours holds, or gives back
// when it is closed, is ours.
func (l *ledger) cost(i int, as caps.Bucket) uint64 {
	to, most := l.sources[i].to, l.items[i].Amount
	if as&(caps.Rent|caps.ForeignRent) == 0 || to == nil {
		return most
	}
	if k := slices.IndexFunc(l.costs, func(r rented) bool { return r.account == *to }); k >= 0 {
		return min(most, l.costs[k].lamports)
	}
	return most
}
