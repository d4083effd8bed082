package signer

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
)

// historiesAtOnce is of how many owners one Settle looks at the history, so that nothing waits long.
const historiesAtOnce = 16

// traced is the prefix, before an owner's key, under which meta has the slot up to which what the key
// signed on chain was held against the log.
const traced = "traced:"

// history is when an owner's is looked at again, and what in it the key did not sign, or the log has.
type history struct {
	due     time.Time
	cleared map[string]bool
}

// trace holds every hour what each owner's key has signed on chain against the log.
func (s *Signer) trace(ctx context.Context, final walletfi.Head) error {
	now, turns := s.time(), 0
	var failed []error
	for _, o := range s.Policy().Owners {
		h := s.histories[o.Key]
		if h == nil {
			h = &history{cleared: map[string]bool{}}
			s.histories[o.Key] = h
		}
		if now.Before(h.due) || turns == historiesAtOnce {
			continue
		}
		turns++
		h.due = now.Add(compareAgain)
		if err := s.traceOne(ctx, &o, h, final.Slot); err != nil {
			failed = append(failed, fmt.Errorf("the history of owner %q: %w", o.Name, err))
			continue
		}
		h.due = now.Add(compareEvery)
		clear(h.cleared)
	}
	return errors.Join(failed...)
}

// traceOne looks at what came since the last time, from when the signer first had the owner. What one
// node alone lists counts, as its bytes prove it: hiding it takes most nodes.
func (s *Signer) traceOne(ctx context.Context, o *Owner, h *history, until uint64) error {
	stored, err := getMeta(ctx, s.db, traced+o.Key.String())
	if err != nil {
		return err
	}
	since, _ := strconv.ParseUint(stored, 10, 64)
	if since >= until {
		return nil
	}
	var strange []string
	if stored != "" {
		if strange, err = s.strange(ctx, o, h, since, until); err != nil {
			return err
		}
	}
	return s.write(ctx, func(ctx context.Context, tx *sql.Tx, after head) (head, error) {
		err := setMeta(ctx, tx, traced+o.Key.String(), strconv.FormatUint(until, 10))
		if err == nil && len(strange) > 0 {
			after, err = s.freezeOwner(ctx, tx, after, o, fmt.Sprintf(
				"its key has signed what is not in the log: %d transactions, such as %s", len(strange), strange[0]))
		}
		return after, err
	})
}

// strange lists the transactions within slots that the owner's key has signed, and that are not in the log.
func (s *Signer) strange(ctx context.Context, o *Owner, h *history, since, until uint64) (all []string, err error) {
	answers, err := answered(ask(ctx, s, func(ctx context.Context, n Node) ([]string, error) {
		return n.History(ctx, o.Key, since, until)
	}))
	if err != nil {
		return nil, err
	}
	unread := map[string]error{}
	for _, a := range answers {
		for _, signature := range a.value {
			if h.cleared[signature] || slices.Contains(all, signature) {
				continue
			}
			logged, err := s.logged(ctx, o, a.node, signature)
			if err != nil {
				unread[signature] = err // another node may show it
				continue
			}
			delete(unread, signature)
			if h.cleared[signature] = logged; !logged {
				all = append(all, signature)
			}
		}
	}
	for signature, err := range unread {
		if !h.cleared[signature] && !slices.Contains(all, signature) {
			return nil, fmt.Errorf("transaction %s: %w", signature, err)
		}
	}
	return all, nil
}

// logged reports that a transaction is in the log, or was not signed by the owner's key.
func (s *Signer) logged(ctx context.Context, o *Owner, n Node, name string) (is bool, err error) {
	const query = "SELECT EXISTS (SELECT 1 FROM signed WHERE owner = ? AND signature = ?)"
	err = s.db.QueryRowContext(ctx, query, o.Key.String(), name).Scan(&is)
	if is || err != nil {
		return is, err
	}
	ctx, cancel := context.WithTimeout(ctx, nodeTimeout)
	defer cancel()
	raw, err := n.Transaction(ctx, name)
	if err != nil {
		return false, err
	}
	tx, err := signing.DecodeBytes(raw)
	if err != nil {
		return false, err
	}
	if tx.Signature().String() != name || !tx.Signature().Verify(tx.FeePayer(), tx.Message()) {
		return false, fmt.Errorf("node %s shows another transaction", n.Identity())
	}
	at := slices.Index(tx.Signers(), o.Key)
	if at < 0 || !tx.Signatures()[at].Verify(o.Key, tx.Message()) {
		return true, nil
	}
	// By the message, as the process may have ended before the signature was stored.
	const messages = "SELECT EXISTS (SELECT 1 FROM signed WHERE owner = ? AND (signature = ? OR instr(tx, ?) > 0))"
	err = s.db.QueryRowContext(ctx, messages, o.Key.String(), tx.Signatures()[at].String(), tx.Message()).Scan(&is)
	return is, err
}

// freezeOwner freezes one owner, until a thaw.
func (s *Signer) freezeOwner(ctx context.Context, tx *sql.Tx, after head, o *Owner, reason string) (head, error) {
	s.freezes.Add(1)
	if err := setMeta(ctx, tx, frozenOwner+o.Key.String(), reason); err != nil {
		return after, err
	}
	return s.append(ctx, tx, after, "freeze", "signer", map[string]string{"owner": o.Name, "reason": reason})
}
