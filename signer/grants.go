package signer

import (
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"slices"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/spendwindow"
	"github.com/walletfi/walletfi-go/signer/grant"
	"github.com/walletfi/walletfi-go/signer/protocol"
	"github.com/walletfi/walletfi-go/signing"
)

// The bounds of what a client may ask people for.
const (
	maxWaitingGrants = 8         // of a client
	deniedFor        = time.Hour // what was denied is not asked for again
	maxReason        = 500
)

// pending is a grant that has not expired long ago. The log has all that is in it.
type pending struct {
	grant.Grant
	approved []string  // by whom
	denied   time.Time // zero if it was not
	void     bool      // another policy was in force since, or a copy of the store was restored
}

// verdictEntry is the body of an entry of kind verdict. The entry's client is the approver.
type verdictEntry struct {
	ID        string        `json:"id"`
	Verdict   grant.Verdict `json:"verdict"`
	Signature string        `json:"signature"`
}

func (g *pending) state(now time.Time) protocol.GrantState {
	switch {
	case !g.denied.IsZero():
		return protocol.GrantDenied
	case g.void || !now.Before(g.Expires):
		return protocol.GrantExpired
	case len(g.approved) >= g.Needs:
		return protocol.GrantApproved
	}
	return protocol.GrantWaiting
}

func (g *pending) answer(now time.Time) protocol.Grant {
	return protocol.Grant{Grant: g.Grant, State: g.state(now), Approved: append([]string{}, g.approved...)}
}

// alike reports that another grant asks for all that this one did, whatever the amounts: who was told
// no has no use of asking for a unit less, nor for the same with something besides.
func (g *pending) alike(to *grant.Grant) bool {
	mints := func(x *grant.Grant) (all []string) {
		for _, a := range x.Most {
			all = append(all, a.Mint)
		}
		return all
	}
	return g.Client == to.Client && g.Key == to.Key && g.Service == to.Service && within(g.Payees, to.Payees) &&
		within(g.Calls, to.Calls) && within(mints(&g.Grant), mints(to))
}

// within reports that a list has all that another one has.
func within[T comparable](all, list []T) bool {
	return !slices.ContainsFunc(all, func(x T) bool { return !slices.Contains(list, x) })
}

// voidGrants ends what was asked for and approved until now. What was denied stays denied.
func (s *Signer) voidGrants() {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]*pending, len(s.grants))
	for i, g := range s.grants {
		void := *g
		void.void = true
		all[i] = &void
	}
	s.grants = all
}

// AskGrant asks the policy's approvers to let a client have a set signed that is more than may be
// without them. It judges the set, and the grant is for what that takes now, or for more if the
// request says so; fees may rise up to the policy's. What the policy refuses cannot be granted. The
// error is always a *signing.SetRefusal.
func (s *Signer) AskGrant(ctx context.Context, client string, r protocol.NewGrant) (*protocol.Grant, error) {
	var answer protocol.Grant
	_, err := s.turn(ctx, client, signing.SetRequest(r.Request), func(ctx context.Context, q *request) (*Decision, error) {
		g, err := s.propose(ctx, q, r)
		if err != nil {
			return nil, err
		}
		s.granting.Lock()
		defer s.granting.Unlock()
		err = s.write(ctx, func(ctx context.Context, tx *sql.Tx, after head) (head, error) {
			if err := s.mayAskFor(&g.Grant); err != nil {
				return after, err
			}
			q.grant = g
			if err := s.decide(ctx, tx, q); err != nil {
				return after, err
			}
			if err := s.undone(ctx, tx, q); err != nil {
				return after, err
			}
			return s.append(ctx, tx, after, "grant", client, g.Grant)
		})
		if err != nil {
			return nil, asRefusal(err)
		}
		answer = g.answer(s.time())
		return nil, nil
	})
	if err != nil {
		return nil, err
	}
	if s.asked != nil {
		s.asked(answer.Grant)
	}
	return &answer, nil
}

// undone takes back the debits that decide has written to try whether the policy allows them.
func (s *Signer) undone(ctx context.Context, tx *sql.Tx, q *request) error {
	for _, m := range q.messages {
		if m.exists {
			return refuse(CodeRequest, "message %.12s was signed already", m.ID)
		}
		for _, table := range []string{"signed", "debit", "granted"} {
			if err := exec(ctx, tx, "DELETE FROM "+table+" WHERE id = ?", m.ID); err != nil {
				return err
			}
		}
	}
	return nil
}

// propose judges the request's set and writes the grant for it.
func (s *Signer) propose(ctx context.Context, q *request, r protocol.NewGrant) (*pending, error) {
	p := s.Policy()
	switch {
	case p.Approvals == 0:
		return nil, refuse(CodeApproval, "the policy has no approvers")
	case p.ReportOnly:
		return nil, refuse(CodeApproval, "a signer that only reports needs no grants")
	case q.Grant != "":
		return nil, refuse(CodeRequest, "what a grant is asked for has one already")
	case len(r.Reason) > maxReason:
		return nil, refuse(CodeRequest, "reason is longer than %d bytes", maxReason)
	}
	q.asksGrant = true
	if err := s.assessAll(ctx, q); err != nil {
		return nil, err
	}
	now := s.time()
	g := &pending{Grant: grant.Grant{
		ID: newID(), Signer: hex.EncodeToString(s.logKey[len(s.logKey)/2:]), Policy: p.fingerprint,
		Client: q.client.Name, Owner: q.owner.Name, Key: q.owner.Key.String(), Service: q.intent.Service,
		Payees: []string{}, Calls: []grant.Call{}, Reason: r.Reason, Sweep: q.owner.sweep(),
		Made: now.UTC(), Expires: now.Add(time.Duration(p.GrantLasts)).UTC(), Needs: p.Approvals,
	}}
	for _, m := range q.messages {
		g.Fees = p.Fees.added(g.Fees, m)
		g.Payees = union(g.Payees, m.paid)
		g.Calls = union(g.Calls, m.called())
	}
	slices.Sort(g.Payees)
	g.Most = amounts(q.messages)
	for _, a := range r.Most {
		had := first(g.Most, func(x grant.Amount) bool { return x.Mint == a.Mint })
		if had == nil || a.Amount < had.Amount {
			return nil, refuse(CodeRequest, "most: the set does not take so little of %.50q", a.Mint)
		}
		had.Amount = a.Amount
	}
	return g, nil
}

func newID() string {
	var id [16]byte
	_, _ = rand.Read(id[:]) // it never fails
	return hex.EncodeToString(id[:])
}

// added has what one message more may cost: rent as measured, which does not change by the minute,
// and the network fee up to the policy's, as well as the tip if there is one.
func (f Fees) added(to grant.Fees, m *Message) grant.Fees {
	tip := int64(0)
	if m.fees.Tip > 0 {
		tip = f.Tip
	}
	sum := func(a walletfi.Amount, b int64) walletfi.Amount {
		return walletfi.Amount(spendwindow.Add(uint64(a), uint64(b)))
	}
	return grant.Fees{
		Network: sum(to.Network, f.Network), Tip: sum(to.Tip, tip),
		Rent: sum(to.Rent, m.fees.Rent), ForeignRent: sum(to.ForeignRent, m.fees.ForeignRent),
	}
}

// mayAskFor refuses what a client has too many of waiting, or was told no for.
func (s *Signer) mayAskFor(g *grant.Grant) error {
	now, waiting := s.time(), 0
	for _, x := range s.pending() {
		if x.Client == g.Client && x.state(now) == protocol.GrantWaiting {
			waiting++
		}
		again := x.denied.Add(deniedFor)
		if !x.denied.IsZero() && now.Before(again) && x.alike(g) {
			refusal := waits(CodeApproval, "the same was denied at %s", x.denied.UTC().Format(time.RFC3339))
			refusal.RetryAt = again
			return refusal
		}
	}
	if waiting >= maxWaitingGrants {
		return waits(CodeApproval, "client %q has %d grants waiting", g.Client, waiting)
	}
	return nil
}

// Grants lists the grants that a client has asked for and that have not expired, oldest first, or
// those of all clients if client is empty.
func (s *Signer) Grants(client string) []protocol.Grant {
	now, all := s.time(), []protocol.Grant{}
	for _, g := range s.pending() {
		if now.Before(g.Expires) && (client == "" || g.Client == client) {
			all = append(all, g.answer(now))
		}
	}
	return all
}

// Decide takes in an approver's signature over the text of a grant: see package grant. One denial
// ends the grant, also if it was approved before. The error is always a *signing.SetRefusal.
func (s *Signer) Decide(ctx context.Context, v protocol.Verdict) (*protocol.Grant, error) {
	s.granting.Lock()
	defer s.granting.Unlock()
	next, entry := pending{}, verdictEntry{ID: v.ID, Signature: v.Signature}
	err := s.write(ctx, func(ctx context.Context, tx *sql.Tx, after head) (head, error) {
		g := s.pendingOf(v.ID)
		if g == nil {
			return after, refuse(CodeApproval, "there is no grant %.40q", v.ID)
		}
		next = *g
		says, err := s.decided(s.Policy(), &next, &entry, s.time())
		if err != nil {
			return after, err
		}
		return s.append(ctx, tx, after, "verdict", says.by, entry)
	})
	if err != nil {
		return nil, asRefusal(err)
	}
	answer := next.answer(s.time())
	return &answer, nil
}

// decided holds a signature against a policy's approvers, and has the grant say what it says.
func (s *Signer) decided(p *Policy, g *pending, v *verdictEntry, at time.Time) (says statement, err error) {
	if state := g.state(at); state != protocol.GrantWaiting && state != protocol.GrantApproved {
		return says, refuse(CodeApproval, "the grant is %s", state)
	}
	if g.Policy != p.fingerprint {
		return says, refuse(CodePolicy, "the grant is of policy %.12s, the signer's is %.12s", g.Policy, p.fingerprint)
	}
	says, err = p.approvers.said(&g.Grant, v.Signature)
	if err == nil {
		err = s.counts.rises(says)
	}
	if err != nil {
		return says, refuse(CodeApproval, "%v", err)
	}
	v.Verdict = says.verdict
	switch {
	case says.verdict == grant.Denies:
		g.denied = at
	case slices.Contains(g.approved, says.by):
		return says, refuse(CodeApproval, "%q has approved it already", says.by)
	default:
		g.approved = append(slices.Clip(g.approved), says.by)
	}
	return says, nil
}

// pending are the grants that are kept. The slice is not changed any more.
func (s *Signer) pending() []*pending {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.grants
}

// pendingOf is the grant with an ID, nil if there is none.
func (s *Signer) pendingOf(id string) *pending {
	if g := first(s.pending(), func(x *pending) bool { return x.ID == id }); g != nil {
		return *g
	}
	return nil
}

// keep takes in a grant in the place of what it was, and forgets what nobody can use or must not
// ask for again.
func (s *Signer) keep(g *pending) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now, kept := s.time(), []*pending{}
	for _, x := range s.grants {
		if x.ID == g.ID {
			kept, g = append(kept, g), &pending{}
		} else if now.Before(x.Expires) || now.Before(x.denied.Add(deniedFor)) {
			kept = append(kept, x)
		}
	}
	if g.ID != "" {
		kept = append(kept, g)
	}
	s.grants = kept
}

// recallGrants takes in what a transaction has written of grants, before another one is begun.
func (s *Signer) recallGrants(ctx context.Context) (failed error) {
	for _, e := range s.written {
		if e.Kind == "grant" || e.Kind == "verdict" {
			failed = cmp.Or(failed, s.recall(ctx, e))
		}
	}
	return failed
}

// recall takes in what the log says of policies, owners and grants. A verdict counts only if an approver of
// the policy that was in force has signed it.
func (s *Signer) recall(ctx context.Context, e Entry) error {
	switch e.Kind {
	case "owner":
		return s.recallOwner(ctx, e)
	case "policy":
		return s.recallPolicy(e)
	case "freeze":
		var body struct{ Reason string }
		if err := json.Unmarshal(e.Body, &body); err != nil {
			return err
		}
		s.freezes.Add(1)
		if isRestored(body.Reason) {
			s.voidApprovals(e.Seq)
		}
	case "grant":
		g := &pending{}
		if err := json.Unmarshal(e.Body, &g.Grant); err != nil {
			return err
		}
		s.keep(g)
	case "verdict":
		var v verdictEntry
		if err := json.Unmarshal(e.Body, &v); err != nil {
			return err
		}
		if g := s.pendingOf(v.ID); g != nil {
			next := *g
			if _, err := s.decided(cmp.Or(s.inForce.Load().policy, s.Policy()), &next, &v, e.At); err == nil {
				s.keep(&next)
			}
		}
		s.counts.note(v.Signature) // also of a grant that is long gone
	}
	return nil
}
