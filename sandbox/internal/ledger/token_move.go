package ledger

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
// target, authority.
func (x *Invocation) tokenTransfer(amount uint64, r *reader, check *transferCheck) {
	to := 1
	if check != nil {
		to = 2
	}
	source := x.token(0)
	target := x.token(to)
	FailIf(source.Frozen() || target.Frozen(), tokenFrozen)
	FailIf(source.Mint() != target.Mint(), tokenMintMismatch)
	FailIf(source.Amount() < amount, tokenFunds)
	fee := x.transferFee(source, amount, check)
	x.spender(to+1, source, amount)
	if x.key(0) == x.key(to) {
		return
	}
	source.setAmount(source.Amount() - amount)
	target.setAmount(target.Amount() + amount - fee)
	if fee > 0 {
		held := extension(target, extensionFeeAmount)
		putUint64(held, getUint64(held)+fee)
	}
	if source.Native() {
		x.account(x.key(0)).Lamports -= amount
		x.account(x.key(to)).Lamports += amount
	}
}

// transferFee checks the mint of a checked transfer and returns what the mint
// withholds.
func (x *Invocation) transferFee(source Token, amount uint64, check *transferCheck) uint64 {
	if check == nil {
		FailIf(extension(source, extensionFeeAmount) != nil, tokenMintRequired)
		return 0
	}
	fee := TransferFee(x.checkMint(source, true, check.decimals), amount)
	FailIf(check.fee != nil && *check.fee != fee, tokenFeeMismatch)
	return fee
}

// tokenApprove makes a delegate. Accounts: source, mint (if checked), delegate,
// owner.
func (x *Invocation) tokenApprove(amount uint64, r *reader, checked bool) {
	delegate := 1
	if checked {
		delegate = 2
	}
	decimals := r.checkedDecimals(checked)
	t := x.token(0)
	FailIf(t.Frozen(), tokenFrozen)
	if checked {
		x.checkMint(t, checked, decimals)
	}
	x.authority(delegate+1, t.Owner())
	t.setDelegate(new(x.key(delegate)))
	t.setDelegated(amount)
}

func tokenRevoke(x *Invocation, _ *reader) {
	t := x.token(0)
	FailIf(t.Frozen(), tokenFrozen)
	// A delegate may revoke its own approval.
	expected := t.Owner()
	if d, ok := t.Delegate(); ok && d == x.key(1) {
		expected = d
	}
	x.authority(1, expected)
	t.setDelegate(nil)
	t.setDelegated(0)
}

// tokenMintTo makes tokens. Accounts: mint, target, authority.
func (x *Invocation) tokenMintTo(amount uint64, r *reader, checked bool) {
	decimals := r.checkedDecimals(checked)
	t := x.token(1)
	m := x.mint(0)
	authority, ok := m.Authority()
	FailIf(t.Frozen(), tokenFrozen)
	FailIf(t.Native(), tokenNative)
	FailIf(t.Mint() != x.key(0), tokenMintMismatch)
	FailIf(checked && m.Decimals() != decimals, tokenDecimals)
	FailIf(!ok, tokenFixedSupply)
	FailIf(m.Supply()+amount < amount, tokenOverflow)
	x.authority(2, authority)
	x.write(0)
	m, _ = AsMint(x.account(x.key(0)))
	m.setSupply(m.Supply() + amount)
	t.setAmount(t.Amount() + amount)
}

// tokenBurn destroys tokens. Accounts: source, mint, authority.
func (x *Invocation) tokenBurn(amount uint64, r *reader, checked bool) {
	decimals := r.checkedDecimals(checked)
	t := x.token(0)
	x.write(1)
	FailIf(t.Frozen(), tokenFrozen)
	FailIf(t.Native(), tokenNative)
	FailIf(t.Amount() < amount, tokenFunds)
	x.checkMint(t, checked, decimals)
	x.spender(2, t, amount)
	m, _ := AsMint(x.account(x.key(1)))
	t.setAmount(t.Amount() - amount)
	m.setSupply(m.Supply() - amount)
}

// checkMint holds the second account, and with checked its decimals, against the
// token account's mint.
func (x *Invocation) checkMint(t Token, checked bool, decimals uint8) Mint {
	m := x.mint(1)
	FailIf(x.key(1) != t.Mint(), tokenMintMismatch)
	FailIf(checked && m.Decimals() != decimals, tokenDecimals)
	return m
}

func (r *reader) checkedDecimals(checked bool) uint8 {
	if checked {
		return r.byte()
	}
	return 0
}
