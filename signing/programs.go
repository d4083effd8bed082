package signing

import "github.com/walletfi/walletfi-go/signing/internal/program"

// The programs that the guard has rules for.
var (
	SystemProgram          = MustPublicKey("11111111111111111111111111111111")
	TokenProgram           = MustPublicKey("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA")
	Token2022Program       = MustPublicKey("TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb")
	AssociatedTokenProgram = MustPublicKey("ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL")
	ComputeBudgetProgram   = MustPublicKey("ComputeBudget111111111111111111111111111111")
	Ed25519Program         = MustPublicKey("Ed25519SigVerify111111111111111111111111111")
	Secp256k1Program       = MustPublicKey("KeccakSecp256k11111111111111111111111111111")
	Secp256r1Program       = MustPublicKey("Secp256r1SigVerify1111111111111111111111111")
	MemoProgram            = MustPublicKey("MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr")
	MemoProgramV1          = MustPublicKey("Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo")
	MemoProgramV4          = MustPublicKey("Memo4c2pN8afCj432Lb7RMVKi9PbQnnW7ewFFaV3oAH")
	StakeProgram           = MustPublicKey("Stake11111111111111111111111111111111111111")
	UpgradeableLoader      = MustPublicKey("BPFLoaderUpgradeab1e11111111111111111111111")
	LoaderV4               = MustPublicKey("LoaderV411111111111111111111111111111111111")
	BPFLoader              = MustPublicKey("BPFLoader1111111111111111111111111111111111")
	BPFLoader2             = MustPublicKey("BPFLoader2111111111111111111111111111111111")
	LookupTableProgram     = MustPublicKey("AddressLookupTab1e1111111111111111111111111")
	VoteProgram            = MustPublicKey("Vote111111111111111111111111111111111111111")
)

// The mints that are one asset with SOL.
var (
	NativeMint          = MustPublicKey("So11111111111111111111111111111111111111112")
	NativeMintToken2022 = MustPublicKey("9pan9bMn5HatX4EJdBwg9VgCa7Uz5HL8N1m5D3NdXejP")
)

// ProgramName is the common name of a program that the guard has rules for, the name and
// the base58 text of one that is widely used, and the base58 text of any other.
func ProgramName(id PublicKey) string { return program.Name(program.Key(id)) }

// AssetName is "SOL (in lamports)" for lamports, wrapped or not, and the mint
// otherwise.
func AssetName(mint PublicKey) string { return program.AssetName(program.Key(mint)) }

// AssociatedTokenAddress derives wallet's associated token account of a mint.
// tokenProgram is TokenProgram or Token2022Program, whichever the mint is of.
func AssociatedTokenAddress(wallet, mint, tokenProgram PublicKey) PublicKey {
	return PublicKey(program.AssociatedAddress(program.Key(wallet), program.Key(mint), program.Key(tokenProgram)))
}

// SeedAddress derives the address that base, a seed and a program make, as
// CreateAccountWithSeed does.
func SeedAddress(base PublicKey, seed string, owner PublicKey) PublicKey {
	return PublicKey(program.SeedAddress(program.Key(base), seed, program.Key(owner)))
}
