package signer

import (
	"fmt"
	"slices"
	"time"

	"github.com/walletfi/walletfi-go/signer/grant"
	"github.com/walletfi/walletfi-go/signer/internal/passkey"
	"golang.org/x/crypto/ssh"
)

// Approver is a person who may sign grants, by any of the keys, and who counts once.
type Approver struct {
	Name string `toml:"name"`
	// Key is an ed25519 key as a .pub file of OpenSSH has it. Absent has none.
	Key string `toml:"key,omitempty"`
	// Passkeys are lines that the signer's page has shown when they were registered.
	Passkeys []string `toml:"passkeys,omitempty" json:",omitzero"`
}

// approvers are the keys of a policy's approvers, and whose they are.
type approvers struct {
	site      passkey.Site
	keys      []ssh.PublicKey
	passkeys  []*passkey.Key
	ofKey     []string
	ofPasskey []string
}

// statement says who signed for what.
type statement struct {
	by      string
	verdict grant.Verdict
	passkey string // its ID, empty for a key of OpenSSH's
	count   uint32 // of the passkey's signatures
}

// signable is a text that approvers sign: a grant.Grant or a grant.Change.
type signable interface {
	Text() string
	Verify(armored string, keys []ssh.PublicKey) (key int, v grant.Verdict, err error)
}

// said returns who of the approvers has signed a text, and what that says.
func (a *approvers) said(t signable, signature string) (s statement, err error) {
	var by int
	if passkey.Is(signature) {
		if by, s.verdict, s.count, err = a.site.Verify(t.Text(), signature, a.passkeys); err == nil {
			s.by, s.passkey = a.ofPasskey[by], a.passkeys[by].ID
		}
		return s, err
	}
	if by, s.verdict, err = t.Verify(signature, a.keys); err == nil {
		s.by = a.ofKey[by]
	}
	return s, err
}

// counts are the highest counts of passkeys, by their IDs. Most passkeys count nothing and say 0.
type counts map[string]uint32

// rises refuses to approve by a passkey that has not counted on: there may be a copy of it. A denial
// does no harm.
func (c counts) rises(s statement) error {
	last := c[s.passkey]
	if s.passkey != "" && s.verdict == grant.Approves && s.count <= last && (s.count != 0 || last != 0) {
		return fmt.Errorf("the passkey has signed %d times, and %d times before: somebody may have a copy", s.count, last)
	}
	return nil
}

func (c counts) take(s statement) {
	if s.passkey != "" {
		c[s.passkey] = max(c[s.passkey], s.count)
	}
}

// approvals checks who may approve, and reads their keys.
func (c *checker) approvals() {
	p := c.p
	enough := p.Approvals >= 0 && p.Approvals <= len(p.Approvers) && (p.Approvals > 0) == (len(p.Approvers) > 0)
	c.that(enough, "approvals is %d, and there are %d approvers", p.Approvals, len(p.Approvers))
	lasts := time.Duration(p.GrantLasts)
	c.that((lasts != 0) == (p.Approvals != 0), "approvals and grant_lasts go together")
	c.that(lasts == 0 || lasts >= time.Minute && lasts <= 7*24*time.Hour, "grant_lasts is %v, of 1m to 168h", p.GrantLasts)
	unique(c, "approver", p.Approvers, func(a Approver) string { return a.Name })
	p.approvers = approvers{}
	if p.Page != "" {
		site, err := passkey.ParseSite(p.Page)
		c.that(err == nil, "page: %v", err)
		p.approvers.site = site
	}
	for _, a := range p.Approvers {
		c.that(a.Key != "" || len(a.Passkeys) > 0, "approver %q has neither a key nor a passkey", a.Name)
		c.that(len(a.Passkeys) == 0 || p.Page != "", "approver %q has a passkey, and the policy has no page", a.Name)
		if a.Key != "" {
			c.approverKey(a)
		}
		for _, line := range a.Passkeys {
			c.approverPasskey(a, line)
		}
	}
}

func (c *checker) approverKey(a Approver) {
	all := &c.p.approvers
	key, err := grant.ParseKey(a.Key)
	c.that(err == nil, "approver %q: %v", a.Name, err)
	if err != nil {
		return
	}
	same := func(k ssh.PublicKey) bool { return string(k.Marshal()) == string(key.Marshal()) }
	c.that(!slices.ContainsFunc(all.keys, same), "approver %q has the key of another one", a.Name)
	all.keys, all.ofKey = append(all.keys, key), append(all.ofKey, a.Name)
}

func (c *checker) approverPasskey(a Approver, line string) {
	all := &c.p.approvers
	key, err := passkey.ParseKey(line)
	c.that(err == nil, "approver %q: %v", a.Name, err)
	if err != nil {
		return
	}
	c.that(!slices.ContainsFunc(all.passkeys, key.Same), "passkey %.40q of approver %q comes twice", key.ID, a.Name)
	all.passkeys, all.ofPasskey = append(all.passkeys, key), append(all.ofPasskey, a.Name)
}

// unapproved checks what of a ceiling needs no grant.
func (c *checker) unapproved(where string, x Ceiling) {
	check := func(most int64, small *int64) {
		if small != nil {
			c.that(c.p.Approvals > 0, "%s: unapproved, and the policy has no approvals", where)
			c.that(*small >= 0 && *small <= most, "%s: unapproved is %d, of 0 to %d", where, *small, most)
		}
	}
	check(x.Transaction, x.Unapproved)
	for _, w := range x.Windows {
		check(w.Most, w.Unapproved)
	}
}
