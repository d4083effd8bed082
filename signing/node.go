package signing

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing/internal/judge"
	"github.com/walletfi/walletfi-go/signing/internal/program"
)

// node answers the judge from the policy's resolver and simulator.
type node struct {
	policy *Policy
	txs    []*Transaction
	asks   bool  // the simulator
	hidden bool  // from the simulator
	step   *Step // nil judges the set whole
	owner  string
	looks  []look
	left   map[judge.Key]program.State // what the simulated transactions left
}

// Load asks the resolver.
func (n *node) Load(ctx context.Context, i int) ([]judge.Key, error) {
	return resolve(ctx, n.policy.Resolver, n.txs[i])
}

// Read asks the resolver, or else the simulator, if it reads accounts.
func (n *node) Read(ctx context.Context, accounts []judge.Key) ([]program.State, error) {
	reader, ok := n.policy.Resolver.(AccountReader)
	if !ok && n.asks && !n.hidden {
		reader, ok = n.policy.Simulator.(AccountReader)
	}
	if !ok {
		return nil, nil
	}
	read, err := reader.Accounts(ctx, keysOf[PublicKey](accounts))
	if err != nil || len(read) != len(accounts) {
		return []program.State{}, ctx.Err()
	}
	n.looks = append(n.looks, look{accounts, states(read)})
	return states(read), nil
}

// TransferFee asks the resolver, if it reads mints.
func (n *node) TransferFee(ctx context.Context, mint judge.Key) (fee judge.TransferFee, known bool) {
	reader, ok := n.policy.Resolver.(MintReader)
	if !ok {
		return judge.TransferFee{}, false
	}
	read, err := reader.TransferFee(ctx, PublicKey(mint))
	return judge.TransferFee{BasisPoints: read.BasisPoints, Most: uint64(read.Most)}, err == nil
}

// Simulate asks the simulator.
func (n *node) Simulate(
	ctx context.Context, i int, accounts []judge.Key,
) (outcome *judge.Simulation, blind string, err error) {
	switch {
	case n.step.executed(i):
		outcome, err = changed(n.step.Executed[i], n.owner, accounts)
		return outcome, "", err
	case !n.asks:
		return nil, "", nil
	case n.hidden:
		return nil, "Policy.Unsimulated names the service", nil
	case n.step != nil && i > len(n.step.Executed):
		return nil, judge.Later, nil
	}
	request := SimulationRequest{Transaction: n.txs[i], Accounts: keysOf[PublicKey](accounts)}
	for _, k := range request.Accounts {
		if n.listed(k) || slices.Contains(n.policy.Keys, k) {
			request.Ours = append(request.Ours, k)
		}
	}
	if n.step != nil {
		request.MinSlot = n.step.newest()
	}
	s, blind, err := n.run(ctx, i, request)
	if errors.Is(err, ErrUnknown) {
		return nil, "the simulator could not run it", nil
	}
	if err == nil && n.step != nil {
		err = n.step.reached(s)
	}
	if err == nil && n.step != nil && s != nil && s.Err == "" {
		err = n.step.follows(n.ours, accounts, s.Before)
	}
	if err != nil {
		return nil, "", fmt.Errorf("signing: simulator: %w", err)
	}
	if s == nil {
		return nil, "", errors.New("signing: simulator: neither a simulation nor an error")
	}
	out := &judge.Simulation{Err: s.Err, Before: states(s.Before), After: states(s.After), StatesOnly: s.StatesOnly}
	out.Slot, out.Alone = s.Slot, n.step != nil && i < len(n.txs)-1
	n.looks = append(n.looks, look{accounts, out.Before})
	if follows := n.follows(accounts, out); n.step == nil && blind == "" && !follows {
		blind = "the simulator did not run it on what those before it leave"
	}
	for _, called := range s.Inner {
		out.Inner = append(out.Inner, judge.Inner{Outer: called.Outer, Program: judge.Key(called.Program),
			Accounts: keysOf[judge.Key](called.Accounts), Data: called.Data})
	}
	return out, blind, nil
}

// follows reports whether a simulation of a set begins with no less in an account of ours than the one
// before it left there: what arrived would count twice.
func (n *node) follows(accounts []judge.Key, s *judge.Simulation) bool {
	follows := true
	for i := range min(len(accounts), len(s.Before), len(s.After)) {
		k, before := accounts[i], s.Before[i]
		if left, ok := n.left[k]; ok {
			held, isToken := program.ReadTokenState(left)
			has, _ := program.ReadTokenState(before)
			less := before.Lamports < left.Lamports || isToken && has.Amount < held.Amount
			mine := PublicKey(k).String() == n.owner || n.ours(PublicKey(k), PublicKey(held.Owner))
			follows = follows && !(less && mine)
		}
		if len(n.txs) > 1 {
			if n.left == nil {
				n.left = map[judge.Key]program.State{}
			}
			n.left[k] = s.After[i]
		}
	}
	return follows
}

// listed reports an account of the caller's list.
func (n *node) listed(account PublicKey) bool {
	return slices.ContainsFunc(n.policy.Accounts, func(a OwnAccount) bool { return a.Address == account })
}

// ours reports an account that the policy lists, or one that the owner or a key of ours holds.
func (n *node) ours(account, holder PublicKey) bool {
	return n.listed(account) || slices.Contains(n.policy.Keys, holder) || holder.String() == n.owner
}

// run simulates a transaction after those before it, if the simulator can, and
// otherwise by itself, which can refuse it and proves nothing.
func (n *node) run(ctx context.Context, i int, r SimulationRequest) (s *Simulation, blind string, err error) {
	if i > 0 && n.step == nil {
		blind = "the simulator does not run it after those before it"
		if set, ok := n.policy.Simulator.(SetSimulator); ok && !n.policy.Stepwise {
			s, err = set.SimulateAfter(ctx, n.txs[:i], r)
			if !errors.Is(err, ErrUnknown) {
				return s, "", err
			}
		}
	}
	s, err = n.policy.Simulator.Simulate(ctx, r)
	return s, blind, err
}

func states(from []AccountState) []program.State {
	to := make([]program.State, len(from))
	for i, s := range from {
		to[i] = program.State{Lamports: uint64(s.Lamports), Owner: program.Key(s.Owner), Data: s.Data}
	}
	return to
}

// resolve reads what the lookup tables of tx load: the writable accounts of
// every table, then the read-only ones. It is nil without tables.
func resolve(ctx context.Context, r Resolver, tx *Transaction) ([]judge.Key, error) {
	if tx.wire.LookupCount == 0 || r == nil {
		return nil, nil
	}
	loaded := make([]judge.Key, 0, tx.wire.LoadedWritable+tx.wire.LoadedReadonly)
	held := make([][]PublicKey, 0, tx.wire.LookupCount)
	for c := tx.wire.Lookups(); c.Next(); {
		lookup, err := r.LookupTable(ctx, PublicKey(*c.Table))
		if errors.Is(err, ErrUnknown) {
			return nil, nil
		}
		if err != nil {
			return nil, fmt.Errorf("signing: lookup table %s: %w", c.Table, err)
		}
		held = append(held, lookup.Addresses)
	}
	for _, writable := range []bool{true, false} {
		i := 0
		for c := tx.wire.Lookups(); c.Next(); i++ {
			indexes := c.Readonly
			if writable {
				indexes = c.Writable
			}
			for _, index := range indexes {
				if int(index) >= len(held[i]) {
					return nil, fmt.Errorf("signing: lookup table %s has %d addresses, the transaction loads number %d",
						c.Table, len(held[i]), index)
				}
				loaded = append(loaded, judge.Key(held[i][index]))
			}
		}
	}
	return loaded, nil
}

// ErrUnknown is returned by a [Resolver] for what it cannot read, and by a
// [Simulator] for what it cannot run. A pinned program's call that may take something
// of the owner's is then refused by RuleBlind, unless [Policy.AllowBlind] names the
// service. After any other error of theirs
// nothing is signed.
var ErrUnknown = errors.New("signing: unknown to the resolver or simulator")

// Resolver reads address lookup tables from the ledger. rpcnode has one.
type Resolver interface {
	// LookupTable returns what a table holds, or ErrUnknown. The ledger does not change an
	// entry of a table, so that an answer may be cached.
	LookupTable(ctx context.Context, table PublicKey) (LookupTable, error)
}

// LookupTable holds the addresses of an address lookup table.
type LookupTable struct {
	Addresses []PublicKey `json:"addresses"` // in order
}

// MintReader is a [Resolver] that reads mints, too. Without it, a transfer of
// a Token-2022 mint among the owner's accounts counts as spent, because the mint
// may withhold a fee of up to the whole amount, unless [Policy.Mints] names it.
// Package rpcnode's Client and Pool are MintReaders.
type MintReader interface {
	// TransferFee returns the fee that a Token-2022 mint withholds, zero if it has
	// no such extension. After an error the fee is unknown.
	TransferFee(ctx context.Context, mint PublicKey) (TransferFee, error)
}

// TransferFee is the fee that a Token-2022 mint withholds from each transfer.
type TransferFee struct {
	BasisPoints uint16          // of the amount, rounded up
	Most        walletfi.Amount // in smallest units
}
