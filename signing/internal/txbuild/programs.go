package txbuild

import "github.com/mr-tron/base58"

// The sysvars and programs that instructions name.
var (
	RecentBlockhashes = key("SysvarRecentB1ockHashes11111111111111111111")
	Rent              = key("SysvarRent111111111111111111111111111111111")
	AssociatedToken   = key("ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL")
	ComputeBudget     = key("ComputeBudget111111111111111111111111111111")
	SPLToken          = Token{key("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA")}
	Token2022         = Token{key("TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb")}
	NativeMint        = key("So11111111111111111111111111111111111111112")
	MemoV2            = key("MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr")
)

func key(text string) Key {
	b, err := base58.Decode(text)
	if err != nil || len(b) != 32 {
		panic("txbuild: " + text)
	}
	return Key(b)
}

// CreateATA makes wallet's associated token account; idempotent says that it
// may exist already.
func CreateATA(payer, account, wallet, mint, tokenProgram Key, idempotent bool) Instruction {
	var data []byte
	if idempotent {
		data = []byte{1}
	}
	return Instruction{AssociatedToken, []Account{
		WritableSigner(payer), Writable(account), Readonly(wallet), Readonly(mint), Readonly(System), Readonly(tokenProgram),
	}, data}
}

// UnitLimit is SetComputeUnitLimit.
func UnitLimit(units uint32) Instruction {
	return Instruction{Program: ComputeBudget, Data: u32([]byte{2}, units)}
}

// UnitPrice is SetComputeUnitPrice, in micro-lamports a unit.
func UnitPrice(price uint64) Instruction {
	return Instruction{Program: ComputeBudget, Data: u64([]byte{3}, price)}
}

// HeapFrame is RequestHeapFrame.
func HeapFrame(bytes uint32) Instruction {
	return Instruction{Program: ComputeBudget, Data: u32([]byte{1}, bytes)}
}

// DataLimit is SetLoadedAccountsDataSizeLimit.
func DataLimit(bytes uint32) Instruction {
	return Instruction{Program: ComputeBudget, Data: u32([]byte{4}, bytes)}
}

// Memo writes a memo that the given accounts sign.
func Memo(text string, signers ...Key) Instruction {
	ins := Instruction{Program: MemoV2, Data: []byte(text)}
	for _, s := range signers {
		ins.Accounts = append(ins.Accounts, Signer(s))
	}
	return ins
}

// Call is an instruction of any program.
func Call(program Key, data []byte, accounts ...Account) Instruction {
	return Instruction{program, accounts, data}
}

// The other programs that have rules.
var (
	Ed25519           = key("Ed25519SigVerify111111111111111111111111111")
	Secp256k1         = key("KeccakSecp256k11111111111111111111111111111")
	Secp256r1         = key("Secp256r1SigVerify1111111111111111111111111")
	MemoV1            = key("Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo")
	MemoV4            = key("Memo4c2pN8afCj432Lb7RMVKi9PbQnnW7ewFFaV3oAH")
	Stake             = key("Stake11111111111111111111111111111111111111")
	UpgradeableLoader = key("BPFLoaderUpgradeab1e11111111111111111111111")
	LoaderV4          = key("LoaderV411111111111111111111111111111111111")
	BPFLoader2        = key("BPFLoader2111111111111111111111111111111111")
	LookupTables      = key("AddressLookupTab1e1111111111111111111111111")
	Vote              = key("Vote111111111111111111111111111111111111111")
	NativeMint2022    = key("9pan9bMn5HatX4EJdBwg9VgCa7Uz5HL8N1m5D3NdXejP")
)
