package signing

import "math/bits"

// bucket is what an outgoing amount counts as. Each has a cap of its own.
type bucket uint8

const (
	asSpend bucket = 1 << iota
	asTip
	asFee
	asRent
	asBurn
)

// outgoing is value that leaves the owner.
type outgoing struct {
	site
	rule     Rule
	mint     PublicKey
	amount   uint64
	may      bucket // what it may count as
	as       bucket // what it was matched to
	to       *PublicKey
	movement int // in the report
}

// ledger adds up what leaves over a whole set.
type ledger struct {
	want     *wanted
	off      Rule
	items    []outgoing
	begins   []int       // first item of each transaction
	credited []PublicKey // accounts that get lamports
	burned   []PublicKey // mints of which all may be burned
	changes  []change    // that simulations saw
	existing []PublicKey // accounts that were there already, by the simulations
}

func (l *ledger) begin() { l.begins = append(l.begins, len(l.items)) }

// spend adds what leaves by an operation, unless its rule is switched off.
func (c *checker) spend(at site, item outgoing) {
	item.site = at
	item.mint = assetOf(item.mint)
	if item.amount == 0 || c.guard.off != "" && c.guard.off == item.fallsUnder(c.want) {
		return
	}
	item.movement = c.report.leaves(&item)
	c.ledger.items = append(c.ledger.items, item)
}

// settle matches what the transaction of an index sends to the caps, and then
// the whole set's, when it is the last.
func (l *ledger) settle(last bool) *GuardError {
	first := l.begins[len(l.begins)-1]
	if err := l.fit(l.items[first:], l.begins[len(l.begins)-1:]); err != nil {
		return err
	}
	if !last || len(l.begins) == 1 || l.off == RuleSet {
		return nil
	}
	err := l.fit(l.items, l.begins)
	if err != nil {
		// Each transaction fits by itself: it is the sum that does not.
		err.Rule = RuleSet
		err.Found += ", with the other transactions of the set"
	}
	return err
}

// fit matches items, of the transactions that begin at begins, to the caps.
func (l *ledger) fit(items []outgoing, begins []int) *GuardError {
	m := matching{want: l.want, items: items, begins: begins}
	if m.direct() || m.search() {
		return nil
	}
	return m.refusal()
}

// sum adds amounts without overflow.
type sum struct{ high, low uint64 }

func (s sum) plus(n uint64) sum {
	low, carry := bits.Add64(s.low, n, 0)
	return sum{s.high + carry, low}
}

func (s sum) minus(n uint64) sum {
	low, borrow := bits.Sub64(s.low, n, 0)
	return sum{s.high - borrow, low}
}

func (s sum) exceeds(n uint64) bool { return s.high > 0 || s.low > n }

// fallsUnder is the rule that refuses the item where no cap has room for it.
func (item *outgoing) fallsUnder(w *wanted) Rule {
	if item.may&asSpend == 0 && item.may&(asTip|asFee) != 0 {
		return unnamedRule(w, item)
	}
	return item.rule
}
