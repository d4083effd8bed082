package corpus

import "github.com/walletfi/walletfi-go/signing/internal/txbuild"

// arrivalAttacks take what the intent spends and can deliver nothing of what it
// expects.
func (k *cast) arrivalAttacks() []technique {
	attack := func(name string, instructions ...ins) technique {
		return k.attack("G9", name, "take the spend for nothing", instructions...).with(func(s *scene) {
			s.intent.Receive = append(s.intent.Receive, some(k.bonk, 1000))
			s.policy.LateCoSigners = 1
		})
	}
	pays := func(to Key, mint Key, n uint64) ins {
		return t22.TransferChecked(txbuild.Associated(k.maker, mint, t22.Program), mint, to, k.maker, n, 5)
	}
	return []technique{
		attack("the spend, and nothing back", k.loot()),
		attack("an account made for it, and nothing in it",
			txbuild.CreateATA(k.owner, k.ourBonk, k.owner, k.bonk, t22.Program, true), k.loot()),
		attack("a unit less from a maker", pays(k.ourBonk, k.bonk, 999), k.loot()),
		attack("another token from a maker", pays(k.ourPump, k.pump, 1000), k.loot()),
		attack("from a maker to the maker", pays(k.vaultPump, k.bonk, 1000), k.loot()),
		attack("a memo that says swap", txbuild.Memo("swap"), k.loot()),
		attack("nothing from a maker to an account behind a table", spl.Transfer(k.vault, k.pool, k.maker, 0), k.loot()).
			with(k.hides(k.pool)).as(V0),
		attack("all of it from a maker to an account behind a table", pays(k.pool, k.bonk, 1000), k.loot()).
			with(k.hides(k.pool)).as(V0),
		attack("lamports from a maker to an account behind a table", txbuild.Transfer(k.maker, k.pool, k.spend), k.loot()).
			with(k.hides(k.pool)).as(V0),
		attack("another token from a maker to an account behind a table", pays(k.pool, k.pump, 1000), k.loot()).
			with(k.hides(k.pool)).as(V0),
		attack("a call that fills nothing of ours", k.trade(txbuild.Writable(k.pool), txbuild.Readonly(k.ourBonk)), k.loot()),
		attack("a call that fills what holds another token", k.trade(txbuild.WritableSigner(k.owner),
			txbuild.Writable(k.ourUSDC), txbuild.Writable(k.listed)), k.loot()),
	}
}

// arriving are intents that expect something, and transactions that deliver it.
func (k *cast) arriving() []shape {
	expects := func(s *scene) {
		s.intent.Receive, s.policy.CoSigners = append(s.intent.Receive, some(k.bonk, 1000)), []Key{k.maker}
	}
	brings := func(n uint64) ins {
		return t22.TransferChecked(k.makersBonk, k.bonk, k.ourBonk, k.maker, n, 5)
	}
	gives := spl.TransferChecked(k.ourUSDC, k.usdc, k.vault, k.owner, k.spendUSDC, 6)
	setup := k.honest("amm", "an account made first, the swap in the next").spends(k.usdc, k.spendUSDC).with(expects)
	setup.scene.txs = []transaction{
		{Transaction: k.build(txbuild.CreateATA(k.owner, k.ourBonk, k.owner, k.bonk, t22.Program, true))},
		{Transaction: k.build(k.swapCall(k.ourUSDC, k.ourBonk))},
	}
	return []shape{
		k.honest("swap", "a maker brings what is expected", brings(1000), gives).spends(k.usdc, k.spendUSDC).with(expects).
			spoiledBy("G9", "a unit less", instead(0, brings(999))),
		k.honest("swap", "a maker brings it in two parts", brings(400), gives, brings(600)).spends(k.usdc, k.spendUSDC).
			with(expects).
			spoiledBy("G9", "the second part missing", without(2)),
		k.honest("amm", "a pinned program may bring it", k.swapCall(k.ourUSDC, k.ourBonk)).spends(k.usdc, k.spendUSDC).
			with(expects).
			spoiledBy("G9", "a memo in its place", instead(0, txbuild.Memo("swap"))),
		setup.spoiledBy("G9", "no swap in the next", func(s *scene) {
			s.last().Instructions = []ins{txbuild.Memo("swapped")}
		}),
	}
}
