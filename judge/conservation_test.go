package main

import (
	"slices"
	"testing"

	"github.com/walletfi/walletfi-go"
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
	} {
		found, _ := c.judge(test.intent, []*account{test.before}, []*account{test.after})
		if (len(found) > 0) != test.found {
			t.Errorf("%s: %v", name, found)
		}
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
