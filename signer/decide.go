package signer

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/walletfi/walletfi-go/internal/spendwindow"
	"github.com/walletfi/walletfi-go/signing"
)

// decide holds a judged request against the freeze, the fingerprint and all windows, and
// writes its debits. It runs within one transaction of the store, so that no other request
// comes between the check and the debits.
func (s *Signer) decide(ctx context.Context, tx *sql.Tx, q *request) error {
	if err := s.permitted(ctx, tx, q); err != nil {
		return err
	}
	if err := s.granted(ctx, tx, q); err != nil {
		return err
	}
	for _, m := range q.messages {
		var state, signature string
		err := tx.QueryRowContext(ctx, "SELECT state, signature FROM signed WHERE id = ?", m.ID).Scan(&state, &signature)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			if err := s.debit(ctx, tx, q, m); err != nil {
				return err
			}
		case err != nil:
			return err
		case state != stateOpen:
			return refuse(CodeEnded, "the message was signed before, and is %s", state)
		default:
			m.exists = true // it counts already
			if signature == "" {
				err = undenied(ctx, tx, q, m)
			} else {
				m.signature, err = signing.ParseSignature(signature)
			}
			if err != nil {
				return err
			}
		}
	}
	now := s.time()
	for _, m := range q.messages {
		if m.exists || q.asked != nil {
			continue
		}
		for _, d := range m.Debits {
			if err := s.within(ctx, tx, q, now, d); err != nil {
				return err
			}
		}
	}
	return nil
}

// permitted checks the policy and the freeze.
func (s *Signer) permitted(ctx context.Context, tx *sql.Tx, q *request) error {
	stored, err := getMeta(ctx, tx, "policy")
	if err != nil {
		return err
	}
	in := s.inForce.Load()
	if q.under != nil && (q.under.policy != in.policy || q.under.at != in.at) { // by another signer
		return waits(CodePolicy, "a policy came in force meanwhile")
	}
	if stored != s.Policy().fingerprint {
		return refuse(CodePolicy, "the store is of policy %.12s, the signer's is %.12s", stored, s.Policy().fingerprint)
	}
	switch mode, err := mode(ctx, tx); {
	case err != nil:
		return err
	case mode == ModeExit:
		if slices.ContainsFunc(q.messages, func(m *Message) bool { return !m.rescues }) {
			return waits(CodeFrozen, "the signer signs only what goes to the rescue addresses")
		}
		return nil
	case mode != ModeOpen:
		return waits(CodeFrozen, "the signer is frozen")
	case q.owner != nil:
		why, err := getMeta(ctx, tx, frozenOwner+q.owner.Key.String())
		if err == nil && why != "" {
			err = waits(CodeFrozen, "owner %q is frozen: %s", q.owner.Name, why)
		}
		if err != nil {
			return err
		}
	}
	return s.alive(ctx, tx)
}

// debit holds one message against the ceilings of one transaction and what is live, and
// writes it.
func (s *Signer) debit(ctx context.Context, tx *sql.Tx, q *request, m *Message) error {
	if err := cmp.Or(s.fresh(m), s.sweeps(ctx, tx, q)); err != nil {
		return err
	}
	for _, d := range m.Debits {
		if d.counted() {
			continue
		}
		c := s.ceilingOf(q, d)
		if q.asked == nil && (d.Amount > c.Transaction || d.Amount == none) {
			return refuse(CodeCeiling, "the transaction takes %d of %s, the ceiling%s is %d",
				d.Amount, d.Mint, toward(d), c.Transaction)
		}
		if q.ungranted() && c.Unapproved != nil && d.Amount > *c.Unapproved {
			return waits(CodeApproval, "the transaction takes %d of %s, more than %d%s need a grant",
				d.Amount, d.Mint, *c.Unapproved, toward(d))
		}
	}
	if err := alone(ctx, tx, q.owner, m); err != nil {
		return err
	}
	ours, err := json.Marshal(m.ours)
	if err != nil {
		return err
	}
	evidence, err := json.Marshal(m.evidence)
	if err != nil {
		return err
	}
	err = exec(ctx, tx, "INSERT INTO signed VALUES (?, ?, ?, ?, ?, ?, ?, ?, '', ?, 0)",
		m.ID, q.owner.Key.String(), q.client.Name, stateOpen, m.Grade != GradeBytes, m.tx.Bytes(), string(ours),
		string(evidence), s.time().UnixNano())
	for _, d := range m.Debits {
		owner, client := q.owner.Key.String(), q.client.Name
		if d.Payee != "" {
			owner, client = "", "" // it counts under the payee's ceilings alone
		}
		err = cmp.Or(err, exec(ctx, tx, "INSERT INTO debit VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
			m.ID, owner, client, string(d.Mint), d.Payee, d.Amount, d.Cost, d.Exposure, forever))
	}
	if q.grant != nil {
		err = cmp.Or(err, exec(ctx, tx, "INSERT INTO granted VALUES (?, ?, ?, ?)", m.ID, q.Grant, q.set(), m.costs().text()))
	}
	return err
}

// ceilingOf is the ceiling that a debit counts under.
func (s *Signer) ceilingOf(q *request, d Debit) Ceiling {
	if name, ok := strings.CutPrefix(d.Payee, ofTemplate); ok {
		c := Ceiling{Mint: d.Mint}
		if t := s.Policy().template(name); t != nil {
			c = ceiling(t.Sum, d.Mint)
		}
		c.Transaction = none
		return c
	}
	if d.Payee != "" {
		return ceiling(s.Policy().payee(d.Payee).Ceilings, d.Mint)
	}
	return ceiling(q.owner.ceilings(), d.Mint)
}

func toward(d Debit) string {
	if d.Payee == "" {
		return ""
	}
	return strings.Replace(" to "+d.Payee, " to "+ofTemplate, " from all owners of "+ofTemplate, 1)
}

// alone refuses a second live transaction of the owner's, or of the accounts that a program
// may write, if either was judged by a simulation: the other would change what it showed.
func alone(ctx context.Context, tx *sql.Tx, o *Owner, m *Message) error {
	busy := ""
	if m.Grade != GradeBytes {
		query := "SELECT id FROM signed WHERE state = 'open' AND owner = ? LIMIT 1"
		err := tx.QueryRowContext(ctx, query, o.Key.String()).Scan(&busy)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
	}
	err := rows(ctx, tx, func(scan func(...any) error) error {
		var id, owner, text string
		var ours []string
		if err := scan(&id, &owner, &text); err != nil {
			return err
		}
		shared := func(k string) bool { return slices.Contains(m.ours, k) }
		err := json.Unmarshal([]byte(text), &ours)
		if owner == o.Key.String() || slices.ContainsFunc(ours, shared) {
			busy = id
		}
		return err
	}, "SELECT id, owner, ours FROM signed WHERE state = 'open' AND simulated = 1")
	if account, durable := nonceOf(m.tx); err == nil && durable {
		if err := onlyOne(ctx, tx, account); err != nil {
			return err
		}
	}
	if err == nil && busy != "" {
		return waits(CodeBusy, "message %.12s of the same accounts can still land, and one was judged by a simulation", busy)
	}
	return err
}

// within holds the windows of a debit, which is written already, against their ceilings.
func (s *Signer) within(ctx context.Context, tx *sql.Tx, q *request, now time.Time, d Debit) error {
	if d.counted() {
		return nil
	}
	c := s.ceilingOf(q, d)
	whose, who := ofOwner, []any{q.owner.Key.String()}
	if d.Payee != "" {
		whose, who = ofPayee, []any{d.Payee}
	}
	if len(c.Windows) == 0 && d.Amount > 0 {
		return refuse(CodeWindow, "%s has no ceiling%s", d.Mint, toward(d))
	}
	for _, w := range c.Windows {
		if err := fits(ctx, tx, now, d, w, CodeWindow, whose, who...); err != nil {
			return err
		}
		small := q.ungranted() && w.Unapproved != nil
		if small {
			part := Limit{Length: w.Length, Most: *w.Unapproved}
			if err := fits(ctx, tx, now, d, part, CodeApproval, ungranted+whose, who...); err != nil {
				return err
			}
		}
		if d.Payee != "" {
			continue
		}
		of := []any{q.owner.Key.String(), q.client.Name}
		part := Limit{Length: w.Length, Most: share(w.Most, q.client.Share)}
		if err := fits(ctx, tx, now, d, part, CodeShare, ofClient, of...); err != nil {
			return err
		}
		if small {
			part.Most = share(*w.Unapproved, q.client.Share)
			if err := fits(ctx, tx, now, d, part, CodeApproval, ungranted+ofClient, of...); err != nil {
				return err
			}
		}
	}
	if d.Payee != "" || d.Exposure == 0 {
		return nil
	}
	reached, err := exposed(ctx, tx, q.owner.Key.String(), d.Mint)
	if err != nil {
		return err
	}
	if most := q.owner.exposure(d.Mint); reached > most {
		return refuse(CodeExposure, "programs may write %d of %s, the policy exposes %d", reached, d.Mint, most)
	}
	return nil
}

func fits(
	ctx context.Context, tx *sql.Tx, now time.Time, d Debit, w Limit, code, whose string, who ...any,
) error {
	length := time.Duration(w.Length)
	sum, err := spent(ctx, tx, now, length, d.Mint, whose, who...)
	if err != nil || sum <= w.Most {
		return err
	}
	refusal := waits(code, "%d of %s%s would leave within %v, the ceiling is %d", sum, d.Mint, toward(d), w.Length, w.Most)
	refusal.RetryAt, err = frees(ctx, tx, now, length, sum-w.Most, d.Mint, whose, who...)
	if err != nil {
		return err
	}
	return refusal
}

// frees is the first moment at which an amount of a window has become free, zero if what is
// open keeps it.
func frees(
	ctx context.Context, q querier, now time.Time, length time.Duration, amount int64, mint Mint, whose string, who ...any,
) (at time.Time, err error) {
	args := append([]any{string(mint), spendwindow.Since(now, length).UnixNano(), forever}, who...)
	err = rows(ctx, q, func(scan func(...any) error) error {
		var landed, part int64
		if err := scan(&landed, &part); err != nil {
			return err
		}
		if amount > 0 {
			if amount -= part; amount <= 0 {
				at = spendwindow.Until(time.Unix(0, landed), length)
			}
		}
		return nil
	}, "SELECT at, amount FROM debit WHERE mint = ? AND at >= ? AND at < ? AND "+whose+" ORDER BY at", args...)
	return at, err
}

// keyTimeout bounds one question to a key.
const keyTimeout = 10 * time.Second

// signOnce has a key sign a message and verifies the signature. A key that does not come back
// is left: what it answers later is of no use to anyone who asks.
func signOnce(ctx context.Context, key signing.Signer, message []byte) (signing.Signature, error) {
	ctx, cancel := context.WithTimeout(ctx, keyTimeout)
	defer cancel()
	type made struct {
		signature signing.Signature
		err       error
	}
	done := make(chan made, 1)
	go func() {
		signature, err := key.Sign(ctx, slices.Clone(message))
		if err == nil && !signature.Verify(key.PublicKey(), message) {
			err = errors.New("the key's signature is not its own over this message")
		}
		done <- made{signature, err}
	}()
	select {
	case m := <-done:
		return m.signature, m.err
	case <-ctx.Done():
		return signing.Signature{}, ctx.Err()
	}
}
