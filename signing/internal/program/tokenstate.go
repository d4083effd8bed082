package program

import "encoding/binary"

// TokenAccountSize is the length of a token account without extensions.
const TokenAccountSize = 165

// accountTypeToken is the byte after that, by which Token-2022 tells an account
// with extensions from a mint with extensions.
const accountTypeToken = 2

const stateAt = 108 // of a byte that is 0 before a token account is initialised

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
	s.Amount = binary.LittleEndian.Uint64(d[64:])
	if binary.LittleEndian.Uint32(d[72:]) != 0 {
		s.Delegate = Key(d[76:])
		s.Delegated = binary.LittleEndian.Uint64(d[121:])
	}
	if binary.LittleEndian.Uint32(d[129:]) != 0 {
		s.CloseAuthority = Key(d[133:])
	}
	return s, true
}
