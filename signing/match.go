package signing

// matching assigns outgoing amounts to caps: spend, burn and rent add up,
// while of the tip and of the service's fee a transaction has one each, and
// both add up over the set. What may count as several is tried as each, so
// that an honest transaction fits whatever its order.
type matching struct {
	want   *wanted
	items  []outgoing
	begins []int // first item of each transaction, in the ledger's counting

	tip  sum
	fees []sum // by want.fee
	work int
}

// maxMatchWork bounds the search. An honest set needs a handful of steps; one
// that needs more than this is refused.
const maxMatchWork = 4096

// direct counts everything as spend, burn or rent, and succeeds where that
// fits.
func (m *matching) direct() bool {
	for i := range m.items {
		item := &m.items[i]
		item.as = item.may & (asSpend | asBurn)
		if item.may&asRent != 0 {
			item.as = asRent
		}
		if item.as == 0 {
			return false
		}
	}
	return m.addsUp() < 0
}

// addsUp returns the first item whose sum is past its cap, -1 where all fit.
// The lists are short: a transaction has room for some sixty transfers.
func (m *matching) addsUp() int {
	var rent sum
	for i := range m.items {
		item := &m.items[i]
		switch item.as {
		case asRent:
			if rent = rent.plus(item.amount); rent.exceeds(m.want.rent) {
				return i
			}
		case asSpend, asBurn:
			if m.total(i).exceeds(m.cap(item)) {
				return i
			}
		}
	}
	return -1
}

// total adds up what counts as the same as item i, up to it.
func (m *matching) total(i int) (t sum) {
	for j := range m.items[:i+1] {
		if m.items[j].as == m.items[i].as && m.items[j].mint == m.items[i].mint {
			t = t.plus(m.items[j].amount)
		}
	}
	return t
}

func (m *matching) cap(item *outgoing) uint64 {
	if item.as == asBurn {
		return most(m.want.burn, item.mint)
	}
	return most(m.want.spend, item.mint)
}

// search tries which item of each transaction is its tip and which its fee.
func (m *matching) search() bool {
	m.fees = make([]sum, len(m.want.fee))
	m.work = maxMatchWork
	m.rentFirst()
	return m.try(0)
}

// rentFirst counts what a simulated call pays to a new account as rent as
// long as the cap allows, and otherwise as spend.
func (m *matching) rentFirst() {
	var rent sum
	for i := range m.items {
		item := &m.items[i]
		item.as = item.may & (asSpend | asBurn)
		if item.may&asRent != 0 && (item.as == 0 || !rent.plus(item.amount).exceeds(m.want.rent)) {
			item.as = asRent
			rent = rent.plus(item.amount)
		}
	}
}

// try chooses tip and fee of transaction n and of those after it.
func (m *matching) try(n int) bool {
	if m.work--; m.work < 0 {
		return false
	}
	if n == len(m.begins) {
		return m.addsUp() < 0
	}
	from, to := m.span(n)
	for tip := from - 1; tip < to; tip++ { // from-1 is no tip at all
		if tip >= from && !m.take(tip, asTip) {
			continue
		}
		for fee := from - 1; fee < to; fee++ {
			if fee >= from && (fee == tip || !m.take(fee, asFee)) {
				continue
			}
			if m.covered(from, to) && m.try(n+1) {
				return true
			}
			if fee >= from {
				m.give(fee)
			}
			if m.work < 0 {
				return false
			}
		}
		if tip >= from {
			m.give(tip)
		}
	}
	return false
}

func (m *matching) span(n int) (from, to int) {
	to = len(m.items)
	if n+1 < len(m.begins) {
		to = m.begins[n+1] - m.begins[0]
	}
	return m.begins[n] - m.begins[0], to
}

// take counts item i as a tip or a fee, where it may and the cap holds.
func (m *matching) take(i int, as bucket) bool {
	item := &m.items[i]
	if item.may&as == 0 {
		return false
	}
	total, cap := &m.tip, m.want.tip
	if as == asFee {
		f := m.feeIndex(item.mint)
		if f < 0 {
			return false
		}
		total, cap = &m.fees[f], m.want.fee[f].most
	}
	if total.plus(item.amount).exceeds(cap) {
		return false
	}
	*total = total.plus(item.amount)
	item.as = as
	return true
}

// give takes it back.
func (m *matching) give(i int) {
	item := &m.items[i]
	if item.as == asTip {
		m.tip = m.tip.minus(item.amount)
	} else {
		f := m.feeIndex(item.mint)
		m.fees[f] = m.fees[f].minus(item.amount)
	}
	item.as = item.may & (asSpend | asBurn)
	if item.as == 0 {
		item.as = item.may & asRent
	}
}

func (m *matching) feeIndex(mint PublicKey) int {
	for i := range m.want.fee {
		if m.want.fee[i].mint == mint {
			return i
		}
	}
	return -1
}

// covered reports whether every item of a transaction counts as something.
func (m *matching) covered(from, to int) bool {
	for i := from; i < to; i++ {
		if m.items[i].as == 0 {
			return false
		}
	}
	return true
}
