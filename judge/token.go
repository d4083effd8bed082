package main

import "slices"

const (
	mintSize    = 82
	accountSize = 165
)

// coin is a mint in the making, and who may do what with it.
type coin struct {
	program, mint, authority, freezer key
	decimals                          byte
	exts                              []extension
}

// label is the name of an instruction of either token program.
func label(program key, name string) string {
	if program == token2022 {
		return "Token-2022." + name
	}
	return "Token." + name
}

// space is how long a mint or an account with extensions of these lengths is.
func space(base int, lengths []int) int {
	if len(lengths) == 0 {
		return base
	}
	total := accountSize + 1
	for _, n := range lengths {
		total += 4 + n
	}
	if total == multisigSize {
		total += 4
	}
	return total
}

// mint makes a mint of a token program with extensions.
func (s *scene) mint(program key, exts ...extension) coin {
	c := s.bareMint(program, exts...)
	s.do(initializeMint2(c))
	return c
}

// bareMint is a mint whose extensions are initialised and which itself is not.
func (s *scene) bareMint(program key, exts ...extension) coin {
	var lengths []int
	for _, e := range exts {
		lengths = append(lengths, e.length)
	}
	c := coin{program, s.account(program, space(mintSize, lengths)), s.key(), s.key(), byte(s.IntN(10)), exts}
	for _, e := range exts {
		s.do(e.initialize(s, c))
	}
	return c
}

func initializeMint2(c coin) ins {
	return ins{label(c.program, "InitializeMint2"), c.program, []meta{w(c.mint)},
		join(20, c.decimals, c.authority, 1, c.freezer), -1}
}

// bareAccount is a token account that is not initialised.
func (s *scene) bareAccount(c coin, more ...int) key {
	lengths := slices.Clone(more)
	for _, e := range c.exts {
		lengths = append(lengths, e.account...)
	}
	return s.account(c.program, space(accountSize, lengths))
}

func (s *scene) holder(c coin, owner key, more ...int) key {
	k := s.bareAccount(c, more...)
	s.do(ins{label(c.program, "InitializeAccount3"), c.program, []meta{w(k), r(c.mint)}, join(18, owner), -1})
	if c.frozen() {
		s.do(thaw(c, k))
	}
	return k
}

// frozen reports whether its accounts begin frozen.
func (c coin) frozen() bool {
	return slices.ContainsFunc(c.exts, func(e extension) bool { return e.name == "DefaultAccountState" })
}

func thaw(c coin, k key) ins {
	return ins{label(c.program, "ThawAccount"), c.program, []meta{w(k), r(c.mint), rs(c.freezer)}, join(11), -1}
}

func freeze(c coin, k key) ins {
	return ins{label(c.program, "FreezeAccount"), c.program, []meta{w(k), r(c.mint), rs(c.freezer)}, join(10), -1}
}

func mintTo(c coin, k key, amount uint64) ins {
	return ins{label(c.program, "MintTo"), c.program, []meta{w(c.mint), w(k), rs(c.authority)}, join(7, u64(amount)), 1}
}

func approve(c coin, from, delegate, owner key, amount uint64) ins {
	return ins{label(c.program, "Approve"), c.program, []meta{w(from), r(delegate), rs(owner)},
		join(4, u64(amount)), 1}
}

// rich is an account with a balance, and who may spend of it: the owner, a delegate, or the
// signers of a multisig.
func (s *scene) rich(c coin, more ...int) (account key, spender []meta) {
	owner := s.key()
	if s.chance(0.1) {
		var signers []meta
		owner, signers = s.multisig(c.program)
		account = s.holder(c, owner, more...)
		s.do(mintTo(c, account, 1_000_000))
		return account, append([]meta{r(owner)}, signers...)
	}
	account = s.holder(c, owner, more...)
	s.do(mintTo(c, account, 1_000_000))
	if s.chance(0.2) {
		delegate := s.key()
		s.do(approve(c, account, delegate, owner, 600_000))
		return account, []meta{rs(delegate)}
	}
	return account, []meta{rs(owner)}
}

// owned is an account with a balance and its owner.
func (s *scene) owned(c coin) (account, owner key) {
	owner = s.key()
	account = s.holder(c, owner)
	s.do(mintTo(c, account, 1_000_000))
	return account, owner
}

const multisigSize = 355

// multisig makes one of two out of three, and returns two that sign.
func (s *scene) multisig(program key) (key, []meta) {
	k := s.account(program, multisigSize)
	all := []key{s.key(), s.key(), s.key()}
	s.do(ins{label(program, "InitializeMultisig2"), program, []meta{w(k), r(all[0]), r(all[1]), r(all[2])},
		join(19, 2), -1})
	return k, []meta{rs(all[2]), rs(all[0])}
}

// coinOf is a mint of the program, now and then with an extension.
func (s *scene) coinOf(program key) coin {
	if program == token2022 && s.chance(0.35) {
		return s.mint(program, extensions[s.IntN(len(extensions))])
	}
	return s.mint(program)
}

// native is an account of wrapped SOL.
func (s *scene) native(program key, lamports uint64) (account, owner key) {
	mint := nativeMint
	if program == token2022 {
		mint = nativeMint2022
		s.do(createNativeMint(s.payer))
	}
	owner, account = s.key(), s.key()
	size := uint64(accountSize)
	s.do(createAccount(s.payer, account, rent(accountSize)+lamports, size, program),
		ins{label(program, "InitializeAccount3"), program, []meta{w(account), r(mint)}, join(18, owner), -1})
	return account, owner
}

func createNativeMint(payer key) ins {
	return ins{"Token-2022.CreateNativeMint", token2022,
		[]meta{sw(payer), w(nativeMint2022), r(systemProgram)}, join(31), -1}
}

// amount draws what a transfer takes of 1,000,000, most times not all.
func (s *scene) amount() uint64 {
	if s.chance(0.1) {
		return 1_000_000
	}
	return s.upTo(500_000)
}

// tokenKinds are the instructions that both token programs have.
func tokenKinds(p key) []kind {
	var all []kind
	add := func(name string, f func(s *scene) ins) { all = append(all, kind{label(p, name), f}) }
	addMovements(p, add)
	addAuthorities(p, add)
	addLamports(p, add)
	return all
}

// addMovements are those that make mints and accounts, and move what is in them.
func addMovements(p key, add func(name string, f func(s *scene) ins)) {
	add("InitializeMint", func(s *scene) ins {
		mint := s.account(p, mintSize)
		data := join(0, 6, s.key(), 1, s.key())
		if s.chance(0.5) {
			data = join(0, 6, s.key(), 0)
		}
		return ins{"", p, []meta{w(mint), r(rentSysvar)}, data, -1}
	})
	add("InitializeMint2", func(s *scene) ins {
		c := s.bareMint(p)
		if s.chance(0.5) {
			return ins{"", p, []meta{w(c.mint)}, join(20, 9, c.authority, 0), -1}
		}
		return initializeMint2(c)
	})
	add("InitializeAccount", func(s *scene) ins {
		c := s.coinOf(p)
		return ins{"", p, []meta{w(s.bareAccount(c)), r(c.mint), r(s.key()), r(rentSysvar)}, join(1), -1}
	})
	add("InitializeAccount2", func(s *scene) ins {
		c := s.coinOf(p)
		return ins{"", p, []meta{w(s.bareAccount(c)), r(c.mint), r(rentSysvar)}, join(16, s.key()), -1}
	})
	add("InitializeAccount3", func(s *scene) ins {
		c := s.coinOf(p)
		return ins{"", p, []meta{w(s.bareAccount(c)), r(c.mint)}, join(18, s.key()), -1}
	})
	multisig := func(tag int, sysvar ...meta) func(s *scene) ins {
		return func(s *scene) ins {
			metas := append([]meta{w(s.account(p, multisigSize))}, sysvar...)
			n := 1 + s.IntN(5)
			for range n {
				metas = append(metas, r(s.key()))
			}
			return ins{"", p, metas, join(tag, 1+s.IntN(n)), -1}
		}
	}
	add("InitializeMultisig", multisig(2, r(rentSysvar)))
	add("InitializeMultisig2", multisig(19))
	add("Transfer", func(s *scene) ins {
		c := s.coinOf(p)
		from, spender := s.rich(c)
		metas := append([]meta{w(from), w(s.holder(c, s.key()))}, spender...)
		return ins{"", p, metas, join(3, u64(s.amount())), 1}
	})
	add("TransferChecked", func(s *scene) ins {
		c := s.coinOf(p)
		from, spender := s.rich(c)
		metas := append([]meta{w(from), r(c.mint), w(s.holder(c, s.key()))}, spender...)
		return ins{"", p, metas, join(12, u64(s.amount()), c.decimals), 1}
	})
	add("Approve", func(s *scene) ins {
		c := s.coinOf(p)
		from, owner := s.owned(c)
		return approve(c, from, s.key(), owner, s.amount())
	})
}

// addAuthorities are those of who may do what, and of the supply.
func addAuthorities(p key, add func(name string, f func(s *scene) ins)) {
	add("ApproveChecked", func(s *scene) ins {
		c := s.coinOf(p)
		from, owner := s.owned(c)
		return ins{"", p, []meta{w(from), r(c.mint), r(s.key()), rs(owner)}, join(13, u64(s.amount()), c.decimals), 1}
	})
	add("Revoke", func(s *scene) ins {
		c := s.coinOf(p)
		from, owner := s.owned(c)
		s.do(approve(c, from, s.key(), owner, 77))
		return ins{"", p, []meta{w(from), rs(owner)}, join(5), -1}
	})
	add("SetAuthority", func(s *scene) ins { return setAuthority(s, p) })
	add("MintTo", func(s *scene) ins {
		c := s.coinOf(p)
		return mintTo(c, s.holder(c, s.key()), s.amount())
	})
	add("MintToChecked", func(s *scene) ins {
		c := s.coinOf(p)
		return ins{"", p, []meta{w(c.mint), w(s.holder(c, s.key())), rs(c.authority)},
			join(14, u64(s.amount()), c.decimals), 1}
	})
	add("Burn", func(s *scene) ins {
		c := s.coinOf(p)
		from, spender := s.rich(c)
		return ins{"", p, append([]meta{w(from), w(c.mint)}, spender...), join(8, u64(s.amount())), 1}
	})
	add("BurnChecked", func(s *scene) ins {
		c := s.coinOf(p)
		from, spender := s.rich(c)
		return ins{"", p, append([]meta{w(from), w(c.mint)}, spender...), join(15, u64(s.amount()), c.decimals), 1}
	})
	add("CloseAccount", func(s *scene) ins {
		c := s.coinOf(p)
		owner := s.key()
		k := s.holder(c, owner)
		if s.chance(0.3) {
			k, owner = s.native(p, 1_000_000)
		}
		return ins{"", p, []meta{w(k), w(s.wallet(1_000_000)), rs(owner)}, join(9), -1}
	})
	add("FreezeAccount", func(s *scene) ins {
		c := s.coinOf(p)
		return freeze(c, s.holder(c, s.key()))
	})
	add("ThawAccount", func(s *scene) ins {
		c := s.coinOf(p)
		k := s.holder(c, s.key())
		s.do(freeze(c, k))
		return thaw(c, k)
	})
}

// addLamports are those of native mints, sizes and excess lamports, and batches.
func addLamports(p key, add func(name string, f func(s *scene) ins)) {
	add("SyncNative", func(s *scene) ins {
		k, _ := s.native(p, 1_000_000)
		s.do(transfer(s.payer, k, 555))
		return ins{"", p, []meta{w(k)}, join(17), -1}
	})
	add("GetAccountDataSize", func(s *scene) ins {
		return ins{"", p, []meta{r(s.coinOf(p).mint)}, join(21), -1}
	})
	add("InitializeImmutableOwner", func(s *scene) ins {
		size := accountSize
		if p == token2022 {
			size = space(accountSize, []int{0})
		}
		return ins{"", p, []meta{w(s.account(p, size))}, join(22), -1}
	})
	add("AmountToUiAmount", func(s *scene) ins {
		return ins{"", p, []meta{r(s.coinOf(p).mint)}, join(23, u64(s.Uint64())), 1}
	})
	add("UiAmountToAmount", func(s *scene) ins {
		texts := []string{"1", "0.5", "12.25", "", ".", "1e3", "0.0000000000001", "18446744073709551616"}
		return ins{"", p, []meta{r(s.coinOf(p).mint)}, join(24, texts[s.IntN(len(texts))]), -1}
	})
	add("WithdrawExcessLamports", func(s *scene) ins {
		c := s.coinOf(p)
		k, owner := s.owned(c)
		if s.chance(0.3) {
			k, owner = c.mint, c.authority
		}
		s.do(transfer(s.payer, k, s.upTo(1_000_000)))
		return ins{"", p, []meta{w(k), w(s.wallet(1_000_000)), rs(owner)}, join(38), -1}
	})
	add("UnwrapLamports", func(s *scene) ins {
		k, owner := s.native(p, 1_000_000)
		metas := []meta{w(k), w(s.wallet(1_000_000)), rs(owner)}
		if s.chance(0.5) {
			return ins{"", p, metas, join(45, 0), -1}
		}
		return ins{"", p, metas, join(45, 1, u64(s.upTo(1_000_000))), 2}
	})
	add("Batch", func(s *scene) ins {
		c := s.mint(p)
		from, owner := s.owned(c)
		inner := []ins{
			mintTo(c, from, s.amount()),
			approve(c, from, s.key(), owner, s.amount()),
			{"", p, []meta{w(from), w(s.holder(c, s.key())), rs(owner)}, join(3, u64(s.amount())), 1},
		}
		return batch(p, inner[s.IntN(2):]...)
	})
}

func batch(program key, inner ...ins) ins {
	b := ins{"", program, nil, join(255), -1}
	for _, i := range inner {
		b.metas = append(b.metas, i.metas...)
		b.data = join(b.data, len(i.metas), len(i.data), i.data)
	}
	return b
}

func setAuthority(s *scene, p key) ins {
	c := s.coinOf(p)
	account, owner := s.owned(c)
	kind := s.IntN(4)
	target, current := c.mint, c.authority
	switch kind {
	case 1:
		current = c.freezer
	case 2, 3:
		target, current = account, owner
	}
	data := join(6, kind, 1, s.key())
	if kind != 2 && s.chance(0.4) {
		data = join(6, kind, 0)
	}
	return ins{"", p, []meta{w(target), rs(current)}, data, -1}
}
