package signer

import (
	"encoding/hex"
	"encoding/json"
	"errors"
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
	// Approved are the approvers, by the policy before, who have signed the change. Change is the text of
	// that, as they read it, and Approvals are their signatures.
	Approved  []string `json:"approved,omitempty"`
	Change    string   `json:"change,omitempty"`
	Approvals []string `json:"approvals,omitempty"`
}

// inForce is the policy of the newest such entry.
type inForce struct {
	entry  int64   // its number, 0 if there is none
	policy *Policy // nil if the entry has no text, and the signer was opened with another one
	from   map[string]time.Time
	at     time.Time // of the entry, zero if it is not known
}

// waiting lists all that waits if a change adds it: the addresses that may be paid, by the way in which they
// may, and the calls that may be made.
func (p *Policy) waiting() [4][]string {
	texts := func(all []signing.PublicKey) (out []string) {
		for _, k := range all {
			out = append(out, k.String())
		}
		return out
	}
	var payees []signing.PublicKey
	for _, x := range p.Payees {
		payees = append(payees, x.Address)
	}
	var calls []string
	for _, s := range p.Services {
		for _, pin := range s.Pins {
			calls = append(calls, s.calls(pin, nil)...)
		}
	}
	return [...][]string{texts(payees), texts(p.Rescue), texts(p.FeeReceivers), calls}
}

// calls are in words what a pin lets a service call, each instruction for itself: those that the data of a
// call can be, all if it is nil.
func (s *Service) calls(pin Pin, data []byte) (all []string) {
	one := []Pin{pin}
	if pin.Instructions != nil {
		one = nil
		for _, text := range pin.Instructions {
			only := pin
			only.Instructions = []string{text}
			one = append(one, only)
		}
	}
	for _, pin := range one {
		if data == nil || pin.matches(data) {
			all = append(all, fmt.Sprintf("%q, blind %t: %s", s.Name, s.Blind, pin.words()))
		}
	}
	return all
}

// then is another policy in force. An address that it adds, also to another list, is paid after the wait
// of the policy before, and one that waited already goes on waiting. So are pins.
func (f *inForce) then(entry int64, at time.Time, next *Policy) *inForce {
	from := map[string]time.Time{}
	for way, all := range next.waiting() {
		for _, what := range all {
			since := f.from[what]
			if f.policy != nil && !slices.Contains(f.policy.waiting()[way], what) {
				since = at.Add(time.Duration(f.policy.PayeesWait))
			}
			if since.After(from[what]) {
				from[what] = since
			}
		}
	}
	return &inForce{entry, next, from, at}
}

// recallPolicy takes in an entry of kind policy. The grants of before allow nothing more, also if their
// policy comes in force again.
func (s *Signer) recallPolicy(e Entry) error {
	s.voidGrants()
	var body policyEntry
	if err := json.Unmarshal(e.Body, &body); err != nil {
		return err
	}
	s.counts.note(body.Approvals...)
	if body.Text == "" { // of a version that did not write it
		next := &inForce{entry: e.Seq, at: e.At}
		if p := s.Policy(); p.fingerprint == body.Is {
			next.policy = p
		}
		s.inForce.Store(next)
		return nil
	}
	p, err := ParsePolicy([]byte(body.Text))
	if err != nil {
		return fmt.Errorf("signer: the policy of entry %d is not one for this version: %w", e.Seq, err)
	}
	s.inForce.Store(s.inForce.Load().then(e.Seq, e.At, p))
	return nil
}

// Change is the change of the policy in force to another one, which approvers of the first sign.
func (s *Signer) Change(next *Policy) grant.Change {
	c := grant.Change{
		Signer: hex.EncodeToString(s.logKey[len(s.logKey)/2:]), Entry: s.inForce.Load().entry, To: next.fingerprint,
	}
	if was := s.inForce.Load().policy; was != nil {
		c.From, c.Lines = was.fingerprint, was.Diff(next)
	}
	return c
}

// approvedChange has an entry say who has signed the change to a configuration's policy. The policy in
// force says how many must have.
func (s *Signer) approvedChange(entry *policyEntry, cfg Config) (err error) {
	in := s.inForce.Load()
	was := in.policy
	switch {
	case was == nil && in.entry > 0:
		return errors.New("signer: the log has no text of the policy in force: open it with that policy first")
	case was == nil || was.Approvals == 0:
		return nil
	}
	c := s.Change(cfg.Policy)
	entry.Change, entry.Approvals = c.Text(), cfg.Approvals
	if entry.Approved, err = was.approve(&c, cfg.Approvals, s.counts); err != nil {
		return fmt.Errorf("signer: the change of the policy: %w", err)
	}
	return nil
}

// approve returns who of the policy's approvers has approved its change. Enough must have.
func (p *Policy) approve(change signable, signatures []string, c counts) (names []string, err error) {
	for _, text := range signatures {
		says, err := p.approvers.said(change, text)
		if err == nil {
			err = c.rises(says)
		}
		if err != nil {
			return nil, err
		}
		if says.verdict == grant.Approves {
			names = union(names, []string{says.by})
		}
	}
	if len(names) < p.Approvals {
		return nil, fmt.Errorf("policy %.12s is changed by %d of its approvers, and %d have signed",
			p.fingerprint, p.Approvals, len(names))
	}
	return names, nil
}

// tooEarly refuses what goes to an address, and what calls by a pin, that a change of the policy has added
// lately.
func (s *Signer) tooEarly(q *request, m *Message) error {
	now := s.time()
	for code, all := range map[string][]string{CodePayee: m.paid, CodePin: m.pins} {
		for _, what := range all {
			if from := q.under.from[what]; q.asked == nil && now.Before(from) {
				refusal := waits(code, "%s was added to the policy lately, and waits until %s", what,
					from.UTC().Format(time.RFC3339))
				refusal.RetryAt = from
				return refusal
			}
		}
	}
	return nil
}
