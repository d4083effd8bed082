package signer

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/proof"
	"github.com/walletfi/walletfi-go/signing"
)

// How often balances are compared, how soon again if the nodes do not show them, and of how many
// accounts a node shows the balances of one moment.
const (
	compareEvery = time.Hour
	compareAgain = time.Minute
	compareMost  = 100
)

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
	s.compareAt = now.Add(compareAgain)
	owners, widest := s.Policy().Owners, 1
	for i := range owners {
		widest = max(widest, len(owners[i].accounts()))
	}
	for some := range slices.Chunk(owners, max(1, compareMost/widest)) {
		if err := s.compareSome(ctx, some, final); err != nil {
			return err
		}
	}
	s.compareAt = now.Add(compareEvery)
	return nil
}

func (s *Signer) compareSome(ctx context.Context, some []Owner, final walletfi.Head) error {
	var accounts []signing.PublicKey
	for i := range some {
		accounts = append(accounts, some[i].accounts()...)
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

// compareOne freezes an owner who has less of a mint than the log leaves him: what he had, less
// what has landed since and what may have. What has come in is his from now on.
func (s *Signer) compareOne(
	ctx context.Context, tx *sql.Tx, after head, o *Owner, mint Mint, has int64,
) (head, error) {
	var least, open int64
	err := tx.QueryRowContext(ctx, `SELECT COALESCE((SELECT least FROM holding WHERE owner = ?1 AND mint = ?2), 0),
		COALESCE((SELECT SUM(amount) FROM debit WHERE owner = ?1 AND mint = ?2 AND at = ?3), 0)`,
		o.Key.String(), string(mint), forever).Scan(&least, &open)
	if err != nil {
		return after, err
	}
	if missing := least - open - has; missing > 0 {
		reason := fmt.Sprintf("%d of %s left that no entry explains", missing, mint)
		after, err = s.freezeOwner(ctx, tx, after, o, reason)
		least = has
	}
	if err == nil {
		err = exec(ctx, tx, "INSERT INTO holding VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET least = excluded.least",
			o.Key.String(), string(mint), max(has, least))
	}
	return after, err
}
