package ledger

import (
	"encoding/binary"

	"github.com/gagliardetto/solana-go"
)

// tokenInitializeWithOwnerAccount is the first form, whose owner is the third
// account.
func tokenInitializeWithOwnerAccount(x *Invocation, _ *reader) { x.tokenInitialize(x.key(2)) }

// tokenInitialize is the second and third form, whose owner is in the data.
func tokenInitialize(x *Invocation, r *reader) {
	owner := solana.PublicKey(r.array32())
	x.tokenInitialize(owner)
}

func (x *Invocation) tokenInitialize(owner solana.PublicKey) {
	a := x.write(0)
	FailIf(a.Owner != x.Program, errProgram)
	FailIf(len(a.Data) < tokenSize || x.Program == solana.TokenProgramID && len(a.Data) != tokenSize, errAccountData)
	FailIf(a.Data[108] != stateNone, tokenInUse)
	FailIf(a.Lamports < Rent(len(a.Data)), tokenNotRentExempt)
	mint := x.key(1)
	m := x.mint(1)
	a.own()
	a.Data = writeToken(a.Data, mint, owner, m)
	if native(mint) {
		t := Token(a.Data)
		t.setNative(Rent(len(a.Data)))
		t.setAmount(a.Lamports - Rent(len(a.Data)))
	}
}

// writeToken writes a fresh token account into data, with the room that the
// mint's extensions ask for.
func writeToken(data []byte, mint, owner solana.PublicKey, m Mint) []byte {
	t := Token(data)
	copy(t, mint[:])
	t.setOwner(owner)
	t[108] = stateReady
	if len(data) > tokenSize {
		data[tokenSize] = 2
		if _, ok := feeOf(m); ok && extension(data, extensionFeeAmount) == nil {
			at := tokenSize + 1
			if extension(data, extensionImmutableOwner) != nil {
				at += 4
			}
			if at+12 <= len(data) {
				binary.LittleEndian.PutUint16(data[at:], extensionFeeAmount)
				binary.LittleEndian.PutUint16(data[at+2:], 8)
			}
		}
	}
	return data
}

// TokenSpace is how long a wallet's associated account of a mint is.
func TokenSpace(program solana.PublicKey, m Mint) int {
	if program == solana.TokenProgramID {
		return tokenSize
	}
	space := tokenSize + 1 + 4
	if _, ok := feeOf(m); ok {
		space += 12
	}
	return space
}

// native reports whether a mint is wrapped SOL.
func native(mint solana.PublicKey) bool { return mint == solana.WrappedSol || mint == Native2022 }

// Native2022 is Token-2022's mint of wrapped SOL.
var Native2022 = solana.MustPublicKeyFromBase58("9pan9bMn5HatX4EJdBwg9VgCa7Uz5HL8N1m5D3NdXejP")

func tokenImmutable(x *Invocation, _ *reader) {
	a := x.write(0)
	FailIf(a.Owner != x.Program, errProgram)
	FailIf(len(a.Data) < tokenSize || a.Data[108] != stateNone, tokenInUse)
	if x.Program == solana.Token2022ProgramID && len(a.Data) >= tokenSize+5 {
		a.own()
		a.Data[tokenSize] = 2
		binary.LittleEndian.PutUint16(a.Data[tokenSize+1:], extensionImmutableOwner)
	}
}

// tokenClose empties an account of its rent. Accounts: account, target,
// authority.
func tokenClose(x *Invocation, _ *reader) {
	t := x.token(0)
	FailIf(x.key(0) == x.key(1), errAccountData)
	FailIf(!t.Native() && t.Amount() > 0, tokenNotEmpty)
	held := extension(t, extensionFeeAmount)
	FailIf(held != nil && getUint64(held) > 0, tokenWithheld)
	authority, ok := t.CloseAuthority()
	if !ok {
		authority = t.Owner()
	}
	x.authority(2, authority)
	target := x.write(1)
	a := x.account(x.key(0))
	target.Lamports += a.Lamports
	*a = Account{Owner: solana.SystemProgramID}
}

// tokenFreeze changes an account's state. Accounts: account, mint, authority.
func (x *Invocation) tokenFreeze(from, to byte) {
	t := x.token(0)
	m := x.mint(1)
	authority, ok := m.FreezeAuthority()
	FailIf(t[108] != from, tokenState)
	FailIf(t.Native(), tokenNative)
	FailIf(t.Mint() != x.key(1), tokenMintMismatch)
	FailIf(!ok, tokenCannotFreeze)
	x.authority(2, authority)
	t[108] = to
}

// tokenSyncNative makes the balance of wrapped SOL what the lamports are.
func tokenSyncNative(x *Invocation, _ *reader) {
	t := x.token(0)
	FailIf(!t.Native(), tokenNotNative)
	a := x.account(x.key(0))
	FailIf(a.Lamports < t.reserve()+t.Amount(), tokenState)
	t.setAmount(a.Lamports - t.reserve())
}

// tokenUnwrap takes lamports out of wrapped SOL. Accounts: source, target,
// authority. Without an amount, all of it.
func tokenUnwrap(x *Invocation, r *reader) {
	t := x.token(0)
	amount := t.Amount()
	if r.byte() == 1 {
		amount = r.uint64()
	}
	FailIf(!t.Native(), tokenNotNative)
	FailIf(t.Frozen(), tokenFrozen)
	FailIf(t.Amount() < amount, tokenFunds)
	x.spender(2, t, amount)
	target := x.write(1)
	t.setAmount(t.Amount() - amount)
	x.account(x.key(0)).Lamports -= amount
	target.Lamports += amount
}

// tokenWithdrawExcess takes the lamports beyond the rent out of an account
// that holds no wrapped SOL. Accounts: source, target, authority.
func tokenWithdrawExcess(x *Invocation, _ *reader) {
	a := x.write(0)
	FailIf(a.Owner != x.Program, errProgram)
	authority := x.key(0)
	if t, ok := AsToken(a); ok {
		FailIf(t.Native(), tokenNative)
		authority = t.Owner()
	} else if m, ok := AsMint(a); ok {
		if k, ok := m.Authority(); ok {
			authority = k
		}
	}
	x.authority(2, authority)
	target := x.write(1)
	least := Rent(len(a.Data))
	FailIf(a.Lamports < least, tokenNotRentExempt)
	excess := a.Lamports - least // the target may be the account itself
	a.Lamports -= excess
	target.Lamports += excess
}
