package judge

import (
	"bytes"
	"slices"

	"github.com/walletfi/walletfi-go/internal/txwire"
	"github.com/walletfi/walletfi-go/signing/internal/program"
)

// maxMintsTried bounds, over a set, the keys that are taken for mints to find accounts of
// the owner's: each takes two derivations. Accounts beyond the bound stay unknown.
const maxMintsTried = 256

// reach notes which accounts of ours a pinned program may write, and which its pins allow.
func (c *checker) reach(o *operation, grade Grade, may Role) {
	f := c.findings
	r := Reach{Transaction: c.index, Instruction: o.instruction, Program: o.Program, from: len(f.ours)}
	r.Grade, r.may, r.order = grade, may, o.order
	for i := range o.Count() {
		if !o.Writes(i) {
			continue
		}
		k := o.At(i)
		switch {
		case k == nil:
			r.Unknown++
		case c.ours(k, o) && !slices.Contains(f.ours[r.from:], *k):
			f.ours = append(f.ours, *k)
		}
	}
	r.to, r.Signed = len(f.ours), c.signedByUs(o, 0)
	f.Reaches = append(f.Reaches, r)
}

// reaches completes what pinned programs may write.
func (c *checker) reaches(seen *outcome, blind string) error {
	if !slices.ContainsFunc(c.findings.Reaches, func(r Reach) bool { return r.Transaction == c.index }) {
		return nil
	}
	if seen != nil {
		c.reachShown(seen)
		c.findings.Untold = c.findings.Untold || c.seen != nil && c.untold
	}
	if c.seen != nil || blind == Later {
		return nil
	}
	c.reachDerived()
	return c.reachRead(seen)
}

// maxRead bounds the accounts that are read over a set to find whose they are.
const maxRead = 24

// reachRead reads the accounts that no outcome shows, and counts those that stay unknown.
func (c *checker) reachRead(seen *outcome) error {
	var unknown []Key
	reads := c.node != nil && slices.Contains(c.judge.Policy.AllowBlind, c.want.service)
	c.eachWritten(func(r *Reach, k *Key, signs bool) {
		shown := seen != nil && slices.Contains(seen.accounts, *k) || slices.Contains(c.findings.Ours(r), *k)
		if signs || shown || program.Lookup(k).Kind != program.Unruled {
			return
		}
		r.Unshown++
		switch {
		case slices.Contains(unknown, *k):
		case c.ledger.read+len(unknown) < maxRead:
			unknown = append(unknown, *k)
		default:
			r.unsought = r.unsought || reads
		}
	})
	if len(unknown) == 0 || !reads {
		return nil
	}
	c.ledger.read += len(unknown)
	states, err := c.node.Read(c.ctx, unknown)
	if len(states) == 0 || err != nil {
		return err
	}
	c.reachShown(&outcome{unknown, states, states})
	c.eachWritten(func(r *Reach, k *Key, _ bool) {
		if slices.Contains(unknown, *k) {
			r.Unshown--
		}
	})
	return nil
}

// reachShown adds the token accounts that an outcome shows to be the owner's, and the positions: what
// a program keeps for the owner is in an account that has the owner's key.
func (c *checker) reachShown(seen *outcome) {
	c.eachWritten(func(r *Reach, k *Key, _ bool) {
		i := slices.Index(seen.accounts, *k)
		if i >= 0 && (c.kept(&seen.before[i]) || c.kept(&seen.after[i])) && !slices.Contains(r.Positions, *k) {
			r.Positions = append(r.Positions, *k)
		}
	})
	c.reachMore(func(k *Key) bool {
		i := slices.Index(seen.accounts, *k)
		return i >= 0 && (c.held(k, seen.before[i]) || c.held(k, seen.after[i]))
	})
}

// kept reports an account that a program keeps for the owner.
func (c *checker) kept(s *program.State) bool {
	return program.Lookup(&s.Owner).Kind == program.Unruled && bytes.Contains(s.Data, c.want.owner[:])
}

// held reports a token account of ours or of a key of ours.
func (c *checker) held(k *Key, s program.State) bool {
	t, ok := program.ReadTokenState(s)
	return ok && (c.holds(*k, t) || c.signs(&t.Owner))
}

// reachDerived adds the owner's associated accounts of every key of the transaction, as
// if each that does not sign were a mint: what the pinned programs do with them was not seen. The check of the
// bytes needs only those of the mints that intent and instructions name.
func (c *checker) reachDerived() {
	for i := range c.tx.KeyCount + len(c.accounts.Loaded) {
		k := c.account(i)
		if i < c.tx.Signers() || program.Lookup(k).Kind != program.Unruled {
			continue
		}
		if c.ledger.mintsTried++; c.ledger.mintsTried > maxMintsTried {
			c.eachWritten(func(r *Reach, _ *Key, _ bool) { r.unsought = true })
			break
		}
		c.tried = append(c.tried, c.judge.derived.Associated(c.want.owner, *k, program.Token),
			c.judge.derived.Associated(c.want.owner, *k, program.Token2022))
	}
	c.reachMore(func(k *Key) bool {
		for i := range c.tried {
			if txwire.Same(&c.tried[i], k) {
				return true
			}
		}
		return false
	})
}

// reachMore adds to what the pinned programs of the transaction may write the accounts
// that are ours too.
func (c *checker) reachMore(ours func(*Key) bool) {
	f := c.findings
	c.eachWritten(func(r *Reach, k *Key, _ bool) {
		if slices.Contains(f.Ours(r), *k) || !ours(k) {
			return
		}
		if r.to < len(f.ours) { // another's follow
			from := len(f.ours)
			f.ours = append(f.ours, f.Ours(r)...)
			r.from, r.to = from, len(f.ours)
		}
		f.ours = append(f.ours, *k)
		r.to = len(f.ours)
	})
}

// eachWritten visits each known account that a call of a pinned program may write, once for each
// call.
func (c *checker) eachWritten(visit func(r *Reach, k *Key, signs bool)) {
	f := c.findings
	calls := c.tx.Instructions()
	for i := 0; calls.Next(); i++ {
		n := slices.IndexFunc(f.Reaches, func(r Reach) bool { return r.Transaction == c.index && r.Instruction == i })
		if n < 0 {
			continue
		}
		for at, index := range calls.Accounts {
			k := c.account(int(index))
			if k != nil && c.tx.Writable(int(index)) && slices.Index(calls.Accounts, index) == at {
				visit(&f.Reaches[n], k, int(index) < c.tx.Signers())
			}
		}
	}
}
