package ledger

import (
	"encoding/binary"

	"github.com/gagliardetto/solana-go"
)

// tokenInitializeWithOwnerAccount is the first form, whose owner is the third
// account.
func tokenInitializeWithOwnerAccount(x *Invocation, _ *reader) *InstructionError {
	return x.tokenInitialize(x.key(2))
}

// tokenInitialize is the second and third form, whose owner is in the data.
func tokenInitialize(x *Invocation, r *reader) *InstructionError {
	owner := solana.PublicKey(r.array32())
	if r.err != nil {
		return errData
	}
	return x.tokenInitialize(owner)
}

func (x *Invocation) tokenInitialize(owner solana.PublicKey) *InstructionError {
	a, err := x.write(0)
	if err != nil {
		return err
	}
	if a.Owner != x.Program {
		return errProgram
	}
	if len(a.Data) < tokenSize || x.Program == solana.TokenProgramID && len(a.Data) != tokenSize {
		return errAccountData
	}
	if a.Data[108] != stateNone {
		return tokenInUse
	}
	if a.Lamports < Rent(len(a.Data)) {
		return tokenNotRentExempt
	}
	mint := x.key(1)
	m, err := x.mint(1)
	if err != nil {
		return err
	}
	a.own()
	a.Data = writeToken(a.Data, mint, owner, m)
	if native(mint) {
		t := Token(a.Data)
		t.setNative(Rent(len(a.Data)))
		t.setAmount(a.Lamports - Rent(len(a.Data)))
	}
	return nil
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
func native(mint solana.PublicKey) bool {
	return mint == solana.WrappedSol || mint == Native2022
}

// Native2022 is Token-2022's mint of wrapped SOL.
var Native2022 = solana.MustPublicKeyFromBase58("9pan9bMn5HatX4EJdBwg9VgCa7Uz5HL8N1m5D3NdXejP")

func tokenImmutable(x *Invocation, _ *reader) *InstructionError {
	a, err := x.write(0)
	if err != nil {
		return err
	}
	if a.Owner != x.Program {
		return errProgram
	}
	if len(a.Data) < tokenSize || a.Data[108] != stateNone {
		return tokenInUse
	}
	if x.Program == solana.Token2022ProgramID && len(a.Data) >= tokenSize+5 {
		a.own()
		a.Data[tokenSize] = 2
		binary.LittleEndian.PutUint16(a.Data[tokenSize+1:], extensionImmutableOwner)
	}
	return nil
}

// tokenClose empties an account of its rent. Accounts: account, target,
// authority.
func tokenClose(x *Invocation, _ *reader) *InstructionError {
	t, err := x.token(0)
	if err != nil {
		return err
	}
	if x.key(0) == x.key(1) {
		return errAccountData
	}
	if !t.Native() && t.Amount() > 0 {
		return tokenNotEmpty
	}
	if held := extension(t, extensionFeeAmount); held != nil && getUint64(held) > 0 {
		return tokenWithheld
	}
	authority, ok := t.CloseAuthority()
	if !ok {
		authority = t.Owner()
	}
	if err := x.authority(2, authority); err != nil {
		return err
	}
	target, err := x.write(1)
	if err != nil {
		return err
	}
	a := x.account(x.key(0))
	target.Lamports += a.Lamports
	*a = Account{Owner: solana.SystemProgramID}
	return nil
}

// tokenFreeze changes an account's state. Accounts: account, mint, authority.
func (x *Invocation) tokenFreeze(from, to byte) *InstructionError {
	t, err := x.token(0)
	if err != nil {
		return err
	}
	m, err := x.mint(1)
	if err != nil {
		return err
	}
	authority, ok := m.FreezeAuthority()
	switch {
	case t[108] != from:
		return tokenState
	case t.Native():
		return tokenNative
	case t.Mint() != x.key(1):
		return tokenMintMismatch
	case !ok:
		return tokenCannotFreeze
	}
	if err := x.authority(2, authority); err != nil {
		return err
	}
	t[108] = to
	return nil
}

// tokenSyncNative makes the balance of wrapped SOL what the lamports are.
func tokenSyncNative(x *Invocation, _ *reader) *InstructionError {
	t, err := x.token(0)
	if err != nil {
		return err
	}
	if !t.Native() {
		return tokenNotNative
	}
	a := x.account(x.key(0))
	if a.Lamports < t.reserve()+t.Amount() {
		return tokenState
	}
	t.setAmount(a.Lamports - t.reserve())
	return nil
}

// tokenUnwrap takes lamports out of wrapped SOL. Accounts: source, target,
// authority. Without an amount, all of it.
func tokenUnwrap(x *Invocation, r *reader) *InstructionError {
	t, err := x.token(0)
	if err != nil {
		return err
	}
	amount := t.Amount()
	if r.byte() == 1 {
		amount = r.uint64()
	}
	switch {
	case r.err != nil:
		return errData
	case !t.Native():
		return tokenNotNative
	case t.Frozen():
		return tokenFrozen
	case t.Amount() < amount:
		return tokenFunds
	}
	if err := x.spender(2, t, amount); err != nil {
		return err
	}
	target, err := x.write(1)
	if err != nil {
		return err
	}
	t.setAmount(t.Amount() - amount)
	x.account(x.key(0)).Lamports -= amount
	target.Lamports += amount
	return nil
}

// tokenWithdrawExcess takes the lamports beyond the rent out of an account
// that holds no wrapped SOL. Accounts: source, target, authority.
func tokenWithdrawExcess(x *Invocation, _ *reader) *InstructionError {
	a, err := x.write(0)
	if err != nil {
		return err
	}
	if a.Owner != x.Program {
		return errProgram
	}
	authority := x.key(0)
	if t, ok := AsToken(a); ok {
		if t.Native() {
			return tokenNative
		}
		authority = t.Owner()
	} else if m, ok := AsMint(a); ok {
		if k, ok := m.Authority(); ok {
			authority = k
		}
	}
	if err := x.authority(2, authority); err != nil {
		return err
	}
	target, err := x.write(1)
	if err != nil {
		return err
	}
	least := Rent(len(a.Data))
	if a.Lamports < least {
		return tokenNotRentExempt
	}
	excess := a.Lamports - least // the target may be the account itself
	a.Lamports -= excess
	target.Lamports += excess
	return nil
}
