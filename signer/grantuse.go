package signer

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/spendwindow"
	"github.com/walletfi/walletfi-go/signer/grant"
	"github.com/walletfi/walletfi-go/signer/protocol"
	"github.com/walletfi/walletfi-go/signing"
)

// set identifies the set that a grant is used for, empty without a grant.
func (q *request) set() string {
	if q.grant == nil {
		return ""
	}
	h := sha256.New()
	for _, encoded := range q.Unsigned.Transactions {
		tx, err := signing.Decode(encoded)
		if err != nil {
			fmt.Fprintf(h, "%q,", encoded)
			continue
		}
		fmt.Fprintf(h, "%d:%s,", len(tx.Message()), tx.Message())
	}
	return hex.EncodeToString(h.Sum(nil))
}

// ungranted reports that the request is bound to what leaves without a grant.
func (q *request) ungranted() bool { return q.grant == nil && q.asked == nil }

// granted holds a request that names a grant against it: whether it may be used, and whether what
// the set takes, with what was signed of it before, is within it.
func (s *Signer) granted(ctx context.Context, tx *sql.Tx, q *request) error {
	if q.Grant == "" || q.asked != nil {
		return nil
	}
	g := s.pendingOf(q.Grant)
	if g == nil || g.Client != q.client.Name || g.Key != q.owner.Key.String() {
		return refuse(CodeApproval, "client %q has no grant %.40q for owner %q", q.client.Name, q.Grant, q.owner.Name)
	}
	switch state := g.state(s.time()); {
	case g.void || g.Policy != s.Policy().fingerprint:
		return refuse(CodePolicy, "the grant is of policy %.12s, as it was in force before", g.Policy)
	case state == protocol.GrantWaiting:
		return waits(CodeApproval, "%d of %d approvers have signed the grant", len(g.approved), g.Needs)
	case state != protocol.GrantApproved:
		return refuse(CodeApproval, "the grant is %s", state)
	case g.Service != q.intent.Service:
		return refuse(CodeApproval, "the grant is for service %q", g.Service)
	}
	q.grant = g
	return s.covered(ctx, tx, q)
}

// undenied refuses to sign what was decided under a grant, and got no signature then, without that
// grant: it may have been denied since.
func undenied(ctx context.Context, tx *sql.Tx, q *request, m *Message) error {
	var under string
	err := tx.QueryRowContext(ctx, "SELECT under FROM granted WHERE id = ?", m.ID).Scan(&under)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil
	case err == nil && under != q.Grant:
		return refuse(CodeApproval, "message %.12s is signed under grant %s alone", m.ID, under)
	}
	return err
}

// granted are the costs of a message that was signed under a grant.
type granted grant.Fees

func (g granted) text() string {
	text, _ := json.Marshal(g) // four numbers
	return string(text)
}

// costs are what the message may cost, of each kind.
func (m *Message) costs() granted {
	return granted{
		Network: walletfi.Amount(m.fees.Network), Tip: walletfi.Amount(m.fees.Tip),
		Rent: walletfi.Amount(m.fees.Rent), ForeignRent: walletfi.Amount(m.fees.ForeignRent),
	}
}

// costs are those of the request's messages, nil without a grant.
func (q *request) costs() map[string]granted {
	if q.grant == nil {
		return nil
	}
	all := map[string]granted{}
	for _, m := range q.messages {
		all[m.ID] = m.costs()
	}
	return all
}

// covered refuses a second set under the grant, and what is more than the grant says. Messages that
// are proven dead, so that what they took came back, have used up nothing.
func (s *Signer) covered(ctx context.Context, tx *sql.Tx, q *request) error {
	before, costs := &Message{}, q.costs()
	set := q.set()
	err := rows(ctx, tx, func(scan func(...any) error) error {
		var id, of, text string
		var d Debit
		if err := scan(&id, &of, &text, &d.Mint, &d.Amount, &d.Cost); err != nil {
			return err
		}
		if of != set {
			return refuse(CodeApproval, "the grant was used for another set, of message %.12s", id)
		}
		if slices.ContainsFunc(q.messages, func(m *Message) bool { return m.ID == id }) {
			return nil
		}
		before.Debits = append(before.Debits, d)
		var paid granted
		err := json.Unmarshal([]byte(text), &paid)
		costs[id] = paid
		return err
	}, `SELECT g.id, g.of_set, g.fees, d.mint, d.amount, d.cost FROM granted g JOIN signed s ON s.id = g.id JOIN debit d
		ON d.id = g.id WHERE g.under = ? AND (s.state != 'dead' OR d.amount > 0) AND d.payee = ''`, q.Grant)
	if err != nil {
		return err
	}
	g := q.grant
	for _, a := range amounts(append(slices.Clip(q.messages), before)) {
		if !g.Allows(a.Mint, a.Amount) {
			return refuse(CodeApproval, "the set takes %s of %s, which is more than was granted", a.Amount, Mint(a.Mint))
		}
	}
	for _, m := range q.messages {
		for _, payee := range m.paid {
			if !slices.Contains(g.Payees, payee) {
				return refuse(CodeApproval, "%s is not a payee of the grant", payee)
			}
		}
		for _, c := range m.called() {
			if !slices.Contains(g.Calls, c) {
				return refuse(CodeApproval, "instruction %q of %s is not in the grant", c.Instruction, c.Program)
			}
		}
	}
	return g.pays(costs)
}

// pays refuses what a set costs beyond the grant, of each kind.
func (g *pending) pays(costs map[string]granted) error {
	for what, of := range map[string]func(grant.Fees) walletfi.Amount{
		"network fees":    func(f grant.Fees) walletfi.Amount { return f.Network },
		"tips":            func(f grant.Fees) walletfi.Amount { return f.Tip },
		"rent":            func(f grant.Fees) walletfi.Amount { return f.Rent },
		"rent for others": func(f grant.Fees) walletfi.Amount { return f.ForeignRent },
	} {
		sum := uint64(0)
		for _, c := range costs {
			sum = spendwindow.Add(sum, uint64(of(grant.Fees(c))))
		}
		if most := of(g.Fees); sum > uint64(most) {
			return refuse(CodeApproval, "%s of %d lamports are more than was granted, %s", what, sum, most)
		}
	}
	return nil
}

// called are the instructions of pinned programs that a message calls.
func (m *Message) called() (all []grant.Call) {
	for _, pin := range m.calls {
		c := grant.Call{Program: pin.Program.String()}
		if len(pin.Instructions) > 0 {
			c.Instruction = pin.Instructions[0]
		}
		all = union(all, []grant.Call{c})
	}
	return all
}

// amounts add up what messages take of each mint, besides what they cost, in the order of mints.
func amounts(all []*Message) []grant.Amount {
	out := []grant.Amount{}
	for _, m := range all {
		for _, d := range m.Debits {
			if d.Payee != "" || d.Amount == d.Cost {
				continue
			}
			has := first(out, func(x grant.Amount) bool { return x.Mint == string(d.Mint) })
			if has == nil {
				out = append(out, grant.Amount{Mint: string(d.Mint)})
				has = &out[len(out)-1]
			}
			has.Amount = walletfi.Amount(spendwindow.Add(uint64(has.Amount), uint64(d.Amount-d.Cost)))
		}
	}
	slices.SortFunc(out, func(a, b grant.Amount) int { return slices.Compare([]string{a.Mint}, []string{b.Mint}) })
	return out
}
