package signing

import (
	"fmt"
	"slices"
	"strings"
)

// reaches says it of every call, once of those that are alike.
func (t *people) reaches() {
	all := t.report.Reaches
	var key []byte
	first, times := map[string]int{}, make([]int, len(all))
	for i := range all {
		r := &all[i]
		key = fmt.Appendf(key[:0], "%s %d %d %t %s ", r.Grade, r.Unknown, r.Unshown, r.Unsigned, r.Calls)
		for _, keys := range [][]PublicKey{{r.Program}, r.Ours, r.Within} {
			key = append(key, byte(len(keys)))
			for _, k := range keys {
				key = append(key, k[:]...)
			}
		}
		at, met := first[string(key)]
		if !met {
			at = i
			first[string(key)] = i
		}
		times[at]++
	}
	for i, n := range times {
		switch n {
		case 0:
		case 1:
			t.line("  %s", t.reach(&all[i]))
		default:
			t.line("  %s, in each of %d calls", t.reach(&all[i]), n)
		}
	}
}

// reach says what a pinned program may do to the owner, at worst.
func (t *people) reach(r *Reach) string {
	text := t.takes(r)
	if r.Unshown > 0 {
		text += "; it may also write " + plural(r.Unshown, "account") + that(r.Unshown)
	}
	if len(r.Within) > 0 && !t.lasting {
		var names []string
		for _, k := range r.Within {
			names = append(names, t.program(k))
		}
		text += "; it passes your signature on to " + strings.Join(names, ", ")
	}
	return text
}

// that says of accounts that it is not known whose they are.
func that(n int) string {
	if n == 1 {
		return " of which nobody has shown whose it is"
	}
	return " of which nobody has shown whose they are"
}

// takes says what of the owner's it may take.
func (t *people) takes(r *Reach) string {
	text := "Program " + t.program(r.Program) + " (pinned for " + r.Grade.text()
	if r.Calls != "" {
		text += "; its IDL file calls this one " + printable(r.Calls)
	}
	text += ")"
	all, unread := t.stakes(r)
	known := len(all) > 0
	if len(unread) > 0 {
		of := "all of " + strings.Join(unread, ", ")
		switch {
		case t.lasting:
		case len(unread) == 1 && r.Unknown < 2:
			of += ", whose balance nobody has looked up"
		default:
			of += ", whose balances nobody has looked up"
		}
		all = append(all, of)
	}
	what := strings.Join(all, ", ")
	if known {
		what += " (balances before you sign)"
	}
	switch {
	case what == "" && r.Unsigned && r.Unshown == 0:
		return text + " may write no account of yours"
	case what == "" && r.Unsigned:
		return text + " may write no account that is known to be yours"
	case what == "":
		return text + " has your signature, and may write no account that is known to be yours"
	case r.Unsigned:
		return text + " is called without your signature: only an earlier approval, or their own program," +
			" lets it take " + what
	}
	return text + " may take " + what
}

// stakes names the accounts that a call may write: with what they held, and those of which
// nobody looked that up.
func (t *people) stakes(r *Reach) (all, unread []string) {
	for _, k := range r.Ours {
		name := "your account " + t.short(k)
		if k == t.report.Owner {
			name = "your wallet " + t.short(k)
		}
		i := slices.IndexFunc(t.report.Holds, func(h Holding) bool { return h.Account == k })
		switch {
		case i < 0 || t.lasting:
			unread = append(unread, name)
		case t.report.Holds[i].Amount == 0:
			all = append(all, "what comes into "+name)
		case t.report.Holds[i].Mint.IsZero():
			all = append(all, "all that its program keeps for you in "+name)
		default:
			h := t.report.Holds[i]
			all = append(all, "all "+t.amount(h.Mint, h.Amount)+" of "+name)
		}
	}
	if r.Unknown > 0 {
		unread = append(unread, plural(r.Unknown, "account")+" in a lookup table")
	}
	return all, unread
}
