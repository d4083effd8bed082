package signer

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/clock"
	"github.com/walletfi/walletfi-go/internal/proof"
	"github.com/walletfi/walletfi-go/signing"
)

// endEntry is the body of an entry of kind end: what became of a signed message.
type endEntry struct {
	ID    string    `json:"id"`
	State string    `json:"state"` // landed, failed or dead
	At    time.Time `json:"at"`    // from when its debits age
	Slot  uint64    `json:"slot,omitzero"`
	// Back says that what the message did not take is given back.
	Back bool `json:"back"`
	// Excess has the amounts that the ledger shows to have left beyond the debits.
	Excess []Debit `json:"excess,omitempty"`
}

// kept are the debits that are left of those of the message.
func (e *endEntry) kept(debits []Debit) (left []Debit) {
	for _, d := range debits {
		switch {
		case e.Back && e.State == stateDead:
			d.Amount = 0
		case e.Back && e.State == stateFailed:
			d.Amount = d.Cost
		}
		left = append(left, d)
	}
	return left
}

// live is a signed message that is not proven landed or dead.
type live struct {
	id        string
	owner     signing.PublicKey
	client    string
	made      time.Time
	ours      string // the signature that the signer made, empty after a crash
	simulated bool
	tx        *signing.Transaction
	signature string // empty if another signs first, whose signature is not known
	evidence  walletfi.Evidence
	found     string // a signature of another fee payer's that a node knows
}

// lives reads the open messages.
func (s *Signer) lives(ctx context.Context) (all []*live, err error) {
	err = rows(ctx, s.db, func(scan func(...any) error) error {
		l := &live{}
		var raw []byte
		var owner, evidence string
		var made int64
		err := scan(&l.id, &owner, &l.client, &made, &l.simulated, &raw, &evidence, &l.ours)
		if err != nil {
			return err
		}
		if l.owner, err = signing.ParsePublicKey(owner); err != nil {
			return err
		}
		if l.tx, err = signing.DecodeBytes(raw); err != nil {
			return err
		}
		if l.tx.FeePayer() == l.owner {
			l.signature = l.ours // by which the ledger knows it
		}
		l.made = time.Unix(0, made).UTC()
		all = append(all, l)
		return json.Unmarshal([]byte(evidence), &l.evidence)
	}, "SELECT id, owner, client, made, simulated, tx, evidence, signature FROM signed WHERE state = 'open' ORDER BY made")
	return all, err
}

// Watch settles what is open every few seconds until ctx ends.
func (s *Signer) Watch(ctx context.Context) {
	const pause = 2 * time.Second
	for ctx.Err() == nil {
		_ = s.Settle(ctx) // what no node shows now is asked for again
		if clock.Wait(ctx, s.clock, pause) != nil {
			return
		}
	}
}

// Settle asks the signer's nodes once for the time and for what became of each open message.
// A clock that has jumped, and a transaction that took more than its debits, freeze. Once an hour
// it asks for the owners' balances and for what their keys have signed: an owner who has less than
// the log leaves him, or whose key signed what is not in it, is frozen.
func (s *Signer) Settle(ctx context.Context) error {
	s.settling.Lock()
	defer s.settling.Unlock()
	s.logUnlogged(ctx)
	final, err := s.finalHead(ctx)
	if err != nil {
		return err
	}
	if err := s.tellTime(ctx, final); err != nil {
		return err
	}
	mode, err := mode(ctx, s.db)
	if err != nil {
		return err
	}
	if err := s.alive(ctx, s.db); err != nil && mode == ModeOpen {
		return s.Freeze(ctx, "signer", ModeFrozen, err.Error())
	}
	all, err := s.lives(ctx)
	var failed []error
	for _, l := range all {
		failed = append(failed, s.settle(ctx, l, final))
	}
	return errors.Join(append(failed, err, s.compare(ctx, final), s.trace(ctx, final))...)
}

// tellTime takes in the time of the newest finalized block that most nodes agree on: that
// of the quorum's least, so that a node which is ahead moves nothing.
func (s *Signer) tellTime(ctx context.Context, final walletfi.Head) error {
	times, err := answered(ask(ctx, s, func(ctx context.Context, n Node) (time.Time, error) {
		return n.FinalTime(ctx, final.Slot)
	}))
	if err != nil {
		return err
	}
	least := slices.MinFunc(times, func(a, b answer[time.Time]) int { return a.value.Compare(b.value) })
	if apart, jumped := s.keeper.Learn(least.value); jumped {
		return s.Freeze(ctx, "signer", ModeFrozen, fmt.Sprintf("its clock and the ledger's are %v apart", apart))
	}
	return nil
}

// settle asks for what became of a message.
func (s *Signer) settle(ctx context.Context, l *live, final walletfi.Head) error {
	if l.signature == "" && l.tx.FeePayer() == l.owner {
		// The process ended between the debit and the signature. Whether that left is not
		// known, but it is always the same one.
		key := s.keyOf(l.owner)
		if key == nil {
			return fmt.Errorf("signer: the policy has no owner %s any more, of whom message %.12s is", l.owner, l.id)
		}
		signature, err := signOnce(ctx, key, l.tx.Message())
		if err != nil {
			return err
		}
		l.signature = signature.String()
	}
	if l.signature != "" {
		if ended, err := s.landed(ctx, l); ended || err != nil {
			return err
		}
	}
	s.prove(ctx, l, final)
	if l.found != "" { // a sponsor's signature, by which the ledger knows it
		l.signature = l.found
		if ended, err := s.landed(ctx, l); ended || err != nil {
			return err
		}
	}
	if dead, _ := s.dead(l); dead {
		return s.end(ctx, l, endEntry{State: stateDead, Back: len(s.nodes) > 1})
	}
	text, err := json.Marshal(l.evidence)
	if err != nil {
		return err
	}
	s.deciding.Lock()
	defer s.deciding.Unlock()
	_, err = s.db.ExecContext(ctx, "UPDATE signed SET evidence = ? WHERE id = ?", string(text), l.id)
	return err
}

// landed asks whether the ledger has finalized the transaction. A quorum must say so.
func (s *Signer) landed(ctx context.Context, l *live) (ended bool, err error) {
	votes := map[bool]int{}
	slot := uint64(0)
	for _, a := range ask(ctx, s, func(ctx context.Context, n Node) (walletfi.SignatureStatus, error) {
		got, err := n.SignatureStatuses(ctx, []string{l.signature})
		if err == nil && len(got.Statuses) != 1 {
			err = walletfi.ErrDecode
		}
		if err != nil {
			return walletfi.SignatureStatus{}, err
		}
		return got.Statuses[0], nil
	}) {
		if a.err == nil && a.value.Found && a.value.Commitment.AtLeast(walletfi.CommitmentFinalized) {
			votes[a.value.Err != ""]++
			slot = max(slot, a.value.Slot)
		}
	}
	quorum := proof.Quorum(len(s.nodes))
	switch {
	case votes[true] >= quorum:
		return true, s.end(ctx, l, endEntry{State: stateFailed, Slot: slot, Back: len(s.nodes) > 1})
	case votes[false] < quorum:
		return false, nil
	}
	e := endEntry{State: stateLanded, Slot: slot}
	if l.simulated {
		if e.Excess, err = s.excess(ctx, l); err != nil {
			return true, err // it stays open until a node shows its effects
		}
	}
	return true, s.end(ctx, l, e)
}

// excess adds up what left the policy's keys beyond the debits, by the greatest of what the nodes
// show.
func (s *Signer) excess(ctx context.Context, l *live) (all []Debit, err error) {
	effects, err := answered(ask(ctx, s, func(ctx context.Context, n Node) (*walletfi.Effects, error) {
		return n.Effects(ctx, l.signature)
	}))
	if err != nil {
		return nil, err
	}
	gone := map[Mint]int64{}
	for _, a := range effects {
		for mint, amount := range s.Policy().gone(a.value) {
			gone[mint] = max(gone[mint], amount)
		}
	}
	for mint, amount := range gone {
		var counted int64
		err := s.db.QueryRowContext(ctx,
			"SELECT COALESCE(SUM(amount), 0) FROM debit WHERE id = ? AND mint = ? AND payee = ''", l.id, string(mint),
		).Scan(&counted)
		if err != nil {
			return nil, err
		}
		if amount > counted {
			all = append(all, Debit{Mint: mint, Amount: amount - counted})
		}
	}
	return all, nil
}

// gone adds up what a transaction took from the accounts of the policy's keys, net of a mint.
func (p *Policy) gone(e *walletfi.Effects) map[Mint]int64 {
	before, after := map[Mint]uint64{}, map[Mint]uint64{}
	for _, l := range e.Lamports {
		if p.owner(l.Account) != nil {
			before[walletfi.NativeMint] += uint64(l.Before)
			after[walletfi.NativeMint] += uint64(l.After)
		}
	}
	for _, t := range e.Tokens {
		if p.owner(t.Owner) != nil {
			before[Mint(t.Mint)] += uint64(t.Before)
			after[Mint(t.Mint)] += uint64(t.After)
		}
	}
	out := map[Mint]int64{}
	for mint, was := range before {
		if is := after[mint]; was > is {
			out[mint] = int64(min(was-is, math.MaxInt64))
		}
	}
	return out
}

// prove gathers what each node shows of a message that may be dead.
func (s *Signer) prove(ctx context.Context, l *live, final walletfi.Head) {
	nonce, durable := nonceOf(l.tx)
	last, known := proof.Last(&l.evidence, s.ids())
	if !durable && (!known || final.Height <= last) {
		return
	}
	type found struct {
		walletfi.NodeEvidence
		signature string
	}
	for _, a := range ask(ctx, s, func(ctx context.Context, n Node) (found, error) {
		e := *proof.Node(l.evidence.Clone(), n.Identity())
		if durable {
			signature, err := usedBy(ctx, n, &e, l, nonce, final)
			return found{e, signature}, err
		}
		signature := proof.Ask(ctx, n, &e, proof.Asked{
			Blockhash: l.tx.Blockhash().String(), FeePayer: l.tx.FeePayer().String(), Message: l.tx.Message(),
			Signature: l.signature, After: l.evidence.After, Last: last, Final: final,
		})
		return found{e, signature}, nil
	}) {
		if a.err != nil {
			continue
		}
		*proof.Node(&l.evidence, a.node.Identity()) = a.value.NodeEvidence
		named, err := signing.ParseSignature(a.value.signature)
		if err == nil && named.Verify(l.tx.FeePayer(), l.tx.Message()) {
			l.found = a.value.signature
		}
	}
}

// end writes what became of a message. What is not given back ages from when that was seen,
// which is not before it was final. So does what one node alone has shown to be dead.
func (s *Signer) end(ctx context.Context, l *live, e endEntry) error {
	e.ID = l.id
	return s.write(ctx, func(ctx context.Context, tx *sql.Tx, after head) (head, error) {
		e.At = s.keeper.Ages()
		at := e.At.UnixNano()
		set := "at = ?"
		switch {
		case e.Back && e.State == stateDead:
			set += ", amount = 0"
		case e.Back && e.State == stateFailed:
			set += ", amount = cost"
		}
		evidence, err := json.Marshal(l.evidence)
		if err != nil {
			return after, err
		}
		failed := exec(ctx, tx, "UPDATE debit SET "+set+" WHERE id = ?", at, l.id)
		for _, d := range e.Excess {
			failed = cmp.Or(failed, exec(ctx, tx, "INSERT INTO debit VALUES (?, ?, '', ?, '', ?, 0, 0, ?)",
				l.id, l.owner.String(), string(d.Mint), d.Amount, at))
		}
		if e.State != stateDead {
			failed = cmp.Or(failed, exec(ctx, tx, `UPDATE holding SET least = least - (SELECT COALESCE(SUM(amount), 0)
				FROM debit WHERE id = ? AND debit.owner = holding.owner AND debit.mint = holding.mint) WHERE owner = ?`,
				l.id, l.owner.String()))
		}
		failed = cmp.Or(failed, exec(ctx, tx, "UPDATE signed SET state = ?, ended = ?, evidence = ? WHERE id = ?",
			e.State, at, string(evidence), l.id))
		if failed != nil {
			return after, failed
		}
		if len(e.Excess) > 0 {
			reason := "a transaction took more than its simulation showed"
			if after, err = s.switchTo(ctx, tx, after, "signer", ModeFrozen, reason); err != nil {
				return after, err
			}
		}
		return s.append(ctx, tx, after, "end", "", e)
	})
}
