package ledger

import (
	"encoding/binary"

	"github.com/gagliardetto/solana-go"
)

func tokenInitializeMint(x *Invocation, r *reader) {
	decimals, authority := r.byte(), solana.PublicKey(r.array32())
	var freezer *solana.PublicKey
	if r.byte() == 1 {
		freezer = new(solana.PublicKey(r.array32()))
	}
	a := x.write(0)
	FailIf(a.Owner != x.Program, errProgram)
	FailIf(len(a.Data) < mintSize, errAccountData)
	FailIf(a.Data[45] != 0, tokenInUse)
	FailIf(a.Lamports < Rent(len(a.Data)), tokenNotRentExempt)
	a.own()
	writeMint(a.Data, decimals, &authority, freezer)
	if len(a.Data) > tokenSize {
		a.Data[tokenSize] = 1
	}
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
	Authority solana.PublicKey
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
	writeMint(data, n.Decimals, &n.Authority, &n.Authority)
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
			binary.LittleEndian.PutUint16(data[tokenSize+1:], extensionImmutableOwner)
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

// tokenSetAuthority changes who may mint, freeze, own or close. Accounts:
// account or mint, present authority.
func tokenSetAuthority(x *Invocation, r *reader) {
	kind := r.byte()
	var next *solana.PublicKey
	if r.byte() == 1 {
		next = new(solana.PublicKey(r.array32()))
	}
	a := x.write(0)
	FailIf(a.Owner != x.Program, errProgram)
	if t, ok := AsToken(a); ok {
		x.setTokenAuthority(t, kind, next)
		return
	}
	m, ok := AsMint(a)
	FailIf(!ok, errArgument)
	slot, authority := m[0:], solana.PublicKey{}
	switch kind {
	case 0:
		authority, ok = m.Authority()
	case 1:
		slot = m[46:]
		authority, ok = m.FreezeAuthority()
	default:
		panic(tokenAuthorityType)
	}
	FailIf(!ok, tokenFixedSupply)
	x.authority(1, authority)
	setOptionalKey(slot, next)
}

func (x *Invocation) setTokenAuthority(t Token, kind byte, next *solana.PublicKey) {
	authority := t.Owner()
	if closer, ok := t.CloseAuthority(); ok && kind == 3 {
		authority = closer
	}
	FailIf(t.Frozen(), tokenFrozen)
	FailIf(kind != 2 && kind != 3, tokenAuthorityType)
	FailIf(kind == 2 && next == nil, tokenInvalid)
	FailIf(kind == 2 && extension(t, extensionImmutableOwner) != nil, tokenImmutableOwner)
	x.authority(1, authority)
	if kind == 3 {
		t.setCloser(next)
		return
	}
	t.setOwner(*next)
	t.setDelegate(nil)
	t.setDelegated(0)
	if t.Native() {
		t.setCloser(nil)
	}
}

// tokenInitializeMultisig makes an account whose signers, the accounts after
// it, must sign in a certain number.
func tokenInitializeMultisig(x *Invocation, r *reader) {
	need := int(r.byte())
	signers := x.Accounts[1:]
	if x.Data[0] == 2 { // the first form names the rent account
		signers = x.Accounts[2:]
	}
	a := x.write(0)
	FailIf(a.Owner != x.Program, errProgram)
	FailIf(len(a.Data) != multisigSize, errAccountData)
	FailIf(a.Data[2] != 0, tokenInUse)
	FailIf(len(signers) < 1 || len(signers) > 11 || need < 1 || need > len(signers), tokenSigners)
	FailIf(a.Lamports < Rent(multisigSize), tokenNotRentExempt)
	a.Data[0], a.Data[1], a.Data[2] = byte(need), byte(len(signers)), 1
	for i, s := range signers {
		copy(a.Data[3+32*i:], s.Key[:])
	}
}

// tokenFeeExtension carries out the transfer-fee instructions that wallets
// meet: a transfer that names its fee, and the harvest of what was withheld.
func tokenFeeExtension(x *Invocation, r *reader) {
	FailIf(x.Program != solana.Token2022ProgramID, ErrData)
	switch r.byte() {
	case 1:
		x.need(4)
		x.tokenTransferChecked(r, true)
	case 4:
		x.harvest()
	default:
		panic(ErrData)
	}
}

// harvest moves what accounts withheld into their mint, so that they can be
// closed. Accounts: mint, then the token accounts. Anyone may.
func (x *Invocation) harvest() {
	x.mint(0)
	x.write(0)
	config, ok := feeOf(Mint(x.account(x.key(0)).Data))
	FailIf(!ok, errAccountData)
	for i := 1; i < len(x.Accounts); i++ {
		var t Token
		if attempt(func() { t = x.token(i) }) != nil || t.Mint() != x.key(0) {
			continue
		}
		if held := extension(t, extensionFeeAmount); held != nil {
			config.setWithheld(config.withheld() + getUint64(held))
			putUint64(held, 0)
		}
	}
}
