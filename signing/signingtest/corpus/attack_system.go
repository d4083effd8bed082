package corpus

import (
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// transferAttacks send lamports beyond the spend.
func (k *cast) transferAttacks() []technique {
	attack := k.against("system.transfer")
	pay := func(to Key, lamports uint64) ins { return txbuild.Transfer(k.owner, to, lamports) }
	bare := func(s *scene) { s.intent.TipLamports, s.intent.ServiceFee = 0, nil }
	seeded := txbuild.Seeded(k.owner, "store", txbuild.System)
	return []technique{
		attack("a lamport past the spend", "spend more than was asked",
			pay(k.friend, k.spend), pay(k.friend, k.tip+1), pay(k.friend, k.fee+1)),
		attack("all to the named destination", "lift the cap by the name", pay(k.friend, 900*k.spend)),
		attack("the spend in pieces", "stay under the cap in each", times(7, pay(k.friend, k.spend/5))...),
		attack("past 64 bits in all", "have the sum wrap round", times(3, pay(k.friend, 1<<63))...),
		attack("out of a derived account to the destination", "empty what the owner's seed derives",
			txbuild.TransferWithSeed(seeded, k.owner, "store", txbuild.System, k.friend, 9*k.spend)),
		attack("to the destination's wrapped account", "count one asset as two",
			pay(txbuild.Associated(k.friend, txbuild.NativeMint, spl.Program), 3*k.spend)),
		attack("a tip where none was asked", "take a tip all the same", pay(k.thief, 10_000), k.loot()).with(bare),
		attack("one lamport where none was asked", "test whether anybody looks", pay(k.thief, 1), k.loot()).with(bare),
		attack("to a wallet that named nobody", "drain by the plainest transfer", pay(k.thief, 700*k.spend)).with(bare),
		attack("spend where only a burn was asked", "empty the wallet behind a burn",
			t22.Burn(k.ourBonk, k.bonk, k.owner, k.burnBonk), pay(k.friend, 5*k.spend)).with(func(s *scene) {
			bare(s)
			s.intent.Spend = nil
		}),
		attack("behind a memo that says deposit", "have the reader trust the text",
			txbuild.Memo("deposit"), pay(k.friend, 2*k.spend)),
	}
}

// createAttacks make accounts that are not what they seem.
func (k *cast) createAttacks() []technique {
	attack := k.looting("system.create")
	create := func(lamports, space uint64, program Key) ins {
		return txbuild.CreateAccount(k.owner, k.fresh, lamports, space, program)
	}
	init := func(mint, owner Key) ins { return spl.InitializeAccount3(k.fresh, mint, owner) }
	seeded := func(at, base Key, seed string, lamports uint64) ins {
		return txbuild.CreateAccountWithSeed(k.owner, at, base, seed, lamports, 165, spl.Program)
	}
	good, foreign := txbuild.Seeded(k.owner, "wsol", spl.Program), txbuild.Seeded(k.fresh, "wsol", spl.Program)
	wrapped := func(at Key) ins { return spl.InitializeAccount3(at, txbuild.NativeMint, k.owner) }
	prefund := txbuild.CreateAccountAllowPrefund(k.owner, k.fresh, accountRent, 165, k.rogue)
	return []technique{
		attack("an account of a program that nobody pinned", "hand lamports to a program", create(accountRent, 165, k.rogue)),
		attack("a prefunded account of a program that nobody pinned", "hand lamports to a program", prefund),
		attack("a System account", "fund a key", create(accountRent, 0, txbuild.System)).
			with(func(s *scene) { s.policy.Pins["swap"] = []Key{k.exchange} }),
		attack("a token account that nobody initialises", "let the thief initialise it",
			create(accountRent, 165, spl.Program)),
		attack("a token account initialised too early", "have the check look at the wrong one",
			init(k.usdc, k.owner), create(accountRent, 165, spl.Program)),
		attack("initialised after a program's call", "have the program initialise it first",
			create(accountRent, 165, spl.Program),
			k.trade(txbuild.WritableSigner(k.fresh), txbuild.Writable(k.pool)), init(txbuild.NativeMint, k.owner),
			txbuild.Transfer(k.owner, k.fresh, 9*k.spend)),
		attack("initialised after a program's call, funded before", "have the program initialise it first and close it",
			create(accountRent, 165, spl.Program),
			txbuild.Transfer(k.owner, k.fresh, 9*k.spend), k.trade(txbuild.WritableSigner(k.fresh), txbuild.Writable(k.pool)),
			init(txbuild.NativeMint, k.owner)),
		attack("initialised by the other token program", "have the check look at the wrong one",
			create(accountRent, 165, spl.Program), t22.InitializeAccount3(k.fresh, k.usdc, k.owner)),
		attack("more wrapped than is spent", "move SOL into a new account",
			k.trade(), seeded(good, k.owner, "wsol", accountRent+5*k.spend), wrapped(good)),
		attack("a derived account of another base", "have another derive it",
			seeded(foreign, k.fresh, "wsol", accountRent), wrapped(foreign)),
		attack("an address that the seed does not derive", "have lamports go elsewhere",
			seeded(k.pool, k.owner, "wsol", accountRent), wrapped(k.pool)),
		attack("an address of another seed", "have lamports go elsewhere",
			seeded(good, k.owner, "wsoL", accountRent), wrapped(good)),
		attack("more space than any account has", "call a spend rent", create(100*k.spend, 1<<60, k.exchange)).
			with(func(s *scene) { s.intent.MaxRentLamports = new(walletfi.Amount(1 << 62)) }),
		attack("a create over the owner's own wallet", "hand the wallet to a program",
			txbuild.CreateAccountAllowPrefund(k.fresh, k.owner, 0, 0, k.rogue)),
		attack("a create over a listed account", "hand a listed account to a program",
			txbuild.CreateAccountWithSeed(k.fresh, k.listed, k.fresh, "x", 1, 9, k.rogue)),
		attack("a rogue program's account by the owner's seed", "give a program the owner's address",
			txbuild.CreateAccountWithSeed(k.fresh, txbuild.Seeded(k.owner, "r", k.rogue), k.owner, "r", 1, 9, k.rogue)),
	}
}

// assignAttacks hand accounts to programs.
func (k *cast) assignAttacks() []technique {
	attack := k.looting("system.assign")
	seeded := txbuild.Seeded(k.owner, "a", k.rogue)
	return []technique{
		attack("the wallet assigned to a program", "own the wallet for ever", txbuild.Assign(k.owner, k.rogue)),
		attack("the wallet assigned to a pinned program", "own the wallet for ever", txbuild.Assign(k.owner, k.exchange)),
		attack("a derived account assigned", "own what the seed derives",
			txbuild.AssignWithSeed(seeded, k.owner, "a", k.rogue)),
		attack("space allocated in the wallet", "make the wallet unable to pay", txbuild.Allocate(k.owner, 100)),
		attack("space allocated by seed", "make an account unable to pay",
			txbuild.AllocateWithSeed(seeded, k.owner, "a", 100, k.rogue)),
		attack("a listed account assigned", "own what the caller listed",
			txbuild.AssignWithSeed(k.listed, k.fresh, "a", k.rogue)),
		attack("our wrapped account assigned", "own the wrapped SOL",
			txbuild.AssignWithSeed(k.ourSOL, k.fresh, "a", k.rogue)),
	}
}

// nonceAttacks make a signature that stays good.
func (k *cast) nonceAttacks() []technique {
	attack := k.looting("system.nonce")
	optedIn := func(s *scene) { s.nonce = &Nonce{k.nonce, k.blockhash} }
	advance := txbuild.AdvanceNonce(k.nonce, k.owner)
	return []technique{
		attack("a nonce that nobody asked for", "keep the signature for a better day", advance),
		attack("the thief's nonce", "keep the signature for a better day", txbuild.AdvanceNonce(k.pool, k.thief)).
			with(func(s *scene) { s.policy.LateCoSigners = 1 }),
		attack("another nonce than the named one", "use a nonce that never moves", txbuild.AdvanceNonce(k.pool, k.owner)).
			with(optedIn),
		attack("the thief as the nonce's authority", "decide alone when it is used", txbuild.AdvanceNonce(k.nonce, k.thief)).
			with(optedIn).with(func(s *scene) { s.policy.LateCoSigners = 1 }),
		attack("the nonce advanced twice", "confuse which value counts", advance, txbuild.AdvanceNonce(k.nonce, k.owner)).
			with(optedIn),
		attack("the nonce advanced last", "live by the blockhash and spoil the nonce", txbuild.Memo("later"), advance).
			with(optedIn),
		attack("lamports withdrawn from a nonce", "empty the nonce account",
			txbuild.WithdrawNonce(k.nonce, k.thief, k.owner, k.spend)),
		attack("a nonce initialised", "make an account a nonce of the thief's", txbuild.InitializeNonce(k.nonce, k.thief)),
		attack("the nonce's authority handed over", "own the nonce", txbuild.AuthorizeNonce(k.nonce, k.owner, k.thief)),
		attack("the nonce upgraded", "change a nonce's value", txbuild.UpgradeNonce(k.nonce)),
	}
}

// systemUnknownAttacks are instructions without a rule, or cut short.
func (k *cast) systemUnknownAttacks() []technique {
	attack := k.looting("system.unknown")
	raw := func(data []byte, accounts ...txbuild.Account) ins {
		return txbuild.Call(txbuild.System, data, accounts...)
	}
	us := txbuild.WritableSigner(k.owner)
	return []technique{
		attack("a System instruction of tomorrow", "do what nobody has read about",
			raw([]byte{14, 0, 0, 0}, us, txbuild.Writable(k.thief))),
		attack("a System instruction with a high tag", "have the tag read as one byte",
			raw([]byte{2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, us, txbuild.Writable(k.thief))),
		attack("a System instruction without data", "be skipped", raw(nil, us)),
		attack("a transfer cut short", "be skipped", cut(txbuild.Transfer(k.owner, k.thief, k.spend), 1)),
		attack("a transfer without a recipient", "be skipped", raw(txbuild.Transfer(k.owner, k.thief, k.spend).Data, us)),
		attack("a transfer with seed without a recipient", "be skipped",
			raw(txbuild.TransferWithSeed(k.pool, k.owner, "s", k.rogue, k.thief, 1).Data, txbuild.Writable(k.pool), us)),
		attack("a create cut short", "be skipped",
			cut(txbuild.CreateAccount(k.owner, k.fresh, accountRent, 165, spl.Program), 1)),
		attack("a seed longer than any", "shift the fields behind it", txbuild.CreateAccountWithSeed(k.owner, k.pool, k.owner,
			"a seed of more than thirty-two bytes", accountRent, 165, spl.Program)),
	}
}
