package corpus

import (
	"math"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// associatedAttacks misuse the associated token account program.
func (k *cast) associatedAttacks() []technique {
	attack := k.looting("ata.create")
	create := txbuild.CreateATA(k.owner, k.ourUSDC, k.owner, k.usdc, spl.Program, true)
	data := func(b ...byte) ins { one := create; one.Data = b; return one }
	few := create
	few.Accounts = create.Accounts[:5]
	return []technique{
		attack("nested accounts recovered", "move tokens without a transfer", data(2)),
		attack("a create with a length of its own", "make the owner pay for space", data(3)),
		attack("an unknown instruction of the account program", "do what nobody has read about", data(9)),
		attack("bytes behind the tag", "mean something to another version", data(1, 0)),
		attack("an account too few", "have it read past the end", few),
		attack("an account of a rogue token program", "have it pass for ours",
			txbuild.CreateATA(k.owner, txbuild.Associated(k.owner, k.bonk, k.rogue), k.owner, k.bonk, k.rogue, true)),
	}
}

// rentAttacks make the owner pay for accounts.
func (k *cast) rentAttacks() []technique {
	attack := k.looting("rent")
	ata := txbuild.CreateATA(k.owner, k.thiefs, k.thief, k.usdc, spl.Program, true)
	ata22 := txbuild.CreateATA(k.owner, txbuild.Associated(k.thief, k.pump, t22.Program),
		k.thief, k.pump, t22.Program, false)
	own := txbuild.CreateATA(k.owner, k.ourUSDC, k.owner, k.usdc, spl.Program, true)
	foreign := func(lamports walletfi.Amount) func(*scene) {
		return func(s *scene) { s.intent.MaxForeignRentLamports = lamports }
	}
	large := txbuild.CreateAccount(k.owner, k.fresh, 30_000_001, 10<<20, k.exchange)
	capped := func(lamports walletfi.Amount) func(*scene) {
		return func(s *scene) { s.intent.MaxRentLamports = &lamports }
	}
	rogues := func(wallet Key) ins {
		return txbuild.CreateATA(k.owner, txbuild.Associated(wallet, k.bonk, k.rogue), wallet, k.bonk, k.rogue, true)
	}
	var closes []ins
	for _, mint := range k.emptied {
		at := txbuild.Associated(k.owner, mint, spl.Program)
		closes = append(closes, txbuild.CreateATA(k.sponsor, at, k.owner, mint, spl.Program, true),
			spl.Close(at, k.sponsor, k.owner))
	}
	return []technique{
		attack("a lamport past the rent", "lock the owner's lamports", large),
		attack("fifteen accounts for others", "have the owner pay the thief's rent", times(15, ata)...),
		attack("fourteen long accounts for others", "have the owner pay the thief's rent", times(14, ata22)...),
		attack("an account where no rent was asked", "have the owner pay at all", own).with(capped(0)),
		attack("a lamport past the intent's rent", "have the owner pay a little more", own).with(capped(accountRent - 1)),
		attack("another's account where only ours was asked", "have the owner pay the thief's rent", ata).with(foreign(0)),
		attack("another's account, a lamport past the intent's rent", "have the owner pay the thief's rent", ata).
			with(foreign(accountRent - 1)),
		attack("another's account on top of ours", "use the cap of our own rent", own, ata).with(foreign(0)),
		attack("another's account whose wallet hides in a table", "use the cap of our own rent", ata).with(foreign(0)).
			with(k.route(k.thief, k.pool)).as(V0),
		attack("rent of our accounts closed to the sponsor, one by one", "take what a cap of rent allows once", closes...).
			with(func(s *scene) {
				k.paidBySponsor(s)
				s.intent.MaxRentLamports = new(walletfi.Amount(3 * accountRent))
			}),
		attack("an account whose token program hides in a table", "have that program choose the length", rogues(k.owner)).
			with(k.route(k.rogue)).as(V0),
		attack("another's account whose token program hides in a table", "have that program choose the length",
			rogues(k.thief)).with(k.route(k.rogue)).as(V0),
		attack("an account whose mint and token program hide in a table", "have that program choose the length",
			rogues(k.owner)).with(k.route(k.rogue, k.bonk)).as(V0),
		attack("a large account of the exchange's", "lock 70 SOL as rent",
			txbuild.CreateAccount(k.owner, k.fresh, 70_000_000_000, 10<<20, k.exchange)),
		attack("a large account at a derived address", "lock the owner's lamports", txbuild.CreateAccountWithSeed(k.owner,
			txbuild.Seeded(k.owner, "p", k.exchange), k.owner, "p", 40_000_000, 6_000, k.exchange)),
		attack("a large account that was prefunded", "lock the owner's lamports",
			txbuild.CreateAccountAllowPrefund(k.owner, k.fresh, 40_000_000, 6_000, k.exchange)),
	}
}

// budgetAttacks set the compute budget twice, or to nonsense.
func (k *cast) budgetAttacks() []technique {
	attack := k.looting("budget.set")
	raw := func(data ...byte) ins { return txbuild.Call(txbuild.ComputeBudget, data) }
	heap := uint32(33_000)
	return []technique{
		attack("the price twice", "have the second one count", txbuild.UnitPrice(1), txbuild.UnitPrice(1<<40)),
		attack("the limit twice", "have the second one count", txbuild.UnitLimit(1), txbuild.UnitLimit(1_400_000)),
		attack("the heap twice", "have the second one count", txbuild.HeapFrame(32*1024), txbuild.HeapFrame(64*1024)),
		attack("the data limit twice", "have the second one count", txbuild.DataLimit(1), txbuild.DataLimit(2)),
		attack("the fee of old", "set a fee by a withdrawn instruction", raw(0, 1, 0, 0, 0, 255, 255, 255, 255)),
		attack("a setting of tomorrow", "do what nobody has read about", raw(5, 1, 0, 0, 0)),
		attack("a setting without data", "be skipped", raw()),
		attack("a price cut short", "be read as another", cut(txbuild.UnitPrice(1<<40), 1)),
		attack("a heap too small", "fail and cost the fee", txbuild.HeapFrame(31*1024)),
		attack("a heap too large", "fail and cost the fee", txbuild.HeapFrame(257*1024)),
		attack("an odd heap", "fail and cost the fee", txbuild.HeapFrame(32*1024+1)),
		attack("an odd heap in the config", "fail and cost the fee").with(func(s *scene) { s.last().Config.Heap = &heap }).
			as(V1),
	}
}

// networkFeeAttacks burn the owner's lamports as fees.
func (k *cast) networkFeeAttacks() []technique {
	attack := k.looting("budget.fee")
	capped := func(lamports walletfi.Amount) func(*scene) {
		return func(s *scene) { s.intent.MaxNetworkFeeLamports = &lamports }
	}
	checks := func(program Key, n uint8) ins { return txbuild.Call(program, []byte{n, 0}) }
	config := func(fee uint64) func(*scene) {
		return func(s *scene) { s.last().Config.PriorityFee = &fee }
	}
	old := []Format{Legacy, V0}
	return []technique{
		attack("a priority fee past the cap", "pay the block's producer",
			txbuild.UnitLimit(1_400_000), txbuild.UnitPrice(8_000_000)).as(old...),
		attack("a price past 64 bits", "have the product wrap round",
			txbuild.UnitLimit(1_400_000), txbuild.UnitPrice(math.MaxUint64)).as(old...),
		attack("a price without a limit", "have the default be forgotten", txbuild.UnitPrice(4_000_000_000)).as(old...),
		attack("a price paid for a batch", "have the batch cost no units",
			spl.Batch(spl.SyncNative(k.ourSOL)), txbuild.UnitPrice(1_000_000_000)).as(old...),
		attack("a price paid for an empty batch", "have the batch cost no units",
			spl.Batch(), txbuild.UnitPrice(1_000_000_000)).as(old...),
		attack("a lamport past the intent's fee", "pay a little more",
			txbuild.UnitLimit(1_000_000), txbuild.UnitPrice(77_001)).with(capped(5_000 + 77_000)).as(old...),
		attack("a limit past what there is", "have the fee be reckoned too low",
			txbuild.UnitLimit(math.MaxUint32), txbuild.UnitPrice(1_000_000)).with(capped(5_000 + 1_399_999)).as(old...),
		attack("a fee in the config past the cap", "pay the block's producer").with(config(9_995_001)).as(V1),
		attack("a fee in the config past 64 bits", "have the sum wrap round").with(config(math.MaxUint64)).as(V1),
		attack("a fee in the config, instructions say little", "be read by the instructions",
			txbuild.UnitPrice(1), txbuild.UnitLimit(1)).with(config(50_000_000)).as(V1),
		attack("signatures checked by the thousand, ed25519", "pay 5,000 lamports each",
			times(8, checks(txbuild.Ed25519, 255))...),
		attack("signatures checked by the thousand, secp256k1", "pay 5,000 lamports each",
			times(8, checks(txbuild.Secp256k1, 255))...),
		attack("signatures checked by the thousand, secp256r1", "pay 5,000 lamports each",
			times(8, checks(txbuild.Secp256r1, 255))...),
		attack("a second signature past the fee", "pay a little more").with(capped(9_999)).
			with(func(s *scene) { s.last().Signers = []Key{k.fresh} }),
	}
}

// programAttacks call denied and unknown programs.
func (k *cast) programAttacks() []technique {
	call := func(program Key) ins {
		return txbuild.Call(program, []byte{4, 0, 0, 0}, txbuild.WritableSigner(k.owner), txbuild.Writable(k.pool))
	}
	var all []technique
	for _, denied := range []struct {
		name    string
		program Key
	}{
		{"the stake program, though pinned", txbuild.Stake}, {"the vote program", txbuild.Vote},
		{"the upgradeable loader", txbuild.UpgradeableLoader},
		{"the fourth loader", txbuild.LoaderV4}, {"the second loader", txbuild.BPFLoader2},
		{"the lookup table program", txbuild.LookupTables},
	} {
		all = append(all, k.attack("program.denied", "a call of "+denied.name, "hand over what that program keeps",
			call(denied.program), k.loot()))
	}
	unknown := func(name, aim string, instructions ...ins) technique {
		return k.attack("program.unknown", name, aim, append(instructions, k.loot())...)
	}
	lookalike := k.exchange
	lookalike[31] ^= 1
	return append(all,
		unknown("a call of a program that nobody pinned", "run the thief's code", call(k.rogue)),
		unknown("a call of a lookalike of the pinned program", "pass for the pinned one", call(lookalike)),
		unknown("a rogue program behind an honest trade", "run the thief's code after it", k.trade(), call(k.rogue)),
		unknown("a program pinned for another service", "use another service's trust", call(k.partner)).
			with(func(s *scene) { s.policy.Pins["lending"] = []Key{k.partner} }),
		unknown("a service that has no pins", "use another service's trust", call(k.exchange)).
			with(func(s *scene) { s.intent.Service = "lending" }),
		unknown("a call of the owner's own key", "run the thief's code", ins{Program: k.vault, Data: []byte{1}}),
		unknown("a call of a mint", "run the thief's code", ins{Program: k.usdc, Data: []byte{12, 1}}),
	)
}

// protectedAttacks write what the caller protects.
func (k *cast) protectedAttacks() []technique {
	attack := k.looting("program.protected")
	return []technique{
		attack("the exchange may write a protected account", "use the pinned program's trust",
			k.trade(txbuild.Writable(k.guarded))),
		attack("a protected account synchronised", "touch what must not be touched", spl.SyncNative(k.guarded)),
		attack("lamports to a protected account", "touch what must not be touched", txbuild.Transfer(k.owner, k.guarded, 1)),
		attack("a protected account made again", "touch what must not be touched", txbuild.CreateATA(k.owner, k.ourUSDC,
			k.owner, k.usdc, spl.Program, true)).with(func(s *scene) { s.policy.Protected = []Key{k.ourUSDC} }),
		attack("a protected account within a batch", "have only the first be read",
			spl.Batch(spl.SyncNative(k.ourSOL), spl.SyncNative(k.guarded))),
		attack("a writable account that only a table names", "hide the protected one",
			k.trade(txbuild.Writable(k.guarded), txbuild.Readonly(k.pool))).with(k.route(k.guarded)).as(V0),
	}
}
