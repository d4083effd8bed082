package corpus

import "github.com/walletfi/walletfi-go/signing/internal/txbuild"

// hooked adds the accounts with which Token-2022 calls the transfer hook of the
// mint: the hook's program, what it lists, and what it asks for.
func (k *cast) hooked(one ins, asked ...txbuild.Account) ins {
	one.Accounts = append(one.Accounts, txbuild.Readonly(k.rogue), txbuild.Readonly(k.address("the hook's list")))
	one.Accounts = append(one.Accounts, asked...)
	return one
}

// hookAttacks have the transfer hook of a mint act with our signature, or act
// before our new account is ours.
func (k *cast) hookAttacks() []technique {
	attack := func(name string, one ins) technique {
		return k.attack("token.transfer", name, "have the mint's hook sign for us", one, k.loot())
	}
	us, system := txbuild.WritableSigner(k.owner), txbuild.Readonly(txbuild.System)
	move := func(mint Key, n uint64) ins { return t22.TransferChecked(k.pool, mint, k.other, k.fresh, n, 6) }
	create := txbuild.CreateAccount(k.owner, k.fresh, accountRent, 165, spl.Program)
	init := spl.InitializeAccount3(k.fresh, k.usdc, k.owner)
	fill := spl.TransferChecked(k.ourUSDC, k.usdc, k.fresh, k.owner, 2*(k.spendUSDC+k.takeUSDC), 6)
	hook := func(n uint64) ins {
		return k.hooked(t22.TransferChecked(k.pool, k.closable, k.other, k.sponsor, n, 6), txbuild.WritableSigner(k.fresh))
	}
	between := func(name string, instructions ...ins) technique {
		return k.attack("system.create", name, "have the hook own it until it is filled", append(instructions, k.loot())...).
			with(func(s *scene) { s.last().signedBy = []Key{k.sponsor} })
	}
	return []technique{
		attack("nothing of the thief's mint, with us among its hook's accounts", k.hooked(move(k.closable, 0), us, system)),
		attack("what the intent spends, with us among its hook's accounts", k.hooked(move(k.pump, k.spendPump), us, system)),
		attack("a gift of the thief's mint, with us among its hook's accounts",
			k.hooked(t22.TransferChecked(k.pool, k.closable, txbuild.Associated(k.owner, k.closable, t22.Program), k.fresh, 9,
				6), us, system)),
		attack("a transfer with a fee, with us among its hook's accounts",
			k.hooked(t22.TransferCheckedWithFee(k.pool, k.pump, k.other, k.fresh, 1, 6, 1), us, system)),
		attack("a batch, with us among the accounts of a hook",
			t22.Batch(t22.SyncNative(k.ourPump), k.hooked(move(k.closable, 0), us, system))),
		attack("a multisig that we sign, with the accounts of a hook",
			k.hooked(t22.TransferChecked(k.pool, k.pump, k.other, k.multisig, 1, 6, k.owner), system)),
		between("a hook before our new account is ours", create, hook(0), fill, init),
		between("a hook within a batch before our new account is ours",
			create, t22.Batch(hook(0), t22.SyncNative(k.ourPump)), fill, init),
	}
}

// hooks are honest transfers of mints with a transfer hook.
func (k *cast) hooks() []shape {
	us := txbuild.WritableSigner(k.owner)
	gets := k.hooked(t22.TransferChecked(k.vaultPump, k.pump, k.ourPump, k.maker, 9, 6))
	create := txbuild.CreateAccount(k.owner, k.fresh, accountRent, 165, spl.Program)
	init := spl.InitializeAccount3(k.fresh, k.usdc, k.owner)
	fill := spl.TransferChecked(k.ourUSDC, k.usdc, k.fresh, k.owner, k.spendUSDC, 6)
	signed := func(by ...Key) func(*scene) { return func(s *scene) { s.last().signedBy = by } }
	return []shape{
		k.honest("swap", "a transfer to us, with the accounts of a hook", gets, k.trade(us)).with(signed(k.maker)).
			spoiledBy("token.transfer", "with us among them", func(s *scene) {
				s.last().Instructions[0].Accounts = append(s.last().Instructions[0].Accounts, us)
			}),
		k.honest("swap", "our transfer, its hook asks for the authority", k.hooked(
			t22.TransferChecked(k.ourPump, k.pump, k.vaultPump, k.owner, k.spendPump, 6), us,
		)).spends(k.pump, k.spendPump).with(signed(k.fresh)).
			with(func(s *scene) { s.last().Signers, s.intent.CoSigners = []Key{k.fresh}, []string{text(k.fresh)} }).
			spoiledBy("token.transfer", "which is another's", account(0, 3, k.fresh)),
		k.honest("swap", "a hook before a new account is made", gets, create, init, fill).with(signed(k.maker, k.fresh)).
			spoiledBy("system.create", "while it is made", func(s *scene) {
				i := s.last().Instructions
				i[0], i[1] = i[1], i[0]
			}),
	}
}
