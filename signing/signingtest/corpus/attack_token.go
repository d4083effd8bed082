package corpus

import (
	"math"

	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// tokenTransferAttacks send tokens beyond the spend, or tokens that were not
// named.
func (k *cast) tokenTransferAttacks() []technique {
	attack := k.against("token.transfer")
	send := func(n uint64) ins { return spl.TransferChecked(k.ourUSDC, k.usdc, k.thiefs, k.owner, n, 6) }
	most := k.spendUSDC + k.takeUSDC
	return []technique{
		attack("a unit past the spend of a token", "spend more than was asked", k.loot(), send(most+1)),
		attack("the whole balance of a token", "empty the account", send(math.MaxUint64), k.loot()),
		attack("a token in pieces", "stay under the cap in each", times(4, send(k.spendUSDC/2))...),
		attack("a token that nobody named", "take what the user does not look at",
			t22.TransferChecked(k.ourBonk, k.bonk, k.thief, k.owner, 1, 5), k.loot()),
		attack("without the mint, out of an unknown account", "hide which token it is",
			spl.Transfer(k.pool, k.thiefs, k.owner, 1), k.loot()),
		attack("without the mint, past the spend", "hide which token it is",
			spl.Transfer(k.ourUSDC, k.thiefs, k.owner, 2*most), k.loot()),
		attack("to the destination, past the spend", "lift the cap by the name",
			spl.TransferChecked(k.ourUSDC, k.usdc, k.other, k.owner, 2*most, 6), k.loot()),
		attack("wrapped SOL past the spend", "count one asset as two",
			spl.TransferChecked(k.ourSOL, txbuild.NativeMint, k.vaultSOL, k.owner, 2*k.spend, 9)),
		attack("wrapped SOL beside plain SOL", "count one asset as two",
			k.loot(), spl.TransferChecked(k.ourSOL, txbuild.NativeMint, k.vaultSOL, k.owner, k.spend, 9)),
		attack("Token-2022's wrapped SOL beside plain SOL", "count one asset as two",
			k.loot(), t22.TransferChecked(k.pool, txbuild.NativeMint2022, k.thief, k.owner, k.spend, 9)),
		attack("with a fee, past the spend", "hide the amount in an extension",
			t22.TransferCheckedWithFee(k.ourPump, k.pump, k.vaultPump, k.owner, k.spendPump+1, 6, 1), k.loot()),
		attack("all of it withheld on the way to ourselves", "take it as a fee",
			t22.TransferCheckedWithFee(k.pool, k.pump, k.ourPump, k.owner, 1<<50, 6, 1<<50), k.loot()),
		attack("by a multisig of ours", "have our other key spend",
			spl.TransferChecked(k.pool, k.usdc, k.thiefs, k.multisig, 2*most, 6, k.fresh), k.loot()),
		attack("by a foreign multisig that we sign", "hide us among its signers",
			spl.TransferChecked(k.pool, k.usdc, k.thiefs, k.thief, 2*most, 6, k.fresh, k.owner), k.loot()),
		attack("of ours by another's authority", "have a delegate spend",
			spl.TransferChecked(k.ourUSDC, k.usdc, k.thiefs, k.fresh, 2*most, 6), k.loot()),
		attack("to our account of another program", "have it pass for ours",
			spl.TransferChecked(k.ourUSDC, k.usdc, k.ourPump, k.owner, 2*most, 6), k.loot()),
		attack("a token in pieces within a batch", "have only the first be read",
			k.loot(), spl.Batch(times(4, send(k.spendUSDC/2))...)),
		attack("past 64 bits of a token", "have the sum wrap round", k.loot(), send(1<<63), send(1<<63)).with(func(s *scene) {
			s.intent.Spend[1].Amount = math.MaxUint64
		}),
		attack("out of an account made here", "wrap too much and send it on",
			txbuild.CreateAccount(k.owner, k.fresh, accountRent, 165, spl.Program),
			spl.InitializeAccount3(k.fresh, k.usdc, k.owner), spl.Transfer(k.fresh, k.thiefs, k.owner, 2*most), k.loot()),
		attack("a mint out of an unresolved table", "hide which token it is",
			spl.TransferChecked(k.pool, k.bonk, k.thiefs, k.owner, 1, 6), k.loot()).
			with(k.route(k.bonk, k.thiefs, k.pool)).with(func(s *scene) { s.policy.Protected = nil }).as(V0),
	}
}

// approveAttacks outlive the transaction, or take more than it spends.
func (k *cast) approveAttacks() []technique {
	attack := k.looting("token.approve")
	approve := func(delegate Key, n uint64) ins {
		return spl.ApproveChecked(k.ourUSDC, k.usdc, delegate, k.owner, n, 6)
	}
	revoke := spl.Revoke(k.ourUSDC, k.owner)
	return []technique{
		attack("an approval that outlives the transaction", "take it tomorrow", approve(k.thief, k.spendUSDC)),
		attack("an approval of one unit", "be the delegate", approve(k.thief, 1)),
		attack("an approval of everything", "take all that ever comes",
			spl.Approve(k.ourUSDC, k.named, k.owner, math.MaxUint64)),
		attack("past the spend for the named delegate", "lift the cap by the name", approve(k.named, k.spendUSDC+1)),
		attack("revoked before it is approved", "have the revoke come too early", revoke, approve(k.thief, k.spendUSDC)),
		attack("approved again after the revoke", "have the revoke come too early",
			approve(k.thief, 1), revoke, approve(k.thief, k.spendUSDC)),
		attack("another account revoked", "have the wrong approval end",
			approve(k.thief, k.spendUSDC), spl.Revoke(k.listed, k.owner)),
		attack("the destination as a delegate", "lift the rule by the name", approve(k.friend, k.spendUSDC)),
		attack("of an account that nobody knows", "hide which token it is", spl.Approve(k.pool, k.named, k.owner, 1)),
		attack("of a token that nobody named", "take what the user does not look at",
			t22.ApproveChecked(k.ourBonk, k.bonk, k.named, k.owner, 1, 5)),
		attack("an approval within a batch", "have only the first be read", spl.Batch(revoke, approve(k.thief, k.spendUSDC))),
		attack("approved twice within the revoke", "take the spend twice",
			approve(k.thief, k.spendUSDC), approve(k.named, k.spendUSDC), revoke),
		attack("a delegate behind a table", "hide who may take it", approve(k.thief, k.spendUSDC)).
			with(k.route(k.thief, k.pool)).as(V0),
	}
}

// authorityAttacks hand accounts and mints over.
func (k *cast) authorityAttacks() []technique {
	attack := k.looting("token.authority")
	return []technique{
		attack("a new owner of our account", "own the tokens", spl.SetAuthority(k.ourUSDC, k.owner, 2, k.thief)),
		attack("a close authority of our account", "close it when it is full of SOL",
			spl.SetAuthority(k.ourSOL, k.owner, 3, k.thief)),
		attack("a new mint authority", "mint at will", t22.SetAuthority(k.bonk, k.owner, 0, k.thief)),
		attack("a new freeze authority", "freeze at will", t22.SetAuthority(k.bonk, k.owner, 1, k.thief)),
		attack("a new owner of a Token-2022 account", "own the tokens", t22.SetAuthority(k.ourPump, k.owner, 2, k.thief)),
		attack("a new owner within a batch", "have only the first be read",
			spl.Batch(spl.SyncNative(k.ourSOL), spl.SetAuthority(k.ourUSDC, k.owner, 2, k.thief))),
		attack("a new owner of an account made here", "own what is about to arrive",
			spl.SetAuthority(k.fresh, k.owner, 2, k.thief)),
		attack("the authority given up", "lock the tokens",
			spl.Raw([]byte{6, 2, 0}, txbuild.Writable(k.ourUSDC), txbuild.Signer(k.owner))),
		attack("a new owner by a multisig of ours", "have our other key hand it over",
			spl.Raw(append([]byte{6, 2, 1}, k.thief[:]...),
				txbuild.Writable(k.pool), txbuild.Readonly(k.multisig), txbuild.Signer(k.fresh))),
	}
}

// closeAttacks send the lamports of token accounts away.
func (k *cast) closeAttacks() []technique {
	attack := k.looting("token.close")
	sponsored := k.paidBySponsor
	return []technique{
		attack("rent to the thief", "take the rent", spl.Close(k.ourUSDC, k.thief, k.owner)),
		attack("wrapped SOL to the thief", "take the wrapped SOL", spl.Close(k.ourSOL, k.thief, k.owner)),
		attack("wrapped SOL to the destination", "lift the cap by the name", spl.Close(k.ourSOL, k.friend, k.owner)),
		attack("rent to somebody who is no sponsor", "pass for the sponsor", spl.Close(k.ourUSDC, k.sponsor, k.owner)),
		attack("wrapped SOL to the sponsor", "take more than the rent", spl.Close(k.ourSOL, k.sponsor, k.owner)).
			with(sponsored),
		attack("an unknown account to the sponsor", "take more than the rent", spl.Close(k.pool, k.sponsor, k.owner)).
			with(sponsored),
		attack("filled first, then closed to the sponsor", "take more than the rent",
			txbuild.Transfer(k.owner, k.ourUSDC, k.tip), spl.Close(k.ourUSDC, k.sponsor, k.owner)).with(sponsored),
		attack("filled by another close, then closed to the sponsor", "take more than the rent",
			spl.Close(k.ourSOL, k.ourUSDC, k.owner), spl.Close(k.ourUSDC, k.sponsor, k.owner)).with(sponsored),
		attack("excess lamports to the thief", "take the lamports", t22.WithdrawExcess(k.ourPump, k.thief, k.owner)),
		attack("excess lamports to the sponsor", "take more than the rent",
			t22.WithdrawExcess(k.ourPump, k.sponsor, k.owner)).with(sponsored),
		attack("unwrapped to the thief", "take the wrapped SOL", spl.Unwrap(k.ourSOL, k.thief, k.owner, 1)),
		attack("unwrapped, all of it", "take the wrapped SOL",
			spl.Raw([]byte{45, 0}, txbuild.Writable(k.ourSOL), txbuild.Writable(k.thief), txbuild.Signer(k.owner))),
		attack("ours by another's authority", "have a close authority take it", spl.Close(k.ourUSDC, k.thief, k.fresh)),
		attack("closed within a batch", "have only the first be read",
			spl.Batch(spl.SyncNative(k.ourSOL), spl.Close(k.ourSOL, k.thief, k.owner))),
		attack("wrapped with a seed, closed to the thief", "wrap the spend and take it", k.seedWrapTo(k.thief)...),
	}
}

// seedWrapTo wraps at a derived address and closes to somebody.
func (k *cast) seedWrapTo(to Key) []ins {
	at := txbuild.Seeded(k.owner, "wsol", spl.Program)
	return []ins{
		txbuild.CreateAccountWithSeed(k.owner, at, k.owner, "wsol", accountRent, 165, spl.Program),
		spl.InitializeAccount3(at, txbuild.NativeMint, k.owner), txbuild.Transfer(k.owner, at, 3*k.spend),
		spl.SyncNative(at), spl.Close(at, to, k.owner),
	}
}

// burnAttacks destroy what was not meant to be destroyed.
func (k *cast) burnAttacks() []technique {
	attack := k.looting("token.burn")
	return []technique{
		attack("a unit past the burn", "burn more than was asked", t22.Burn(k.ourBonk, k.bonk, k.owner, k.burnBonk+1)),
		attack("burns in pieces", "stay under the cap in each",
			times(3, t22.BurnChecked(k.ourBonk, k.bonk, k.owner, k.burnBonk/2, 5))...),
		attack("a burn of everything where an amount was asked", "burn the balance",
			t22.Burn(k.ourBonk, k.bonk, k.owner, math.MaxUint64)),
		attack("a burn of a token to be spent", "burn what was to be swapped", spl.Burn(k.ourUSDC, k.usdc, k.owner, 1)),
		attack("a checked burn of a token to be spent", "burn what was to be swapped",
			t22.BurnChecked(k.ourPump, k.pump, k.owner, k.spendPump, 6)),
		attack("ours burned by another's authority", "have a delegate burn",
			t22.Burn(k.ourBonk, k.bonk, k.fresh, k.burnBonk+1)),
		attack("burns within a batch", "have only the first be read",
			t22.Batch(times(2, t22.Burn(k.ourBonk, k.bonk, k.owner, k.burnBonk))...)),
		attack("all of another mint", "lift the cap by another's name", t22.Burn(k.ourBonk, k.bonk, k.owner, 2*k.burnBonk)).
			with(func(s *scene) { s.intent.BurnAll = []string{text(k.pump)} }),
		attack("a burn where none was asked", "burn behind a swap", t22.Burn(k.ourBonk, k.bonk, k.owner, 1)).
			with(func(s *scene) { s.intent.Burn = nil }),
	}
}

// initializeAttacks make token accounts that are not the owner's.
func (k *cast) initializeAttacks() []technique {
	attack := k.looting("token.initialize")
	return []technique{
		attack("a token account of the thief's", "have the change go there", spl.InitializeAccount(k.pool, k.usdc, k.thief)),
		attack("a token account of the thief's, second form", "have the change go there",
			spl.InitializeAccount2(k.pool, k.usdc, k.thief)),
		attack("a token account of the thief's, third form", "have the change go there",
			spl.InitializeAccount3(k.pool, k.usdc, k.thief)),
		attack("a Token-2022 account of the thief's", "have the change go there",
			t22.InitializeAccount3(k.pool, k.pump, k.thief)),
		attack("a token account of the destination's", "lift the rule by the name",
			spl.InitializeAccount3(k.pool, k.usdc, k.friend)),
		attack("an owner cut short", "have the rest guessed", cut(spl.InitializeAccount3(k.pool, k.usdc, k.owner), 1)),
		attack("a token account of the thief's within a batch", "have only the first be read",
			spl.Batch(spl.SyncNative(k.ourSOL), spl.InitializeAccount3(k.pool, k.usdc, k.thief))),
		attack("another's account initialised twice", "have the check look at the wrong one",
			spl.InitializeAccount3(k.pool, k.usdc, k.owner), spl.InitializeAccount3(k.pool, k.usdc, k.thief)),
	}
}

// mintAttacks make mints of what was not made here.
func (k *cast) mintAttacks() []technique {
	attack := k.looting("token.mint")
	create := txbuild.CreateAccount(k.owner, k.fresh, mintRent, 82, spl.Program)
	return []technique{
		attack("an old account made a mint", "turn an account into a mint", spl.InitializeMint2(k.pool, k.thief, 6)),
		attack("an account of ours made a mint", "turn an account into a mint", spl.InitializeMint2(k.ourUSDC, k.owner, 6)),
		attack("made a mint by the other program", "have the check look at the wrong one",
			create, spl.InitializeMint2(k.fresh, k.owner, 6), t22.InitializeMint2(k.fresh, k.owner, 6)),
		attack("made a mint before it is created", "have the check look at the wrong one",
			spl.InitializeMint2(k.fresh, k.owner, 6), create, spl.InitializeAccount3(k.fresh, k.usdc, k.owner)),
		attack("made a mint by the first form", "turn an account into a mint",
			t22.Raw(append(append([]byte{0, 6}, k.thief[:]...), 0), txbuild.Writable(k.pool), txbuild.Readonly(txbuild.Rent))),
		attack("made a mint within a batch", "have only the first be read",
			spl.Batch(spl.SyncNative(k.ourSOL), spl.InitializeMint2(k.pool, k.thief, 9))),
	}
}

// batchAttacks hide instructions in a batch that is not well formed.
func (k *cast) batchAttacks() []technique {
	attack := k.looting("token.batch")
	pay := spl.TransferChecked(k.ourUSDC, k.usdc, k.vault, k.owner, 1, 6)
	lacking := spl.Batch(pay, pay)
	lacking.Accounts = lacking.Accounts[:6]
	return []technique{
		attack("a batch within a batch", "have the inner one be skipped",
			spl.Batch(spl.Batch(spl.SetAuthority(k.ourUSDC, k.owner, 2, k.thief)))),
		attack("a batch within a batch of Token-2022", "have the inner one be skipped",
			t22.Batch(t22.Batch(t22.Close(k.ourPump, k.thief, k.owner)))),
		attack("an empty batch within a batch", "have the inner one be skipped", spl.Batch(pay, spl.Batch())),
		attack("a batch cut within its data", "have the rest guessed", cut(spl.Batch(pay), 1)),
		attack("a batch cut within a header", "have the rest guessed", cut(spl.Batch(pay, pay), 11)),
		attack("a batch of too few accounts", "have it read past the end", lacking),
		attack("a batch that claims more data", "have it read past the end",
			spl.Raw([]byte{255, 0, 200, 17}, txbuild.Writable(k.ourSOL))),
	}
}

// tokenUnknownAttacks are token instructions without a rule.
func (k *cast) tokenUnknownAttacks() []technique {
	var all []technique
	add := func(name, aim string, one ins) {
		all = append(all, k.attack("token.unknown", name, aim, one, k.loot()))
	}
	on := func(data ...byte) ins { return t22.Raw(data, txbuild.Writable(k.ourPump), txbuild.Signer(k.owner)) }
	add("tokens minted to the thief", "dilute a mint of ours", t22.MintTo(k.bonk, k.thief, k.owner, 1<<40))
	add("our account frozen", "hold the tokens to ransom", spl.Freeze(k.ourUSDC, k.usdc, k.owner))
	add("an account thawed", "undo a freeze", on(11))
	add("tokens minted, checked", "dilute a mint of ours", on(14, 1, 0, 0, 0, 0, 0, 0, 0, 6))
	add("a multisig initialised", "make an account a multisig", on(2, 1))
	add("a close authority for a mint", "close a mint of ours", on(25, 1))
	add("confidential transfers", "move amounts that nobody can read", on(27, 7))
	add("a default state", "freeze what is new", on(28, 1, 2))
	add("the CPI guard taken off", "let programs spend again", on(34, 1))
	add("a permanent delegate", "own every account of a mint", on(35, 1))
	add("a transfer hook", "have another program decide", on(36, 1))
	add("a confidential fee", "move amounts that nobody can read", on(37, 1))
	add("metadata moved", "rename a mint", on(39, 1))
	add("a mint paused", "stop a mint", on(44, 1))
	add("a permissioned burn", "burn by another's leave", on(46, 1))
	add("fees withdrawn from accounts", "take the withheld fees", on(26, 3))
	add("fees withdrawn from the mint", "take the withheld fees", on(26, 2))
	add("a fee set", "take half of every transfer", on(26, 5, 136, 19))
	add("a token instruction of tomorrow", "do what nobody has read about", on(200, 1, 2, 3))
	add("a token instruction without data", "be skipped", on())
	add("a transfer of tokens cut short", "be skipped",
		cut(spl.TransferChecked(k.ourUSDC, k.usdc, k.thiefs, k.owner, 1, 6), 1))
	add("an approval cut short", "be skipped", cut(spl.Approve(k.ourUSDC, k.thief, k.owner, 1), 1))
	add("an unwrap cut short", "be skipped", cut(spl.Unwrap(k.ourSOL, k.thief, k.owner, 1), 1))
	add("a burn cut short", "be skipped", cut(t22.BurnChecked(k.ourBonk, k.bonk, k.owner, 1, 5), 1))
	add("a fee transfer of the old program", "have it read as another",
		spl.TransferCheckedWithFee(k.ourUSDC, k.usdc, k.thiefs, k.owner, 1, 6, 0))
	add("tokens minted within a batch", "have only the first be read",
		t22.Batch(t22.Revoke(k.ourPump, k.owner), t22.MintTo(k.bonk, k.thief, k.owner, 1)))
	return all
}
