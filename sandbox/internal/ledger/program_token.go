package ledger

import (
	"math/bits"
	"slices"

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
	tokenThreshold      = Custom(8)
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
	tokenExtensionKind  = Custom(20)
	tokenExtensionTwice = Custom(22)
	tokenHasSupply      = Custom(28)
	tokenNoAuthority    = Custom(29)
	tokenFeeTooHigh     = Custom(30)
	tokenMintRequired   = Custom(31)
	tokenFeeMismatch    = Custom(32)
	tokenImmutableOwner = Custom(34)
	tokenWithheld       = Custom(35)
	tokenNoMemo         = Custom(36)
	tokenSoulbound      = Custom(37)
	tokenNeedsImmutable = Custom(38)
	tokenGuardSettings  = Custom(41)
	tokenGuardTransfer  = Custom(42)
	tokenGuardBurn      = Custom(43)
	tokenGuardClose     = Custom(44)
	tokenGuardApprove   = Custom(45)
	tokenGuardAuthority = Custom(46)
	tokenGuardOwner     = Custom(47)
	tokenNoExtension    = Custom(48)
	tokenCombination    = Custom(51)
	tokenScale          = Custom(66)
	tokenPaused         = Custom(67)
)

// instruction is how one of a program's is carried out.
type instruction struct {
	accounts int // at least
	data     int // bytes after the first, at least
	f        func(x *Invocation, r *reader)
}

// tokenInstructions are those that both token programs have, extensionInstructions those of
// Token-2022 alone.
var tokenInstructions, extensionInstructions map[byte]instruction

func init() {
	tokenInstructions = map[byte]instruction{
		0:   {2, 34, tokenInitializeMint},
		1:   {2, 0, tokenInitializeWithOwnerAccount},
		2:   {2, 1, tokenInitializeMultisig},
		3:   {3, 8, func(x *Invocation, r *reader) { x.tokenTransfer(r.uint64(), r, nil) }},
		4:   {3, 8, func(x *Invocation, r *reader) { x.tokenApprove(r.uint64(), r, false) }},
		5:   {1, 0, tokenRevoke},
		6:   {2, 2, tokenSetAuthority},
		7:   {3, 8, func(x *Invocation, r *reader) { x.tokenMintTo(r.uint64(), r, false) }},
		8:   {3, 8, func(x *Invocation, r *reader) { x.tokenBurn(r.uint64(), r, false) }},
		9:   {3, 0, tokenClose},
		10:  {3, 0, func(x *Invocation, _ *reader) { x.tokenFreeze(true) }},
		11:  {3, 0, func(x *Invocation, _ *reader) { x.tokenFreeze(false) }},
		12:  {4, 9, func(x *Invocation, r *reader) { x.tokenTransferChecked(r, false) }},
		13:  {4, 9, func(x *Invocation, r *reader) { x.tokenApprove(r.uint64(), r, true) }},
		14:  {3, 9, func(x *Invocation, r *reader) { x.tokenMintTo(r.uint64(), r, true) }},
		15:  {3, 9, func(x *Invocation, r *reader) { x.tokenBurn(r.uint64(), r, true) }},
		16:  {2, 32, tokenInitialize},
		17:  {1, 0, tokenSyncNative},
		18:  {2, 32, tokenInitialize},
		19:  {1, 1, tokenInitializeMultisig},
		20:  {1, 34, tokenInitializeMint},
		21:  {1, 0, tokenDataSize},
		22:  {1, 0, tokenImmutable},
		23:  {1, 8, tokenToText},
		24:  {1, 0, tokenFromText},
		38:  {3, 0, tokenWithdrawExcess},
		45:  {0, 1, tokenUnwrap},
		255: {0, 0, tokenBatch},
	}
	extensionInstructions = map[byte]instruction{
		25: {1, 1, changeInitialize},
		26: {1, 0, tokenFeeExtension},
		27: {0, 1, tokenConfidential(14)},
		28: {1, 0, changeDefaultState},
		29: {0, 0, tokenReallocate},
		30: {0, 1, func(x *Invocation, r *reader) { x.changeToggle(r, extensionMemo) }},
		31: {3, 0, tokenCreateNative},
		32: {1, 0, changeInitialize},
		33: {1, 1, changeInterest},
		34: {0, 1, func(x *Invocation, r *reader) { x.changeToggle(r, extensionGuard) }},
		35: {1, 32, changeInitialize},
		36: {1, 1, changePointer},
		37: {0, 1, tokenConfidential(5)},
		39: {1, 1, changePointer},
		40: {1, 1, changePointer},
		41: {1, 1, changePointer},
		42: {0, 1, tokenConfidential(5)},
		43: {1, 1, changeScale},
		44: {1, 1, changePause},
		46: {0, 1, tokenConfidential(3)},
	}
}

// ownedFirst are how many accounts Token-2022 looks at before it counts them.
var ownedFirst = map[byte]int{0: 1, 2: 1, 4: 1, 8: 2, 13: 1, 15: 2}

// runToken carries out an instruction of Token or Token-2022.
func runToken(x *Invocation) {
	FailIf(len(x.Data) == 0, tokenNothing)
	run, ok := tokenInstructions[x.Data[0]]
	if x.extended() {
		x.runExtended(run, ok)
		return
	}
	FailIf(!ok, tokenInvalid)
	x.carryOut(run, &reader{rest: x.Data[1:], short: tokenInvalid})
}

func (x *Invocation) carryOut(run instruction, r *reader) {
	FailIf(len(r.rest) < run.data, r.short)
	if x.batched {
		x.ownedInBatch()
	}
	x.knownTag()
	if x.extended() {
		for i := range ownedFirst[x.Data[0]] {
			x.need(ownedFirst[x.Data[0]])
			x.owned(i)
		}
	}
	x.need(run.accounts)
	if more := x.Data[0]; more != 2 && more != 19 && more != 255 {
		x.spendMore(max(run.accounts, x.usual()))
	}
	run.f(x, r)
}

// The errors of data that Token-2022 reads before it logs what the instruction is, and of no data, of which
// Token logs nothing.
var (
	tokenUnread   = Custom(12)
	tokenNoMemory = &InstructionError{Kind: "ProgramFailedToComplete", why: "SBF program panicked"}
	tokenNothing  = Custom(12)
)

// runExtended carries out an instruction of Token-2022, which both programs have if shared.
func (x *Invocation) runExtended(run instruction, shared bool) {
	if !shared {
		run, shared = extensionInstructions[x.Data[0]]
	}
	before := len(x.logs)
	err := attempt(func() {
		if !shared {
			x.runInterface()
			return
		}
		x.logToken()
		x.carryOut(run, &reader{rest: x.Data[1:], short: ErrData})
	})
	if err == tokenUnread || err == tokenNoMemory {
		x.logs = x.logs[:before]
	}
	if err == tokenNoMemory {
		x.Log("Error: memory allocation failed, out of memory")
	}
	FailIf(err != nil, err)
}

// extended reports whether the program is Token-2022. It reads data of the exact length, and
// knows extensions.
func (x *Invocation) extended() bool { return x.Program == solana.Token2022ProgramID }

// end refuses data that is longer than Token-2022's instruction.
func (x *Invocation) end(r *reader) { FailIf(x.extended() && len(r.rest) > 0, r.short) }

// batchOwned are the accounts of an instruction in a batch that must be the program's: the
// runtime looks at them at the end of the batch only.
var batchOwned = map[byte][]int{
	3: {0, 1}, 4: {0}, 5: {0}, 6: {0}, 7: {0, 1}, 8: {0, 1}, 9: {0}, 10: {0}, 11: {0}, 12: {0, 2}, 13: {0},
	14: {0, 1}, 15: {0, 1}, 22: {0}, 38: {0}, 45: {0},
}

// tokenBatch carries out several instructions, each with its count of accounts
// and its length of data before it.
func tokenBatch(x *Invocation, r *reader) {
	accounts := x.Accounts
	r.short = tokenInvalid
	for more := true; more; more = len(r.rest) > 0 {
		FailIf(len(r.rest) < 2, tokenInvalid)
		n, length := int(r.byte()), int(r.byte())
		FailIf(n > len(accounts) && x.extended(), errKeys)
		data := r.bytes(length)
		FailIf(n > len(accounts), errKeys)
		FailIf(len(data) == 0 || data[0] == 255, tokenInvalid)
		inner := *x
		inner.Instruction, inner.batched = Instruction{x.Program, accounts[:n], data}, true
		inner.spendInBatch()
		runToken(&inner)
		x.before, accounts = inner.before, accounts[n:]
	}
}

// spendInBatch leaves out what an instruction of Token-2022 alone spends on its beginning.
func (x *Invocation) spendInBatch() {
	switch units := unitsOf(x.Instruction); {
	case x.extended():
		x.spend(units * 3 / 4)
	case x.Data[0] == 3 && len(x.Accounts) == 3:
		x.spend(units + batchUnits + transferUnits)
	default:
		x.spend(units + batchUnits)
	}
}

func (x *Invocation) ownedInBatch() {
	for _, i := range batchOwned[x.Data[0]] {
		x.need(i + 1)
		x.owned(i)
	}
}

// apart stops Token-2022 where it would hold the data of one account twice.
func (x *Invocation) apart(i, other int, place string) {
	FailIf(x.extended() && x.key(i) == x.key(other),
		&InstructionError{Kind: "ProgramFailedToComplete", why: "SBF program Panicked in program/src/" + place})
}

// owned refuses an account that is not the program's.
func (x *Invocation) owned(i int) { FailIf(x.at(i).Owner != x.Program, errProgram) }

// mintOf is the i-th account, which must be the mint of a token account. Token-2022 asks first
// whether it is the program's.
func (x *Invocation) mintOf(i int, t Token) Mint {
	if x.extended() {
		x.owned(i)
	}
	FailIf(x.key(i) != t.Mint(), tokenMintMismatch)
	return x.mint(i)
}

// state returns the i-th account's data if an account of a size can be in it.
func (x *Invocation) state(i, size int) []byte {
	if x.extended() {
		x.owned(i)
	}
	data := x.write(i).Data
	long := x.extended() && len(data) > size && len(data) != multisigSize
	FailIf(len(data) != size && !long, errAccountData)
	return data
}

// kindOf refuses data with extensions that is not of a kind: a mint or an account.
func kindOf(data []byte, size int, kind byte) {
	if len(data) == size {
		return
	}
	FailIf(len(data) <= tokenSize || !zeroed(data[size:max(size, tokenSize)]) || data[tokenSize] != kind, errAccountData)
}

// token returns the i-th account as a token account. Token does not ask whose it is: the runtime
// refuses to change another program's account.
func (x *Invocation) token(i int) Token {
	data := x.state(i, tokenSize)
	FailIf(data[108] == stateNone, errUninit)
	FailIf(data[108] > stateFrozen, errAccountData)
	kindOf(data, tokenSize, kindAccount)
	for range extensions(data) {
		x.spend(accountUnits[x.Data[0]])
	}
	return data
}

// mint returns the i-th account as a mint.
func (x *Invocation) mint(i int) Mint {
	data := x.state(i, mintSize)
	FailIf(data[45] == 0, errUninit)
	FailIf(data[45] > 1 && !x.extended(), errAccountData)
	kindOf(data, mintSize, kindMint)
	if len(data) > mintSize {
		x.spend(mintUnits[x.Data[0]])
	}
	return data
}

// fresh returns the i-th account, in which there is no state at the place of its flag.
func (x *Invocation) fresh(i, size, flag int) []byte {
	data := x.state(i, size)
	FailIf(data[flag] != 0, tokenInUse)
	kindOf(data, size, kindNone)
	return data
}

// someMint returns the i-th account as a mint of this program.
func (x *Invocation) someMint(i int) (m Mint) {
	x.owned(i)
	FailIf(attempt(func() { m = x.mint(i) }) != nil, tokenInvalidMint)
	return m
}

// authority refuses an instruction whose i-th account is not the expected
// authority, or has not signed. The signers of a multisig come after it.
func (x *Invocation) authority(i int, expected solana.PublicKey) {
	x.authorityOf(i, expected, x.Accounts[i+1:])
}

func (x *Invocation) authorityOf(i int, expected solana.PublicKey, signers []Meta) {
	FailIf(x.key(i) != expected, tokenOwnerMismatch)
	a := x.at(i)
	if !tokenProgram(a.Owner) || len(a.Data) != multisigSize { // both take each other's
		FailIf(!x.Accounts[i].Signer, ErrSigner)
		return
	}
	FailIf(a.Data[2] == 0, errUninit)
	x.spendOnSigners(len(signers))
	multisig(a.Data).check(signers)
}

// spender checks the authority that moves an amount out of an account: the
// mint's permanent delegate, a delegate within the delegated amount, or the owner.
func (x *Invocation) spender(i int, t Token, amount uint64, keep bool, permanent solana.PublicKey) {
	if x.key(i) == permanent && !permanent.IsZero() {
		x.authority(i, permanent)
		return
	}
	delegate, ok := t.Delegate()
	if !ok || delegate != x.key(i) {
		x.authority(i, t.Owner())
		return
	}
	x.authority(i, delegate)
	if !x.extended() {
		x.spend(delegateUnits)
	}
	FailIf(t.DelegatedAmount() < amount, tokenFunds)
	if keep {
		return
	}
	t.setDelegated(t.DelegatedAmount() - amount)
	if t.DelegatedAmount() == 0 {
		x.clearKey(t[72:])
	}
}

// clearKey removes an optional key. Token leaves its bytes, Token-2022 does not.
func (x *Invocation) clearKey(slot []byte) {
	clear(slot[:4])
	if x.extended() {
		clear(slot[:36])
	}
}

func (x *Invocation) setKey(slot []byte, k *solana.PublicKey) {
	if k == nil {
		x.clearKey(slot)
		return
	}
	setOptionalKey(slot, k)
}

// afterMemo refuses a transfer that no memo comes right before.
func (x *Invocation) afterMemo() {
	var program solana.PublicKey
	if x.depth == 1 && x.index > 0 {
		program = x.keys[x.tx.Instructions[x.index-1].Program]
	}
	for at := len(x.inner) - 2; at >= 0 && x.depth > 1 && x.inner[at].Depth >= x.depth; at-- {
		if x.inner[at].Depth == x.depth {
			program = x.keys[x.inner[at].Program]
			break
		}
	}
	FailIf(!slices.Contains(memoPrograms[:], program), tokenNoMemo)
}

// mulDivUp is a*b/c, rounded up, without overflow on the way.
func mulDivUp(a, b, c uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	lo, carry := bits.Add64(lo, c-1, 0)
	quotient, _ := bits.Div64(hi+carry, lo, c)
	return quotient
}
