package signing

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing/internal/caps"
)

// unheld reports that a program could take more than was asked for.
func (r *Report) unheld() bool {
	return r.Refusal == nil &&
		slices.ContainsFunc(r.Reaches, func(reach Reach) bool { return !r.done(&reach) && reach.danger() > 0 })
}

// worst says what is lost if each program takes all that it can.
func (t *people) worst() {
	r := t.report
	if r.Refusal != nil {
		return
	}
	var s stake
	signs := false
	for i := range r.Reaches {
		if !r.done(&r.Reaches[i]) {
			s.add(&r.Reaches[i])
			signs = signs || !r.Reaches[i].Unsigned
		}
	}
	held := !r.unheld() && !signs // then bytes bound what is lost, and what comes
	all, paid, get := t.stakes(&s, !t.lasting), t.amounts(r.paid(&s)), ""
	closes := slices.ContainsFunc(r.Notes, func(n Note) bool {
		return n.Kind == NoteClose && n.To == r.Owner &&
			r.reaching(Movement{Transaction: n.Transaction, To: n.Account}) == nil
	})
	switch least := t.amounts(r.Intent.Receive); {
	case len(r.keeps()) == 0 && !closes && held && len(r.Arrives) == 0:
		get = ". Nothing comes to you in return"
	case len(r.keeps()) == 0 && !closes:
		get = ". Nothing is certain to come in return"
	case r.Unproven && least != "":
		get = ". At worst you get less than " + least
	}
	if all != "" {
		all += ", and what these get later, if a program takes control and you go on using them"
	}
	switch {
	case all != "" && paid != "":
		all += "; in addition what the lines below name, up to " + paid
	case paid != "":
		all = paid
	case all == "":
		all = "nothing"
	}
	if held {
		all += ", and no more"
	}
	t.line("At worst you lose: %s%s", all, get)
}

// paid are the sums of what is not yet executed costs for certain, or may, without SOL of a wallet that is
// at stake as a whole.
func (r *Report) paid(s *stake) (sums []walletfi.Asset) {
	add := func(mint PublicKey, amount walletfi.Amount) {
		if amount == 0 || mint == NativeMint && slices.Contains(s.ours, r.Owner) {
			return
		}
		i := slices.IndexFunc(sums, func(a walletfi.Asset) bool { return a.Mint == mint.String() })
		if i < 0 {
			i, sums = len(sums), append(sums, walletfi.Asset{Mint: mint.String()})
		}
		sums[i].Amount = caps.Add(sums[i].Amount, amount)
	}
	counted := func(m Movement) bool { // in what is at stake as a whole
		i := slices.IndexFunc(r.Notes, func(n Note) bool {
			return n.Kind == NoteApproval && n.Transaction == m.Transaction && n.Instruction == m.Instruction
		})
		return m.Rule == RuleTokenBurn && slices.Contains(s.ours, m.To) ||
			m.Rule == RuleTokenApprove && i >= 0 && slices.Contains(s.ours, r.Notes[i].Account)
	}
	open := func(m Movement) bool {
		return m.Transaction >= len(r.Transactions) || r.Transactions[m.Transaction].JudgedBy != ByExecution
	}
	for _, m := range r.Leaves {
		back := m.Rule == RuleRent && r.own(m) && r.reaching(m) == nil && r.closing(m) >= 0
		if open(m) && !back && !counted(m) && !(m.Simulated && r.unheld()) {
			add(m.Mint, m.Amount)
		}
	}
	for _, m := range r.Stays {
		if open(m) && !m.Simulated && m.To != r.Owner && (!r.Simulated || r.reaching(m) != nil || r.lent(m.To)) {
			add(m.Mint, m.Amount)
		}
	}
	for _, tx := range r.Transactions {
		if tx.FeePayer == r.Owner && tx.JudgedBy != ByExecution {
			add(NativeMint, caps.Add(tx.BaseFeeLamports, tx.PriorityLamports))
		}
	}
	return sums
}

// lent reports an account of which another can take what comes into it.
func (r *Report) lent(k PublicKey) bool {
	return slices.ContainsFunc(r.Notes, func(n Note) bool { return n.Kind == NotePermission && n.Account == k })
}

// stake has the accounts of the owner's that calls may write, each once.
type stake struct {
	ours, positions  []PublicKey
	unknown, unshown int
	upTo             bool // the numbers may count an account twice
}

// add joins what a call may write.
func (s *stake) add(r *Reach) {
	s.ours, s.positions = joined(s.ours, r.Ours), joined(s.positions, r.Positions)
	s.upTo = s.upTo || s.unknown+s.unshown > 0
	s.unknown, s.unshown = s.unknown+r.Unknown, s.unshown+r.Unshown
}

// joined has the keys of both, each once.
func joined(to, from []PublicKey) []PublicKey {
	for _, k := range from {
		if !slices.Contains(to, k) {
			to = append(to, k)
		}
	}
	return to
}

// others names accounts that may be the owner's and have no name.
func (s *stake) others(n int, which, why string) string {
	if n == 1 {
		return "all in 1 " + which + "account, if it is yours" + why
	}
	of := strconv.Itoa(n)
	if s.upTo {
		of = "up to " + of
	}
	return "all in " + of + " " + which + "accounts, as far as they are yours" + why
}

// stakes names accounts that may be written, with what they held if that is wanted, "" if there are none.
func (t *people) stakes(s *stake, amounts bool) string {
	const unread = " (what is in it was not looked up)"
	hidden, unshown := "", ""
	if amounts {
		hidden, unshown = " (address in a table on the ledger, which was not read)", " (owner not looked up)"
	}
	var all []string
	for _, k := range s.ours {
		name := "all in " + t.account(k)
		if k == t.report.Owner {
			name = "all SOL of " + t.account(k)
		}
		i := slices.IndexFunc(t.report.Holds, func(h Holding) bool { return h.Account == k })
		switch {
		case !amounts:
		case i < 0:
			name += unread
		case t.report.Holds[i].Amount == 0:
			name += " (nothing in it when checked)"
		case t.report.Holds[i].Mint.IsZero():
			name = "all that program " + t.program(t.report.Holds[i].Program) + " keeps for you in " + t.account(k)
		default:
			name += " (" + t.amount(t.report.Holds[i].Mint, t.report.Holds[i].Amount) + " when checked)"
		}
		all = append(all, name)
	}
	for _, k := range s.positions {
		i := slices.IndexFunc(t.report.Holds, func(h Holding) bool { return h.Account == k && !h.Program.IsZero() })
		if i >= 0 && !t.lasting && !slices.Contains(s.ours, k) {
			all = append(all, "all in account "+t.short(k)+" of program "+t.program(t.report.Holds[i].Program)+
				", which has your address in it"+unread)
		}
	}
	if s.unknown > 0 {
		all = append(all, s.others(s.unknown, "", hidden))
	}
	if s.unshown > 0 {
		all = append(all, s.others(s.unshown, "other ", unshown))
	}
	return and(all)
}

// and joins the parts of a list.
func and(parts []string) string {
	if len(parts) < 2 {
		return strings.Join(parts, "")
	}
	last := len(parts) - 1
	return strings.Join(parts[:last], ", ") + " and " + parts[last]
}

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
	all := t.callers()
	risky := slices.DeleteFunc(slices.Clone(all), func(c *caller) bool { return c.danger == 0 })
	for _, c := range all {
		if c.signs || c.danger > 0 {
			t.reach(c, t.takes(c, t.report.Refusal == nil && len(risky) == 1))
		}
	}
}

// reach is the line of a program, with what it could take.
func (t *people) reach(c *caller, takes string) {
	t.say("  Program %s %s", t.program(c.Program), takes)
	if len(c.within) > 0 && !t.lasting {
		var names []string
		for _, k := range c.within {
			names = append(names, t.program(k))
		}
		t.say("; it passes your signature on to %s", and(names))
	}
	if len(c.calls) > 0 {
		t.say("; a description file calls this %s (Policy.IDLs), and the program can do otherwise", and(c.calls))
	}
	t.line("; this wallet's settings let services call %s", c.Grade.text())
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
// it does. If no other could take anything, the line above has said what.
func (t *people) takes(c *caller, alone bool) string {
	signed, unsigned := t.stakes(&c.signed, false), t.stakes(&c.unsigned, false)
	could := t.would("could take ", "could have taken ")
	switch {
	case t.report.Refusal != nil, t.lasting:
	case c.unseen:
		could = "was not checked: it " + could
	default:
		could = "was watched in a simulation only: when executed, it " + could
	}
	const permitted = " if a permission from before lets it, or if it keeps that for you (neither was looked up)"
	switch {
	case alone && signed != "" && unsigned == "":
		return could + "all that \"At worst\" names"
	case alone && signed == "" && unsigned != "":
		return could + "all that \"At worst\" names," + permitted
	case signed != "" && unsigned != "":
		return could + "by your signature " + signed + "; and " + unsigned + "," + permitted
	case unsigned != "":
		return could + unsigned + "," + permitted
	case signed != "":
		return could + signed
	}
	return "gets your signature, and no account that is known to be yours"
}

// reaching is a call of a pinned program that may write the account that an amount moves
// to, as one with our signature may that writes unknown accounts; nil if none may.
func (r *Report) reaching(m Movement) *Reach {
	i := slices.IndexFunc(r.Reaches, func(reach Reach) bool {
		return reach.Transaction >= m.Transaction &&
			(slices.Contains(reach.Ours, m.To) || !reach.Unsigned && reach.Unknown+reach.Unshown > 0)
	})
	if i < 0 {
		return nil
	}
	return &r.Reaches[i]
}

// closing is the note of what returns an amount within its transaction, -1 if nothing does.
func (r *Report) closing(m Movement) int {
	return slices.IndexFunc(r.Notes, func(n Note) bool {
		return n.Kind == NoteClose && n.Account == m.To && n.To == r.Owner && n.Transaction == m.Transaction &&
			n.Instruction > m.Instruction
	})
}

// through is the same amount as a simulated one, which goes to an account of the owner's earlier
// in the transaction; nil if none does. Whether it is the one that leaves is not known.
func (r *Report) through(of Movement) *Movement {
	i := slices.IndexFunc(r.Stays, func(m Movement) bool {
		return !m.Simulated && m.Transaction == of.Transaction && m.Instruction < of.Instruction &&
			m.Mint == of.Mint && m.Amount == of.Amount && r.reaching(m) != nil
	})
	if i < 0 {
		return nil
	}
	return &r.Stays[i]
}

// passed reports whether an amount was seen to leave again, whole.
func (r *Report) passed(m Movement) bool {
	return slices.ContainsFunc(r.Leaves, func(out Movement) bool {
		through := r.through(out)
		return out.Simulated && through != nil && *through == m
	})
}
