package corpus

import "github.com/walletfi/walletfi-go/signing/internal/txbuild"

// blindAttacks are calls of the pinned exchange without a simulated outcome.
func (k *cast) blindAttacks() []technique {
	sighted := func(s *scene) { s.policy.AllowBlind, s.policy.Protected = nil, nil }
	attack := func(name, aim string, writes ...txbuild.Account) technique {
		return k.attack("blind", name, aim, k.trade(writes...)).with(sighted)
	}
	// The first transaction is simulated, and whatever the second does is not.
	unseen := func(name, aim string, second Simulation, first ...ins) technique {
		t := attack(name, aim, txbuild.WritableSigner(k.owner), txbuild.Writable(k.ourSOL))
		opening := transaction{Transaction: k.build(first...), simulation: new(Simulation)}
		opening.Signers = []Key{k.owner}
		t.scene.txs = []transaction{opening, *t.scene.last()}
		t.scene.policy.Alone, t.second = true, true
		return t.seen(second)
	}
	return []technique{
		attack("a call that nobody saw, with the wallet", "take all SOL in a pinned program's call",
			txbuild.WritableSigner(k.owner)),
		attack("a call that nobody saw, with a token account", "take all of it in a pinned program's call",
			txbuild.Signer(k.owner), txbuild.Writable(k.ourUSDC)),
		attack("a call that nobody saw, with accounts behind a table", "take what they hold",
			txbuild.Signer(k.owner), txbuild.Writable(k.ourUSDC)).with(k.hides(k.ourUSDC)).as(V0),
		unseen("a memo, and a call that fails by itself", "have it judged by its bytes",
			Simulation{Err: "custom program error: 0x1771"}, txbuild.Memo("prepared")),
		unseen("lamports wrapped, and a call that takes what is wrapped", "have nothing to take while it is looked at",
			Simulation{}, txbuild.Transfer(k.owner, k.ourSOL, 90*k.spend)),
	}
}

// hides moves an account into a table that is not resolved.
func (k *cast) hides(account Key) func(*scene) {
	return func(s *scene) {
		s.last().Tables = append(s.last().Tables, txbuild.Table{Address: k.table, Holds: []Key{account}})
	}
}

// sighted are calls that were simulated, or that the caller allows blind.
func (k *cast) sighted() []shape {
	call := k.trade(txbuild.WritableSigner(k.owner), txbuild.Writable(k.ourUSDC))
	blind := func(s *scene) { s.policy.AllowBlind = nil }
	seen := func(h shape) shape { h.scene.last().simulation = new(Simulation); return h.with(blind) }
	pair := func(h shape) shape {
		first := transaction{Transaction: k.build(txbuild.Memo("prepared"))}
		first.Signers = []Key{k.owner}
		h.scene.txs = []transaction{first, *h.scene.last()}
		return h
	}
	return []shape{
		k.honest("swap", "a call that the caller allows blind", call).
			spoiledBy("blind", "and allows no longer", blind),
		k.honest("swap", "a call that writes nothing of ours", k.trade(txbuild.Readonly(k.pool), txbuild.Writable(k.pool))).
			with(blind).
			spoiledBy("blind", "and one that does", account(0, 1, k.ourSOL)),
		seen(k.honest("swap", "a call that was simulated",
			k.trade(txbuild.WritableSigner(k.owner), txbuild.Writable(k.pool)))).
			spoiledBy("blind", "by nobody", func(s *scene) { s.last().simulation = nil }),
		pair(seen(k.honest("swap", "a call that was simulated after a memo", call))).
			spoiledBy("blind", "by itself", func(s *scene) { s.policy.Alone = true }),
	}
}
