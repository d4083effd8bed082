package ledger

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/gagliardetto/solana-go"
)

// tokenInitializeWithOwnerAccount is the first form, whose owner is the third
// account.
func tokenInitializeWithOwnerAccount(x *Invocation, _ *reader) {
	x.beginAccount(4)
	x.argument(3, solana.SysVarRentPubkey)
	x.tokenInitialize(x.key(2))
}

// tokenInitialize is the second and third form, whose owner is in the data.
func tokenInitialize(x *Invocation, r *reader) {
	owner := solana.PublicKey(r.array32())
	x.end(r)
	if x.Data[0] == 18 {
		x.beginAccount(2)
	} else {
		x.beginAccount(3)
		x.argument(2, solana.SysVarRentPubkey)
	}
	x.tokenInitialize(owner)
}

// beginAccount asks for n accounts. Token-2022 asks first whose the account and the mint are.
func (x *Invocation) beginAccount(n int) {
	if x.extended() {
		x.owned(0)
		x.owned(1)
	}
	x.need(n)
}

// argument refuses an instruction whose i-th account is another than the only one that can be.
func (x *Invocation) argument(i int, key solana.PublicKey) { FailIf(x.key(i) != key, errArgument) }

func (x *Invocation) tokenInitialize(owner solana.PublicKey) {
	data := x.fresh(0, tokenSize, 108)
	a, mint := x.at(0), x.key(1)
	FailIf(a.Lamports < Rent(len(data)), tokenNotRentExempt)
	var m Mint
	if mint != solana.WrappedSol || x.extended() {
		m = x.someMint(1)
	}
	FailIf(len(data) < accountSpace(m), errAccountData)
	if n := len(accountExtensions(m)); n > 0 {
		x.spend(uint64(200 + 254*n))
	}
	writeToken(data, mint, owner, m)
	if !m.permanent().IsZero() {
		x.Log("Warning: Mint has a permanent delegate, so tokens in this account may be seized at any time")
	}
	if x.native(mint) {
		t := Token(data)
		t.setNative(Rent(len(data)))
		t.setAmount(a.Lamports - Rent(len(data)))
	}
}

// writeToken writes a fresh token account into data, with the extensions that the mint's ask for.
func writeToken(data []byte, mint, owner solana.PublicKey, m Mint) []byte {
	t := Token(data)
	for _, kind := range accountExtensions(m) {
		initExtension(data, kind)
	}
	copy(t, mint[:])
	t.setOwner(owner)
	t[108] = stateReady
	if state := extension(m, extensionState); state != nil {
		t[108] = state[0]
	}
	if len(data) > tokenSize {
		data[tokenSize] = kindAccount
	}
	return data
}

// accountExtensions are those that the accounts of a mint must have.
func accountExtensions(m Mint) (kinds []uint16) {
	for kind := range extensions(m) {
		kinds = append(kinds, extensionKinds[kind].accounts...)
	}
	return kinds
}

// accountSpace is how long an account of a mint is at least.
func accountSpace(m Mint, more ...uint16) int {
	kinds := append(accountExtensions(m), more...)
	if len(kinds) == 0 {
		return tokenSize
	}
	slices.Sort(kinds)
	size := tokenSize + 1
	for _, kind := range slices.Compact(kinds) {
		size += 4 + extensionKinds[kind].length
	}
	return notMultisig(size)
}

// TokenSpace is how long a wallet's associated account of a mint is.
func TokenSpace(program solana.PublicKey, m Mint) int {
	if program == solana.TokenProgramID {
		return tokenSize
	}
	return accountSpace(m, extensionImmutableOwner)
}

// native reports whether a mint is wrapped SOL.
func native(mint solana.PublicKey) bool { return mint == solana.WrappedSol || mint == Native2022 }

// native reports whether a mint is the program's mint of wrapped SOL.
func (x *Invocation) native(mint solana.PublicKey) bool {
	return native(mint) && (mint == Native2022) == x.extended()
}

// Native2022 is Token-2022's mint of wrapped SOL.
var Native2022 = solana.MustPublicKeyFromBase58("9pan9bMn5HatX4EJdBwg9VgCa7Uz5HL8N1m5D3NdXejP")

func tokenImmutable(x *Invocation, _ *reader) {
	data := x.fresh(0, tokenSize, 108)
	if x.extended() {
		initExtension(data, extensionImmutableOwner)
	}
}

// tokenClose empties an account of its rent. Accounts: account, target,
// authority.
func tokenClose(x *Invocation, _ *reader) {
	if x.extended() {
		x.owned(0)
	}
	FailIf(x.key(0) == x.key(1), errAccountData)
	if m, ok := asMintData(x.at(0).Data); ok && x.extended() {
		x.closeMint(m)
	} else {
		x.closable()
	}
	source, target := x.write(0), x.write(1)
	target.Lamports += source.Lamports
	*source = Account{Owner: solana.SystemProgramID}
}

func (x *Invocation) closable() {
	t := x.closed()
	FailIf(!t.Native() && t.Amount() > 0, tokenNotEmpty)
	authority, ok := t.CloseAuthority()
	if !ok {
		authority = t.Owner()
	}
	if t.ownerless() {
		FailIf(x.key(1) != incinerator, errAccountData)
	} else {
		x.guard(t, x.key(1) != t.Owner(), tokenGuardClose)
		x.authority(2, authority)
	}
	FailIf(t.Withheld() > 0, tokenWithheld)
}

// closed is the account to close. Token-2022 says of whatever is none that it has no state.
func (x *Invocation) closed() (t Token) {
	err := attempt(func() { t = x.token(0) })
	FailIf(err != nil && x.extended(), errUninit)
	FailIf(err != nil, err)
	return t
}

func (x *Invocation) closeMint(m Mint) {
	x.spend(closeMintUnits)
	authority := needExtension(m, extensionCloseMint)
	FailIf(zeroed(authority), tokenAuthorityType)
	x.authority(2, solana.PublicKey(authority))
	FailIf(m.Supply() > 0, tokenHasSupply)
}

var incinerator = solana.MustPublicKeyFromBase58("1nc1nerator11111111111111111111111111111111")

// ownerless reports whether anyone may burn what is in the account.
func (t Token) ownerless() bool {
	return t.Owner() == solana.SystemProgramID || t.Owner() == incinerator
}

// tokenFreeze changes an account's state. Accounts: account, mint, authority.
func (x *Invocation) tokenFreeze(freeze bool) {
	if x.extended() {
		x.owned(0)
		x.owned(1)
	}
	t := x.token(0)
	FailIf(t.Frozen() == freeze, tokenState)
	FailIf(t.Native(), tokenNative)
	authority, ok := x.mintOf(1, t).FreezeAuthority()
	FailIf(!ok, tokenCannotFreeze)
	x.authority(2, authority)
	t[108] = stateReady
	if freeze {
		t[108] = stateFrozen
	}
}

// tokenSyncNative makes the balance of wrapped SOL what the lamports are.
func tokenSyncNative(x *Invocation, _ *reader) {
	x.owned(0)
	if len(x.Accounts) > 1 {
		x.argument(1, solana.SysVarRentPubkey)
	}
	t := x.token(0)
	FailIf(!t.Native(), tokenNotNative)
	lamports, reserve := x.at(0).Lamports, t.reserve()
	if x.extended() {
		reserve = Rent(len(t))
	}
	FailIf(lamports < reserve, tokenOverflow)
	FailIf(!x.extended() && lamports-reserve < t.Amount(), tokenState)
	t.setNative(reserve)
	t.setAmount(lamports - reserve)
}

// tokenUnwrap takes lamports out of wrapped SOL. Accounts: source, target,
// authority. Without an amount, all of it.
func tokenUnwrap(x *Invocation, r *reader) {
	var amount *uint64
	if some := r.byte(); some == 1 {
		amount = new(r.uint64())
	} else {
		FailIf(some > 1, r.short)
	}
	x.need(3)
	t := x.token(0)
	if amount == nil {
		amount = new(t.Amount())
	}
	FailIf(x.extended() && t.Amount() < *amount, tokenFunds)
	FailIf(!t.Native(), tokenNotNative)
	FailIf(t.Frozen(), tokenFrozen)
	x.spender(2, t, *amount, false, solana.PublicKey{})
	x.guard(t, true, tokenGuardTransfer)
	FailIf(t.Amount() < *amount, tokenFunds)
	if *amount == 0 {
		x.owned(0)
		return
	}
	t.setAmount(t.Amount() - *amount)
	if x.key(0) == x.key(1) && !x.extended() {
		x.owned(0)
		return
	}
	x.write(0).Lamports -= *amount
	x.write(1).Lamports += *amount
}

// tokenWithdrawExcess takes the lamports beyond the rent out of an account
// that holds no wrapped SOL. Accounts: source, target, authority.
func tokenWithdrawExcess(x *Invocation, _ *reader) {
	if x.extended() {
		x.owned(0)
	}
	a := x.write(0)
	authority := x.key(0)
	size := len(a.Data)
	t, isToken := asTokenData(a.Data)
	m, isMint := asMintData(a.Data)
	switch {
	case isToken && (x.extended() || size == tokenSize):
		FailIf(t.Native(), tokenNative)
		x.authority(2, t.Owner())
	case isMint && (x.extended() || size == mintSize):
		if k, ok := m.Authority(); ok {
			authority = k
		} else {
			FailIf(x.key(2) != authority, tokenAuthorityType)
		}
		x.authority(2, authority)
	case size == multisigSize:
		x.authority(2, authority)
	default:
		FailIf(!x.extended() && (size == tokenSize || size == mintSize), errUninit)
		panic(tokenState)
	}
	least := Rent(size)
	FailIf(a.Lamports < least, tokenNotRentExempt)
	excess := a.Lamports - least // the target may be the account itself
	a.Lamports -= excess
	x.write(1).Lamports += excess
}

// tokenReallocate makes room for more extensions in an account. Accounts: account, payer, system
// program, owner.
func tokenReallocate(x *Invocation, r *reader) {
	kinds := r.kinds()
	x.need(4)
	t := x.token(0)
	x.authority(3, t.Owner())
	for _, kind := range kinds {
		FailIf(extensionKinds[kind].account != kindAccount, tokenState)
	}
	for kind := range extensions(t) {
		kinds = append(kinds, kind)
	}
	size := accountSpace(nil, kinds...)
	a := x.write(0)
	if len(a.Data) >= size {
		return
	}
	x.spend(resizeUnits)
	x.Log(fmt.Sprintf("account needs resize, +%d bytes", size-len(a.Data)))
	a.Data = append(a.Data, make([]byte, size-len(a.Data))...)
	t = a.Data
	held := uint64(0)
	if t.Native() {
		held = t.Amount()
	}
	if have := a.Lamports - held; have < Rent(size) {
		x.fund(1, 0, Rent(size)-have)
		t = x.write(0).Data
	}
	t[tokenSize] = kindAccount
	if t.Native() {
		t.setNative(Rent(size))
	}
}

// kinds reads numbers of extensions to the end.
func (r *reader) kinds() (kinds []uint16) {
	for ; len(r.rest) > 0; r.rest = r.rest[2:] {
		FailIf(len(r.rest) < 2, errAccountData)
		kind := binary.LittleEndian.Uint16(r.rest)
		_, ok := extensionKinds[kind]
		FailIf(!ok && kind != 0, errAccountData)
		kinds = append(kinds, kind)
	}
	return kinds
}

// tokenDataSize returns how long an account with more extensions would be.
func tokenDataSize(x *Invocation, r *reader) {
	var kinds []uint16
	if x.extended() {
		kinds = r.kinds()
		for _, kind := range kinds {
			FailIf(extensionKinds[kind].account != kindAccount, tokenExtensionKind)
		}
	}
	m := x.someMint(0)
	if n := uint64(len(accountExtensions(m))); n > 0 {
		x.spend(sizedUnits + sizedEach*n)
	}
	x.returned = binary.LittleEndian.AppendUint64(nil, uint64(accountSpace(m, kinds...)))
}
