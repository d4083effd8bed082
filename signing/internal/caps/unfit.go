package caps

// Unfit names an item that does not fit, after Fit has failed. past says that
// its sum is past the cap of what it counts as; otherwise only a tip or a fee
// could cover it, and neither has room.
func (m *Matching) Unfit() (i int, past bool) {
	if i := m.unmatched(); i >= 0 {
		return i, false
	}
	return m.addsUp(), true // one is: if all fitted so, Fit had found it
}

// unmatched returns the first item that is neither a tip nor a fee nor
// anything that adds up, given that a transaction has one tip and one fee.
func (m *Matching) unmatched() int {
	m.tip, m.fees = Sum{}, make([]Sum, len(m.Caps.Fee))
	for n := range m.Begins {
		from, to := m.span(n)
		tip, fee := false, false
		for i := from; i < to; i++ {
			switch {
			case m.Items[i].As != 0:
			case !tip && m.choose(i, Tip):
				tip = true
			case !fee && m.choose(i, Fee):
				fee = true
			default:
				return i
			}
		}
	}
	return -1
}
