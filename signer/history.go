package signer

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/clock"
	"github.com/walletfi/walletfi-go/internal/proof"
	"github.com/walletfi/walletfi-go/signing"
	"golang.org/x/sync/errgroup"
)

// What one Settle does, so that nothing waits long: of so many owners, so many transactions that each
// node lists, so many of them at once.
const (
	historiesAtOnce = 16
	readsAtOnce     = 100
	readers         = 10
	tracesFor       = 20 * time.Second // no other owner's is begun after that
)

// lateSlots is how late a node may list a transaction: so many slots are looked at again.
const lateSlots = 1500

// What meta has of an owner's history: by key, the slot from which the signer has the owner, and that
// up to which what the key signed was held against the log; by key and signature, what froze him.
const (
	begun  = "begun:"
	traced = "traced:"
	told   = "told:"
)

// history is how far an owner's was held against the log.
type history struct {
	comparison
	due          time.Time
	first        uint64    // the slot from which the signer has the owner
	since, until uint64    // the slots that are being looked at; until is 0 if none are
	began        time.Time // when that began
	views        map[string]*view
	cleared      map[string]bool // what in it the key did not sign, or the log has, or was told
}

// view has the part of a history that one node lists.
type view struct {
	cursor string
	more   bool // it listed some, and may list more
	whole  bool // it lists no more
	unread []string
	hidden []string // what it did not show
}

func (v *view) done() bool { return v.whole && len(v.unread)+len(v.hidden) == 0 }

// trace holds every hour what each owner's key has signed on chain against the log.
func (s *Signer) trace(ctx context.Context, final walletfi.Head) error {
	now := s.time()
	var due []Owner
	for _, o := range s.Policy().Owners {
		if s.histories[o.Key] == nil {
			s.mu.Lock()
			s.histories[o.Key] = &history{cleared: map[string]bool{}}
			s.mu.Unlock()
		}
		if !now.Before(s.histories[o.Key].due) {
			due = append(due, o)
		}
	}
	slices.SortStableFunc(due, func(a, b Owner) int { return s.histories[a.Key].due.Compare(s.histories[b.Key].due) })
	var failed []error
	enough := clock.Now(s.clock).Add(tracesFor)
	for _, o := range due[:min(len(due), historiesAtOnce)] {
		h := s.histories[o.Key]
		if len(failed) > 0 && clock.Now(s.clock).After(enough) {
			break
		}
		h.due = now.Add(compareAgain)
		err := s.traceOne(ctx, &o, h, final.Slot)
		if err != nil {
			err = fmt.Errorf("the history of owner %q: %w", o.Name, err)
		} else if h.until == 0 {
			h.due = now.Add(compareEvery)
		}
		failed = append(failed, err, s.compared(ctx, &h.comparison, o.Name, h.until == 0, err))
	}
	return errors.Join(failed...)
}

// traceOne goes on with what came since the last time, from when the signer first had the owner. What one
// node alone lists counts, as its bytes prove it: hiding it takes most nodes. A node that lists what no
// node shows has not answered.
func (s *Signer) traceOne(ctx context.Context, o *Owner, h *history, final uint64) error {
	if h.until == 0 {
		if err := s.beginTrace(ctx, o, h, final); err != nil || h.until == 0 {
			return err
		}
	}
	unlisted := s.list(ctx, o, h)
	strange, unread := s.read(ctx, o, h)
	if err := s.tell(ctx, o, h, strange); err != nil {
		return err
	}
	done, more := 0, false
	for _, v := range h.views {
		v.hidden = slices.DeleteFunc(v.hidden, func(signature string) bool { return h.cleared[signature] })
		if v.done() {
			done++
		}
		more = more || v.more || len(v.unread) > 0
	}
	whole := done >= proof.Quorum(len(s.nodes))
	switch patient := s.time().Sub(h.began) < compareLate; {
	case more && (patient || !whole):
		h.due = s.time()
		return nil
	case !whole:
		for _, v := range h.views { // it may list something else
			if !v.done() {
				*v = view{}
			}
		}
		return fmt.Errorf("%d of %d nodes showed it: %w", done, len(s.nodes), errors.Join(unlisted, unread))
	}
	until := strconv.FormatUint(h.until, 10)
	h.until = 0
	clear(h.cleared)
	return s.write(ctx, func(ctx context.Context, tx *sql.Tx, after head) (head, error) {
		return after, setMeta(ctx, tx, traced+o.Key.String(), until)
	})
}

// beginTrace finds the slots to look at. Of an owner who is new there are none yet.
func (s *Signer) beginTrace(ctx context.Context, o *Owner, h *history, final uint64) error {
	key := o.Key.String()
	last, err := getMeta(ctx, s.db, traced+key)
	if err != nil {
		return err
	}
	first, err := getMeta(ctx, s.db, begun+key)
	if err != nil {
		return err
	}
	if first == "" {
		first = cmp.Or(last, strconv.FormatUint(final, 10))
		last = first
		if err := s.write(ctx, func(ctx context.Context, tx *sql.Tx, after head) (head, error) {
			return after, errors.Join(setMeta(ctx, tx, begun+key, first), setMeta(ctx, tx, traced+key, last))
		}); err != nil {
			return err
		}
	}
	h.first, _ = strconv.ParseUint(first, 10, 64)
	to, _ := strconv.ParseUint(last, 10, 64)
	if to >= final {
		return nil
	}
	h.since, h.until, h.began = max(h.first, to-min(to, lateSlots)), final, s.time()
	h.views = map[string]*view{}
	for _, n := range s.nodes {
		h.views[n.Identity()] = &view{}
	}
	return nil
}

// list asks the nodes for more, of whom all is read.
func (s *Signer) list(ctx context.Context, o *Owner, h *history) error {
	var failed []error
	for _, a := range ask(ctx, s, func(ctx context.Context, n Node) (listed view, err error) {
		if listed = *h.views[n.Identity()]; !listed.whole && len(listed.unread) == 0 {
			listed.unread, listed.cursor, err = n.History(ctx, o.Key, h.since, h.until, listed.cursor)
			listed.whole, listed.more = listed.cursor == "", listed.cursor != ""
		}
		return listed, err
	}) {
		v := h.views[a.node.Identity()]
		if failed = append(failed, a.err); a.err == nil {
			*v = a.value
		} else {
			v.more = false
		}
	}
	return errors.Join(failed...)
}

// read reads some of what is unread, and returns what of it is not in the log, and why nodes did not
// show the rest.
func (s *Signer) read(ctx context.Context, o *Owner, h *history) (strange []string, unread error) {
	var failed []error
	for _, n := range s.nodes {
		v := h.views[n.Identity()]
		some := v.unread[:min(len(v.unread), readsAtOnce)]
		v.unread = v.unread[len(some):]
		logged, errs := make([]bool, len(some)), make([]error, len(some))
		var group errgroup.Group
		group.SetLimit(readers)
		within, cancel := context.WithTimeout(ctx, nodeTimeout)
		for i, signature := range some {
			if logged[i] = h.cleared[signature]; !logged[i] {
				group.Go(func() error {
					logged[i], errs[i] = s.logged(within, o, n, signature)
					return nil
				})
			}
		}
		_ = group.Wait()
		cancel()
		for i, signature := range some {
			switch {
			case errs[i] != nil:
				failed = append(failed, fmt.Errorf("transaction %.88s: %w", signature, errs[i]))
				v.hidden = append(v.hidden, signature) // another node may show it
				continue
			case logged[i]:
				h.cleared[signature] = true
			case !slices.Contains(strange, signature):
				strange = append(strange, signature)
			}
		}
	}
	return strange, errors.Join(failed[:min(len(failed), 3)]...)
}

// tell freezes an owner for what his key signed, once for each. What a quorum of the nodes say was
// executed before the signer had him is none of that.
func (s *Signer) tell(ctx context.Context, o *Owner, h *history, strange []string) error {
	if len(strange) == 0 {
		return nil
	}
	const most = 256 // that a node tells at once
	votes := map[string]int{}
	asked := strange[:min(len(strange), most)]
	for _, a := range ask(ctx, s, func(ctx context.Context, n Node) (walletfi.SignatureStatuses, error) {
		return n.SignatureStatuses(ctx, asked)
	}) {
		for i, status := range a.value.Statuses[:min(len(a.value.Statuses), len(asked))] {
			if status.Found && status.Commitment.AtLeast(walletfi.CommitmentFinalized) && status.Slot <= h.first {
				votes[asked[i]]++
			}
		}
	}
	strange = slices.DeleteFunc(strange, func(signature string) bool {
		return votes[signature] >= proof.Quorum(len(s.nodes))
	})
	if len(strange) == 0 {
		return nil
	}
	err := s.write(ctx, func(ctx context.Context, tx *sql.Tx, after head) (head, error) {
		for _, signature := range strange {
			if err := setMeta(ctx, tx, told+o.Key.String()+":"+signature, "1"); err != nil {
				return after, err
			}
		}
		return s.freezeOwner(ctx, tx, after, o, fmt.Sprintf(
			"its key has signed what is not in the log: %d transactions, such as %s", len(strange), strange[0]))
	})
	if err != nil { // which is found again
		h.until = 0
	}
	return err
}

// logged reports that a transaction is in the log, or was not signed by the owner's key.
func (s *Signer) logged(ctx context.Context, o *Owner, n Node, name string) (is bool, err error) {
	const query = `SELECT EXISTS (SELECT 1 FROM signed WHERE owner = ? AND signature = ?)
		OR EXISTS (SELECT 1 FROM meta WHERE name = ?)`
	key := o.Key.String()
	err = s.db.QueryRowContext(ctx, query, key, name, told+key+":"+name).Scan(&is)
	if is || err != nil {
		return is, err
	}
	raw, err := n.Transaction(ctx, name)
	if err != nil {
		return false, err
	}
	tx, err := signing.DecodeBytes(raw)
	if err != nil {
		return false, err
	}
	at := slices.Index(tx.Signers(), o.Key)
	if tx.Signature().String() != name || !tx.Signature().Verify(tx.FeePayer(), tx.Message()) ||
		at >= 0 && !tx.Signatures()[at].Verify(o.Key, tx.Message()) {
		return false, fmt.Errorf("node %s shows another transaction", n.Identity())
	}
	if at < 0 {
		return true, nil
	}
	// By the message, as the process may have ended before the signature was stored.
	err = rows(ctx, s.db, func(scan func(...any) error) error {
		var raw []byte
		if err := scan(&raw); err != nil {
			return err
		}
		signed, err := signing.DecodeBytes(raw)
		is = is || err == nil && bytes.Equal(signed.Message(), tx.Message())
		return err
	}, "SELECT tx FROM signed WHERE owner = ? AND instr(tx, ?) > 0", key, tx.Message())
	return is, err
}

// freezeOwner freezes one owner, until a thaw.
func (s *Signer) freezeOwner(ctx context.Context, tx *sql.Tx, after head, o *Owner, reason string) (head, error) {
	s.freezes.Add(1)
	if err := setMeta(ctx, tx, frozenOwner+o.Key.String(), reason); err != nil {
		return after, err
	}
	body := map[string]string{"owner": o.Name, "key": o.Key.String(), "reason": reason}
	return s.append(ctx, tx, after, "freeze", "signer", body)
}
