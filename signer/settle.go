package signer

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/clock"
	"github.com/walletfi/walletfi-go/internal/proof"
	"github.com/walletfi/walletfi-go/signing"
	"golang.org/x/sync/errgroup"
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
	stored    string // the evidence as it is in the store
	found     string // a signature of another fee payer's that a node knows
}

// lives reads the open messages.
func (s *Signer) lives(ctx context.Context) (all []*live, err error) {
	err = rows(ctx, s.db, func(scan func(...any) error) error {
		l := &live{}
		var raw []byte
		var owner string
		var made int64
		err := scan(&l.id, &owner, &l.client, &made, &l.simulated, &raw, &l.stored, &l.ours)
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
		return json.Unmarshal([]byte(l.stored), &l.evidence)
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
	if err := s.follow(ctx); err != nil {
		return err
	}
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
	return errors.Join(err, s.settleAll(ctx, all, final), s.compare(ctx, final), s.trace(ctx, final))
}

// The bounds of one Settle: for how many signatures a node is asked at once, of how many messages a proof is
// asked for, so that who has many open ones does not hold up the others, and of how many at once, so that a
// node that is slow, and bounded by nodeTimeout for each, does not either.
const (
	statusesAtOnce = 256
	provesAtOnce   = 64
	sideBySide     = 32
)

// settleAll asks for what became of the messages: at once for all that may have landed, and for
// proofs of death in turns of the clients.
func (s *Signer) settleAll(ctx context.Context, all []*live, final walletfi.Head) error {
	failed := eachOf(all, func(l *live) error { return s.named(ctx, l) })
	ended, late := s.landedOf(ctx, all)
	perhaps := slices.DeleteFunc(all, func(l *live) bool { return ended[l] || !s.mayBeDead(l, final) })
	some := s.inTurns(perhaps)
	failed = errors.Join(failed, late, eachOf(some, func(l *live) error {
		s.gather(ctx, l, final)
		return nil
	}))
	found := slices.DeleteFunc(slices.Clone(some), func(l *live) bool { return l.found == "" })
	for _, l := range found { // a sponsor's signature, by which the ledger knows it
		l.signature = l.found
	}
	ended, late = s.landedOf(ctx, found)
	for _, l := range some {
		if !ended[l] {
			failed = errors.Join(failed, s.prove(ctx, l))
		}
	}
	return errors.Join(failed, late)
}

// landedOf ends those of the messages that the ledger has finalized. What no node shows the effects of stays
// open, and is not asked for a proof of death.
func (s *Signer) landedOf(ctx context.Context, all []*live) (ended map[*live]bool, err error) {
	ended = map[*live]bool{}
	var mu sync.Mutex
	for some := range slices.Chunk(all, statusesAtOnce) {
		votes := s.votes(ctx, some)
		err = errors.Join(err, eachOf(some, func(l *live) error {
			done, err := s.landed(ctx, l, votes[l.signature])
			mu.Lock()
			defer mu.Unlock()
			ended[l] = done
			return err
		}))
	}
	return ended, err
}

// eachOf does something with each of the messages, some side by side.
func eachOf(all []*live, do func(*live) error) error {
	failed := make([]error, len(all))
	var group errgroup.Group
	group.SetLimit(sideBySide)
	for i, l := range all {
		group.Go(func() error {
			failed[i] = do(l)
			return nil
		})
	}
	_ = group.Wait()
	return errors.Join(failed...)
}

// inTurns picks the messages of which a proof is asked for now: of each client in turn the one that
// was asked for the longest ago.
func (s *Signer) inTurns(all []*live) []*live {
	asked := map[string]int{}
	for _, l := range all {
		asked[l.id] = s.provedIn[l.id]
	}
	s.provedIn = asked
	slices.SortStableFunc(all, func(a, b *live) int { return cmp.Compare(asked[a.id], asked[b.id]) })
	turns, turn := map[string]int{}, map[*live]int{}
	for _, l := range all {
		turn[l] = turns[l.client]
		turns[l.client]++
	}
	slices.SortStableFunc(all, func(a, b *live) int { return cmp.Compare(turn[a], turn[b]) })
	s.settles++
	now := all[:min(len(all), provesAtOnce)]
	for _, l := range now {
		asked[l.id] = s.settles
	}
	return now
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

// named signs again what was not signed before the process ended: whether a signature left is not
// known, but it is that one, as none leaves before it is stored.
func (s *Signer) named(ctx context.Context, l *live) error {
	if l.signature != "" || l.tx.FeePayer() != l.owner {
		return nil
	}
	key := s.keyOf(l.owner)
	if key == nil {
		return fmt.Errorf("signer: the policy has no owner %s any more, of whom message %.12s is", l.owner, l.id)
	}
	signature, err := signOnce(ctx, key, l.tx.Message())
	if err == nil {
		l.signature = signature.String()
	}
	return err
}

// mayBeDead reports that a message can no longer land, unless it has.
func (s *Signer) mayBeDead(l *live, final walletfi.Head) bool {
	_, durable := nonceOf(l.tx)
	last, known := proof.Last(&l.evidence, s.ids())
	return durable || known && final.Height > last
}

// prove ends a message that is dead, and keeps what was shown of one that is not.
func (s *Signer) prove(ctx context.Context, l *live) error {
	if dead, _ := s.dead(l); dead {
		return s.end(ctx, l, endEntry{State: stateDead, Back: len(s.nodes) > 1})
	}
	text, err := json.Marshal(l.evidence)
	if err != nil || string(text) == l.stored {
		return err
	}
	s.deciding.Lock()
	defer s.deciding.Unlock()
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	_, err = s.db.ExecContext(ctx, "UPDATE signed SET evidence = ? WHERE id = ? AND state = 'open'", string(text), l.id)
	return err
}

// gather collects what each node shows of a message that may be dead.
func (s *Signer) gather(ctx context.Context, l *live, final walletfi.Head) {
	nonce, durable := nonceOf(l.tx)
	last, _ := proof.Last(&l.evidence, s.ids())
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
		const query = "UPDATE signed SET state = ?, ended = ?, evidence = ? WHERE id = ? AND state = 'open'"
		ends, failed := changed(ctx, tx, query, e.State, at, string(evidence), l.id)
		if failed != nil || !ends { // another signer has seen it end
			return after, failed
		}
		failed = exec(ctx, tx, "UPDATE debit SET "+set+" WHERE id = ?", at, l.id)
		for _, d := range e.Excess {
			failed = cmp.Or(failed, exec(ctx, tx, "INSERT INTO debit VALUES (?, ?, '', ?, '', ?, 0, 0, ?)",
				l.id, l.owner.String(), string(d.Mint), d.Amount, at))
		}
		if e.State != stateDead {
			failed = cmp.Or(failed, exec(ctx, tx, `UPDATE holding SET least = least - (SELECT COALESCE(SUM(amount), 0)
				FROM debit WHERE id = ? AND debit.owner = holding.owner AND debit.mint IN (holding.mint, ? || holding.mint))
				WHERE owner = ?`, l.id, tradedMint, l.owner.String()))
		}
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
