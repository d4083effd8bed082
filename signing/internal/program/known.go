package program

import (
	"strconv"

	"github.com/walletfi/walletfi-go/internal/txwire"
)

// The programs that the guard has rules for.
var (
	System          = key("11111111111111111111111111111111")
	Token           = key("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA")
	Token2022       = key("TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb")
	AssociatedToken = key("ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL")
	ComputeBudget   = key("ComputeBudget111111111111111111111111111111")
	Ed25519         = key("Ed25519SigVerify111111111111111111111111111")
	Secp256k1       = key("KeccakSecp256k11111111111111111111111111111")
	Secp256r1       = key("Secp256r1SigVerify1111111111111111111111111")
	Memo            = key("MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr")
	MemoV1          = key("Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo")
	MemoV4          = key("Memo4c2pN8afCj432Lb7RMVKi9PbQnnW7ewFFaV3oAH")
	Stake           = key("Stake11111111111111111111111111111111111111")
	Upgradeable     = key("BPFLoaderUpgradeab1e11111111111111111111111")
	LoaderV4        = key("LoaderV411111111111111111111111111111111111")
	BPFLoader       = key("BPFLoader1111111111111111111111111111111111")
	BPFLoader2      = key("BPFLoader2111111111111111111111111111111111")
	LookupTable     = key("AddressLookupTab1e1111111111111111111111111")
	Vote            = key("Vote111111111111111111111111111111111111111")
)

// The mints that are one asset with SOL.
var (
	NativeMint     = key("So11111111111111111111111111111111111111112")
	NativeMint2022 = key("9pan9bMn5HatX4EJdBwg9VgCa7Uz5HL8N1m5D3NdXejP")
)

func key(text string) Key {
	k, ok := txwire.DecodeKey(text)
	if !ok {
		panic("program: " + text)
	}
	return k
}

// Kind is the row of the guard's table that a program has.
type Kind uint8

// The rows.
const (
	Unruled Kind = iota // no rule: allowed if it is pinned
	OfSystem
	OfToken
	OfAssociatedToken
	OfComputeBudget
	OfPrecompile
	OfMemo
	Denied
)

// Known describes a known program.
type Known struct {
	Name    string
	Kind    Kind
	Builtin bool // costs 3,000 compute units by default rather than 200,000
}

var known = map[Key]Known{
	System:          {"System", OfSystem, true},
	Token:           {"Token", OfToken, false},
	Token2022:       {"Token-2022", OfToken, false},
	AssociatedToken: {"Associated Token Account", OfAssociatedToken, false},
	ComputeBudget:   {"Compute Budget", OfComputeBudget, true},
	Ed25519:         {"Ed25519", OfPrecompile, true},
	Secp256k1:       {"Secp256k1", OfPrecompile, true},
	Secp256r1:       {"Secp256r1", OfPrecompile, false},
	Memo:            {"Memo", OfMemo, false},
	MemoV1:          {"Memo v1", OfMemo, false},
	MemoV4:          {"Memo v4", OfMemo, false},
	Stake:           {"Stake", Denied, false},
	Upgradeable:     {"Upgradeable Loader", Denied, true},
	LoaderV4:        {"Loader v4", Denied, true},
	BPFLoader:       {"BPF Loader", Denied, true},
	BPFLoader2:      {"BPF Loader 2", Denied, true},
	LookupTable:     {"Address Lookup Table", Denied, false},
	Vote:            {"Vote", Denied, true},
}

// bySecondByte holds the known programs by a byte in which their ids differ
// well; a map of 32-byte keys costs five times as much, at every instruction.
var (
	bySecondByte [256][]entry
	unruled      Known
)

type entry struct {
	id Key
	of *Known
}

func init() {
	for id, p := range known {
		bySecondByte[id[1]] = append(bySecondByte[id[1]], entry{id, &p})
	}
}

// Lookup returns what is known of a program, never nil.
func Lookup(id *Key) *Known {
	entries := bySecondByte[id[1]]
	for i := range entries {
		if txwire.Same(&entries[i].id, id) {
			return entries[i].of
		}
	}
	return &unruled
}

// IsToken reports whether id is one of the two token programs.
func IsToken(id Key) bool { return id == Token || id == Token2022 }

// Asset makes one asset of SOL, wrapped SOL and Token-2022's native mint.
func Asset(mint Key) Key {
	if mint == NativeMint2022 {
		return NativeMint
	}
	return mint
}

// IsNative reports whether mint is the native mint of a token program.
func IsNative(mint, of Key) bool {
	return mint == NativeMint && of == Token || mint == NativeMint2022 && of == Token2022
}

// Amount is an amount of an asset as text: SOL, or a mint's smallest units.
func Amount(mint Key, amount uint64) string {
	if mint == NativeMint {
		return SOL(amount)
	}
	return strconv.FormatUint(amount, 10) + " units of " + mint.String()
}

// AssetName is "SOL (in lamports)" for lamports, wrapped or not, and the mint
// otherwise.
func AssetName(mint Key) string {
	if mint == NativeMint {
		return "SOL (in lamports)"
	}
	return mint.String()
}
