package signer

import (
	"encoding/json"
	"fmt"

	"github.com/walletfi/walletfi-go/signer/grant"
)

// people has the grants that approvers were asked for, by the log, and the keys by which they are known.
type people struct {
	policy *Policy // nil if the log does not have its text
	grants map[string]grant.Grant
	counts counts
}

func newPeople() people { return people{grants: map[string]grant.Grant{}, counts: counts{}} }

// take holds each verdict against the keys that the policy in force has of its approver. The log's key
// alone makes none: a signer that was taken over cannot write an approval.
func (p *people) take(e Entry) error {
	switch e.Kind {
	case "policy":
		var body policyEntry
		if err := json.Unmarshal(e.Body, &body); err != nil {
			return err
		}
		p.policy = nil
		if body.Text == "" {
			return nil
		}
		policy, err := ParsePolicy([]byte(body.Text))
		if err == nil && policy.fingerprint != body.Is {
			err = fmt.Errorf("the text is of policy %.12s, not of %.12s", policy.fingerprint, body.Is)
		}
		p.policy = policy
		return err
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
	p.counts.take(says)
	return nil
}
