package signing

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// calls adds simulated instructions under the first one.
func calls(list ...txbuild.Instruction) func(*stage) {
	return func(s *stage) {
		for _, ins := range list {
			s.inner = append(s.inner, inner(ins))
		}
	}
}

// only makes them the only ones.
func only(list ...txbuild.Instruction) func(*stage) {
	return func(s *stage) {
		s.inner = nil
		calls(list...)(s)
	}
}

// before puts instructions before the swap's call.
func before(s *scene, list ...txbuild.Instruction) *scene {
	for i := range s.policy.Simulator.(*stage).inner {
		s.policy.Simulator.(*stage).inner[i].Outer += len(list)
	}
	s.instructions = append(list, s.instructions...)
	return s
}

// Of an account of ours that the transaction makes, the rent is still ours: it is
// no part of what arrives.
func TestArrivalCountsNoRentThatStaysOurs(t *testing.T) {
	made := func(lamports uint64) *scene {
		s := swapping(func(s *stage) {
			s.after[owner] = AccountState{Lamports: walletfi.Amount(lamports)}
			s.after[ourBonk] = holding(Token2022Program, bonk, owner, 0)
		})
		return before(s, txbuild.CreateATA(owner, ourBonk, owner, bonk, Token2022Program, true))
	}
	others := func(lamports uint64) *scene {
		s := swapping(func(s *stage) {
			s.after[owner] = AccountState{Lamports: walletfi.Amount(lamports)}
			s.after[thiefUSDC] = holding(TokenProgram, usdc, thief, 0)
		})
		return before(s, txbuild.CreateATA(owner, thiefUSDC, thief, usdc, TokenProgram, true))
	}
	back := func(lamports uint64) *scene {
		s := swapping(func(s *stage) { s.after[owner] = AccountState{Lamports: walletfi.Amount(lamports)} })
		s = before(s, txbuild.CreateATA(owner, ourWrapped, owner, NativeMint, TokenProgram, true))
		s.instructions = append(s.instructions, spl.Close(ourWrapped, owner, owner))
		return s
	}
	waiting := func(lamports uint64) *scene { // where somebody has sent lamports before
		s := others(lamports)
		s.policy.Simulator.(*stage).before[thiefUSDC] = AccountState{Lamports: 1}
		return s
	}
	const all = 7_000_000_000 - 5000 - accountRent
	runVerdicts(t, []verdict{
		{"all arrives", made(all), ""},
		{"a lamport is missing", made(all - 1), RuleSimulationArrival},
		{"all arrives, and the rent is back", back(all + accountRent), ""},
		{"a lamport is missing, and the rent is back", back(all + accountRent - 1), RuleSimulationArrival},
		{"all arrives, and the rent of another's, which had a lamport, is gone", waiting(all + 1), ""},
		{"a lamport is missing, and the rent of another's, which had a lamport, is gone", waiting(all), RuleSimulationArrival},
		{"all arrives, and the rent of another's is gone", others(all), ""},
		{"a lamport is missing, and the rent of another's is gone", others(all - 1), RuleSimulationArrival},
	})
}

// What the owner pays as tip and fee in SOL is added to what arrives, and nothing
// else that leaves is.
func TestArrivalIsBesideTipAndFee(t *testing.T) {
	paying := func(lamports uint64, list ...txbuild.Instruction) *scene {
		return before(swapping(func(s *stage) { s.after[owner] = AccountState{Lamports: walletfi.Amount(lamports)} }, func(i *walletfi.Intent) { i.Spend[1].Amount = 1000 }), list...)
	}
	tip, fee := txbuild.Transfer(owner, stranger, 10_000), txbuild.Transfer(owner, thief, 5_000)
	tokenFee := spl.TransferChecked(ourUSDC, usdc, stranger, owner, 5, 6)
	runVerdicts(t, []verdict{
		{"tip and fee", paying(7_000_000_000-5000-15_000, tip, fee), ""},
		{"a lamport less", paying(7_000_000_000-5000-15_001, tip, fee), RuleSimulationArrival},
		{"a fee in tokens", paying(7_000_000_000-5000, tokenFee).with(noSpendOfUSDC), ""},
		{"a fee in tokens is no SOL", paying(7_000_000_000-5001, tokenFee).with(noSpendOfUSDC), RuleSimulationArrival},
		{"what was spent is not added", paying(7_000_000_000-5001, txbuild.Transfer(owner, friend, 1)), RuleSimulationArrival},
	})
	report := paying(7_000_000_000-5000, tokenFee).with(noSpendOfUSDC).report(t, txbuild.V0)
	assert.Equal(t, CountsAsFee, report.Leaves[0].CountsAs)
	report = swapping(func(s *stage) {
		s.before[ourBonk], s.after[ourBonk] = holding(Token2022Program, bonk, owner, 4), holding(Token2022Program, bonk, owner, 5)
	}).with(func(s *scene) {
		s.instructions[0].Accounts = append(s.instructions[0].Accounts, txbuild.Writable(ourBonk))
	}).report(t, txbuild.V0)
	assert.Equal(t, []walletfi.Asset{{Mint: walletfi.NativeMint, Amount: 2_000_000_000}, {Mint: bonk.String(), Amount: 1}}, report.Arrives)
}

// noSpendOfUSDC lets the simulated call spend what the owner's own transfer does not.
func noSpendOfUSDC(s *scene) {
	s.intent.Spend[1].Amount = 500
}

// Our accounts are the owner, its token accounts and what the caller listed.
func TestSimulatedLossOfAccounts(t *testing.T) {
	losing := func(account PublicKey, had, has uint64) func(*stage) {
		return func(s *stage) {
			s.before[account], s.after[account] = AccountState{Lamports: walletfi.Amount(had)}, AccountState{Lamports: walletfi.Amount(has)}
		}
	}
	runVerdicts(t, []verdict{
		{"a listed account as it was", swapping(losing(listed, 9_000_000_000, 9_000_000_000)), ""},
		{"SOL of a listed account", swapping(losing(listed, 9_000_000_000, 6_000_000_000), func(i *walletfi.Intent) { i.Receive = nil }), RuleSimulationSpend},
		{"SOL of another's", swapping(losing(vault, 9_000_000_000, 0)), ""},
		{"a token account of ours that is emptied of lamports", swapping(func(s *stage) {
			s.before[ourWrapped] = AccountState{Lamports: 4_000_000_000, Owner: TokenProgram, Data: holding(TokenProgram, NativeMint, owner, 3_000_000_000).Data}
			s.after[ourWrapped] = AccountState{}
		}, func(i *walletfi.Intent) { i.Receive = nil }), RuleSimulationSpend},
		{"all of an account may be burned", swapping(func(s *stage) {
			only(spl.Burn(ourUSDC, usdc, owner, 800))(s)
			s.after[ourUSDC] = holding(TokenProgram, usdc, owner, 0)
		}, func(i *walletfi.Intent) { i.BurnAll = []string{ourUSDC.String()} }), ""},
		{"all of it, which nobody asked to burn", swapping(func(s *stage) {
			only()(s)
			s.after[ourUSDC] = holding(TokenProgram, usdc, owner, 0)
		}), RuleSimulationSpend},
	})
}

// Whether a wallet is handed over, or an account gets a delegate or somebody who
// may close it.
func TestSimulatedAuthorities(t *testing.T) {
	of := func(was, is AccountState) *scene {
		return swapping(func(s *stage) { s.before[ourUSDC], s.after[ourUSDC] = was, is })
	}
	usdcOf := func(amount uint64, change ...func([]byte)) AccountState {
		return holding(TokenProgram, usdc, owner, amount, change...)
	}
	wallet := func(was, is AccountState) *scene {
		return swapping(func(s *stage) { s.before[owner], s.after[owner] = was, is })
	}
	const had, has = 5_000_000_000, 7_000_000_000 - 5000
	for name, row := range map[string]struct {
		scene   *scene
		refused bool
	}{
		"as it was":                             {wallet(AccountState{Lamports: had}, AccountState{Lamports: has}), false},
		"handed over":                           {wallet(AccountState{Lamports: had}, AccountState{Lamports: has, Owner: rogue}), true},
		"handed over with a lamport":            {wallet(AccountState{Lamports: had}, AccountState{Lamports: 1, Owner: rogue}), true},
		"handed back":                           {wallet(AccountState{Lamports: had, Owner: rogue}, AccountState{Lamports: has}), false},
		"of a program before and after":         {wallet(AccountState{Lamports: had, Owner: rogue}, AccountState{Lamports: has, Owner: rogue}), false},
		"gone":                                  {wallet(AccountState{Lamports: had}, AccountState{Owner: rogue}), false},
		"an old delegate":                       {of(usdcOf(800, withDelegate(thief, 9)), usdcOf(300, withDelegate(thief, 9))), false},
		"an old delegate who took some":         {of(usdcOf(800, withDelegate(thief, 9)), usdcOf(300, withDelegate(thief, 8))), false},
		"an old delegate who may take more":     {of(usdcOf(800, withDelegate(thief, 9)), usdcOf(300, withDelegate(thief, 10))), true},
		"another delegate":                      {of(usdcOf(800, withDelegate(stranger, 9)), usdcOf(300, withDelegate(thief, 8))), true},
		"no delegate any more":                  {of(usdcOf(800, withDelegate(thief, 9)), usdcOf(300)), false},
		"our own key as delegate":               {of(usdcOf(800), usdcOf(300, withDelegate(multisig, 9))), false},
		"an old close authority":                {of(usdcOf(800, withCloseAuthority(thief)), usdcOf(300, withCloseAuthority(thief))), false},
		"another close authority":               {of(usdcOf(800, withCloseAuthority(stranger)), usdcOf(300, withCloseAuthority(thief))), true},
		"no close authority any more":           {of(usdcOf(800, withCloseAuthority(thief)), usdcOf(300)), false},
		"our own key as close authority":        {of(usdcOf(800), usdcOf(300, withCloseAuthority(multisig))), false},
		"an account that somebody gave to us":   {of(holding(TokenProgram, usdc, thief, 800), usdcOf(300)), false},
		"another's delegate, whatever the mint": {swapping(func(s *stage) { s.after[vault] = holding(TokenProgram, usdc, stranger, 9500, withDelegate(thief, 1)) }), false},
	} {
		if rules := row.scene.grounds(t); row.refused {
			assert.Contains(t, rules, RuleSimulationAuthority, name)
		} else {
			assert.NotContains(t, rules, RuleSimulationAuthority, name)
		}
	}
}

// A refusal of what only a simulation shows says so.
func TestSimulatedRefusalsSaySo(t *testing.T) {
	for name, change := range map[string]func(*stage){
		"fails":       func(s *stage) { s.fails = "custom program error: 0x1" },
		"less":        func(s *stage) { s.after[owner] = AccountState{Lamports: 5_000_000_000} },
		"a transfer":  calls(txbuild.Transfer(owner, stranger, 1<<40)),
		"misplaced":   func(s *stage) { s.inner[1].Outer = 1 },
		"before it":   func(s *stage) { s.inner[1].Outer = -1 },
		"handed over": func(s *stage) { s.after[ourUSDC] = holding(TokenProgram, usdc, thief, 300) },
	} {
		refusal, _ := swapping(change).refusal(t, txbuild.V0)
		assert.True(t, refusal.Simulated, name)
	}
	// What runs under no instruction of the transaction hides nothing that does.
	hiding := swapping(func(s *stage) {
		calls(txbuild.Transfer(owner, stranger, 1<<40))(s)
		s.inner[0].Outer = -1
	})
	assert.Equal(t, []Rule{RuleSimulationFailed, RuleSystemTransfer}, hiding.grounds(t))
	// What the simulator answers in no order is put in order.
	shuffled := before(swapping(calls(txbuild.Transfer(owner, stranger, 1<<40))), txbuild.Call(exchange, []byte{1}))
	calls := shuffled.policy.Simulator.(*stage).inner
	calls[len(calls)-1].Outer = 0
	assert.Equal(t, []Rule{RuleSystemTransfer}, shuffled.grounds(t))
	runVerdicts(t, []verdict{
		{"under the last", before(swapping(func(*stage) {}), txbuild.Memo("x")), ""},
		{"under one more", swapping(func(s *stage) { s.inner[0].Outer = 1 }), RuleSimulationFailed},
	})
}
