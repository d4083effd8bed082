package ledger

import (
	"encoding/binary"
	"slices"

	"github.com/gagliardetto/solana-go"
)

// The sizes of the token programs' accounts. Token-2022 puts extensions after
// an account's 165 bytes: one byte for its kind, then type, length, value.
const (
	mintSize     = 82
	tokenSize    = 165
	multisigSize = 355
)

// The extensions that the ledger knows.
const (
	extensionFeeConfig      = 1
	extensionFeeAmount      = 2
	extensionImmutableOwner = 7
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
func (t Token) setCloser(k *solana.PublicKey)   { setOptionalKey(t[129:], k) }

func (t Token) setNative(reserve uint64) {
	binary.LittleEndian.PutUint32(t[109:], 1)
	putUint64(t[113:], reserve)
}

// AsToken returns the account as a token account, and false if it is not a
// token account.
func AsToken(a *Account) (Token, bool) {
	if a == nil || !tokenProgram(a.Owner) || !sized(a.Data, tokenSize, 2) || a.Data[108] == stateNone {
		return nil, false
	}
	return a.Data, true
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
	if a == nil || !tokenProgram(a.Owner) || !sized(a.Data, mintSize, 1) || a.Data[45] == 0 {
		return nil, false
	}
	return a.Data, true
}

// sized reports whether data is a bare account of a size, or one with
// extensions of the kind.
func sized(data []byte, size int, kind byte) bool {
	return len(data) == size || len(data) > tokenSize && len(data) != multisigSize && data[tokenSize] == kind
}

func tokenProgram(k solana.PublicKey) bool {
	return k == solana.TokenProgramID || k == solana.Token2022ProgramID
}

// extension returns the value of an extension, nil if there is none.
func extension(data []byte, kind uint16) []byte {
	for at := tokenSize + 1; at+4 <= len(data); {
		n := int(binary.LittleEndian.Uint16(data[at+2:]))
		if at+4+n > len(data) {
			return nil
		}
		if binary.LittleEndian.Uint16(data[at:]) == kind {
			return data[at+4 : at+4+n : at+4+n]
		}
		at += 4 + n
	}
	return nil
}

// extend appends an extension to an account of the kind.
func extend(data []byte, account byte, kind uint16, value []byte) []byte {
	if len(data) <= tokenSize {
		data = append(data, make([]byte, tokenSize-len(data))...)
		data = append(data, account)
	}
	data = binary.LittleEndian.AppendUint16(data, kind)
	data = binary.LittleEndian.AppendUint16(data, uint16(len(value)))
	return append(data, value...)
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

// feeConfig is a view of a mint's transfer-fee extension.
type feeConfig []byte

const feeConfigSize = 108

// fee returns the fee of a transfer of an amount: a share rounded up, at most a
// maximum.
func (f feeConfig) fee(amount uint64) uint64 {
	most, points := getUint64(f[98:]), uint64(binary.LittleEndian.Uint16(f[106:]))
	if points == 0 || amount == 0 {
		return 0
	}
	return min(mulDivUp(amount, points, 10_000), most)
}

func (f feeConfig) withheld() uint64     { return getUint64(f[64:]) }
func (f feeConfig) setWithheld(n uint64) { putUint64(f[64:], n) }

// feeOf returns the transfer-fee extension of a mint.
func feeOf(m Mint) (feeConfig, bool) {
	value := extension(m, extensionFeeConfig)
	return value, len(value) == feeConfigSize
}

// multisig is a view of a multisig account: how many must sign, of how many.
type multisig []byte

func asMultisig(a *Account) (multisig, bool) {
	if len(a.Data) != multisigSize || !tokenProgram(a.Owner) || a.Data[2] == 0 {
		return nil, false
	}
	return a.Data, true
}

// satisfied reports whether enough of the signers signed.
func (m multisig) satisfied(signers []Meta) bool {
	need, of, matched := int(m[0]), int(m[1]), []int{}
	for _, s := range signers {
		for i := range of {
			if s.Signer && s.Key == solana.PublicKey(m[3+32*i:35+32*i]) && !slices.Contains(matched, i) {
				matched = append(matched, i)
				break
			}
		}
	}
	return len(matched) >= need
}

// TransferFee is the part that a mint withholds of a transfer of an amount, in smallest
// units: 0 if it withholds nothing.
func TransferFee(m Mint, amount uint64) uint64 {
	config, ok := feeOf(m)
	if !ok {
		return 0
	}
	return config.fee(amount)
}

// Withheld returns the transfer fees that the account holds back until a
// harvest. An account with withheld fees cannot be closed.
func (t Token) Withheld() uint64 {
	held := extension(t, extensionFeeAmount)
	if held == nil {
		return 0
	}
	return getUint64(held)
}
