package ledger

import (
	"encoding/binary"

	"github.com/gagliardetto/solana-go"
)

func tokenInitializeMint(x *Invocation, r *reader) {
	decimals, authority, freezer := r.byte(), solana.PublicKey(r.array32()), r.optionalKey()
	poor := x.at(0).Lamports < Rent(len(x.at(0).Data))
	if x.extended() {
		x.owned(0)
	}
	if x.Data[0] == 0 {
		x.argument(1, solana.SysVarRentPubkey)
	}
	FailIf(poor && x.extended(), tokenNotRentExempt)
	data := x.fresh(0, mintSize, 45)
	FailIf(poor, tokenNotRentExempt)
	kinds := map[uint16]bool{}
	size := mintSize
	for kind, value := range extensions(data) {
		kinds[kind] = true
		size = max(size, tokenSize+1) + 4 + len(value)
	}
	FailIf(notMultisig(size) != len(data), errAccountData)
	FailIf(kinds[extensionInterest] && kinds[extensionScaled], tokenCombination)
	state := extension(data, extensionState)
	FailIf(state != nil && state[0] == stateFrozen && freezer == nil, tokenCannotFreeze)
	if writeMint(data, decimals, &authority, freezer); freezer != nil {
		x.spend(freezerUnits)
	}
	if len(data) > tokenSize {
		data[tokenSize] = kindMint
	}
}

// optionalKey reads a key after a byte which says whether there is one.
func (r *reader) optionalKey() *solana.PublicKey {
	some := r.byte()
	FailIf(some > 1, r.short)
	if some == 0 {
		return nil
	}
	return new(solana.PublicKey(r.array32()))
}

func writeMint(data []byte, decimals uint8, authority, freezer *solana.PublicKey) {
	setOptionalKey(data, authority)
	data[44], data[45] = decimals, 1
	setOptionalKey(data[46:], freezer)
}

// NewMint describes a mint of the initial state.
type NewMint struct {
	Decimals  uint8
	Program   solana.PublicKey // zero means Token
	Authority solana.PublicKey // may mint and freeze; zero means nobody
	// FeeBasisPoints and MaxFee make a Token-2022 mint that withholds a share
	// of each transfer.
	FeeBasisPoints uint16
	MaxFee         uint64
}

// PutMint writes a mint.
func (l *Ledger) PutMint(key solana.PublicKey, n NewMint) {
	if n.Program.IsZero() {
		n.Program = solana.TokenProgramID
	}
	data := make([]byte, mintSize)
	authority := &n.Authority
	if n.Authority.IsZero() {
		authority = nil
	}
	writeMint(data, n.Decimals, authority, authority)
	if n.FeeBasisPoints > 0 {
		config := make([]byte, feeConfigSize)
		copy(config, n.Authority[:])
		copy(config[32:], n.Authority[:])
		for _, at := range []int{72, 90} {
			putUint64(config[at+8:], n.MaxFee)
			binary.LittleEndian.PutUint16(config[at+16:], n.FeeBasisPoints)
		}
		data = extend(data, 1, extensionFeeConfig, config)
	}
	l.Put(key, Account{Lamports: Rent(len(data)), Owner: n.Program, Data: data})
}

// MintTo mints tokens to a wallet's associated account and creates it if it is
// missing. Wrapped SOL comes with its lamports.
func (l *Ledger) MintTo(wallet, mint solana.PublicKey, amount uint64) (account solana.PublicKey, ok bool) {
	holder, ok := l.accounts[mint]
	m, isMint := AsMint(holder)
	if !ok || !isMint {
		return account, false
	}
	account = Associated(wallet, mint, holder.Owner)
	a, ok := l.accounts[account]
	if !ok {
		data := make([]byte, TokenSpace(holder.Owner, m))
		if len(data) > tokenSize {
			initExtension(data, extensionImmutableOwner)
		}
		a = &Account{Lamports: Rent(len(data)), Owner: holder.Owner, Data: writeToken(data, mint, wallet, m)}
		if native(mint) {
			Token(a.Data).setNative(Rent(len(data)))
		}
		l.accounts[account] = a
	}
	t := Token(a.Data)
	t.setAmount(t.Amount() + amount)
	if t.Native() {
		a.Lamports += amount
	} else {
		m.setSupply(m.Supply() + amount)
	}
	return account, true
}

// mintAuthorities are the extensions of a mint which have an authority, by the number that
// SetAuthority gives it, and where in the extension it is.
var mintAuthorities = map[byte]struct {
	kind uint16
	at   int
}{
	4: {extensionFeeConfig, 0}, 5: {extensionFeeConfig, 32}, 6: {extensionCloseMint, 0}, 7: {extensionInterest, 0},
	8: {extensionPermanent, 0}, 9: {extensionConfidential, 0}, 10: {extensionHook, 0},
	12: {extensionMetadataPointer, 0}, 13: {extensionGroupPointer, 0}, 14: {extensionMemberPointer, 0},
	15: {extensionScaled, 0}, 16: {extensionPausable, 0},
}

// tokenSetAuthority changes who may mint, freeze, own or close. Accounts:
// account or mint, present authority.
func tokenSetAuthority(x *Invocation, r *reader) {
	kind, next := r.byte(), r.optionalKey()
	FailIf(kind > 3 && (!x.extended() || kind > 17), tokenInvalid)
	size := len(x.at(0).Data)
	if x.extended() {
		x.owned(0)
	} else {
		FailIf(size != tokenSize && size != mintSize, errArgument)
	}
	var t Token
	var m Mint
	err := attempt(func() { t = x.token(0) })
	if err == nil {
		x.setTokenAuthority(t, kind, next)
		return
	}
	FailIf(!x.extended() && size == tokenSize, err)
	err = attempt(func() { m = x.mint(0) })
	FailIf(err != nil && x.extended(), errAccountData)
	FailIf(err != nil, err)
	x.setMintAuthority(m, kind, next)
}

func (x *Invocation) setMintAuthority(m Mint, kind byte, next *solana.PublicKey) {
	slot, missing := m[0:], tokenFixedSupply
	switch kind {
	case 0:
	case 1:
		slot, missing = m[46:], tokenCannotFreeze
	default:
		x.setExtensionAuthority(m, kind, next)
		return
	}
	authority, ok := optionalKey(slot)
	FailIf(!ok, missing)
	x.authority(1, authority)
	x.setKey(slot, next)
}

func (x *Invocation) setExtensionAuthority(m Mint, kind byte, next *solana.PublicKey) {
	place, ok := mintAuthorities[kind]
	FailIf(!ok, tokenAuthorityType)
	slot := needExtension(m, place.kind)[place.at : place.at+32]
	FailIf(zeroed(slot), tokenAuthorityType)
	x.authority(1, solana.PublicKey(slot))
	putKey(slot, next)
}

// putKey writes a key of which all zeros mean none.
func putKey(slot []byte, k *solana.PublicKey) {
	FailIf(k != nil && k.IsZero(), errArgument)
	clear(slot[:32])
	if k != nil {
		copy(slot, k[:])
	}
}

func (x *Invocation) setTokenAuthority(t Token, kind byte, next *solana.PublicKey) {
	FailIf(t.Frozen(), tokenFrozen)
	authority := t.Owner()
	if closer, ok := t.CloseAuthority(); ok && kind == 3 {
		authority = closer
	}
	FailIf(kind != 2 && kind != 3, tokenAuthorityType)
	x.authority(1, authority)
	if kind == 3 {
		x.guard(t, next != nil, tokenGuardAuthority)
		x.setKey(t[129:], next)
		return
	}
	if x.extended() {
		x.spend(ownerUnits)
	}
	FailIf(extension(t, extensionImmutableOwner) != nil, tokenImmutableOwner)
	x.guard(t, true, tokenGuardAuthority)
	v := extension(t, extensionGuard)
	FailIf(v != nil && v[0] != 0, tokenGuardOwner)
	FailIf(next == nil, tokenInvalid)
	t.setOwner(*next)
	x.clearKey(t[72:])
	t.setDelegated(0)
	if t.Native() {
		x.clearKey(t[129:])
	}
}

// tokenInitializeMultisig makes an account whose signers, the accounts after
// it, must sign in a certain number.
func tokenInitializeMultisig(x *Invocation, r *reader) {
	need := int(r.byte())
	x.end(r)
	signers := x.Accounts[1:]
	if x.extended() {
		x.owned(0)
	}
	if x.Data[0] == 2 { // the first form names the rent account
		x.argument(1, solana.SysVarRentPubkey)
		signers = x.Accounts[2:]
	}
	a := x.write(0)
	FailIf(len(a.Data) != multisigSize && x.extended(), errArgument)
	FailIf(len(a.Data) != multisigSize, errAccountData)
	FailIf(a.Data[2] != 0, tokenInUse)
	FailIf(a.Lamports < Rent(multisigSize), tokenNotRentExempt)
	FailIf(len(signers) < 1 || len(signers) > 11, tokenSigners)
	FailIf(need < 1 || need > 11, tokenThreshold)
	a.Data[0], a.Data[1], a.Data[2] = byte(need), byte(len(signers)), 1
	for i, s := range signers {
		copy(a.Data[3+32*i:], s.Key[:])
	}
}

// tokenCreateNative makes Token-2022's mint of wrapped SOL. Accounts: payer, mint, system program.
func tokenCreateNative(x *Invocation, _ *reader) {
	FailIf(x.key(1) != Native2022, tokenInvalidMint)
	mint := Meta{Key: Native2022, Signer: true, Writable: true}
	due := Rent(mintSize) - min(Rent(mintSize), x.at(1).Lamports)
	x.fund(0, 1, due)
	for _, in := range []Instruction{
		{solana.SystemProgramID, []Meta{mint}, systemData(8, mintSize)},
		{solana.SystemProgramID, []Meta{mint}, append(systemData(1), x.Program[:]...)},
	} {
		x.Invoke(in, Native2022)
	}
	writeMint(x.write(1).Data, 9, nil, nil)
}
