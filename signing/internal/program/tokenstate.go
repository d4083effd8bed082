package program

import (
	"bytes"
	"encoding/binary"
)

// TokenAccountSize is the length of a token account without extensions.
const TokenAccountSize = 165

// accountTypeToken is the byte after that, by which Token-2022 tells an account
// with extensions from a mint with extensions.
const accountTypeToken = 2

const (
	stateAt = 108 // of a byte that is 0 before a token account is initialised
	frozen  = 2   // there, once somebody has frozen it
)

// State is an account at one moment. An account that does not exist is all
// zero.
type State struct {
	Lamports uint64
	Owner    Key // the program that owns it
	Data     []byte
}

// Made reports whether a program made the account: a plain one has no data and
// belongs to the System program, as does one that does not exist.
func (s *State) Made() bool { return s.Owner != System || len(s.Data) > 0 }

// TokenState is a token account's data.
type TokenState struct {
	Mint           Key
	Owner          Key
	Amount         uint64
	Delegate       Key // zero if there is none
	Delegated      uint64
	CloseAuthority Key // zero if there is none
	Frozen         bool
}

// ControlledBy reports whether a key can move what the account holds.
func (s *TokenState) ControlledBy(k Key) bool {
	return !k.IsZero() && (k == s.Owner || k == s.Delegate || k == s.CloseAuthority)
}

// TokenAccount is the data of a token account without a delegate.
func TokenAccount(mint, owner Key, amount uint64) []byte {
	d := append(make([]byte, 0, TokenAccountSize), mint[:]...)
	d = binary.LittleEndian.AppendUint64(append(d, owner[:]...), amount)
	d = d[:TokenAccountSize]
	d[stateAt] = 1
	return d
}

// ReadTokenState reads an account of a token program; ok is false if it is
// another kind of account, or not initialised.
func ReadTokenState(a State) (s TokenState, ok bool) {
	d := a.Data
	if !IsToken(a.Owner) || len(d) < TokenAccountSize || d[stateAt] == 0 {
		return TokenState{}, false
	}
	if len(d) > TokenAccountSize && d[TokenAccountSize] != accountTypeToken {
		return TokenState{}, false
	}
	s.Mint, s.Owner = Key(d), Key(d[32:])
	s.Amount, s.Frozen = binary.LittleEndian.Uint64(d[64:]), d[stateAt] == frozen
	if binary.LittleEndian.Uint32(d[72:]) != 0 {
		s.Delegate = Key(d[76:])
		s.Delegated = binary.LittleEndian.Uint64(d[121:])
	}
	if binary.LittleEndian.Uint32(d[129:]) != 0 {
		s.CloseAuthority = Key(d[133:])
	}
	return s, true
}

// multisigSize is the length of a multisig: three bytes, and room for eleven signers.
const multisigSize = 3 + 11*len(Key{})

// MayApprove reports whether a key is a signer of a multisig of a token program.
func MayApprove(a State, k Key) bool {
	d := a.Data
	if !IsToken(a.Owner) || len(d) != multisigSize || d[2] == 0 {
		return false
	}
	for i := range min(int(d[1]), 11) {
		if Key(d[3+i*len(k):]) == k {
			return true
		}
	}
	return false
}

// MintSize is the length of a mint without extensions.
const MintSize = 82

// accountTypeMint is the byte after the room of a token account, by which Token-2022 tells a
// mint with extensions.
const accountTypeMint = 1

// MintDecimals reads how many decimals a mint has; ok is false if the account is none.
func MintDecimals(a State) (decimals uint8, ok bool) {
	d := a.Data
	whole := len(d) == MintSize || len(d) > TokenAccountSize && d[TokenAccountSize] == accountTypeMint
	if !IsToken(a.Owner) || !whole || d[45] == 0 {
		return 0, false
	}
	return d[44], true
}

// MintPowers reads which keys have power over the accounts of a mint, zero without one: its freeze authority and
// the permanent delegate, an extension of Token-2022 mints.
func MintPowers(a State) (freezer, delegate Key) {
	d := a.Data
	if _, ok := MintDecimals(a); !ok {
		return freezer, delegate
	}
	if binary.LittleEndian.Uint32(d[46:]) != 0 {
		freezer = Key(d[50:])
	}
	if e, whole := extension(d, permanentDelegate); whole && len(e) >= len(delegate) {
		delegate = Key(e)
	}
	return freezer, delegate
}

// extension finds one of the extensions of a mint, or of a token account. It is nil if there is none, which is known
// only of data that is whole to its end.
func extension(d []byte, kind uint16) (found []byte, whole bool) {
	at := min(TokenAccountSize+1, len(d))
	for len(d)-at >= 4 {
		k, length := binary.LittleEndian.Uint16(d[at:]), int(binary.LittleEndian.Uint16(d[at+2:]))
		at += 4
		switch {
		case k == 0: // what follows is room that no extension has taken
			return found, true
		case len(d)-at < length:
			return found, false
		case k == kind && found == nil:
			found = d[at : at+length]
		}
		at += length
	}
	return found, true
}

// A mint's fee on transfers is of two kinds, each an epoch, a most and basis points: an older one, and one that
// replaces it from its epoch on.
const (
	transferFeeConfig = 1
	transferFeeSize   = 108
	olderFeeAt        = 72
	newerFeeAt        = 90
	// epochSlots is the length of an epoch, which no cluster exceeds. With shorter ones an epoch is
	// thought to be earlier than it is.
	epochSlots = 432_000
)

// MintFee reads the most that a mint withholds of a transfer in a slot or after it; ok is false if the account is no
// mint, or not whole. Of a fee that is about to change, each part is the higher one.
func MintFee(a State, slot uint64) (points uint16, most uint64, ok bool) {
	if _, ok := MintDecimals(a); !ok {
		return 0, 0, false
	}
	e, whole := extension(a.Data, transferFeeConfig)
	switch {
	case e == nil:
		return 0, 0, whole
	case len(e) != transferFeeSize:
		return 0, 0, false
	}
	fee := func(at int) (epoch, most uint64, points uint16) {
		return binary.LittleEndian.Uint64(e[at:]), binary.LittleEndian.Uint64(e[at+8:]), binary.LittleEndian.Uint16(e[at+16:])
	}
	from, most, points := fee(newerFeeAt)
	if slot/epochSlots < from {
		_, olderMost, olderPoints := fee(olderFeeAt)
		most, points = max(most, olderMost), max(points, olderPoints)
	}
	return points, most, true
}

// The extensions of a mint that gives power, and of a token account that a transfer changes.
const (
	permanentDelegate = 12
	withheldFee       = 2  // what is withheld in the account
	transferHook      = 15 // whether a transfer is under way
)

// SameExtensions reports whether two states of a token account have the same extensions, but
// for what a transfer changes.
func SameExtensions(before, after []byte) bool {
	if len(before) != len(after) {
		return false
	}
	at := min(TokenAccountSize+1, len(before))
	for len(before)-at >= 4 {
		kind, length := binary.LittleEndian.Uint16(before[at:]), int(binary.LittleEndian.Uint16(before[at+2:]))
		end := at + 4 + length
		if end > len(before) || !bytes.Equal(before[at:at+4], after[at:at+4]) {
			break
		}
		if kind != withheldFee && kind != transferHook && !bytes.Equal(before[at:end], after[at:end]) {
			return false
		}
		at = end
	}
	return bytes.Equal(before[at:], after[at:])
}
