package ledger

import "github.com/gagliardetto/solana-go"

// tokenTransferChecked reads the amount and the decimals, and with withFee the
// fee that the sender expects.
func (x *Invocation) tokenTransferChecked(r *reader, withFee bool) {
	amount, decimals := r.uint64(), r.byte()
	check := &transferCheck{decimals: decimals}
	if withFee {
		check.fee = new(r.uint64())
	}
	x.tokenTransfer(amount, r, check)
}

// transferCheck holds the mint and the decimals of a checked transfer.
type transferCheck struct {
	decimals uint8
	fee      *uint64
}

// tokenTransfer moves an amount. Accounts: source, mint (if check is not nil),
// target, authority. Token looks at the target first, Token-2022 last.
func (x *Invocation) tokenTransfer(amount uint64, r *reader, check *transferCheck) {
	x.end(r)
	to := 1
	if check != nil {
		to = 2
	}
	if x.extended() {
		x.owned(0)
		x.owned(to)
	}
	source, self := x.token(0), x.key(0) == x.key(to)
	if x.extended() && !self {
		x.spend(targetUnits)
	}
	target := source
	if !x.extended() && !self {
		target = x.token(to)
	}
	FailIf(source.Frozen() || target.Frozen(), tokenFrozen)
	FailIf(source.Amount() < amount, tokenFunds)
	FailIf(extension(source, extensionSoulboundAccount) != nil, tokenSoulbound)
	FailIf(source.Mint() != target.Mint(), tokenMintMismatch)
	fee, permanent := x.transferTerms(source, amount, check)
	x.guard(source, source.Owner() == x.key(to+1), tokenGuardTransfer)
	x.spender(to+1, source, amount, self, permanent)
	x.ownedIdle(0, to, self || amount == 0, idleUnits(self, to+2 == len(x.Accounts)))
	if self {
		x.wantMemo(source)
		return
	}
	if x.extended() {
		target = x.token(to)
		FailIf(target.Frozen(), tokenFrozen)
		FailIf(source.Mint() != target.Mint(), tokenMintMismatch)
		x.wantMemo(target)
	}
	if amount == 0 {
		return
	}
	source.setAmount(source.Amount() - amount)
	target.setAmount(target.Amount() + amount - fee)
	if fee > 0 {
		held := extension(target, extensionFeeAmount)
		FailIf(held == nil, tokenState)
		putUint64(held, getUint64(held)+fee)
	}
	if source.Native() {
		x.write(0).Lamports -= amount
		x.write(to).Lamports += amount
	}
}

// ownedIdle refuses accounts that are not the program's. Token leaves that to the runtime where it changes them.
func (x *Invocation) ownedIdle(i, other int, idle bool, units uint64) {
	if idle && !x.extended() {
		x.spend(units)
	}
	if idle || x.extended() {
		x.owned(i)
		x.owned(other)
	}
}

// transferTerms checks the mint of a checked transfer and returns what the mint
// withholds, and who may move what is anyone's.
func (x *Invocation) transferTerms(source Token, amount uint64, check *transferCheck) (uint64, solana.PublicKey) {
	if check == nil {
		for _, kind := range []uint16{extensionHookAccount, extensionFeeAmount, extensionPausableAccount} {
			FailIf(extension(source, kind) != nil, tokenMintRequired)
		}
		return 0, solana.PublicKey{}
	}
	m := x.checkMint(source, true, check.decimals)
	fee := uint64(0)
	if config, ok := feeOf(m); ok {
		fee = config.feeAt(x.epoch(), amount)
		x.spendFee(amount, check.fee != nil)
	}
	m.refusePaused()
	if check.fee != nil && *check.fee != fee {
		x.Log("Calculated fee {calculated_fee}, received {fee}")
		panic(tokenFeeMismatch)
	}
	hook := extension(m, extensionHook)
	FailIf(hook != nil && !zeroed(hook[32:]), errUnsupported) // hooks are not modelled
	return fee, m.permanent()
}

func (x *Invocation) wantMemo(t Token) {
	if v := extension(t, extensionMemo); v != nil && v[0] != 0 {
		x.afterMemo()
		x.spend(afterMemoUnits)
	}
}

// guard refuses what an account's guard keeps from programs that call this one.
func (x *Invocation) guard(t Token, does bool, err *InstructionError) {
	v := extension(t, extensionGuard)
	FailIf(does && x.depth > 1 && v != nil && v[0] != 0, err)
}

// tokenApprove makes a delegate. Accounts: source, mint (if checked), delegate,
// owner.
func (x *Invocation) tokenApprove(amount uint64, r *reader, checked bool) {
	delegate := 1
	if checked {
		delegate = 2
	}
	decimals := r.checkedDecimals(checked)
	x.end(r)
	t := x.token(0)
	FailIf(t.Frozen(), tokenFrozen)
	if checked {
		x.checkMint(t, checked, decimals)
	}
	x.authority(delegate+1, t.Owner())
	x.guard(t, true, tokenGuardApprove)
	t.setDelegate(new(x.key(delegate)))
	t.setDelegated(amount)
}

func tokenRevoke(x *Invocation, _ *reader) {
	if x.extended() {
		x.need(2)
	}
	t := x.token(0)
	x.need(2)
	FailIf(t.Frozen(), tokenFrozen)
	// A delegate of Token-2022 may revoke its own approval.
	expected := t.Owner()
	if d, ok := t.Delegate(); ok && d == x.key(1) && x.extended() {
		expected = d
	}
	x.authority(1, expected)
	x.clearKey(t[72:])
	t.setDelegated(0)
}

// tokenMintTo makes tokens. Accounts: mint, target, authority.
func (x *Invocation) tokenMintTo(amount uint64, r *reader, checked bool) {
	decimals := r.checkedDecimals(checked)
	x.end(r)
	t := x.token(1)
	FailIf(t.Frozen(), tokenFrozen)
	FailIf(t.Native(), tokenNative)
	m := x.mintOf(0, t)
	bound := extension(t, extensionImmutableOwner) != nil && extension(t, extensionSoulboundAccount) != nil
	if extension(m, extensionSoulbound) != nil {
		FailIf(!bound, tokenNeedsImmutable)
		x.spend(boundUnits)
	}
	m.refusePaused()
	FailIf(checked && m.Decimals() != decimals, tokenDecimals)
	authority, ok := m.Authority()
	FailIf(!ok, tokenFixedSupply)
	x.authority(2, authority)
	x.ownedIdle(0, 1, amount == 0, idleUnits(false, false))
	FailIf(m.Supply()+amount < amount || t.Amount()+amount < amount, tokenOverflow)
	m.setSupply(m.Supply() + amount)
	t.setAmount(t.Amount() + amount)
}

// tokenBurn destroys tokens. Accounts: source, mint, authority.
func (x *Invocation) tokenBurn(amount uint64, r *reader, checked bool) {
	decimals := r.checkedDecimals(checked)
	x.end(r)
	if !x.extended() {
		x.token(0) // Token asks before the mint whether it is one
	}
	m := x.mint(1)
	x.apart(0, 1, "processor.rs at 1180:64")
	t := x.token(0)
	FailIf(t.Frozen(), tokenFrozen)
	FailIf(t.Native(), tokenNative)
	FailIf(t.Amount() < amount, tokenFunds)
	FailIf(x.key(1) != t.Mint(), tokenMintMismatch)
	FailIf(checked && m.Decimals() != decimals, tokenDecimals)
	m.refusePaused()
	x.guard(t, t.Owner() == x.key(2), tokenGuardBurn)
	if !t.ownerless() {
		x.spender(2, t, amount, false, m.permanent())
	}
	x.ownedIdle(0, 1, amount == 0, idleUnits(false, false))
	t.setAmount(t.Amount() - amount)
	m.setSupply(m.Supply() - amount)
}

// checkMint holds the second account, and with checked its decimals, against the
// token account's mint.
func (x *Invocation) checkMint(t Token, checked bool, decimals uint8) Mint {
	m := x.mintOf(1, t)
	FailIf(checked && m.Decimals() != decimals, tokenDecimals)
	return m
}

func (r *reader) checkedDecimals(checked bool) uint8 {
	if checked {
		return r.byte()
	}
	return 0
}
