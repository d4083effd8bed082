package signer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/walletfi/walletfi-go/signing"
)

// replay has what the store must hold by its log.
type replay struct {
	messages map[string]*kept
	policy   string
	rules    *Policy // of the newest policy whose text the log has
	mode     Mode
	frozen   map[string]bool // owners by their keys
	people   people
}

// kept has what the store must hold of a message.
type kept struct {
	debits    []Debit
	excess    int // so many of the debits, the last ones, are no client's
	client    string
	simulated bool
	state     string
	at        int64
	under     string // the grant
	set       string
	costs     granted // under it
	whole     string  // the text of a restore, which is of no message
}

// take takes in an entry.
func (r *replay) take(e Entry) error {
	var body struct {
		Mode  Mode
		Owner string
		Key   string
		Is    string
		Text  string

		Reason string
	}
	var ended endEntry
	var err error
	switch e.Kind {
	case "sign":
		err = r.sign(e)
	case "end":
		err = json.Unmarshal(e.Body, &ended)
		if k := r.messages[ended.ID]; k != nil {
			k.state, k.at = ended.State, ended.At.UnixNano()
			k.debits, k.excess = append(ended.kept(k.debits), ended.Excess...), len(ended.Excess)
		}
	case "restore":
		var lost restoreEntry
		if err = json.Unmarshal(e.Body, &lost); len(lost.Debits) > 0 {
			r.messages[lost.ID] = &kept{whole: lost.text()}
		}
	case "policy":
		err = json.Unmarshal(e.Body, &body)
		r.policy, r.rules = body.Is, nil
		if body.Text != "" && err == nil {
			r.rules, err = ParsePolicy([]byte(body.Text))
		}
		err = errors.Join(err, r.people.take(e))
	case "grant", "verdict":
		err = r.people.take(e)
	case "freeze":
		if err = json.Unmarshal(e.Body, &body); body.Owner != "" {
			r.frozen[body.Key] = true
		} else {
			r.mode = body.Mode
		}
		if isRestored(body.Reason) && r.people.entry > 0 {
			r.people.entry = e.Seq
		}
	case "thaw":
		r.mode = ModeOpen
		clear(r.frozen)
	}
	if err != nil {
		return fmt.Errorf("%w: entry %d: %w", ErrAltered, e.Seq, err)
	}
	return nil
}

// sign takes in the messages of an entry of kind sign.
func (r *replay) sign(e Entry) error {
	var signed signEntry
	err := json.Unmarshal(e.Body, &signed)
	for _, m := range signed.Messages {
		err = errors.Join(err, r.recount(signed.Owner, m))
		if r.messages[m.ID] == nil {
			r.messages[m.ID] = &kept{
				debits: m.Debits, client: e.Client, simulated: m.Grade != GradeBytes, state: stateOpen, at: forever,
				under: signed.Grant, set: signed.Set, costs: signed.Costs[m.ID],
			}
		}
	}
	return err
}

// recount holds the debits of a trade against the prices and the policy that the log has.
func (r *replay) recount(owner string, m *Message) error {
	var had []Debit
	for _, d := range m.Debits {
		if d.traded() {
			had = append(had, d)
		}
	}
	var want []Debit
	if m.Trade != nil && r.rules != nil {
		want = r.rules.traded(first(r.rules.Owners, func(o Owner) bool { return o.Name == owner }), m.Trade)
	}
	if m.Trade == nil && had == nil || want != nil && slices.Equal(had, want) {
		return nil
	}
	return fmt.Errorf("message %s does not count what it trades", m.ID)
}

// text is the message as the store has it: what has ended without leaving is given back.
func (k *kept) text() string {
	if k.whole != "" {
		return k.whole
	}
	text := stateText(k.state, k.simulated)
	if k.under != "" {
		text += grantText(k.under, k.set, k.costs.text())
	}
	for i, d := range k.debits {
		whose := "own"
		client := k.client
		if d.Payee != "" {
			whose = ""
		}
		if d.Payee != "" || i >= len(k.debits)-k.excess {
			client = ""
		}
		text += debitText(whose, client, &d, k.at)
	}
	return text
}

func stateText(state string, simulated bool) string { return fmt.Sprintf("%s %t", state, simulated) }

func grantText(under, set, costs string) string {
	return fmt.Sprintf("; under %s %s %s", under, set, costs)
}

func debitText(whose, client string, d *Debit, at int64) string {
	return fmt.Sprintf("; %s %q %s %s %d %d %d %d",
		whose, client, string(d.Mint), d.Payee, d.Amount, d.Cost, d.Exposure, at)
}

// holds compares the store with what its log says.
func (r *replay) holds(ctx context.Context, db querier) error {
	stored, err := storedMessages(ctx, db)
	if err != nil {
		return err
	}
	for id, is := range stored {
		if k := r.messages[id]; k == nil || k.text() != is {
			return fmt.Errorf("%w: message %s is not in the log as it is in the store, %q", ErrAltered, id, is)
		}
	}
	if len(stored) != len(r.messages) {
		return fmt.Errorf("%w: %d messages are in the store, %d in the log", ErrAltered, len(stored), len(r.messages))
	}
	policy, first := getMeta(ctx, db, "policy")
	mode, second := mode(ctx, db)
	frozen, third := frozenOwners(ctx, db)
	strange := func(key string) bool { return !r.frozen[key] }
	switch err := errors.Join(first, second, third); {
	case err != nil:
		return err
	case policy != r.policy:
		return fmt.Errorf("%w: the store is of policy %.12s, the log of %.12s", ErrAltered, policy, r.policy)
	case mode != r.mode || len(frozen) != len(r.frozen) || slices.ContainsFunc(frozen, strange):
		return fmt.Errorf("%w: the store is %s, with owners %q frozen, by the log it is %s, with %d",
			ErrAltered, mode, frozen, r.mode, len(r.frozen))
	}
	return nil
}

// storedMessages reads the messages with their debits. The ID of each is held against its bytes, its
// owner and its client.
func storedMessages(ctx context.Context, db querier) (map[string]string, error) {
	stored, owners := map[string]string{}, map[string]string{}
	err := rows(ctx, db, func(scan func(...any) error) error {
		var id, state, owner, client string
		var simulated bool
		var raw []byte
		if err := scan(&id, &state, &owner, &client, &simulated, &raw); err != nil {
			return err
		}
		tx, bad := signing.DecodeBytes(raw)
		key, other := signing.ParsePublicKey(owner)
		if bad != nil || other != nil || idOf(client, key, tx.Message()) != id {
			return fmt.Errorf("%w: message %s is not of these bytes, this owner or this client", ErrAltered, id)
		}
		stored[id], owners[id] = stateText(state, simulated), owner
		return nil
	}, "SELECT id, state, owner, client, simulated, tx FROM signed")
	if err != nil {
		return nil, err
	}
	err = rows(ctx, db, func(scan func(...any) error) error {
		var id, grant, set, costs string
		err := scan(&id, &grant, &set, &costs)
		stored[id] += grantText(grant, set, costs)
		return err
	}, "SELECT id, under, of_set, fees FROM granted")
	if err != nil {
		return nil, err
	}
	err = rows(ctx, db, func(scan func(...any) error) error {
		var id, owner, client string
		var d Debit
		var at int64
		err := scan(&id, &owner, &client, &d.Mint, &d.Payee, &d.Amount, &d.Cost, &d.Exposure, &at)
		if owner != "" && owner == owners[id] {
			owner = "own"
		}
		stored[id] += debitText(owner, client, &d, at)
		return err
	}, "SELECT id, owner, client, mint, payee, amount, cost, exposure, at FROM debit ORDER BY rowid")
	return stored, err
}
