package caps

import "slices"

// Matching assigns the items of one or more transactions to caps.
type Matching struct {
	Caps   *Caps
	Items  []Item
	Begins []int           // first item of each transaction; Begins[0] is Items' first
	Steps  *int            // left for the search; below zero it gives up
	Done   <-chan struct{} // gives up once it is closed; nil for never

	tip   Sum
	fees  []Sum // by Caps.Fee
	sums  []Sum // as sumOf numbers them
	over  int   // how many of them are past their caps
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
	m.clear()
	for i := range m.Items {
		sum := m.sumOf(&m.Items[i])
		if sum < 0 {
			continue
		}
		if m.sums[sum] = m.sums[sum].Plus(m.Items[i].Amount); m.sums[sum].Exceeds(m.most(sum)) {
			return i
		}
	}
	return -1
}

func (m *Matching) clear() {
	m.sums = slices.Grow(m.sums[:0], m.uncapped()+1)[:m.uncapped()+1]
	clear(m.sums)
}

// The sums are those of Caps.Spend, of Caps.Burn, both rents, and what has no cap.
func (m *Matching) rent() int     { return len(m.Caps.Spend) + len(m.Caps.Burn) }
func (m *Matching) uncapped() int { return m.rent() + 2 }

// sumOf returns which of the sums an item counts in, -1 for a tip and a fee, which are
// added up apart.
func (m *Matching) sumOf(item *Item) int {
	limits, first := m.Caps.Spend, 0
	switch item.As {
	case Rent:
		return m.rent()
	case ForeignRent:
		return m.rent() + 1
	case Burn:
		limits, first = m.Caps.Burn, len(m.Caps.Spend)
	case Spend:
	default:
		return -1
	}
	if i := indexOf(limits, item.Mint); i >= 0 {
		return first + i
	}
	return m.uncapped()
}

// most is the cap of a sum.
func (m *Matching) most(sum int) uint64 {
	switch spends := len(m.Caps.Spend); {
	case sum < spends:
		return m.Caps.Spend[sum].Most
	case sum < m.rent():
		return m.Caps.Burn[sum-spends].Most
	case sum == m.rent():
		return m.Caps.Rent
	case sum == m.rent()+1:
		return m.Caps.ForeignRent
	}
	return 0
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
	m.clear()
	for i := range m.Items {
		item := &m.Items[i]
		item.fee = indexOf(m.Caps.Fee, item.Mint)
		if item.sum = m.sumOf(item); item.sum >= 0 {
			m.sums[item.sum] = m.sums[item.sum].Plus(item.Amount)
		}
	}
	m.over = 0
	for i, sum := range m.sums {
		if sum.Exceeds(m.most(i)) {
			m.over++
		}
	}
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

// try chooses tip and fee of transaction n and of those after it. Every item has to count as something.
func (m *Matching) try(n int) bool {
	if n == len(m.Begins) {
		return m.over == 0
	}
	from, to := m.span(n)
	bare := m.bare(from, to)
	if !m.work(to-from+1) || bare > 2 {
		return false
	}
	for tip := from - 1; tip < to; tip++ { // from-1 is no tip at all
		if tip >= from && !m.choose(tip, Tip) {
			continue
		}
		bare := bare
		if tip >= from && m.Items[tip].was == 0 {
			bare--
		}
		for fee := from - 1; fee < to; fee++ {
			if fee >= from && (fee == tip || !m.choose(fee, Fee)) {
				continue
			}
			covered := bare == 0 || bare == 1 && fee >= from && m.Items[fee].was == 0
			if m.work(1) && covered && m.try(n+1) {
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

// bare counts the items of a transaction that count as nothing yet.
func (m *Matching) bare(from, to int) (n int) {
	for i := from; i < to; i++ {
		if m.Items[i].As == 0 {
			n++
		}
	}
	return n
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
		if item.fee < 0 {
			return false
		}
		total, most = &m.fees[item.fee], m.Caps.Fee[item.fee].Most
	}
	if total.Plus(item.Amount).Exceeds(most) {
		return false
	}
	*total = total.Plus(item.Amount)
	if item.sum >= 0 {
		m.resum(item.sum, m.sums[item.sum].minus(item.Amount))
	}
	item.was, item.As = item.As, as
	return true
}

// undo takes a choice back.
func (m *Matching) undo(i int) {
	item := &m.Items[i]
	if item.As == Tip {
		m.tip = m.tip.minus(item.Amount)
	} else {
		m.fees[item.fee] = m.fees[item.fee].minus(item.Amount)
	}
	item.As = item.was
	if item.sum >= 0 {
		m.resum(item.sum, m.sums[item.sum].Plus(item.Amount))
	}
}

// resum changes a sum.
func (m *Matching) resum(i int, to Sum) {
	most := m.most(i)
	if m.sums[i].Exceeds(most) {
		m.over--
	}
	if to.Exceeds(most) {
		m.over++
	}
	m.sums[i] = to
}
