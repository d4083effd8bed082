package world_test

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/signingtest/corpus"
)

// act is one set, and all that chance decides about it.
type act struct {
	drawn  corpus.Case
	guards map[sight]*signing.Guard
	sight  sight
	temper string // of the exchange
	moods  []mood // of the node, by transaction; honest about those that are missing
	chance uint64 // decides what lands when, and what others do meanwhile
	frozen bool   // an issuer freezes one of the owner's accounts before, or thaws it
	faults string // "" unless its transactions land in order, all of them and nothing between
}

// round is a run of acts on the ledger.
type round struct {
	*conservation
	pending []late
	total   map[string]int64  // what the owner gained, what others took by what power they had included
	most    map[string]uint64 // caps, added up
	lent    []string
	done    []*done
	refused []error
	trace   func(format string, args ...any)
}

// late is a signed transaction that has not landed yet.
type late struct {
	tx *signing.Transaction
	of *done
}

// perform has each set judged and signed, lands what is signed, and says what
// happened that may not. The ledger is then as before.
func (c *conservation) perform(acts []*act, trace func(string, ...any)) (*round, []finding) {
	p := &round{conservation: c, total: map[string]int64{}, most: map[string]uint64{}, trace: trace}
	if trace == nil {
		p.trace = func(string, ...any) {}
	}
	defer c.world.reset()
	var all []finding
	for i, a := range acts {
		if a.frozen {
			c.world.freeze(c.listed[i%len(c.listed)])
		}
		if d := p.sign(i, a); d != nil {
			p.carryOut(d, len(acts) > 1)
			p.done = append(p.done, d)
		}
	}
	for _, d := range p.done {
		all = append(all, d.judge(p.lent)...)
		for mint, n := range d.most() {
			p.most[mint] += n
		}
	}
	return p, append(all, p.inAll(all)...)
}

// inAll finds what all sets of a sequence cost together beyond all caps, if none
// of them did by itself.
func (p *round) inAll(found []finding) (all []finding) {
	alone := slices.ContainsFunc(found, func(f finding) bool { return f.kind == aboveCaps })
	if len(p.done) < 2 || alone {
		return nil
	}
	for mint, n := range p.total {
		burns := slices.ContainsFunc(p.done, func(d *done) bool {
			return slices.Contains(d.drawn.Unsigned.Intent.BurnAll, mint)
		})
		if loss := uint64(max(0, -n)); loss > p.most[mint] && !burns {
			why := fmt.Sprintf("%d of %s lost in all, %d allowed", loss, mint, p.most[mint])
			all = append(all, finding{aboveCaps, why, p.done[len(p.done)-1].index})
		}
	}
	return all
}

// carryOut lands what was signed, and lets others do what they can.
func (p *round) carryOut(d *done, sequence bool) {
	r := rand.New(rand.NewPCG(d.chance, 0x6c616e64))
	signed := slices.Clone(d.signed)
	if d.faults == "shuffled" {
		r.Shuffle(len(signed), func(i, j int) { signed[i], signed[j] = signed[j], signed[i] })
	}
	for i, tx := range signed {
		if d.faults != "" && d.temper != primed && r.IntN(6) == 0 {
			p.pending = append(p.pending, late{tx, d})
			p.trace("set %d: its transaction %d does not land yet", d.index+1, i+1)
			continue
		}
		p.land(late{tx, d})
	}
	d.arrived = d.arrived && d.landed == len(d.drawn.Unsigned.Transactions) && d.failed == 0
	if sequence {
		p.late(r)
	}
}

// late lands some of what is late, and lets delegates take what they may.
func (p *round) late(r *rand.Rand) {
	p.pending = slices.DeleteFunc(p.pending, func(l late) bool {
		if r.IntN(3) > 0 {
			return false
		}
		p.land(l)
		return true
	})
	if r.IntN(2) == 0 {
		p.world.plunder(p.total)
	}
}

// land executes one transaction, once.
func (p *round) land(l late) {
	if p.world.landed[string(l.tx.Message())] {
		return
	}
	d := l.of
	intent := d.drawn.Unsigned.Intent
	e := p.world.land(l.tx, intent.OutputTo)
	p.trace("set %d: a transaction lands: %s", d.index+1, e)
	if e.dropped != nil {
		return
	}
	d.landed++
	if e.failed != nil {
		d.failed++
	} else {
		p.world.exchange.done[d.index]++
	}
	for mint, n := range e.net {
		d.net[mint] += n
		p.total[mint] += n
	}
	for mint, n := range e.out {
		d.out[mint] += n
	}
	d.rent, d.fee = d.rent+e.rent, d.fee+e.fee
	if intent.Sponsor != "" {
		d.closed += e.closed
	}
	for _, other := range e.taken {
		if d.reach == nil && !slices.Contains(d.taken, other) {
			d.taken = append(d.taken, other)
		}
	}
}

// String says what it did in a line.
func (e *effect) String() string {
	switch {
	case e.dropped != nil:
		return "dropped: " + e.dropped.Error()
	case e.failed != nil:
		return fmt.Sprintf("fails (%v), fee %d", e.failed, e.fee)
	}
	return fmt.Sprintf("owner %v, fee %d, rent of others %d, powers %v", e.net, e.fee, e.rent, e.taken)
}
