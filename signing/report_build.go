package signing

import "slices"

func newReport(w *wanted) *Report {
	// Room for what an ordinary transaction reports, in one allocation.
	room := new(struct {
		Report
		transactions [1]TransactionReport
		leaves       [2]Movement
		stays        [1]Movement
		reaches      [1]Reach
		notes        [2]Note
	})
	r := &room.Report
	r.Owner, r.Service, r.unchecked = w.owner, w.service, w.height == 0
	r.Transactions, r.Leaves, r.Stays = room.transactions[:0], room.leaves[:0], room.stays[:0]
	r.Reaches, r.Notes = room.reaches[:0], room.notes[:0]
	return r
}

// refused is the report of a set that could not even be read.
func refused(err error) *Report {
	refusal, _ := err.(*GuardError)
	return &Report{Refusal: refusal}
}

func (r *Report) begin(c *checker) {
	r.Transactions = append(r.Transactions, TransactionReport{Version: c.tx.version.String(), FeePayer: c.tx.FeePayer()})
	if c.tx.lookupCount > 0 && c.loaded == nil {
		r.unresolved = true
	}
}

func (r *Report) fee(c *checker, base, priority uint64) {
	r.Transactions[c.index].BaseFeeLamports, r.Transactions[c.index].PriorityLamports = base, priority
}

func (r *Report) signer(c *checker, k PublicKey, late bool) {
	t := &r.Transactions[c.index]
	if late {
		t.AwaitsSignaturesOf = append(t.AwaitsSignaturesOf, k)
	} else {
		t.SignedBy = append(t.SignedBy, k)
	}
}

// leaves adds an outgoing amount and returns its place.
func (r *Report) leaves(item *outgoing) int {
	r.Leaves = append(r.Leaves, movement(item.site, item.rule, item.mint, item.amount, item.to))
	return len(r.Leaves) - 1
}

// burns adds a burn that has no cap.
func (r *Report) burns(at site, item outgoing) {
	m := movement(at, item.rule, item.mint, item.amount, item.to)
	m.CountsAs = CountsAsBurn
	r.Leaves = append(r.Leaves, m)
}

func (r *Report) stays(at site, mint PublicKey, amount uint64, to *PublicKey) {
	r.Stays = append(r.Stays, movement(at, "", assetOf(mint), amount, to))
}

func movement(at site, rule Rule, mint PublicKey, amount uint64, to *PublicKey) Movement {
	m := Movement{Transaction: at.transaction, Instruction: at.instruction, Simulated: at.simulated, Rule: rule, Mint: mint, Amount: amount, Hidden: to == nil}
	if to != nil {
		m.To = *to
	}
	return m
}

// note adds a note about an account and whom it concerns, either of which may
// be nil.
func (c *checker) note(o *operation, kind NoteKind, about, to *PublicKey, text string) {
	n := Note{Transaction: c.index, Instruction: o.instruction, Kind: kind, Text: text}
	if about != nil {
		n.Account = *about
	}
	if to != nil {
		n.To = *to
	}
	c.report.Notes = append(c.report.Notes, n)
}

// reach reports which accounts of ours a pinned program may write.
func (c *checker) reach(o *operation) {
	r := Reach{Transaction: c.index, Instruction: o.instruction, Program: o.program}
	for i := range o.count() {
		if !o.writes(i) {
			continue
		}
		k := o.at(i)
		switch {
		case k == nil:
			r.Unknown++
		case c.keeps(k, o) && !slices.Contains(r.Ours, *k):
			if r.Ours == nil {
				r.Ours = make([]PublicKey, 0, 4)
			}
			r.Ours = append(r.Ours, *k)
		}
	}
	c.report.Reaches = append(c.report.Reaches, r)
}

// settled says of each outgoing amount what it was counted as.
func (r *Report) settled(l *ledger) {
	for i := range l.items {
		r.Leaves[l.items[i].movement].CountsAs = l.items[i].as.counts()
	}
}

func (b bucket) counts() Counts {
	switch b {
	case asTip:
		return CountsAsTip
	case asFee:
		return CountsAsFee
	case asRent:
		return CountsAsRent
	case asBurn:
		return CountsAsBurn
	}
	return CountsAsSpend
}
