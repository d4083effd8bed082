package signing

import (
	"cmp"
	"slices"
)

// caller is a program that is called, as it is pinned, and what its calls could take.
type caller struct {
	*Reach           // the first of its calls
	signed, unsigned stake
	within           []PublicKey
	calls            []string
	danger           int
	signs, unseen    bool
}

// reaches says of every program once what it could take.
func (t *people) reaches() {
	for _, c := range t.callers() {
		t.say("  Program %s %s", t.program(c.Program), t.takes(c))
		if len(c.within) > 0 && !t.lasting {
			var names []string
			for _, k := range c.within {
				names = append(names, t.program(k))
			}
			t.say("; it passes your signature on to %s", and(names))
		}
		if len(c.calls) > 0 {
			t.say("; a description file names this call %s, which proves nothing (Policy.IDLs)", and(c.calls))
		}
		t.line("; this wallet's settings let services call %s", c.Grade.text())
	}
}

// callers are the programs that are called, the most dangerous first.
func (t *people) callers() (all []*caller) {
	unseen := t.report.unsimulated()
	for i := range t.report.Reaches {
		r := &t.report.Reaches[i]
		if t.report.done(r) {
			continue
		}
		at := slices.IndexFunc(all, func(c *caller) bool { return c.Program == r.Program && c.Grade == r.Grade })
		if at < 0 {
			at, all = len(all), append(all, &caller{Reach: r})
		}
		c := all[at]
		if r.Unsigned {
			c.unsigned.add(r)
		} else {
			c.signs = true
			c.signed.add(r)
		}
		c.within, c.danger = joined(c.within, r.Within), max(c.danger, r.danger())
		c.unseen = c.unseen || slices.Contains(unseen, r.Transaction+1)
		if name := printable(r.Calls); r.Calls != "" && !slices.Contains(c.calls, name) {
			c.calls = append(c.calls, name)
		}
	}
	slices.SortStableFunc(all, func(a, b *caller) int { return cmp.Compare(b.danger, a.danger) })
	return all
}

// done reports a call of a transaction that is executed.
func (r *Report) done(of *Reach) bool {
	return of.Transaction < len(r.Transactions) && r.Transactions[of.Transaction].JudgedBy == ByExecution
}

// danger is greater of a call that may take more.
func (r *Reach) danger() int {
	switch {
	case len(r.Ours)+len(r.Positions)+r.Unknown == 0:
		return min(r.Unshown, 1)
	case r.Unsigned:
		return 2
	}
	return 3
}

// takes says what of the owner's a program could take, and whether anything was looked at of what
// it does.
func (t *people) takes(c *caller) string {
	signed, unsigned := t.stakes(&c.signed), t.stakes(&c.unsigned)
	checked, could := "", t.would("could take ", "could have taken ")
	switch {
	case t.report.Refusal != nil, t.lasting:
	case c.unseen:
		checked = "was not checked; it "
	default:
		checked = "kept to your limits in the simulation; if it does otherwise when executed, it "
	}
	const all = "all that is in these when it runs, and control of them for later: "
	const permitted = "only where you gave it permission earlier or where it keeps the account (not looked up): "
	switch {
	case signed != "" && unsigned != "":
		return checked + could + all + signed + "; and, " + permitted + unsigned
	case signed != "":
		return checked + could + all + signed
	case unsigned != "":
		return checked + could + permitted + unsigned
	case !c.signs:
		return checked + "gets no account of yours, so that it can take nothing (this is proven)"
	}
	return checked + "gets your signature, and no account that is known to be yours"
}
