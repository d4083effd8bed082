package signer

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/BurntSushi/toml"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
)

// CodeClosed is the code of a refusal for an owner whose key was changed: see Owner.Successor.
const CodeClosed = "closed"

// rotation checks the owners whose keys are changed.
func (c *checker) rotation() {
	for _, o := range c.p.Owners {
		if o.Successor == "" {
			continue
		}
		next := first(c.p.Owners, func(x Owner) bool { return x.Name == o.Successor })
		open := next != nil && next.Name != o.Name && next.Successor == "" && !next.Closed
		c.that(open, "owner %q: the successor %q is no owner, or has one itself, or is closed", o.Name, o.Successor)
		c.that(next == nil || slices.Contains(c.p.Rescue, next.Key),
			"owner %q: rescue must have the key of the successor %q, to which it is swept", o.Name, o.Successor)
		c.that(!c.p.ReportOnly, "owner %q: a signer that only reports sweeps nothing", o.Name)
	}
}

// closed refuses what an owner whose key was changed does not sign.
func (o *Owner) closed(p *Policy, all []*Message) error {
	if o.Closed {
		return refuse(CodeClosed, "owner %q is closed", o.Name)
	}
	if o.Successor == "" {
		return nil
	}
	next := first(p.Owners, func(x Owner) bool { return x.Name == o.Successor })
	for _, m := range all {
		if !m.rescues || m.Grade != GradeBytes || len(m.paid) != 1 || m.paid[0] != next.Key.String() {
			return refuse(CodeClosed, "owner %q signs the sweep to owner %q alone, all of it to %s",
				o.Name, o.Successor, next.Key)
		}
	}
	return nil
}

// sweepsAnHour bounds what may be burnt in fees by who sweeps a unit at a time, since nothing else does: the
// ceilings let everything leave.
const sweepsAnHour = 100

// sweeps refuses one more of an owner's since the change of the key.
func (s *Signer) sweeps(ctx context.Context, tx *sql.Tx, q *request) error {
	if q.owner.Successor == "" {
		return nil
	}
	since := s.time().Add(-time.Hour)
	if q.under.at.After(since) {
		since = q.under.at
	}
	var made int
	query := "SELECT COUNT(*) FROM signed WHERE owner = ? AND made >= ?"
	err := tx.QueryRowContext(ctx, query, q.owner.Key.String(), since.UnixNano()).Scan(&made)
	if err == nil && made >= sweepsAnHour {
		err = waits(CodeWindow, "owner %q has %d sweeps within an hour", q.owner.Name, made)
	}
	return err
}

// sweep says in words what a grant is for, if it is a sweep.
func (o *Owner) sweep() string {
	if o.Successor == "" {
		return ""
	}
	return fmt.Sprintf("sweep of owner %+q to owner %+q", o.Name, o.Successor)
}

// Rotate writes the policy that changes the key of an owner: the owner named next, with the key, may do
// what the old one may, by the same clients, and the old one signs the sweep to the new one alone, of
// any amount, under grants if the policy has approvers. Comments of the file are not kept.
func (p *Policy) Rotate(owner, next string, key signing.PublicKey) (text string, err error) {
	made, err := ParsePolicy([]byte(p.text)) // which is this one's alone to change
	if err != nil {
		return "", err
	}
	old := first(made.Owners, func(o Owner) bool { return o.Name == owner })
	if old == nil || old.Successor != "" || old.Closed {
		return "", fmt.Errorf("signer: there is no owner %q whose key can be changed", owner)
	}
	successor := *old
	successor.Name, successor.Key, successor.Elsewhere = next, key, false
	successor.Multisigs, successor.Nonces, successor.Accounts = nil, nil, nil // these are the old key's
	old.Successor, old.Exposure, old.Trades = next, nil, nil
	old.Ceilings = swept(old.Ceilings, made.Approvals > 0)
	made.Owners = append(made.Owners, successor)
	made.Rescue = append(made.Rescue, key)
	for i := range made.Clients {
		if c := &made.Clients[i]; slices.Contains(c.Owners, owner) {
			c.Owners = append(c.Owners, next)
		}
	}
	var b bytes.Buffer
	if err := toml.NewEncoder(&b).Encode(made); err != nil {
		return "", err
	}
	text = strings.ReplaceAll(b.String(), string(walletfi.NativeMint), "SOL")
	_, err = ParsePolicy([]byte(text))
	return text, err
}

// swept are ceilings that let everything leave, for whom a policy lets nothing leave but to one address.
func swept(all []Ceiling, granted bool) (out []Ceiling) {
	const everything = 1 << 60 // of which a window can add up some
	for _, c := range all {
		c.Transaction, c.Unapproved, c.Windows = everything, nil, slices.Clone(c.Windows)
		if granted {
			c.Unapproved = new(int64)
		}
		for i := range c.Windows {
			c.Windows[i].Most, c.Windows[i].Unapproved = everything, nil
		}
		out = append(out, c)
	}
	return out
}
