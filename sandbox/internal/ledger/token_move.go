package ledger

// tokenTransferChecked reads the amount and the decimals, and with withFee the
// fee that the sender expects.
func (x *Invocation) tokenTransferChecked(r *reader, withFee bool) *InstructionError {
	amount, decimals := r.uint64(), r.byte()
	check := &transferCheck{decimals: decimals}
	if withFee {
		check.fee = new(r.uint64())
	}
	return x.tokenTransfer(amount, r, check)
}

// transferCheck holds the mint and the decimals of a checked transfer.
type transferCheck struct {
	decimals uint8
	fee      *uint64
}

// tokenTransfer moves an amount. Accounts: source, mint (if check is not nil),
// target, authority.
func (x *Invocation) tokenTransfer(amount uint64, r *reader, check *transferCheck) *InstructionError {
	if r.err != nil {
		return errData
	}
	to := 1
	if check != nil {
		to = 2
	}
	source, err := x.token(0)
	if err != nil {
		return err
	}
	target, err := x.token(to)
	if err != nil {
		return err
	}
	switch {
	case source.Frozen() || target.Frozen():
		return tokenFrozen
	case source.Mint() != target.Mint():
		return tokenMintMismatch
	case source.Amount() < amount:
		return tokenFunds
	}
	fee, err := x.transferFee(source, amount, check)
	if err != nil {
		return err
	}
	if err := x.spender(to+1, source, amount); err != nil {
		return err
	}
	if x.key(0) == x.key(to) {
		return nil
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
	return nil
}

// transferFee checks the mint of a checked transfer and returns what the mint
// withholds.
func (x *Invocation) transferFee(source Token, amount uint64, check *transferCheck) (uint64, *InstructionError) {
	if check == nil {
		if extension(source, extensionFeeAmount) != nil {
			return 0, tokenMintRequired
		}
		return 0, nil
	}
	m, err := x.mint(1)
	switch {
	case err != nil:
		return 0, err
	case x.key(1) != source.Mint():
		return 0, tokenMintMismatch
	case m.Decimals() != check.decimals:
		return 0, tokenDecimals
	}
	var fee uint64
	if config, ok := feeOf(m); ok {
		fee = config.fee(amount)
	}
	if check.fee != nil && *check.fee != fee {
		return 0, tokenFeeMismatch
	}
	return fee, nil
}

// tokenApprove makes a delegate. Accounts: source, mint (if checked), delegate,
// owner.
func (x *Invocation) tokenApprove(amount uint64, r *reader, checked bool) *InstructionError {
	delegate := 1
	if checked {
		delegate = 2
	}
	decimals := r.checkedDecimals(checked)
	if r.err != nil {
		return errData
	}
	t, err := x.token(0)
	if err != nil {
		return err
	}
	if t.Frozen() {
		return tokenFrozen
	}
	if err := x.checkMint(checked, t, decimals); err != nil {
		return err
	}
	if err := x.authority(delegate+1, t.Owner()); err != nil {
		return err
	}
	t.setDelegate(new(x.key(delegate)))
	t.setDelegated(amount)
	return nil
}

func tokenRevoke(x *Invocation, _ *reader) *InstructionError {
	t, err := x.token(0)
	if err != nil {
		return err
	}
	if t.Frozen() {
		return tokenFrozen
	}
	// A delegate may revoke its own approval.
	expected := t.Owner()
	if d, ok := t.Delegate(); ok && d == x.key(1) {
		expected = d
	}
	if err := x.authority(1, expected); err != nil {
		return err
	}
	t.setDelegate(nil)
	t.setDelegated(0)
	return nil
}

// tokenMintTo makes tokens. Accounts: mint, target, authority.
func (x *Invocation) tokenMintTo(amount uint64, r *reader, checked bool) *InstructionError {
	decimals := r.checkedDecimals(checked)
	if r.err != nil {
		return errData
	}
	t, err := x.token(1)
	if err != nil {
		return err
	}
	m, err := x.mint(0)
	if err != nil {
		return err
	}
	authority, ok := m.Authority()
	switch {
	case t.Frozen():
		return tokenFrozen
	case t.Native():
		return tokenNative
	case t.Mint() != x.key(0):
		return tokenMintMismatch
	case checked && m.Decimals() != decimals:
		return tokenDecimals
	case !ok:
		return tokenFixedSupply
	case m.Supply()+amount < amount:
		return tokenOverflow
	}
	if err := x.authority(2, authority); err != nil {
		return err
	}
	if _, err := x.write(0); err != nil {
		return err
	}
	m, _ = AsMint(x.account(x.key(0)))
	m.setSupply(m.Supply() + amount)
	t.setAmount(t.Amount() + amount)
	return nil
}

// tokenBurn destroys tokens. Accounts: source, mint, authority.
func (x *Invocation) tokenBurn(amount uint64, r *reader, checked bool) *InstructionError {
	decimals := r.checkedDecimals(checked)
	if r.err != nil {
		return errData
	}
	t, err := x.token(0)
	if err != nil {
		return err
	}
	if _, err := x.write(1); err != nil {
		return err
	}
	switch {
	case t.Frozen():
		return tokenFrozen
	case t.Native():
		return tokenNative
	case t.Amount() < amount:
		return tokenFunds
	}
	if err := x.checkMint(true, t, decimals); err != nil && (checked || err != tokenDecimals) {
		return err
	}
	if err := x.spender(2, t, amount); err != nil {
		return err
	}
	m, _ := AsMint(x.account(x.key(1)))
	t.setAmount(t.Amount() - amount)
	m.setSupply(m.Supply() - amount)
	return nil
}

// checkMint holds the second account against the token account's mint.
func (x *Invocation) checkMint(checked bool, t Token, decimals uint8) *InstructionError {
	if !checked {
		return nil
	}
	m, err := x.mint(1)
	switch {
	case err != nil:
		return err
	case x.key(1) != t.Mint():
		return tokenMintMismatch
	case m.Decimals() != decimals:
		return tokenDecimals
	}
	return nil
}

func (r *reader) checkedDecimals(checked bool) uint8 {
	if checked {
		return r.byte()
	}
	return 0
}
