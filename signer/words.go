package signer

import (
	"fmt"
	"slices"
	"strings"
)

// Words says in sentences what a policy allows, a line each. Two policies that allow the same
// in another order say the same.
func (p *Policy) Words() []string {
	var all []string
	say := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	say("Only on the ledger %s.", p.Genesis)
	for _, o := range p.Owners {
		say("Owner %q signs with %s.", o.Name, o.Key)
		if o.Elsewhere {
			say("The key of owner %q was in other hands before: what it signs there counts under no ceiling.", o.Name)
		}
		for _, a := range o.Accounts {
			say("Owner %q has the token account %s of %s.", o.Name, a.Address, a.Mint)
		}
		all = append(all, boundWords(fmt.Sprintf("owner %q", o.Name), o.Ceilings, o.Exposure)...)
		if len(o.Ceilings) == 0 {
			say("Owner %q has no ceiling: nothing leaves, and no fee is paid.", o.Name)
		}
	}
	for _, t := range p.Templates {
		all = append(all, t.words()...)
	}
	for _, c := range p.Clients {
		if len(c.Templates) > 0 {
			say("Client %q may make owners of template %s, and ask for them.", c.Name, quoted(c.Templates))
		}
		say("Who has %s is client %q: %d requests a second, %d %% of each window of %s, for services %s.",
			c.known(), c.Name, c.Rate, c.Share, quoted(c.Owners), quoted(c.Services))
	}
	for _, s := range p.Services {
		if s.Blind {
			say("Service %q may make calls of which not all is shown: all that they may write may be lost, "+
				"up to the exposure.", s.Name)
		}
		for _, pin := range s.Pins {
			say("Service %q may call %s.", s.Name, pin.words())
		}
	}
	for _, x := range p.Payees {
		say("Transactions may pay %q at %s.", x.Name, x.Address)
		all = append(all, ceilingWords(fmt.Sprintf("To payee %q", x.Name), "goes", x.Ceilings)...)
	}
	say("A transaction costs at most %d lamports of network fees, %d of tip, %d of rent and %d of rent for others.",
		p.Fees.Network, p.Fees.Tip, p.Fees.Rent, p.Fees.ForeignRent)
	for _, k := range p.FeeReceivers {
		say("A service's fee may go to %s.", k)
	}
	for _, k := range p.CoSigners {
		say("%s may sign too.", k)
	}
	for _, k := range p.Sponsors {
		say("%s may pay the network fee.", k)
	}
	for _, k := range p.Rescue {
		say("In mode exit, %s may still be paid.", k)
	}
	for _, uid := range p.Admins {
		say("User %d may freeze, thaw and read the log.", uid)
	}
	return all
}

func (t Template) words() (all []string) {
	say := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	say("There may be %d owners of template %q.", t.Most, t.Name)
	for _, w := range t.Made {
		say("Clients may make %d owners of template %q within any %s.", w.Most, t.Name, w.Length)
	}
	all = append(all, boundWords(fmt.Sprintf("an owner of template %q", t.Name), t.Ceilings, t.Exposure)...)
	for _, x := range t.Sum {
		for _, w := range x.Windows {
			say("From all owners of template %q together leaves at most %d of %s within any %s.",
				t.Name, w.Most, x.Mint, w.Length)
		}
	}
	return all
}

func boundWords(who string, ceilings []Ceiling, exposures []Exposure) []string {
	all := ceilingWords("From "+who, "leaves", ceilings)
	for _, e := range exposures {
		all = append(all, fmt.Sprintf("Programs may write at most %d of %s of %s that only a simulation has judged.",
			e.Most, e.Mint, who))
	}
	return all
}

func ceilingWords(who, verb string, ceilings []Ceiling) (all []string) {
	for _, c := range ceilings {
		all = append(all, fmt.Sprintf("%s %s at most %d of %s in one transaction.", who, verb, c.Transaction, c.Mint))
		for _, w := range c.Windows {
			all = append(all, fmt.Sprintf("%s %s at most %d of %s within any %s.", who, verb, w.Most, c.Mint, w.Length))
		}
	}
	return all
}

func (p Pin) words() string {
	text := "any instruction"
	if p.Instructions != nil {
		text = "instructions " + strings.Join(p.Instructions, ", ")
	}
	text += fmt.Sprintf(" of %s, which may write %s", p.Program, quoted(p.MayWrite))
	switch {
	case p.MustBeOurs == nil:
		return text + "; what it releases may go anywhere"
	case len(*p.MustBeOurs) == 0:
		return text + " and releases nothing"
	}
	return fmt.Sprintf("%s; accounts %v of it must be ours", text, *p.MustBeOurs)
}

func quoted[T ~string](all []T) string {
	if len(all) == 0 {
		return "nothing"
	}
	var texts []string
	for _, text := range all {
		texts = append(texts, fmt.Sprintf("%q", text))
	}
	return strings.Join(texts, ", ")
}

// Diff says what another policy allows more, "+", and less, "-", in the words of Words.
func (p *Policy) Diff(next *Policy) (lines []string) {
	add := func(sign string, all, but []string) {
		for _, line := range all {
			if !slices.Contains(but, line) {
				lines = append(lines, sign+line)
			}
		}
	}
	was, is := p.Words(), next.Words()
	add("- ", was, is)
	add("+ ", is, was)
	return lines
}
