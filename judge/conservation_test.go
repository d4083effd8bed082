package main

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/signingtest/corpus"
)

// TestCourt: what leaves an owner is counted, and held against the intent.
func TestCourt(t *testing.T) {
	owner, mint, thief := key{1}, key{2}, key{3}
	c := newCourt(owner)
	spl := corpus.Mint{Address: mint, Program: tokenProgram, Decimals: 6}
	holding := func(of key, amount uint64, change func(a *account)) *account {
		a := tokenAccount(key{9}, spl, of, amount)
		if change != nil {
			change(a)
		}
		return a
	}
	wallet := func(lamports uint64) *account {
		return &account{Key: owner.String(), Lamports: lamports, Owner: systemProgram.String()}
	}
	delegate := func(a *account) { a.Data[72] = 1; copy(a.Data[76:], thief[:]) }
	stake := func(withdrawer key, lamports uint64) *account {
		data := stakeData(corpus.Key(withdrawer))
		return &account{Key: ownStake.String(), Lamports: lamports, Owner: stakeProgram.String(), Data: data}
	}
	assigned := wallet(1e9)
	assigned.Owner = relay.String()
	spend := walletfi.Intent{Spend: []walletfi.Asset{{Mint: mint.String(), Amount: 40}}}
	all := walletfi.Intent{BurnAll: []string{mint.String()}}
	named := walletfi.Intent{Delegates: []string{thief.String()}}
	for name, test := range map[string]struct {
		intent        walletfi.Intent
		before, after *account
		found         bool
	}{
		"within the caps":   {spend, holding(owner, 100, nil), holding(owner, 60, nil), false},
		"beyond the caps":   {spend, holding(owner, 100, nil), holding(owner, 59, nil), true},
		"all of it":         {all, holding(owner, 100, nil), holding(owner, 0, nil), false},
		"another's":         {spend, holding(thief, 100, nil), holding(thief, 0, nil), false},
		"given away":        {spend, holding(owner, 100, nil), holding(thief, 100, nil), true},
		"a delegate":        {spend, holding(owner, 100, nil), holding(owner, 100, delegate), true},
		"one that was":      {spend, holding(owner, 100, delegate), holding(owner, 100, delegate), false},
		"one that is named": {named, holding(owner, 1, nil), holding(owner, 1, delegate), false},
		"lamports":          {walletfi.Intent{}, wallet(1e9), wallet(9e8), true},
		"the fee":           {walletfi.Intent{}, wallet(1e9), wallet(1e9 - 5000), false},
		"none left":         {walletfi.Intent{}, wallet(1e9), nil, true},
		"a wallet assigned": {walletfi.Intent{}, wallet(1e9), assigned, true},
		"stake":             {walletfi.Intent{}, stake(owner, 2e9), stake(owner, 2e9), false},
		"stake withdrawn":   {walletfi.Intent{}, stake(owner, 2e9), stake(owner, 1e9), true},
		"stake given away":  {walletfi.Intent{}, stake(owner, 2e9), stake(thief, 2e9), true},
	} {
		found, _ := c.judge(test.intent, []*account{test.before}, []*account{test.after})
		if (len(found) > 0) != test.found {
			t.Errorf("%s: %v", name, found)
		}
	}
	before, after := []*account{holding(owner, 100, nil), wallet(1e9)}, []*account{holding(owner, 0, delegate), wallet(9e8)}
	if found, _ := c.judge(walletfi.Intent{}, before, after, key{9}); len(found) != 1 {
		t.Errorf("what is at risk is counted, or what is not is left out: %v", found)
	}
}

// TestMoves: the calls are of every program that is pinned, straight and through the relay, in every format, and
// the accounts that the relay may write are told.
func TestMoves(t *testing.T) {
	config := corpus.Config{Owner: key{1}, Seed: 3, Blockhash: key{2}}
	grammar := corpus.NewGrammar(config)
	r := rand.New(rand.NewPCG(1, 1))
	m := newMoves(config, grammar, r)
	calls, versions := map[string]int{}, map[signing.Version]int{}
	for range 500 {
		drawn := grammar.Draw(r, grammar.Policies()[0])
		drawn.Unsigned.Transactions = nil
		moved, reached := m.pin(drawn, config.Blockhash)
		txs, err := signing.DecodeAll(moved.Unsigned)
		if err != nil || len(txs) != 1 || len(moved.Policy.Pins["swap"]) <= len(drawn.Policy.Pins["swap"]) {
			t.Fatal(len(txs), err)
		}
		versions[txs[0].Version()]++
		for _, k := range txs[0].AccountKeys() {
			if slices.Contains(shipped, corpus.Key(k)) {
				calls[key(k).String()]++
			}
		}
		if through := slices.Contains(txs[0].AccountKeys(), signing.PublicKey(relay)); through != (len(reached) > 0) {
			t.Fatalf("through the relay %t, which may write %v", through, reached)
		}
	}
	for _, k := range []key{relay, systemProgram, tokenProgram, token2022, ataProgram, stakeProgram} {
		if calls[k.String()] < 10 {
			t.Errorf("%s is named %d times", k, calls[k.String()])
		}
	}
	if len(versions) != 3 {
		t.Errorf("versions %v", versions)
	}
}

// TestAccounts: each account that the corpus asks for has a balance that pays its rent, and the owner is rich.
func TestAccounts(t *testing.T) {
	owner := key{1}
	config := corpus.Config{Owner: owner, Seed: 3}
	all := accounts(config, corpus.NewGrammar(config))
	net, _ := newCourt(owner).gained(make([]*account, len(all)), all)
	if net[walletfi.NativeMint] < 2000e9 || len(net) < 4 {
		t.Errorf("the owner has %v", net)
	}
	var names []string
	for _, a := range all {
		if a.Lamports < rent(len(a.Data)) {
			t.Errorf("%s does not pay its rent", a.Key)
		}
		names = append(names, a.Key)
	}
	slices.Sort(names)
	if len(slices.Compact(slices.Clone(names))) != len(names) {
		t.Error("an account is there twice")
	}
}
