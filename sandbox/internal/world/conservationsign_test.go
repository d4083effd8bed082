package world_test

import (
	"context"
	"slices"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/signingtest/corpus/hold"
)

// sign has a set judged, nil if the guard refuses.
func (p *round) sign(i int, a *act) *done {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	n := p.node
	txs, err := signing.DecodeAll(a.drawn.Unsigned)
	if err != nil {
		p.refused = append(p.refused, err)
		return nil
	}
	p.ready(i, a, txs, cancel)
	failing := n.failing
	signed, report, err := a.guards[a.sight].SignSet(ctx, a.drawn.Unsigned, p.key, hold.Options(a.drawn)...)
	if failing < n.failing {
		p.troubled++
	}
	if err != nil {
		p.trace("set %d is refused: %v", i+1, err)
		p.refused = append(p.refused, err)
		return nil
	}
	d := &done{act: a, index: i, signed: signed, report: report, net: map[string]int64{}, out: map[string]int64{}}
	d.told = !report.Simulated && a.temper == idle
	d.arrived = a.faults == "" && a.temper != turncoat && a.temper != primed && a.sight == ordered
	d.arrived = d.arrived && !slices.ContainsFunc(a.moods, func(m mood) bool { return m != honest })
	if a.deceives() || a.sight.blind() {
		d.reach = p.reachOf(report)
	}
	p.proofs(d)
	p.lent = append(p.lent, a.drawn.Unsigned.Intent.Delegates...)
	return d
}

// ready has node and exchange know a set that is about to be judged.
func (p *round) ready(i int, a *act, txs []*signing.Transaction, giveUp context.CancelFunc) {
	n := p.node
	n.giveUp, n.set = giveUp, i
	n.moods, n.proved, n.place = map[string]mood{}, map[string]bool{}, map[string]int{}
	for j, tx := range txs {
		n.place[string(tx.Message())] = j
		if j < len(a.moods) {
			n.moods[string(tx.Message())] = a.moods[j]
		}
		for _, ins := range tx.Instructions() {
			if solana.PublicKey(ins.Program) == p.world.exchange.id && len(ins.Data) >= 9 {
				p.world.exchange.tempers[string(ins.Data)] = temper{a.temper, i}
			}
		}
	}
}

// proofs notes which transactions the guard signed without an outcome, and whether
// its report says so.
func (p *round) proofs(d *done) {
	for j, tx := range d.signed {
		named := slices.ContainsFunc(d.report.Blind, func(b signing.Blind) bool { return b.Transaction == j })
		switch {
		case p.node.proved[string(tx.Message())], named && d.sight.blind():
		case d.report.Simulated:
			d.unproved = append(d.unproved, j)
		case p.calls(tx):
			d.blind = append(d.blind, j)
		}
	}
}

// calls reports whether a transaction calls the exchange with an account of the
// owner's that it may write.
func (p *round) calls(tx *signing.Transaction) bool {
	parsed, err := ledger.Parse(tx.Bytes())
	if err != nil {
		return false
	}
	signs, keys := parsed.RequiredSignatures, len(parsed.Keys)
	for _, in := range parsed.Instructions {
		if parsed.Keys[in.Program] != p.world.exchange.id {
			continue
		}
		for _, i := range in.Accounts {
			writes := i < signs-parsed.ReadonlySigned || i >= signs && i < keys-parsed.ReadonlyUnsigned
			ours := i < keys && (parsed.Keys[i] == p.owner || p.world.exchange.holders[parsed.Keys[i]].wallet == p.owner)
			if writes && ours {
				return true
			}
		}
	}
	return false
}

// reachOf sums what the accounts hold, or get from the owner's others, that pinned
// programs may write: with them they can do what their owner can.
func (p *round) reachOf(report *signing.Report) map[string]uint64 {
	reached, held := map[signing.PublicKey]bool{}, map[string]uint64{}
	for _, r := range report.Reaches {
		for _, key := range r.Ours {
			if !reached[key] {
				p.world.kept(held, solana.PublicKey(key), p.world.Account(solana.PublicKey(key)))
			}
			reached[key] = true
		}
	}
	for _, m := range report.Stays {
		if reached[m.To] {
			held[m.Mint.String()] += uint64(m.Amount)
		}
	}
	return held
}
