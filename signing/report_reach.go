package signing

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// called has the calls of one program that are alike.
type called struct {
	*Reach
	times int
}

// reaches says it of every program once: first the call that may take most.
func (t *people) reaches() {
	all := t.alikes()
	for len(all) > 0 {
		first := all[0]
		same := func(c called) bool { return c.Program == first.Program && c.Grade == first.Grade }
		t.say("  Program %s ", t.program(first.Program))
		for i, c := range all {
			if !same(c) {
				continue
			}
			if i > 0 {
				t.say("; in another call it ")
			}
			t.call(c)
		}
		t.line("; your policy lets it be called %s%s", first.Grade.text(), t.checked(first.Program))
		all = slices.DeleteFunc(all, same)
	}
}

// alikes are the calls, once those that are alike, the most dangerous first.
func (t *people) alikes() (calls []called) {
	all := t.report.Reaches
	var key []byte
	at := map[string]int{}
	for i := range all {
		r := &all[i]
		if t.report.done(r) {
			continue
		}
		key = fmt.Appendf(key[:0], "%s %d %d %t %s ", r.Grade, r.Unknown, r.Unshown, r.Unsigned, r.Calls)
		for _, keys := range [][]PublicKey{{r.Program}, r.Ours, r.Within, r.Positions} {
			key = append(key, byte(len(keys)))
			for _, k := range keys {
				key = append(key, k[:]...)
			}
		}
		n, met := at[string(key)]
		if !met {
			n = len(calls)
			at[string(key)] = n
			calls = append(calls, called{Reach: r})
		}
		calls[n].times++
	}
	slices.SortStableFunc(calls, func(a, b called) int { return cmp.Compare(b.danger(), a.danger()) })
	return calls
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

// call says what a call may do to the owner, at worst.
func (t *people) call(c called) {
	t.takes(c.Reach)
	if len(c.Within) > 0 && !t.lasting {
		var names []string
		for _, k := range c.Within {
			names = append(names, t.program(k))
		}
		t.say("; it passes your signature on to %s", strings.Join(names, ", "))
	}
	if c.times > 1 {
		t.say(", in each of %d calls", c.times)
	}
	if c.Calls != "" {
		t.say("; its IDL file calls this one %s", printable(c.Calls))
	}
}

// checked says whether anything was looked at of what a program does.
func (t *people) checked(program PublicKey) string {
	if t.lasting {
		return ""
	}
	unseen := t.report.unsimulated()
	if slices.ContainsFunc(t.report.Reaches, func(r Reach) bool {
		return r.Program == program && slices.Contains(unseen, r.Transaction+1)
	}) {
		return "; what it does was not checked"
	}
	return "; a simulation showed what it does, and it can do otherwise when executed"
}

// that says of accounts that it is not known whose they are.
func that(n int) string {
	if n == 1 {
		return " of which it was not shown whose it is"
	}
	return " of which it was not shown whose they are"
}

// takes says what of the owner's it may take.
func (t *people) takes(r *Reach) {
	could := "could take "
	if t.report.Refusal != nil {
		could = "could have taken "
	}
	what := t.stakes(&stake{ours: r.Ours, positions: r.Positions, unknown: r.Unknown, unshown: r.Unshown})
	switch {
	case what == "" && r.Unsigned:
		t.say("may write no account of yours")
	case what == "":
		t.say("has your signature, and may write no account that is known to be yours")
	case r.Unsigned:
		t.say("%sthis without your signature, %s: %s", could, permitted, what)
	case what == t.atWorst:
		t.say("%sall that is named at the top", could)
	default:
		t.say("%s%s", could, what)
	}
}
