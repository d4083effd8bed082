package caps

import (
	"slices"

	"github.com/walletfi/walletfi-go/internal/txwire"
)

// Matching assigns the items of one or more transactions to caps.
type Matching struct {
	Caps   *Caps
	Items  []Item
	Begins []int           // first item of each transaction; Begins[0] is Items' first
	Steps  *int            // left for the search; below zero it gives up
	Done   <-chan struct{} // gives up once it is closed; nil for never

	tip   Sum
	fees  []Sum // by Caps.Fee
	spent []Sum // by Caps.Spend, then by Caps.Burn
	since int   // steps since the last look at Done
}

// Fit assigns each item, and reports whether all caps hold. If it does not
// find out within Steps, or before Done, it is false, and Steps is negative.
func (m *Matching) Fit() bool { return m.direct() || m.search() }

// look is how many steps pass, some microseconds, between two looks at Done.
const look = 1 << 12

// work counts n steps and reports whether there are any left.
func (m *Matching) work(n int) bool {
	if m.since += n; m.since >= look {
		m.since = 0
		select {
		case <-m.Done:
			*m.Steps = -1
			return false
		default:
		}
	}
	*m.Steps -= n
	return *m.Steps >= 0
}

// rents are counted apart from each other.
const rents = Rent | ForeignRent

// direct counts everything as spend, burn or rent, and succeeds if that fits.
func (m *Matching) direct() bool {
	for i := range m.Items {
		item := &m.Items[i]
		item.As = item.May & (Spend | Burn)
		if rent := item.May & rents; rent != 0 {
			item.As = rent
		}
		if item.As == 0 {
			return false
		}
	}
	return m.addsUp() < 0
}

// addsUp returns the first item whose sum is past its cap, -1 if all fit.
func (m *Matching) addsUp() int {
	var rent, foreign Sum
	m.spent = slices.Grow(m.spent[:0], len(m.Caps.Spend)+len(m.Caps.Burn))[:len(m.Caps.Spend)+len(m.Caps.Burn)]
	clear(m.spent)
	for i := range m.Items {
		item := &m.Items[i]
		switch item.As {
		case Rent:
			if rent = rent.Plus(item.Amount); rent.Exceeds(m.Caps.Rent) {
				return i
			}
		case ForeignRent:
			if foreign = foreign.Plus(item.Amount); foreign.Exceeds(m.Caps.ForeignRent) {
				return i
			}
		case Spend, Burn:
			if !m.adds(item) {
				return i
			}
		}
	}
	return -1
}

// adds counts an item as spent or burned, and reports whether its cap holds.
func (m *Matching) adds(item *Item) bool {
	limits, first := m.Caps.Spend, 0
	if item.As == Burn {
		limits, first = m.Caps.Burn, len(m.Caps.Spend)
	}
	for i := range limits {
		if limits[i].Mint == item.Mint {
			total := &m.spent[first+i]
			*total = total.Plus(item.Amount)
			return !total.Exceeds(limits[i].Most)
		}
	}
	return item.Amount == 0
}

// Total adds up what counts as the same as item i, up to it.
func (m *Matching) Total(i int) (t Sum) {
	for j := range m.Items[:i+1] {
		if m.Items[j].As == m.Items[i].As && m.Items[j].Mint == m.Items[i].Mint {
			t = t.Plus(m.Items[j].Amount)
		}
	}
	return t
}

// Cap is the cap of an item that counts as spend or burn.
func (m *Matching) Cap(item *Item) uint64 {
	if item.As == Burn {
		return Most(m.Caps.Burn, item.Mint)
	}
	return Most(m.Caps.Spend, item.Mint)
}

// search tries which item of each transaction is its tip and which its fee.
func (m *Matching) search() bool {
	m.fees = make([]Sum, len(m.Caps.Fee))
	m.rentFirst()
	return m.try(0)
}

// rentFirst counts each item as what it may be besides a tip or a fee. What a
// simulated call pays to a new account is rent as long as the cap has room beside
// what can be nothing else, and otherwise spend.
func (m *Matching) rentFirst() {
	var rent Sum
	for i := range m.Items {
		item := &m.Items[i]
		if item.As = item.May & (Spend | Burn); item.As == 0 {
			item.As = item.May & rents
		}
		if item.As == Rent {
			rent = rent.Plus(item.Amount)
		}
	}
	for i := range m.Items {
		item := &m.Items[i]
		if item.As != Rent && item.May&Rent != 0 && !rent.Plus(item.Amount).Exceeds(m.Caps.Rent) {
			item.As = Rent
			rent = rent.Plus(item.Amount)
		}
	}
}

// try chooses tip and fee of transaction n and of those after it.
func (m *Matching) try(n int) bool {
	if n == len(m.Begins) {
		return m.work(len(m.Items)) && m.addsUp() < 0
	}
	from, to := m.span(n)
	for tip := from - 1; tip < to; tip++ { // from-1 is no tip at all
		if tip >= from && !m.choose(tip, Tip) {
			continue
		}
		for fee := from - 1; fee < to; fee++ {
			if fee >= from && (fee == tip || !m.choose(fee, Fee)) {
				continue
			}
			if m.work(to-from+1) && m.covered(from, to) && m.try(n+1) {
				return true
			}
			if fee >= from {
				m.undo(fee)
			}
			if *m.Steps < 0 {
				return false
			}
		}
		if tip >= from {
			m.undo(tip)
		}
	}
	return false
}

func (m *Matching) span(n int) (from, to int) {
	to = len(m.Items)
	if n+1 < len(m.Begins) {
		to = m.Begins[n+1] - m.Begins[0]
	}
	return m.Begins[n] - m.Begins[0], to
}

// choose counts item i as a tip or a fee, if it may and the cap holds.
func (m *Matching) choose(i int, as Bucket) bool {
	item := &m.Items[i]
	if item.May&as == 0 {
		return false
	}
	total, most := &m.tip, m.Caps.Tip
	if as == Fee {
		f := m.feeIndex(item.Mint)
		if f < 0 {
			return false
		}
		total, most = &m.fees[f], m.Caps.Fee[f].Most
	}
	if total.Plus(item.Amount).Exceeds(most) {
		return false
	}
	*total = total.Plus(item.Amount)
	item.was, item.As = item.As, as
	return true
}

// undo takes a choice back.
func (m *Matching) undo(i int) {
	item := &m.Items[i]
	if item.As == Tip {
		m.tip = m.tip.minus(item.Amount)
	} else {
		f := m.feeIndex(item.Mint)
		m.fees[f] = m.fees[f].minus(item.Amount)
	}
	item.As = item.was
}

func (m *Matching) feeIndex(mint txwire.Key) int {
	for i := range m.Caps.Fee {
		if m.Caps.Fee[i].Mint == mint {
			return i
		}
	}
	return -1
}

// covered reports whether every item of a transaction counts as something.
func (m *Matching) covered(from, to int) bool {
	for i := from; i < to; i++ {
		if m.Items[i].As == 0 {
			return false
		}
	}
	return true
}
