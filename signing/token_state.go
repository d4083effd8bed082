package signing

import "encoding/binary"

// tokenAccountSize is the length of a token account without extensions.
const tokenAccountSize = 165

// accountTypeToken is the byte behind it by which Token-2022 tells an account
// with extensions from a mint with extensions.
const accountTypeToken = 2

// tokenState is a token account's data.
type tokenState struct {
	mint           PublicKey
	owner          PublicKey
	amount         uint64
	delegate       PublicKey // zero where there is none
	delegated      uint64
	closeAuthority PublicKey // zero where there is none
}

// readTokenState reads an account of a token program; ok is false where it is
// none, or not initialised.
func readTokenState(a AccountState) (s tokenState, ok bool) {
	d := a.Data
	if !isTokenProgram(a.Owner) || len(d) < tokenAccountSize || d[108] == 0 {
		return s, false
	}
	if len(d) > tokenAccountSize && d[tokenAccountSize] != accountTypeToken {
		return s, false
	}
	s.mint, s.owner = PublicKey(d[0:32]), PublicKey(d[32:64])
	s.amount = binary.LittleEndian.Uint64(d[64:])
	if binary.LittleEndian.Uint32(d[72:]) != 0 {
		s.delegate = PublicKey(d[76:108])
		s.delegated = binary.LittleEndian.Uint64(d[121:])
	}
	if binary.LittleEndian.Uint32(d[129:]) != 0 {
		s.closeAuthority = PublicKey(d[133:165])
	}
	return s, true
}
