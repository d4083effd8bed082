package world_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/signingtest/corpus/hold"
)

// signedOn is a finding: a step is signed although those before it cost more than all may.
const signedOn = "signs on after a loss above the caps"

// climb is a set that is signed step by step, in a world that changes between the steps.
type climb struct {
	*round
	*done
	r        *rand.Rand
	node     *stepNode
	guard    *signing.Guard
	txs      []*signing.Transaction
	executed []*walletfi.Effects
	twisted  bool // the exchange simulates well and does otherwise
	deceived bool // a step was signed that may do otherwise than it was shown
	found    []finding
	change   func(*walletfi.Effects) // lies about what a step has done; nil tells it as it is
}

// stepNode simulates a transaction by itself, at slots, and reads lookup tables.
type stepNode struct {
	*node
	signing.Resolver        // of the drawn policy, nil if it has none
	slot             uint64 // of the last execution
	lags             bool   // it shows the state before that
	tables           mood
}

// Simulate runs the transaction on what is executed.
func (n *stepNode) Simulate(ctx context.Context, r signing.SimulationRequest) (*signing.Simulation, error) {
	s, err := n.node.Simulate(ctx, r)
	if s != nil {
		if s.Slot = n.slot; n.lags {
			s.Slot--
		}
	}
	return s, err
}

// LookupTable tells what a table loads, something else if it lies.
func (n *stepNode) LookupTable(ctx context.Context, table signing.PublicKey) (signing.LookupTable, error) {
	switch {
	case n.tables == unknown || n.Resolver == nil:
		return signing.LookupTable{}, signing.ErrUnknown
	case n.tables == broken:
		return signing.LookupTable{}, errors.New("connection reset by peer")
	}
	lookup, err := n.Resolver.LookupTable(ctx, table)
	if n.tables == lies {
		lookup.Addresses = slices.Clone(lookup.Addresses)
		slices.Reverse(lookup.Addresses)
	}
	return signing.LookupTable{Addresses: lookup.Addresses}, err
}

// TransferFee tells what the policy's resolver does.
func (n *stepNode) TransferFee(ctx context.Context, mint signing.PublicKey) (signing.TransferFee, error) {
	if reader, ok := n.Resolver.(signing.MintReader); ok {
		return reader.TransferFee(ctx, mint)
	}
	return signing.TransferFee{}, signing.ErrUnknown
}

// climb has a set signed and carried out step by step, as far as the guard goes on. It is nil
// if nothing was signed.
func (p *round) climb(i int, a *act, change func(*walletfi.Effects)) *climb {
	txs, err := signing.DecodeAll(a.drawn.Unsigned)
	if err != nil {
		p.refused = append(p.refused, err)
		return nil
	}
	p.ready(i, a, txs, nil)
	clear(p.node.place) // each runs on what is executed
	policy := hold.Policy(a.drawn)
	policy.AllowBlind = nil
	c := &climb{
		round: p, change: change, txs: txs, r: rand.New(rand.NewPCG(a.chance, 0x73746570)), twisted: a.temper == turncoat,
		done: &done{act: a, index: i, net: map[string]int64{}, out: map[string]int64{}},
		node: &stepNode{node: p.node, Resolver: policy.Resolver, slot: 1},
	}
	policy.Simulator, policy.Resolver = c.node, c.node
	c.guard = signing.NewGuard(policy)
	for n := range txs {
		if n > 0 {
			c.between(n)
		}
		if !c.signs(n) || !c.lands(n) {
			break
		}
	}
	if len(c.signed) == 0 {
		return nil
	}
	c.arrived = c.landed == len(txs) && c.failed == 0 && !c.deceived
	p.lent = append(p.lent, a.drawn.Unsigned.Intent.Delegates...)
	return c
}

// signs has step n signed, at the second or third attempt if the guard refuses it at first.
func (c *climb) signs(n int) bool {
	for attempt := 0; ; attempt++ {
		ctx, giveUp := context.WithCancel(context.Background())
		failing := c.node.failing
		c.node.giveUp = giveUp
		clear(c.node.proved)
		tx, report, err := c.guard.SignStep(
			ctx, c.drawn.Unsigned, signing.Step{Executed: c.executed}, c.key, hold.Options(c.drawn)...,
		)
		giveUp()
		if failing < c.node.failing {
			c.troubled++
		}
		if err == nil {
			c.judgeStep(n, tx, report)
			c.signed, c.report = append(c.signed, tx), report
			return true
		}
		c.trace("set %d: step %d is refused: %v", c.index+1, n+1, err)
		c.refused = append(c.refused, err)
		if n == 0 || attempt == 2 {
			return false
		}
		c.between(n)
	}
}

// judgeStep holds a step that is signed against what those before it have done, and against
// what its own simulation showed.
func (c *climb) judgeStep(n int, tx *signing.Transaction, report *signing.Report) {
	intent := c.drawn.Unsigned.Intent
	c.reach = nil
	most := c.done.most()
	for mint, net := range c.net {
		if loss := uint64(max(0, -net)); n > 0 && loss > most[mint] && !slices.Contains(intent.BurnAll, mint) {
			why := fmt.Sprintf("step %d is signed, and %d of %s are lost, %d allowed", n+1, loss, mint, most[mint])
			c.found = append(c.found, finding{signedOn, why, c.index})
		}
	}
	switch proved := c.node.proved[string(tx.Message())]; {
	case proved:
	case report.Simulated:
		c.unproved = append(c.unproved, n)
	case c.calls(tx):
		c.blind = append(c.blind, n)
	}
	switch {
	case c.node.tables == lies: // nobody knows what it reaches
		c.deceived, c.reach = true, map[string]uint64{}
		for _, h := range c.world.exchange.holders {
			c.reach[h.mint.String()] = 1 << 60
		}
		c.reach[walletfi.NativeMint] = 1 << 60
	case c.twisted || c.node.moods[string(tx.Message())] == lies:
		c.deceived = true
		step := *report
		step.Reaches = slices.DeleteFunc(slices.Clone(step.Reaches), func(r signing.Reach) bool { return r.Transaction != n })
		c.reach = c.reachOf(&step)
	}
}

// lands executes step n, and tells whether it succeeded.
func (c *climb) lands(n int) bool {
	tx := c.signed[n]
	if c.r.IntN(16) == 0 {
		c.pending = append(c.pending, late{tx, c.done})
		c.trace("set %d: its step %d does not land yet", c.index+1, n+1)
		return false
	}
	s, err := c.world.Simulate(tx.Bytes(), false, false)
	if err != nil || c.world.landed[string(tx.Message())] {
		return false
	}
	was := map[solana.PublicKey]*ledger.Account{}
	for _, key := range s.Keys {
		was[key] = c.world.Account(key)
	}
	failed := c.failed
	c.land(late{tx, c.done})
	c.node.slot++
	e := c.effects(s.Keys, was, s.Fee)
	e.Signature = tx.Signature().String()
	if c.change != nil {
		c.change(e)
	}
	c.executed = append(c.executed, e)
	return c.failed == failed
}

// between changes the world before step n: balances, prices, tables, the exchange, the node.
func (c *climb) between(n int) {
	x := c.world.exchange
	switch c.r.IntN(12) {
	case 0:
		c.world.freeze(c.listed[c.r.IntN(len(c.listed))])
	case 1, 2:
		c.others()
	case 3:
		x.price = pick(c.r, uint64(50), 100, 200)
	case 4, 5:
		kind := pick(c.r, idle, steady, trader, primed, turncoat)
		c.twisted = kind == turncoat
		for data, t := range x.tempers {
			if t.set == c.index {
				x.tempers[data] = temper{kind, c.index}
			}
		}
		c.trace("set %d: the exchange is %s from step %d on", c.index+1, kind, n+1)
	case 6:
		c.node.tables = pick(c.r, honest, honest, unknown, broken, lies)
	case 7, 8:
		c.node.moods[string(c.txs[n].Message())] = pick(c.r, append(slices.Clone(moods), lies, honest, honest)...)
	case 9:
		c.node.lags = !c.node.lags
	}
}

// others pay into one of the owner's accounts, or the owner pays out of it elsewhere.
func (c *climb) others() {
	key := c.listed[c.r.IntN(len(c.listed))]
	if c.r.IntN(2) == 0 {
		key = c.owner
	}
	a := c.world.Account(key)
	switch t, ok := ledger.AsToken(a); {
	case a == nil:
		return
	case key == c.owner:
		a.Lamports -= min(a.Lamports/2, c.r.Uint64N(1<<30))
	case ok && t.Owner() == c.owner && !t.Native():
		binary.LittleEndian.PutUint64(a.Data[64:], c.r.Uint64N(2*t.Amount()+1))
	}
	c.world.put(key, a)
}
