package txbuild

import "encoding/binary"

// System is the System program.
var System = Key{}

func u32(b []byte, n uint32) []byte { return binary.LittleEndian.AppendUint32(b, n) }
func u64(b []byte, n uint64) []byte { return binary.LittleEndian.AppendUint64(b, n) }

// Transfer moves lamports.
func Transfer(from, to Key, lamports uint64) Instruction {
	return Instruction{System, []Account{WritableSigner(from), Writable(to)}, u64(u32(nil, 2), lamports)}
}

// TransferWithSeed moves lamports out of an address that base derives.
func TransferWithSeed(from, base Key, seed string, owner, to Key, lamports uint64) Instruction {
	data := seedBytes(u64(u32(nil, 11), lamports), seed)
	return Instruction{System, []Account{Writable(from), Signer(base), Writable(to)}, append(data, owner[:]...)}
}

// CreateAccount makes an account whose key signs.
func CreateAccount(payer, account Key, lamports, space uint64, owner Key) Instruction {
	data := append(u64(u64(u32(nil, 0), lamports), space), owner[:]...)
	return Instruction{System, []Account{WritableSigner(payer), WritableSigner(account)}, data}
}

// CreateAccountAllowPrefund is CreateAccount with the accounts turned round.
func CreateAccountAllowPrefund(payer, account Key, lamports, space uint64, owner Key) Instruction {
	data := append(u64(u64(u32(nil, 13), lamports), space), owner[:]...)
	return Instruction{System, []Account{WritableSigner(account), WritableSigner(payer)}, data}
}

// CreateAccountWithSeed makes an account at an address that base derives.
func CreateAccountWithSeed(payer, account, base Key, seed string, lamports, space uint64, owner Key) Instruction {
	data := seedBytes(append(u32(nil, 3), base[:]...), seed)
	data = append(u64(u64(data, lamports), space), owner[:]...)
	accounts := []Account{WritableSigner(payer), Writable(account)}
	if base != payer {
		accounts = append(accounts, Signer(base))
	}
	return Instruction{System, accounts, data}
}

// Assign hands an account to a program.
func Assign(account, owner Key) Instruction {
	return Instruction{System, []Account{WritableSigner(account)}, append(u32(nil, 1), owner[:]...)}
}

// AssignWithSeed hands a derived account to a program.
func AssignWithSeed(account, base Key, seed string, owner Key) Instruction {
	data := seedBytes(append(u32(nil, 10), base[:]...), seed)
	return Instruction{System, []Account{Writable(account), Signer(base)}, append(data, owner[:]...)}
}

// Allocate gives an account space.
func Allocate(account Key, space uint64) Instruction {
	return Instruction{System, []Account{WritableSigner(account)}, u64(u32(nil, 8), space)}
}

// AllocateWithSeed gives a derived account space.
func AllocateWithSeed(account, base Key, seed string, space uint64, owner Key) Instruction {
	data := u64(seedBytes(append(u32(nil, 9), base[:]...), seed), space)
	return Instruction{System, []Account{Writable(account), Signer(base)}, append(data, owner[:]...)}
}

// AdvanceNonce uses up a durable nonce.
func AdvanceNonce(nonce, authority Key) Instruction {
	return Instruction{System, []Account{Writable(nonce), Readonly(RecentBlockhashes), Signer(authority)}, u32(nil, 4)}
}

// WithdrawNonce takes lamports out of a nonce account.
func WithdrawNonce(nonce, to, authority Key, lamports uint64) Instruction {
	return Instruction{System, []Account{
		Writable(nonce), Writable(to), Readonly(RecentBlockhashes), Readonly(Rent), Signer(authority),
	}, u64(u32(nil, 5), lamports)}
}

// InitializeNonce makes a nonce account.
func InitializeNonce(nonce, authority Key) Instruction {
	return Instruction{System, []Account{Writable(nonce), Readonly(RecentBlockhashes), Readonly(Rent)},
		append(u32(nil, 6), authority[:]...)}
}

// AuthorizeNonce hands a nonce account over.
func AuthorizeNonce(nonce, authority, heir Key) Instruction {
	return Instruction{System, []Account{Writable(nonce), Signer(authority)}, append(u32(nil, 7), heir[:]...)}
}

// UpgradeNonce rewrites an old nonce account.
func UpgradeNonce(nonce Key) Instruction {
	return Instruction{System, []Account{Writable(nonce)}, u32(nil, 12)}
}

func seedBytes(b []byte, seed string) []byte { return append(u64(b, uint64(len(seed))), seed...) }
