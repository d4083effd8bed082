package main

import (
	"context"
	"encoding/base64"
	"slices"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/signingtest/corpus"
)

// guarded is LiteSVM with the accounts of the corpus. It verifies no signatures: those of others are never there.
type guarded struct {
	*runtime
	held []key // by the lookup table
}

func startGuarded(folder string, c corpus.Config, g *corpus.Grammar) (*guarded, error) {
	r, err := startRuntime(folder)
	if err != nil {
		return nil, err
	}
	w := &guarded{runtime: r}
	_, held := g.Table()
	for _, k := range held {
		w.held = append(w.held, k)
	}
	slots := make([]uint64, 512)
	for n := range slots {
		slots[n] = 999_999 - uint64(n)
	}
	var none struct{}
	for _, request := range []map[string]any{
		{"op": "loose", "slot": 1_000_000, "epoch": 2, "unix": 1_700_000_000, "slotHashes": slots},
		{"op": "set", "accounts": accounts(c, g)},
		{"op": "program", "name": "nothing", "key": key(corpus.NewLedger(c).Programs[0]).String()},
		{"op": "program", "name": "relay", "key": relay.String()},
	} {
		if err := r.ask(request, &none); err != nil {
			r.close()
			return nil, err
		}
	}
	return w, nil
}

// keys are the accounts that transactions name, or could through the table.
func (w *guarded) keys(txs ...*signing.Transaction) []string {
	all := slices.Clone(w.held)
	for _, tx := range txs {
		for _, k := range tx.AccountKeys() {
			all = append(all, key(k))
		}
	}
	var names []string
	for _, k := range all {
		if !slices.Contains(builtin, k) {
			names = append(names, k.String())
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func (w *guarded) get(names []string) ([]*account, error) {
	var answer struct{ Accounts []*account }
	err := w.ask(map[string]any{"op": "get", "keys": names}, &answer)
	return answer.Accounts, err
}

// restore puts accounts back, but programs, which LiteSVM holds compiled.
func (w *guarded) restore(names []string, all []*account) error {
	var put []*account
	for n, a := range all {
		switch {
		case a == nil:
			put = append(put, &account{Key: names[n], Owner: systemProgram.String()})
		case !a.Executable:
			put = append(put, a)
		}
	}
	return w.ask(map[string]any{"op": "set", "accounts": put}, &struct{}{})
}

// executed tells how a transaction went, or would go.
type executed struct {
	verdict
	Inner []struct {
		Outer    int
		Program  int
		Accounts []int
		Data     []byte
	}
}

func (w *guarded) run(op string, tx *signing.Transaction, names []string) (e executed, err error) {
	text := base64.StdEncoding.EncodeToString(tx.Bytes())
	err = w.ask(map[string]any{"op": op, "keys": append([]string{}, names...), "tx": text}, &e)
	return e, err
}

// Simulate runs the transaction by itself.
func (w *guarded) Simulate(ctx context.Context, r signing.SimulationRequest) (*signing.Simulation, error) {
	return w.SimulateAfter(ctx, nil, r)
}

// SimulateAfter runs earlier transactions first, and puts back what they did.
func (w *guarded) SimulateAfter(
	_ context.Context, earlier []*signing.Transaction, r signing.SimulationRequest,
) (*signing.Simulation, error) {
	names := w.keys(append(slices.Clone(earlier), r.Transaction)...)
	before, err := w.get(names)
	if err != nil {
		return nil, err
	}
	answer, err := w.simulated(earlier, r)
	if again := w.restore(names, before); err == nil {
		err = again
	}
	return answer, err
}

func (w *guarded) simulated(
	earlier []*signing.Transaction, r signing.SimulationRequest,
) (*signing.Simulation, error) {
	for _, tx := range earlier {
		if e, err := w.run("send", tx, nil); err != nil || e.err() != "null" {
			return &signing.Simulation{Err: "an earlier transaction would fail"}, err
		}
	}
	var asked []string
	for _, k := range r.Accounts {
		asked = append(asked, k.String())
	}
	before, err := w.get(asked)
	if err != nil {
		return nil, err
	}
	e, err := w.run("simulate", r.Transaction, asked)
	if err != nil {
		return nil, err
	}
	if e.err() != "null" {
		return &signing.Simulation{Err: string(e.Error)}, nil
	}
	answer := &signing.Simulation{Units: e.Units, StatesOnly: len(r.Transaction.Lookups()) > 0}
	for n := range asked {
		answer.Before = append(answer.Before, stateOf(before[n]))
		answer.After = append(answer.After, stateOf(e.Accounts[n]))
	}
	if static := r.Transaction.AccountKeys(); !answer.StatesOnly {
		for _, in := range e.Inner {
			called := signing.InnerInstruction{Outer: in.Outer, Program: static[in.Program], Data: in.Data}
			for _, a := range in.Accounts {
				called.Accounts = append(called.Accounts, static[a])
			}
			answer.Inner = append(answer.Inner, called)
		}
	}
	return answer, nil
}

func stateOf(a *account) (s signing.AccountState) {
	if a != nil {
		s.Lamports, s.Data = walletfi.Amount(a.Lamports), a.Data
		s.Owner, _ = signing.ParsePublicKey(a.Owner) // the runtime's own text
	}
	return s
}
