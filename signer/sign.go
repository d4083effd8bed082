package signer

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
)

// Decision says what a Signer decided on a request.
type Decision struct {
	// Signatures are those of the request's transactions, in order; none of Judge.
	Signatures []signing.Signature `json:"signatures,omitempty"`
	Messages   []*Message          `json:"messages"`
}

// signEntry is the body of an entry of kind sign.
type signEntry struct {
	Owner    string     `json:"owner"`
	Service  string     `json:"service"`
	Key      string     `json:"key,omitempty"`
	Messages []*Message `json:"messages"`
	// Grant is the ID of the one that they were signed under, and Set the set that used it up.
	Grant string `json:"grant,omitempty"`
	Set   string `json:"set,omitempty"`
	// Costs are what each of them may cost, of each kind, by its ID.
	Costs map[string]granted `json:"costs,omitempty"`
	// In report-only mode: why the policy would have refused, and what it would have to allow.
	Would string  `json:"would,omitempty"`
	Asked *Policy `json:"asked,omitempty"`
}

// refuseEntry is the body of an entry of kind refuse.
type refuseEntry struct {
	Owner   string `json:"owner"`
	Service string `json:"service"`
	Key     string `json:"key,omitempty"`
	Code    string `json:"code"`
	Text    string `json:"text"`
}

// SignSet judges a request of a client and signs it, all or nothing. The error is always a
// *signing.SetRefusal.
func (s *Signer) SignSet(ctx context.Context, client string, r signing.SetRequest) (*Decision, error) {
	d, err := s.turn(ctx, client, r, s.sign)
	s.tally.decided(err)
	return d, err
}

// Judge says what SignSet would. It counts and signs nothing.
func (s *Signer) Judge(ctx context.Context, client string, r signing.SetRequest) (*Decision, error) {
	return s.turn(ctx, client, r, func(ctx context.Context, q *request) (*Decision, error) {
		if err := s.judge(ctx, q); err != nil {
			return nil, err
		}
		return &Decision{Messages: q.messages}, nil
	})
}

func (s *Signer) judge(ctx context.Context, q *request) error {
	if err := s.assessAll(ctx, q); err != nil {
		return err
	}
	err := s.write(ctx, func(ctx context.Context, tx *sql.Tx, after head) (head, error) {
		return after, cmp.Or(s.decide(ctx, tx, q), errJudged)
	})
	if errors.Is(err, errJudged) {
		return nil
	}
	return asRefusal(err)
}

var errJudged = errors.New("signer: it was only judged")

// request is one request of a client, as far as it is judged.
type request struct {
	signing.SetRequest
	client   *asking
	under    *inForce // the policy that was in force when it was asked for
	owner    *Owner
	intent   walletfi.Intent
	messages []*Message
	grant    *pending // nil without one
	would    string   // in report-only mode, why the policy would have refused
	asked    *Policy  // by which it signs then

	asksGrant bool // it is judged for a grant, as which nothing is traded
}

// turn holds a request against the client's rate and rights, and logs a refusal.
func (s *Signer) turn(
	ctx context.Context, name string, r signing.SetRequest, f func(context.Context, *request) (*Decision, error),
) (*Decision, error) {
	c := s.clients[name]
	if c == nil {
		return nil, refuse(CodeClient, "the policy has no client %q", name)
	}
	if !c.rate.Allow() {
		c.unlogged.Add(1)
		return nil, waits(CodeRate, "client %q asks more than %d times a second", name, c.Rate)
	}
	select {
	case c.waiting <- struct{}{}:
		defer func() { <-c.waiting }()
	default:
		c.unlogged.Add(1)
		return nil, waits(CodeRate, "client %q has %d requests waiting", name, maxWaiting)
	}
	var err error
	if s.Policy().owner(r.Unsigned.Intent.Owner) == nil { // another signer may have made the owner
		err = s.follow(ctx)
	}
	q := &request{
		SetRequest: r, client: c, under: s.inForce.Load(), intent: s.Policy().narrowed(r.Unsigned.Intent),
	}
	err = cmp.Or(err, s.admit(q))
	if err == nil {
		var d *Decision
		if d, err = f(ctx, q); err == nil {
			return d, nil
		}
	}
	refusal := asRefusal(err)
	s.logRefusal(ctx, q, refusal)
	return nil, refusal
}

// logUnlogged writes how many refusals of each client have no entry of their own, such as those for
// lack of room, which there may be now. Those since the last Settle are lost if the process is killed.
func (s *Signer) logUnlogged(ctx context.Context) {
	for _, c := range s.clients {
		n := c.unlogged.Swap(0)
		if n > 0 && s.write(ctx, func(ctx context.Context, tx *sql.Tx, after head) (head, error) {
			return s.append(ctx, tx, after, "refusals", c.Name, map[string]int64{"unlogged": n})
		}) != nil {
			c.unlogged.Add(n)
		}
	}
}

// asRefusal is a refusal as it is, and any other error as the store's.
func asRefusal(err error) *signing.SetRefusal {
	if refusal, ok := errors.AsType[*signing.SetRefusal](err); ok {
		return refusal
	}
	if isFull(err) {
		return waits(CodeFull, "the disk took no write: %v", err)
	}
	return waits(CodeStore, "the store did not take it: %v", err)
}

// logRefusal writes an entry, or counts the refusal if the client has had many: an entry of
// kind refusals tells of those.
func (s *Signer) logRefusal(ctx context.Context, q *request, refusal *signing.SetRefusal) {
	entry := func(ctx context.Context, tx *sql.Tx, after head) (head, error) {
		return s.append(ctx, tx, after, "refuse", q.client.Name, refuseEntry{
			Owner: brief(q.intent.Owner), Service: brief(q.intent.Service), Key: brief(q.Key), Code: refusal.Code,
			Text: refusal.Text[:min(len(refusal.Text), 500)],
		})
	}
	allowed := q.client.told.AllowN(walletfi.Now(s.clock), 1) && refusal.Code != CodeStore && refusal.Code != CodeFull
	if !allowed || s.write(ctx, entry) != nil {
		q.client.unlogged.Add(1)
	}
}

// brief bounds what a client has the log keep.
func brief(text string) string { return strings.ToValidUTF8(text[:min(len(text), 100)], "") }

// admit checks the request's form and the client's rights.
func (s *Signer) admit(q *request) error {
	q.owner = s.Policy().owner(q.intent.Owner)
	total := len(q.Unsigned.Transactions)
	switch {
	case q.owner == nil || q.owner.Key.String() != q.intent.Owner:
		return refuse(CodeClient, "%.50q is not an owner of the policy", q.intent.Owner)
	case !q.client.mayAsk(q.owner):
		return refuse(CodeClient, "client %q may not ask for owner %q", q.client.Name, q.owner.Name)
	case q.owner.Closed:
		return q.owner.closed(s.Policy(), nil)
	case total == 0 || total > maxTransactions:
		return refuse(CodeRequest, "a set has 1 to %d transactions, not %d", maxTransactions, total)
	case q.First < 0 || q.Count < 1 || q.Count > total || q.First > total-q.Count:
		return refuse(CodeRequest, "there are no %d transactions from index %d on in a set of %d", q.Count, q.First, total)
	case len(q.Key) > 200:
		return refuse(CodeRequest, "the payment's key is longer than 200 bytes")
	}
	return nil
}

// assessAll judges each transaction of the request.
func (s *Signer) assessAll(ctx context.Context, q *request) error {
	if q.asked == nil && !slices.Contains(q.client.Services, q.intent.Service) {
		return refuse(CodeClient, "client %q may not ask for service %.50q", q.client.Name, q.intent.Service)
	}
	for i, encoded := range q.Unsigned.Transactions[q.First : q.First+q.Count] {
		tx, err := signing.Decode(encoded)
		if err != nil {
			return refuse(CodeRequest, "%v", err)
		}
		m, err := s.assess(ctx, q, tx, q.First+i > 0)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(q.messages, func(x *Message) bool { return x.ID == m.ID }) {
			return refuse(CodeRequest, "two transactions of the set are the same")
		}
		q.messages = append(q.messages, m)
	}
	return q.owner.closed(s.Policy(), q.messages)
}

// sign decides, signs, and writes the signatures. What is counted when a signature fails
// stays counted.
func (s *Signer) sign(ctx context.Context, q *request) (*Decision, error) {
	assess := s.assessAll
	if s.Policy().ReportOnly {
		assess = s.report
	}
	if err := assess(ctx, q); err != nil {
		return nil, err
	}
	freezes := s.freezes.Load()
	err := s.write(ctx, func(ctx context.Context, tx *sql.Tx, after head) (head, error) {
		if err := s.decide(ctx, tx, q); err != nil {
			return after, err
		}
		if !slices.ContainsFunc(q.messages, func(m *Message) bool { return !m.answered() }) {
			return after, nil
		}
		return s.append(ctx, tx, after, "sign", q.client.Name, signEntry{
			Owner: q.owner.Name, Service: q.intent.Service, Key: q.Key, Messages: q.messages,
			Grant: q.Grant, Set: q.set(), Costs: q.costs(), Would: q.would, Asked: q.asked,
		})
	})
	if err != nil {
		return nil, asRefusal(err)
	}
	written := map[string]string{}
	for _, m := range q.messages {
		if m.answered() {
			continue
		}
		if s.freezes.Load() != freezes {
			return nil, errMeanwhile
		}
		if m.signature, err = s.tally.sign(ctx, s.keyOf(q.owner.Key), m.tx.Message()); err != nil {
			return nil, waits(CodeBackend, "%v", err)
		}
		written[m.ID] = m.signature.String()
	}
	if err := s.signatures(ctx, q.client.Name, written); err != nil {
		return nil, asRefusal(err)
	}
	if s.freezes.Load() != freezes {
		return nil, errMeanwhile
	}
	d := &Decision{Messages: q.messages}
	for _, m := range q.messages {
		d.Signatures = append(d.Signatures, m.signature)
	}
	return d, nil
}

// errMeanwhile refuses a signature that a freeze has overtaken. What was counted stays counted.
var errMeanwhile = waits(CodeFrozen, "the signer was frozen meanwhile")

// answered reports that the message was signed before. It is not signed again: a key may sign
// otherwise each time, and only one signature is followed.
func (m *Message) answered() bool { return m.exists && m.signature != signing.Signature{} }

// signatures writes what was signed. No signature leaves before.
func (s *Signer) signatures(ctx context.Context, client string, written map[string]string) error {
	if len(written) == 0 {
		return nil
	}
	return s.write(ctx, func(ctx context.Context, tx *sql.Tx, after head) (head, error) {
		for id, signature := range written {
			is, err := changed(ctx, tx, "UPDATE signed SET signature = ? WHERE id = ? AND signature IN ('', ?)",
				signature, id, signature)
			if err == nil && !is {
				err = waits(CodeBackend, "message %.12s has another signature, and one alone is followed", id)
			}
			if err != nil {
				return after, err
			}
		}
		return s.append(ctx, tx, after, "signature", client, written)
	})
}
