package signing

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

// program is what the guard does with a program, one row of its table.
type program uint8

const (
	programUnknown program = iota
	programSystem
	programToken
	programAssociatedToken
	programComputeBudget
	programPrecompile
	programMemo
	programDenied
)

type knownProgram struct {
	name    string
	kind    program
	builtin bool // costs 3,000 compute units by default rather than 200,000
}

var knownPrograms = map[PublicKey]knownProgram{
	SystemProgram:          {"System", programSystem, true},
	TokenProgram:           {"Token", programToken, false},
	Token2022Program:       {"Token-2022", programToken, false},
	AssociatedTokenProgram: {"Associated Token Account", programAssociatedToken, false},
	ComputeBudgetProgram:   {"Compute Budget", programComputeBudget, true},
	Ed25519Program:         {"Ed25519", programPrecompile, true},
	Secp256k1Program:       {"Secp256k1", programPrecompile, true},
	Secp256r1Program:       {"Secp256r1", programPrecompile, false},
	MemoProgram:            {"Memo", programMemo, false},
	MemoProgramV1:          {"Memo v1", programMemo, false},
	MemoProgramV4:          {"Memo v4", programMemo, false},
	StakeProgram:           {"Stake", programDenied, false},
	UpgradeableLoader:      {"Upgradeable Loader", programDenied, true},
	LoaderV4:               {"Loader v4", programDenied, true},
	BPFLoader:              {"BPF Loader", programDenied, true},
	BPFLoader2:             {"BPF Loader 2", programDenied, true},
	LookupTableProgram:     {"Address Lookup Table", programDenied, false},
	VoteProgram:            {"Vote", programDenied, true},
}

// knownFirst holds, by a byte in which the known ids differ well, where in
// what is known; a map of 32-byte keys costs five times as much, at every
// instruction.
var (
	knownFirst [256][]knownEntry
	unruledOne knownProgram
)

type knownEntry struct {
	id PublicKey
	of *knownProgram
}

func init() {
	for id, p := range knownPrograms {
		knownFirst[id[1]] = append(knownFirst[id[1]], knownEntry{id, &p})
	}
}

// lookupProgram returns what is known of a program, never nil.
func lookupProgram(id *PublicKey) *knownProgram {
	entries := knownFirst[id[1]]
	for i := range entries {
		if same(&entries[i].id, id) {
			return entries[i].of
		}
	}
	return &unruledOne
}

// ProgramName is the common name of a program that the guard has rules for,
// and the base58 text of any other.
func ProgramName(id PublicKey) string {
	if p, ok := knownPrograms[id]; ok {
		return p.name
	}
	return id.String()
}
