package signer

import (
	"slices"
	"time"

	"github.com/walletfi/walletfi-go/signer/grant"
)

// Approver is a person who may sign grants.
type Approver struct {
	Name string `toml:"name"`
	// Key is an ed25519 key as a .pub file of OpenSSH has it.
	Key string `toml:"key"`
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
	p.approvers = nil
	var texts []string
	for _, a := range p.Approvers {
		key, err := grant.ParseKey(a.Key)
		c.that(err == nil, "approver %q: %v", a.Name, err)
		if err == nil {
			text := string(key.Marshal())
			c.that(!slices.Contains(texts, text), "approver %q has the key of another one", a.Name)
			p.approvers, texts = append(p.approvers, key), append(texts, text)
		}
	}
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
