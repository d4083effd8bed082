package txbuild

// Token makes instructions of one of the two token programs.
type Token struct{ Program Key }

func (t Token) ins(data []byte, accounts ...Account) Instruction {
	return Instruction{t.Program, accounts, data}
}

// Transfer moves amount without naming the mint. Further signers follow the
// authority if it is a multisig.
func (t Token) Transfer(source, to, authority Key, amount uint64, signers ...Key) Instruction {
	return t.ins(u64([]byte{3}, amount),
		append([]Account{Writable(source), Writable(to)}, authorities(authority, signers)...)...)
}

// TransferChecked moves amount and names the mint.
func (t Token) TransferChecked(
	source, mint, to, authority Key, amount uint64, decimals uint8, signers ...Key,
) Instruction {
	return t.ins(append(u64([]byte{12}, amount), decimals),
		append([]Account{Writable(source), Readonly(mint), Writable(to)}, authorities(authority, signers)...)...)
}

// TransferCheckedWithFee names the fee that is withheld from amount, too.
func (t Token) TransferCheckedWithFee(
	source, mint, to, authority Key, amount uint64, decimals uint8, fee uint64,
) Instruction {
	return t.ins(u64(append(u64([]byte{26, 1}, amount), decimals), fee), Writable(source), Readonly(mint),
		Writable(to), Signer(authority))
}

// Approve lets delegate take amount.
func (t Token) Approve(source, delegate, owner Key, amount uint64) Instruction {
	return t.ins(u64([]byte{4}, amount), Writable(source), Readonly(delegate), Signer(owner))
}

// ApproveChecked is Approve that names the mint.
func (t Token) ApproveChecked(source, mint, delegate, owner Key, amount uint64, decimals uint8) Instruction {
	return t.ins(append(u64([]byte{13}, amount), decimals), Writable(source), Readonly(mint),
		Readonly(delegate), Signer(owner))
}

// Revoke ends an approval.
func (t Token) Revoke(source, owner Key) Instruction {
	return t.ins([]byte{5}, Writable(source), Signer(owner))
}

// SetAuthority hands over one of an account's or a mint's authorities.
func (t Token) SetAuthority(account, authority Key, kind uint8, heir Key) Instruction {
	return t.ins(append([]byte{6, kind, 1}, heir[:]...), Writable(account), Signer(authority))
}

// Close closes an account.
func (t Token) Close(account, to, owner Key) Instruction {
	return t.ins([]byte{9}, Writable(account), Writable(to), Signer(owner))
}

// WithdrawExcess takes the lamports beyond the rent.
func (t Token) WithdrawExcess(account, to, owner Key) Instruction {
	return t.ins([]byte{38}, Writable(account), Writable(to), Signer(owner))
}

// Unwrap takes wrapped lamports out.
func (t Token) Unwrap(account, to, owner Key, amount uint64) Instruction {
	return t.ins(u64([]byte{45, 1}, amount), Writable(account), Writable(to), Signer(owner))
}

// Burn destroys amount.
func (t Token) Burn(account, mint, owner Key, amount uint64) Instruction {
	return t.ins(u64([]byte{8}, amount), Writable(account), Writable(mint), Signer(owner))
}

// BurnChecked is Burn that names the decimals.
func (t Token) BurnChecked(account, mint, owner Key, amount uint64, decimals uint8) Instruction {
	return t.ins(append(u64([]byte{15}, amount), decimals), Writable(account), Writable(mint), Signer(owner))
}

// MintTo makes amount.
func (t Token) MintTo(mint, to, authority Key, amount uint64) Instruction {
	return t.ins(u64([]byte{7}, amount), Writable(mint), Writable(to), Signer(authority))
}

// Freeze freezes an account.
func (t Token) Freeze(account, mint, authority Key) Instruction {
	return t.ins([]byte{10}, Writable(account), Readonly(mint), Signer(authority))
}

// InitializeAccount gives a new account its owner, with the rent sysvar.
func (t Token) InitializeAccount(account, mint, owner Key) Instruction {
	return t.ins([]byte{1}, Writable(account), Readonly(mint), Readonly(owner), Readonly(Rent))
}

// InitializeAccount2 is InitializeAccount with the owner in the data.
func (t Token) InitializeAccount2(account, mint, owner Key) Instruction {
	return t.ins(append([]byte{16}, owner[:]...), Writable(account), Readonly(mint), Readonly(Rent))
}

// InitializeAccount3 is InitializeAccount2 without the rent sysvar.
func (t Token) InitializeAccount3(account, mint, owner Key) Instruction {
	return t.ins(append([]byte{18}, owner[:]...), Writable(account), Readonly(mint))
}

// InitializeMint2 makes a mint.
func (t Token) InitializeMint2(mint, authority Key, decimals uint8) Instruction {
	return t.ins(append(append([]byte{20, decimals}, authority[:]...), 0), Writable(mint))
}

// SyncNative counts lamports that were moved to a wrapped account.
func (t Token) SyncNative(account Key) Instruction { return t.ins([]byte{17}, Writable(account)) }

// Raw is an instruction of any data.
func (t Token) Raw(data []byte, accounts ...Account) Instruction { return t.ins(data, accounts...) }

// Batch runs several instructions of the same program in one.
func (t Token) Batch(inner ...Instruction) Instruction {
	batch := Instruction{Program: t.Program, Data: []byte{255}}
	for _, ins := range inner {
		batch.Accounts = append(batch.Accounts, ins.Accounts...)
		batch.Data = append(batch.Data, uint8(len(ins.Accounts)), uint8(len(ins.Data)))
		batch.Data = append(batch.Data, ins.Data...)
	}
	return batch
}

func authorities(authority Key, signers []Key) []Account {
	if len(signers) == 0 {
		return []Account{Signer(authority)}
	}
	accounts := []Account{Readonly(authority)}
	for _, s := range signers {
		accounts = append(accounts, Signer(s))
	}
	return accounts
}
