package signer

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/proof"
	"github.com/walletfi/walletfi-go/signing"
)

// How often chain and log are compared, how soon again if the nodes do not show it, from when on that is
// late, and of how many accounts a node shows the balances of one moment.
const (
	compareEvery = time.Hour
	compareAgain = time.Minute
	compareLate  = 15 * time.Minute
	compareMost  = 100
)

// comparison is when the chain was last compared with the log. The Signer's mu guards it.
type comparison struct {
	since time.Time // or when the signer began to
	why   string    // why not since
	late  bool      // whether the log says so
}

// said says in words what is late, and nothing if it is in time.
func (c *comparison) said(now time.Time, what string) (all []string) {
	if !c.since.IsZero() && now.Sub(c.since) >= compareEvery+compareLate {
		since := c.since.UTC().Format(time.RFC3339)
		all = []string{fmt.Sprintf("%s was not compared with the log since %s: %s", what, since, c.why)}
	}
	return all
}

// late says in words which comparisons are late, and why.
func (s *Signer) late() (all []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all = s.balances.said(s.time(), "what the owners have")
	for _, o := range s.Policy().Owners {
		if h := s.histories[o.Key]; h != nil {
			all = append(all, h.said(s.time(), fmt.Sprintf("what the key of owner %q signed", o.Name))...)
		}
	}
	return all
}

// compared notes how a comparison went, of an owner's history or, of none, of all balances. The log says
// when it is late, and when it is no more.
func (s *Signer) compared(ctx context.Context, c *comparison, owner string, whole bool, why error) error {
	s.mu.Lock()
	if whole && why == nil || c.since.IsZero() {
		c.since = s.time()
	}
	c.why = "there is more to read"
	if why != nil {
		c.why = brief(why.Error())
	}
	late := s.time().Sub(c.since) >= compareEvery+compareLate
	changed := late != c.late
	entry := map[string]any{"owner": owner, "late": late, "since": c.since.UTC(), "why": c.why}
	s.mu.Unlock()
	if !changed {
		return nil
	}
	err := s.write(ctx, func(ctx context.Context, tx *sql.Tx, after head) (head, error) {
		return s.append(ctx, tx, after, "compare", "signer", entry)
	})
	if err == nil {
		c.late = late
	}
	return err
}

// accounts are the key and the token accounts that hold what has a ceiling, each once, the key first.
func (o *Owner) accounts() []signing.PublicKey {
	all := []signing.PublicKey{signing.AssociatedTokenAddress(o.Key, signing.NativeMint, signing.TokenProgram)}
	for _, c := range o.Ceilings {
		mint := signing.MustPublicKey(string(c.Mint))
		for _, program := range []signing.PublicKey{signing.TokenProgram, signing.Token2022Program} {
			all = append(all, signing.AssociatedTokenAddress(o.Key, mint, program))
		}
	}
	for _, a := range o.Accounts {
		all = append(all, a.Address)
	}
	slices.SortFunc(all, func(a, b signing.PublicKey) int { return bytes.Compare(a[:], b[:]) })
	return append([]signing.PublicKey{o.Key}, slices.Compact(all)...)
}

// holds adds up what the owner's accounts hold of each mint, wrapped SOL with SOL.
func (o *Owner) holds(states []signing.AccountState) map[Mint]int64 {
	sum := map[Mint]int64{walletfi.NativeMint: most(uint64(states[0].Lamports))}
	for _, state := range states[1:] {
		t, ok := state.Token()
		if !ok || t.Owner != o.Key {
			continue
		}
		mint, amount := t.Mint, t.Amount
		if mint == signing.NativeMint {
			amount = state.Lamports
		}
		sum[Mint(mint.String())] += most(uint64(amount))
	}
	return sum
}

// compare holds every hour what the owners have against what the log leaves them.
func (s *Signer) compare(ctx context.Context, final walletfi.Head) error {
	now := s.time()
	if now.Before(s.compareAt) {
		return nil
	}
	err := s.compareAll(ctx, final)
	if s.compareAt = now.Add(compareEvery); err != nil {
		s.compareAt = now.Add(compareAgain)
	}
	return errors.Join(err, s.compared(ctx, &s.balances, "", true, err))
}

func (s *Signer) compareAll(ctx context.Context, final walletfi.Head) error {
	owners, widest := s.Policy().Owners, 1
	for i := range owners {
		widest = max(widest, len(owners[i].accounts()))
	}
	for some := range slices.Chunk(owners, max(1, compareMost/widest)) {
		if err := s.compareSome(ctx, some, final); err != nil {
			return err
		}
	}
	return nil
}

func (s *Signer) compareSome(ctx context.Context, some []Owner, final walletfi.Head) error {
	var accounts []signing.PublicKey
	for i := range some {
		accounts = append(accounts, some[i].accounts()...)
	}
	before, slot := s.othersEnded()
	if slot > final.Slot && slot-final.Slot < lateSlots { // else a node has made it up
		return errLagging
	}
	answers, err := answered(ask(ctx, s, func(ctx context.Context, n Node) ([]signing.AccountState, error) {
		states, err := n.AccountsSince(ctx, accounts, final.Slot)
		if err == nil && len(states) != len(accounts) {
			err = walletfi.ErrDecode
		}
		return states, err
	}))
	if err != nil {
		return err
	}
	return s.write(ctx, func(ctx context.Context, tx *sql.Tx, after head) (head, error) {
		if now, _ := s.othersEnded(); now != before {
			return after, errLagging
		}
		at := 0
		for i := range some {
			o, end := &some[i], at+len(some[i].accounts())
			shown := map[Mint][]int64{}
			for _, c := range o.Ceilings {
				shown[c.Mint] = nil // one that has nothing left
			}
			for _, a := range answers {
				for mint, amount := range o.holds(a.value[at:end]) {
					shown[mint] = append(shown[mint], amount)
				}
			}
			at = end
			for mint, amounts := range shown {
				amounts = append(amounts, make([]int64, len(answers)-len(amounts))...)
				slices.Sort(amounts)
				has := amounts[len(amounts)-proof.Quorum(len(s.nodes))] // so many show at least that
				if after, err = s.compareOne(ctx, tx, after, o, mint, has); err != nil {
					return after, err
				}
			}
		}
		return after, nil
	})
}

// errLagging is why the balances are not compared that were asked for before another signer saw a
// transaction land.
var errLagging = errors.New("another signer is ahead")

// compareOne freezes an owner who has less of a mint than the log leaves him: what he had, less
// what has landed since and what may have. What has come in is his from now on.
func (s *Signer) compareOne(
	ctx context.Context, tx *sql.Tx, after head, o *Owner, mint Mint, has int64,
) (head, error) {
	var least, open int64
	err := tx.QueryRowContext(ctx, `SELECT COALESCE((SELECT least FROM holding WHERE owner = ? AND mint = ?), 0),
		COALESCE((SELECT SUM(amount) FROM debit WHERE owner = ? AND mint IN (?, ?) AND at = ?), 0)`,
		o.Key.String(), string(mint), o.Key.String(), string(mint), string(tradedMint+mint), forever).Scan(&least, &open)
	if err != nil {
		return after, err
	}
	if missing := least - open - has; missing > 0 {
		reason := fmt.Sprintf("%d of %s left that no entry explains", missing, mint)
		after, err = s.freezeOwner(ctx, tx, after, o, reason)
		least = has
	}
	if err == nil {
		err = exec(ctx, tx, `INSERT INTO holding VALUES (?, ?, ?)
			ON CONFLICT (owner, mint) DO UPDATE SET least = excluded.least`, o.Key.String(), string(mint), max(has, least))
	}
	return after, err
}
