package signer

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/walletfi/walletfi-go/signer/grant"
	"github.com/walletfi/walletfi-go/signing"
)

// policyEntry is the body of an entry of kind policy: a policy came in force.
type policyEntry struct {
	Was  string `json:"was"`
	Is   string `json:"is"`
	Text string `json:"text"` // of its file
	// Approved are the approvers, by the policy before, who have signed the change.
	Approved []string `json:"approved,omitempty"`
}

// inForce is the policy of the newest such entry.
type inForce struct {
	entry    int64   // its number, 0 if there is none
	policy   *Policy // nil if the entry has no text
	paysFrom map[string]time.Time
}

// payable are the addresses that may be paid, by the way in which they may.
func (p *Policy) payable() [3][]signing.PublicKey {
	var payees []signing.PublicKey
	for _, x := range p.Payees {
		payees = append(payees, x.Address)
	}
	return [...][]signing.PublicKey{payees, p.Rescue, p.FeeReceivers}
}

// take puts a policy in force. An address that it adds, also to another list, is paid after the wait
// of the policy before, and one that waited already goes on waiting.
func (f *inForce) take(entry int64, at time.Time, next *Policy) {
	from := map[string]time.Time{}
	for way, all := range next.payable() {
		for _, k := range all {
			since := f.paysFrom[k.String()]
			if f.policy != nil && !slices.Contains(f.policy.payable()[way], k) {
				since = at.Add(time.Duration(f.policy.PayeesWait))
			}
			if since.After(from[k.String()]) {
				from[k.String()] = since
			}
		}
	}
	f.entry, f.policy, f.paysFrom = entry, next, from
}

// recallPolicy takes in an entry of kind policy. The grants of before allow nothing more, also if their
// policy comes in force again.
func (s *Signer) recallPolicy(e Entry) error {
	s.voidGrants()
	var body policyEntry
	if err := json.Unmarshal(e.Body, &body); err != nil {
		return err
	}
	if body.Text == "" { // of a version that did not write it
		s.inForce = inForce{entry: e.Seq}
		return nil
	}
	p, err := ParsePolicy([]byte(body.Text))
	if err != nil {
		return fmt.Errorf("signer: the policy of entry %d is not one for this version: %w", e.Seq, err)
	}
	s.inForce.take(e.Seq, e.At, p)
	return nil
}

// Change is the change of the policy in force to another one, which approvers of the first sign.
func (s *Signer) Change(next *Policy) grant.Change {
	c := grant.Change{
		Signer: hex.EncodeToString(s.logKey[len(s.logKey)/2:]), Entry: s.inForce.entry, To: next.fingerprint,
	}
	if was := s.inForce.policy; was != nil {
		c.From, c.Lines = was.fingerprint, was.Diff(next)
	}
	return c
}

// approvedChange returns who has signed the change to a configuration's policy. The policy in force
// says how many must have.
func (s *Signer) approvedChange(cfg Config) (names []string, err error) {
	was := s.inForce.policy
	if was == nil || was.Approvals == 0 {
		return nil, nil
	}
	c := s.Change(cfg.Policy)
	for _, text := range cfg.Approvals {
		says, err := was.approvers.said(&c, text)
		if err == nil {
			err = s.counts.rises(says)
		}
		if err != nil {
			return nil, fmt.Errorf("signer: the change of the policy: %w", err)
		}
		if says.verdict == grant.Approves {
			names = union(names, []string{says.by})
		}
	}
	if len(names) < was.Approvals {
		return nil, fmt.Errorf("signer: policy %.12s is changed by %d of its approvers, and %d have signed",
			was.fingerprint, was.Approvals, len(names))
	}
	return names, nil
}

// paidTooEarly refuses what goes to an address that a change of the policy has added lately.
func (s *Signer) paidTooEarly(q *request, m *Message) error {
	now := s.time()
	for _, address := range m.paid {
		if from := s.inForce.paysFrom[address]; q.asked == nil && now.Before(from) {
			refusal := waits(CodePayee, "%s was added to the policy lately, and waits until %s", address,
				from.UTC().Format(time.RFC3339))
			refusal.RetryAt = from
			return refusal
		}
	}
	return nil
}
