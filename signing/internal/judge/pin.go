package judge

import (
	"bytes"
	"math"
	"slices"

	"github.com/walletfi/walletfi-go/signing/internal/caps"
	"github.com/walletfi/walletfi-go/signing/internal/program"
	"github.com/walletfi/walletfi-go/signing/internal/rule"
)

// Pin lets a service call a program.
type Pin struct {
	Program      Key
	Any          bool     // instruction
	Instructions [][]byte // that the data begins with
	May          Role     // what of ours the calls may write
}

// Role says why an intent has a call write an account of ours: one or several of these.
type Role uint8

// The roles. A set of all bits allows accounts without a role, too.
const (
	RoleOwner Role = 1 << iota
	RoleSpent
	RoleReceived
	RoleMade
	RoleNamed
	RoleNone

	AnyRole Role = math.MaxUint8
)

// Grade is how closely a program is pinned.
type Grade uint8

// The grades.
const (
	ByProgram Grade = iota
	ByInstruction
	ByAccounts
)

// pinned reports whether the service may call a program at all.
func (c *checker) pinned(k *Key) bool {
	return slices.Contains(c.pins, *k) || slices.ContainsFunc(c.typed, func(p Pin) bool { return p.Program == *k })
}

// grade is that of the pins that let the operation through, together. The closer pins of a
// program decide, whatever the list of programs says.
func (c *checker) grade(o *operation) (_ Grade, may Role, ok bool) {
	typed, bound := false, true
	for i := range c.typed {
		p := &c.typed[i]
		if p.Program != o.Program {
			continue
		}
		typed = true
		if p.Any {
			may, ok, bound = may|p.May, true, false
		} else if slices.ContainsFunc(p.Instructions, func(d []byte) bool {
			return len(d) > 0 && bytes.HasPrefix(o.Data, d)
		}) {
			may, ok = may|p.May, true
		}
	}
	if !typed {
		return ByProgram, AnyRole, slices.Contains(c.pins, o.Program)
	}
	switch {
	case !bound:
		return ByProgram, may, ok
	case may == AnyRole:
		return ByInstruction, may, ok
	}
	return ByAccounts, may, ok
}

// called is the pin's refusal of an operation.
func (c *checker) called(o *operation) *rule.Refusal {
	return o.refuse(rule.PinnedCall, "an instruction that a pin of the program names",
		"a call that begins with %x", o.Data[:min(len(o.Data), 8)])
}

// within holds what a pinned program calls in turn against its pin: with our signature it
// may move what is in the accounts that the pin names, and no others.
func (c *checker) within(o *operation) *rule.Refusal {
	i := slices.IndexFunc(c.findings.Reaches, func(r Reach) bool {
		return r.Transaction == c.index && r.Instruction == o.instruction
	})
	if i < 0 || !c.signedByUs(o, 0) {
		return nil
	}
	r := &c.findings.Reaches[i]
	if o.Known.Kind == program.Unruled && o.Program != r.Program && !slices.Contains(r.Within, o.Program) {
		r.Within = append(r.Within, o.Program)
	}
	k := o.At(0)
	if o.Known.Kind != program.OfToken || r.may == AnyRole || k == nil || !c.signedByUs(o, 1) {
		return nil
	}
	if c.role(k, r.order)&r.may != 0 {
		return nil
	}
	return o.refuse(rule.PinnedCall, "accounts that a pin of the program names in mayWrite",
		"a call with your signature on %s", k)
}

// mayWrite holds the accounts of ours that the transaction's pinned programs may write
// against their pins, once it is known what is ours.
func (c *checker) mayWrite() {
	for i := range c.findings.Reaches {
		r := &c.findings.Reaches[i]
		if r.Transaction != c.index || r.may == AnyRole && !c.judge.Policy.Learning {
			continue
		}
		o := c.whole()
		o.instruction, o.Program = r.Instruction, r.Program
		const allowed = "accounts that a pin of the program names in mayWrite, each of them known"
		if r.Unknown > 0 && r.may != AnyRole {
			c.findings.refuse(o.refuse(rule.PinnedCall, allowed,
				"a call that may write %d of the accounts that only a lookup table names", r.Unknown))
		}
		if r.unsought && r.may != AnyRole {
			c.findings.refuse(o.refuse(rule.PinnedCall, allowed,
				"a call that may write more accounts than are looked up: %d are read, %d keys are taken for mints",
				maxRead, maxMintsTried))
		}
		for _, k := range c.findings.Ours(r) {
			role := c.role(&k, r.order)
			r.Roles |= role
			if role&r.may == 0 {
				c.findings.refuse(o.refuse(rule.PinnedCall, allowed, "a call that may write your account %s", k))
			}
		}
	}
}

// role says what an account of ours is to the intent, by the bytes alone, for a call of an order.
func (c *checker) role(k *Key, order int) (r Role) {
	w := c.want
	if *k == w.owner {
		return RoleOwner
	}
	if c.facts.madeBefore(k, order) {
		r |= RoleMade
	}
	if c.listed(*k) != nil || slices.Contains(w.outputTo, *k) || slices.Contains(w.closes, *k) {
		r |= RoleNamed
	}
	for _, limits := range [][]caps.Limit{w.caps.Spend, w.caps.Burn, w.caps.Fee} {
		if slices.ContainsFunc(limits, func(l caps.Limit) bool { return c.accountOf(k, &l.Mint) }) {
			r |= RoleSpent
		}
	}
	if slices.ContainsFunc(w.burnAll, func(b Key) bool { return b == *k || c.accountOf(k, &b) }) {
		r |= RoleSpent
	}
	if slices.ContainsFunc(w.promised, func(l caps.Limit) bool { return c.accountOf(k, &l.Mint) }) {
		r |= RoleReceived
	}
	if r == 0 {
		return RoleNone
	}
	return r
}

// accountOf reports whether k is a token account of ours of a mint.
func (c *checker) accountOf(k, mint *Key) bool {
	if l := c.listed(*k); l != nil {
		return l.Mint == *mint
	}
	return c.judge.derived.Associated(c.want.owner, *mint, program.Token) == *k ||
		c.judge.derived.Associated(c.want.owner, *mint, program.Token2022) == *k
}
