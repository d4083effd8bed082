package ledger

import (
	"math/bits"

	"github.com/gagliardetto/solana-go"
)

// The token programs' own errors.
var (
	tokenNotRentExempt  = Custom(0)
	tokenFunds          = Custom(1)
	tokenInvalidMint    = Custom(2)
	tokenMintMismatch   = Custom(3)
	tokenOwnerMismatch  = Custom(4)
	tokenFixedSupply    = Custom(5)
	tokenInUse          = Custom(6)
	tokenSigners        = Custom(7)
	tokenNative         = Custom(10)
	tokenNotEmpty       = Custom(11)
	tokenInvalid        = Custom(12)
	tokenState          = Custom(13)
	tokenOverflow       = Custom(14)
	tokenAuthorityType  = Custom(15)
	tokenCannotFreeze   = Custom(16)
	tokenFrozen         = Custom(17)
	tokenDecimals       = Custom(18)
	tokenNotNative      = Custom(19)
	tokenFeeMismatch    = Custom(32)
	tokenMintRequired   = Custom(31)
	tokenImmutableOwner = Custom(34)
	tokenWithheld       = Custom(35)
)

// instruction is how one of a program's is carried out.
type instruction struct {
	accounts int // at least
	f        func(x *Invocation, r *reader)
}

// tokenInstructions are those that both token programs have.
var tokenInstructions map[byte]instruction

func init() {
	tokenInstructions = map[byte]instruction{
		0:   {1, tokenInitializeMint},
		1:   {3, tokenInitializeWithOwnerAccount},
		2:   {2, tokenInitializeMultisig},
		3:   {3, func(x *Invocation, r *reader) { x.tokenTransfer(r.uint64(), r, nil) }},
		4:   {3, func(x *Invocation, r *reader) { x.tokenApprove(r.uint64(), r, false) }},
		5:   {2, tokenRevoke},
		6:   {2, tokenSetAuthority},
		7:   {3, func(x *Invocation, r *reader) { x.tokenMintTo(r.uint64(), r, false) }},
		8:   {3, func(x *Invocation, r *reader) { x.tokenBurn(r.uint64(), r, false) }},
		9:   {3, tokenClose},
		10:  {3, func(x *Invocation, _ *reader) { x.tokenFreeze(stateReady, stateFrozen) }},
		11:  {3, func(x *Invocation, _ *reader) { x.tokenFreeze(stateFrozen, stateReady) }},
		12:  {4, func(x *Invocation, r *reader) { x.tokenTransferChecked(r, false) }},
		13:  {4, func(x *Invocation, r *reader) { x.tokenApprove(r.uint64(), r, true) }},
		14:  {3, func(x *Invocation, r *reader) { x.tokenMintTo(r.uint64(), r, true) }},
		15:  {3, func(x *Invocation, r *reader) { x.tokenBurn(r.uint64(), r, true) }},
		16:  {2, tokenInitialize},
		17:  {1, tokenSyncNative},
		18:  {2, tokenInitialize},
		19:  {2, tokenInitializeMultisig},
		20:  {1, tokenInitializeMint},
		21:  {1, tokenNeedsMint},
		22:  {1, tokenImmutable},
		23:  {1, tokenNeedsMint},
		24:  {1, tokenNeedsMint},
		26:  {1, tokenFeeExtension},
		38:  {3, tokenWithdrawExcess},
		45:  {3, tokenUnwrap},
		255: {0, tokenBatch},
	}
}

// runToken carries out an instruction of Token or Token-2022.
func runToken(x *Invocation) {
	FailIf(len(x.Data) == 0, ErrData)
	run, ok := tokenInstructions[x.Data[0]]
	FailIf(!ok, ErrData)
	x.need(run.accounts)
	run.f(x, &reader{rest: x.Data[1:], inProgram: true})
}

// tokenBatch carries out several instructions, each with its count of accounts
// and its length of data before it.
func tokenBatch(x *Invocation, r *reader) {
	FailIf(x.Program != solana.TokenProgramID, ErrData)
	accounts := x.Accounts
	for len(r.rest) > 0 {
		n, data := int(r.byte()), r.bytes(int(r.byte()))
		FailIf(len(data) == 0 || data[0] == 255, ErrData)
		FailIf(n > len(accounts), errKeys)
		inner := &Invocation{x.execution, Instruction{x.Program, accounts[:n], data}, x.depth}
		runToken(inner)
		accounts = accounts[n:]
	}
}

// token returns the i-th account, for writing, as a token account of this
// program.
func (x *Invocation) token(i int) Token {
	a := x.write(i)
	FailIf(a.Owner != x.Program, errProgram)
	t, ok := AsToken(a)
	FailIf(!ok, errUninit)
	return t
}

// mint returns the i-th account as a mint of this program.
func (x *Invocation) mint(i int) Mint {
	a := x.at(i)
	FailIf(a.Owner != x.Program, errProgram)
	m, ok := AsMint(a)
	FailIf(!ok, tokenInvalidMint)
	return m
}

// authority refuses an instruction whose i-th account is not the expected
// authority, or has not signed. The signers of a multisig come after it.
func (x *Invocation) authority(i int, expected solana.PublicKey) {
	FailIf(x.key(i) != expected, tokenOwnerMismatch)
	if m, ok := asMultisig(x.at(i)); ok {
		FailIf(!m.satisfied(x.Accounts[i+1:]), ErrSigner)
		return
	}
	FailIf(!x.Accounts[i].Signer, ErrSigner)
}

// spender checks the authority that moves an amount out of an account: the
// owner, or a delegate within the delegated amount.
func (x *Invocation) spender(i int, t Token, amount uint64) {
	delegate, ok := t.Delegate()
	if !ok || delegate != x.key(i) || delegate == t.Owner() {
		x.authority(i, t.Owner())
		return
	}
	x.authority(i, delegate)
	FailIf(t.DelegatedAmount() < amount, tokenFunds)
	t.setDelegated(t.DelegatedAmount() - amount)
	if t.DelegatedAmount() == 0 {
		t.setDelegate(nil)
	}
}

// tokenNeedsMint is for instructions that only return data.
func tokenNeedsMint(x *Invocation, _ *reader) { x.mint(0) }

// mulDivUp is a*b/c, rounded up, without overflow on the way.
func mulDivUp(a, b, c uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	lo, carry := bits.Add64(lo, c-1, 0)
	quotient, _ := bits.Div64(hi+carry, lo, c)
	return quotient
}
