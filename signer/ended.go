package signer

import (
	"context"
	"math"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/proof"
)

// ends counts the nodes that show a transaction as finalized.
type ends struct {
	landed, failed int
	slot           uint64
}

// votes asks what became of messages, by their signatures.
func (s *Signer) votes(ctx context.Context, some []*live) map[string]*ends {
	out := map[string]*ends{}
	var names []string
	for _, l := range some {
		if l.signature != "" && out[l.signature] == nil {
			out[l.signature] = &ends{}
			names = append(names, l.signature)
		}
	}
	if names == nil {
		return out
	}
	for _, a := range ask(ctx, s, func(ctx context.Context, n Node) ([]walletfi.SignatureStatus, error) {
		got, err := n.SignatureStatuses(ctx, names)
		if err == nil && len(got.Statuses) != len(names) {
			err = walletfi.ErrDecode
		}
		return got.Statuses, err
	}) {
		if a.err != nil {
			continue
		}
		for i, status := range a.value {
			if !status.Found || !status.Commitment.AtLeast(walletfi.CommitmentFinalized) {
				continue
			}
			e := out[names[i]]
			e.slot = max(e.slot, status.Slot)
			if status.Err != "" {
				e.failed++
			} else {
				e.landed++
			}
		}
	}
	return out
}

// landed ends a message that the ledger has finalized. A quorum must say so.
func (s *Signer) landed(ctx context.Context, l *live, told *ends) (ended bool, err error) {
	quorum := proof.Quorum(len(s.nodes))
	switch {
	case told == nil:
		return false, nil
	case told.failed >= quorum:
		return true, s.end(ctx, l, endEntry{State: stateFailed, Slot: told.slot, Back: len(s.nodes) > 1})
	case told.landed < quorum:
		return false, nil
	}
	e := endEntry{State: stateLanded, Slot: told.slot}
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
			"SELECT COALESCE(SUM(amount), 0) FROM debit WHERE id = ? AND mint IN (?, ?) AND payee = ''",
			l.id, string(mint), string(tradedMint+mint),
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
