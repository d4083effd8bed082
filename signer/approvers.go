package signer

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
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

// note takes in signatures that were verified before.
func (c counts) note(signatures ...string) {
	for _, signature := range signatures {
		if id, count, ok := passkey.Counted(signature); ok {
			c[id] = max(c[id], count)
		}
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

// people has the grants that approvers were asked for, by the log, and the keys by which they are known.
type people struct {
	signer string  // the public key of the log, in hexadecimal
	policy *Policy // nil if the log does not have its text
	entry  int64   // by which it came in force
	grants map[string]grant.Grant
	counts counts
}

func newPeople(logKey []byte) people {
	return people{signer: hex.EncodeToString(logKey), grants: map[string]grant.Grant{}, counts: counts{}}
}

// take holds each verdict against the keys that the policy in force has of its approver, and each change of
// the policy likewise. The log's key alone makes none: a signer that was taken over cannot write an approval.
func (p *people) take(e Entry) error {
	switch e.Kind {
	case "policy":
		return p.takePolicy(e)
	case "grant":
		var g grant.Grant
		err := json.Unmarshal(e.Body, &g)
		p.grants[g.ID] = g
		return err
	}
	var v verdictEntry
	if err := json.Unmarshal(e.Body, &v); err != nil || p.policy == nil {
		return err
	}
	g, asked := p.grants[v.ID]
	says, err := p.policy.approvers.said(&g, v.Signature)
	if err == nil {
		err = p.counts.rises(says)
	}
	switch {
	case err != nil:
		return err
	case !asked || g.Policy != p.policy.fingerprint:
		return fmt.Errorf("nobody was asked for grant %q under this policy", v.ID)
	case says.by != e.Client || says.verdict != v.Verdict:
		return fmt.Errorf("%q %s, and the signature says that %q %s", e.Client, v.Verdict, says.by, says.verdict)
	}
	p.counts.note(v.Signature)
	return nil
}

func (p *people) takePolicy(e Entry) error {
	var body policyEntry
	if err := json.Unmarshal(e.Body, &body); err != nil {
		return err
	}
	if was := p.policy; was != nil && was.Approvals > 0 {
		// Only the first line is written again: the others are words of the version that wrote them.
		c := grant.Change{Signer: p.signer, Entry: p.entry, From: was.fingerprint, To: body.Is}
		line, _, _ := strings.Cut(c.Text(), "\n")
		signed, _, _ := strings.Cut(body.Change, "\n")
		names, err := was.approve(grant.Text(body.Change), body.Approvals, p.counts)
		if err != nil {
			return err
		}
		if signed != line || !slices.Equal(names, body.Approved) {
			return fmt.Errorf("%q have approved another change", names)
		}
		p.counts.note(body.Approvals...)
	}
	if body.Text == "" && p.policy == nil { // of a version that did not write it
		p.entry = e.Seq
		return nil
	}
	policy, err := ParsePolicy([]byte(body.Text))
	if err == nil && policy.fingerprint != body.Is {
		err = fmt.Errorf("the text is of policy %.12s, not of %.12s", policy.fingerprint, body.Is)
	}
	p.policy, p.entry = policy, e.Seq
	return err
}
