package corpus

import "github.com/walletfi/walletfi-go/signing/internal/txbuild"

// typed pins the exchange's trade, which may write accounts of ours with these roles.
func (k *cast) typed(service string, roles ...string) func(*scene) {
	return func(s *scene) {
		trade := Pin{Program: k.exchange, Instructions: [][]byte{k.trade().Data[:1]}, MayWrite: roles}
		s.policy.TypedPins = map[string][]Pin{service: {trade}}
	}
}

// pinnedAttacks have a pinned program do what its pin does not name.
func (k *cast) pinnedAttacks() []technique {
	bound := func(name, aim string, instructions ...ins) technique {
		return k.attack("program.pinned", name, aim, append(instructions, k.loot())...).
			with(k.typed("swap", "spent", "received"))
	}
	call := func(data ...byte) ins { return txbuild.Call(k.exchange, data, txbuild.Writable(k.ourUSDC)) }
	// An account of ours, of a mint that the transaction names and the intent does not.
	other := txbuild.Associated(k.owner, k.partner, spl.Program)
	return []technique{
		bound("another instruction of a pinned program", "call what withdraws everything", call(8, 1, 2, 3)),
		bound("no instruction of a pinned program", "fall through to a default", call()),
		bound("another instruction behind the pinned one", "be read by the first call", k.trade(), call(10, 1, 2, 3)),
		bound("the pinned byte in the second place", "be found anywhere in the data", call(0, 9, 1, 2)),
		bound("the pinned program may write a listed account", "take what the caller keeps there",
			k.trade(txbuild.Writable(k.ourUSDC), txbuild.Writable(k.listed))).
			with(func(s *scene) { s.policy.Accounts = []OwnAccount{{k.listed, k.partner}} }),
		bound("the pinned program may write the owner", "take lamports", k.trade(txbuild.WritableSigner(k.owner))),
		bound("an account that is there passes for a new one", "take what is in it",
			txbuild.CreateATA(k.owner, other, k.owner, k.partner, spl.Program, true), k.trade(txbuild.Writable(other))).
			with(k.typed("swap", "spent", "received", "made")),
		bound("a writable account that only a table names, of a pinned program", "hide an account of ours",
			k.trade(txbuild.Writable(k.ourUSDC), txbuild.Writable(k.other))).with(k.route(k.other)).
			with(func(s *scene) { s.policy.Protected = nil }).as(V0),
	}
}

// typedPins are trades as their pins say.
func (k *cast) typedPins() []shape {
	other := ins{Program: k.exchange, Data: []byte{8}, Accounts: []txbuild.Account{txbuild.Writable(k.ourUSDC)}}
	trade := k.trade(txbuild.Writable(k.ourUSDC), txbuild.Writable(k.pool))
	seeded := txbuild.Seeded(k.owner, "wsol-2", spl.Program)
	return []shape{
		k.honest("swap", "a trade under a typed pin", trade).spends(k.usdc, k.spendUSDC).
			with(k.typed("swap", "spent")).spoiledBy("program.pinned", "another instruction", instead(0, other)),
		k.honest("amm", "a trade under a typed pin into an account made here",
			txbuild.CreateAccountWithSeed(k.owner, seeded, k.owner, "wsol-2", accountRent, 165, spl.Program),
			spl.InitializeAccount3(seeded, txbuild.NativeMint, k.owner), k.trade(txbuild.Writable(seeded))).
			with(k.typed("amm", "made")).
			spoiledBy("program.pinned", "into one of ours", account(2, 0, k.ourSOL)),
	}
}
