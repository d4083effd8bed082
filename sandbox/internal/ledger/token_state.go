package ledger

import (
	"encoding/binary"

	"github.com/gagliardetto/solana-go"
)

// The sizes of the token programs' accounts. Token-2022 puts extensions after
// an account's 165 bytes: one byte for its kind, then type, length, value.
const (
	mintSize     = 82
	tokenSize    = 165
	multisigSize = 355
)

// Token is a view of a token account's data.
type Token []byte

// The states of a token account.
const (
	stateNone   = 0
	stateReady  = 1
	stateFrozen = 2
)

// Mint is the token's mint.
func (t Token) Mint() solana.PublicKey { return solana.PublicKey(t[0:32]) }

// Owner is the wallet that the account belongs to.
func (t Token) Owner() solana.PublicKey { return solana.PublicKey(t[32:64]) }

// Amount is the balance in smallest units.
func (t Token) Amount() uint64 { return getUint64(t[64:]) }

// Delegate may move up to DelegatedAmount, if there is one.
func (t Token) Delegate() (solana.PublicKey, bool) { return optionalKey(t[72:]) }

// DelegatedAmount is the most that the delegate may still move.
func (t Token) DelegatedAmount() uint64 { return getUint64(t[121:]) }

// Frozen reports whether nothing can be moved.
func (t Token) Frozen() bool { return t[108] == stateFrozen }

// Native reports whether the account holds wrapped SOL.
func (t Token) Native() bool { return binary.LittleEndian.Uint32(t[109:]) == 1 }

// CloseAuthority may close the account instead of the owner, if it is set.
func (t Token) CloseAuthority() (solana.PublicKey, bool) { return optionalKey(t[129:]) }

func (t Token) reserve() uint64                 { return getUint64(t[113:]) }
func (t Token) setAmount(n uint64)              { putUint64(t[64:], n) }
func (t Token) setOwner(k solana.PublicKey)     { copy(t[32:], k[:]) }
func (t Token) setDelegated(n uint64)           { putUint64(t[121:], n) }
func (t Token) setDelegate(k *solana.PublicKey) { setOptionalKey(t[72:], k) }

func (t Token) setNative(reserve uint64) {
	binary.LittleEndian.PutUint32(t[109:], 1)
	putUint64(t[113:], reserve)
}

// AsToken returns the account as a token account, and false if it is not a
// token account.
func AsToken(a *Account) (Token, bool) {
	if a == nil || !tokenProgram(a.Owner) {
		return nil, false
	}
	return asTokenData(a.Data)
}

func asTokenData(data []byte) (Token, bool) {
	ok := sized(data, tokenSize, kindAccount) && data[108] != stateNone
	return data, ok
}

// Mint is a view of a mint's data.
type Mint []byte

// Authority may mint, if there is one.
func (m Mint) Authority() (solana.PublicKey, bool) { return optionalKey(m) }

// Supply is how much there is, in smallest units.
func (m Mint) Supply() uint64 { return getUint64(m[36:]) }

// Decimals is how many digits follow the decimal point.
func (m Mint) Decimals() uint8 { return m[44] }

// FreezeAuthority may freeze accounts, if there is one.
func (m Mint) FreezeAuthority() (solana.PublicKey, bool) { return optionalKey(m[46:]) }

func (m Mint) setSupply(n uint64) { putUint64(m[36:], n) }

// AsMint returns the account as a mint, and false if it is not a mint.
func AsMint(a *Account) (Mint, bool) {
	if a == nil || !tokenProgram(a.Owner) {
		return nil, false
	}
	return asMintData(a.Data)
}

func asMintData(data []byte) (Mint, bool) {
	ok := sized(data, mintSize, kindMint) && data[45] != 0
	return data, ok
}

// sized reports whether data is a bare account of a size, or one with
// extensions of the kind.
func sized(data []byte, size int, kind byte) bool {
	return len(data) == size || len(data) > tokenSize && len(data) != multisigSize && data[tokenSize] == kind
}

func tokenProgram(k solana.PublicKey) bool {
	return k == solana.TokenProgramID || k == solana.Token2022ProgramID
}

func optionalKey(b []byte) (solana.PublicKey, bool) {
	return solana.PublicKey(b[4:36]), binary.LittleEndian.Uint32(b) == 1
}

func setOptionalKey(b []byte, k *solana.PublicKey) {
	clear(b[:36])
	if k != nil {
		binary.LittleEndian.PutUint32(b, 1)
		copy(b[4:], k[:])
	}
}

// multisig is a view of a multisig account: how many must sign, of how many.
type multisig []byte

// check refuses signers that are too few, and one of them who has not signed.
func (m multisig) check(signers []Meta) {
	need, of, matched := int(m[0]), min(int(m[1]), 11), map[int]bool{}
	for _, s := range signers {
		for i := range of {
			if s.Key == solana.PublicKey(m[3+32*i:35+32*i]) && !matched[i] {
				FailIf(!s.Signer, ErrSigner)
				matched[i] = true
			}
		}
	}
	FailIf(len(matched) < need, ErrSigner)
}
