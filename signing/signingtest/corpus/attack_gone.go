package corpus

import "github.com/walletfi/walletfi-go/signing/internal/txbuild"

// goneAttacks rely on accounts and approvals that are not what they were.
func (k *cast) goneAttacks() []technique {
	attack := func(rule, name, aim string, instructions ...ins) technique {
		return k.attack(rule, name, aim, append(instructions, k.loot())...)
	}
	create := txbuild.CreateAccount(k.owner, k.fresh, accountRent, 165, spl.Program)
	init, closing := spl.InitializeAccount3(k.fresh, k.usdc, k.owner), spl.Close(k.fresh, k.owner, k.owner)
	most := 2 * (k.spendUSDC + k.takeUSDC)
	approve := spl.ApproveChecked(k.ourUSDC, k.usdc, k.pool, k.owner, k.spendUSDC, 6)
	closedBefore := func(t technique) technique {
		t.scene.txs = append([]transaction{{Transaction: k.build(spl.Close(k.listed, k.owner, k.owner), k.loot())}},
			t.scene.txs...)
		return t
	}
	outer := func(name string, at int) technique {
		drain := spl.TransferChecked(k.ourUSDC, k.usdc, k.thiefs, k.owner, 9*k.spendUSDC, 6)
		t := k.attack("simulation.failed", name, "have what follows be skipped",
			k.trade(txbuild.WritableSigner(k.owner), txbuild.Writable(k.ourUSDC)))
		return t.seen(Simulation{Inner: []Inner{innerOf(at, drain)}})
	}
	return []technique{
		attack("token.transfer", "tokens to an account that was closed", "fund what its key can open again",
			create, init, closing,
			spl.TransferChecked(k.ourUSDC, k.usdc, k.fresh, k.owner, most, 6)),
		attack("token.transfer", "tokens to a listed account that was closed", "fund what its key can open again",
			spl.Close(k.listed, k.owner, k.owner),
			spl.TransferChecked(k.ourUSDC, k.usdc, k.listed, k.owner, most, 6)),
		attack("token.approve", "revoked by the other token program", "have the wrong approval end",
			approve, t22.Revoke(k.ourUSDC, k.owner)),
		attack("token.approve", "revoked by the other token program, in a batch", "have the wrong approval end",
			spl.Batch(approve), t22.Batch(t22.Revoke(k.ourUSDC, k.owner))),
		closedBefore(k.attack("token.transfer", "tokens to a listed account that an earlier transaction closed",
			"fund what its key can open again",
			spl.TransferChecked(k.ourUSDC, k.usdc, k.listed, k.owner, most, 6))),
		closedBefore(k.attack("G8", "SOL to a listed account that an earlier transaction closed",
			"fund what its key can open again", txbuild.Transfer(k.owner, k.listed, 9*k.spend))),
		outer("a simulated call under no instruction", 99),
		outer("a simulated call before the first instruction", -1),
	}
}

// openAgain use accounts that were closed and made again.
func (k *cast) openAgain() []shape {
	made := txbuild.CreateATA(k.owner, k.ourBonk, k.owner, k.bonk, t22.Program, false)
	list := func(s *scene) {
		s.policy.Accounts, s.policy.Mints = []OwnAccount{{k.listedBonk, k.bonk}}, []Key{k.bonk}
	}
	return []shape{
		k.honest("swap", "tokens to an account that was closed and made again", t22.Close(k.ourBonk, k.owner, k.owner), made,
			t22.TransferChecked(k.listedBonk, k.bonk, k.ourBonk, k.owner, 1<<40, 5)).with(list).
			spoiledBy("token.transfer", "not made again", without(1)),
		k.honest("swap", "an approval revoked by its own program", spl.Approve(k.ourUSDC, k.pool, k.owner, k.spendUSDC),
			k.trade(), spl.Revoke(k.ourUSDC, k.owner)).spends(k.usdc, k.spendUSDC).
			spoiledBy("token.approve", "by the other", instead(2, t22.Revoke(k.ourUSDC, k.owner))),
	}
}
