package signing

// tokenMove is a transfer or an approval.
type tokenMove struct {
	source, mint, to *PublicKey // mint is nil where the instruction names none
	authorities      int        // index of the first
	amount           uint64
	fee              uint64 // withheld from amount on its way
}

// readTokenTransfer reads the three kinds of transfer.
func readTokenTransfer(o *operation) (m tokenMove, ok bool) {
	switch o.data[0] {
	case tokenTransfer:
		m.amount, ok = o.u64(1)
		m.source, m.to, m.authorities = o.at(0), o.at(1), 2
		return m, ok && o.count() >= 3
	case tokenTransferChecked:
		m.amount, ok = o.u64(1)
		ok = ok && len(o.data) >= 10
	case tokenTransferFee:
		m.amount, _ = o.u64(2)
		m.fee, ok = o.u64(11)
	}
	m.source, m.mint, m.to, m.authorities = o.at(0), o.at(1), o.at(2), 3
	return m, ok && o.count() >= 4
}

func (c *checker) tokenTransfer(o *operation) *GuardError {
	if o.data[0] == tokenTransferFee && (o.program != Token2022Program || len(o.data) < 2 || o.data[1] != transferFeeTransfer) {
		if o.program == Token2022Program && len(o.data) >= 2 && o.data[1] == transferFeeHarvest {
			return nil
		}
		return c.tokenDenied(o)
	}
	m, ok := readTokenTransfer(o)
	if !ok {
		return o.malformed()
	}
	ours, mint, err := c.source(o, m, RuleTokenTransfer)
	if !ours || err != nil || mint == nil {
		return err
	}
	if keeps, of := c.tokenAccount(o, m.to, mint); keeps && (of == nil || *of == *mint) {
		c.report.stays(o.site(), *mint, m.amount, m.to)
		// What stays ours loses the fee that is withheld.
		c.spend(o.site(), outgoing{rule: RuleTokenTransfer, mint: *mint, amount: m.fee, may: asSpend | asFee, to: mint})
		return nil
	}
	if o.simulated && !c.signedByUs(o, m.authorities) {
		m.amount -= c.taken(m.source, m.amount)
	}
	c.draw(m.source, *mint, m.amount)
	c.spend(o.site(), outgoing{rule: RuleTokenTransfer, mint: *mint, amount: m.amount, may: asSpend | asFee, to: m.to})
	return nil
}

// source says whether a transfer or an approval is ours, and of which mint. An
// instruction that names no mint, or one behind a table, is only let pass from
// an account whose mint is known. A nil mint without an error is a rule that
// is switched off.
func (c *checker) source(o *operation, m tokenMove, rule Rule) (ours bool, mint *PublicKey, err *GuardError) {
	signed := c.signedByUs(o, m.authorities)
	if signed && m.mint != nil {
		return true, m.mint, nil
	}
	account, mint := c.tokenAccount(o, m.source, m.mint)
	if !signed && !account {
		return false, nil, nil
	}
	if m.mint != nil {
		return true, m.mint, nil
	}
	if !account || mint == nil {
		return true, nil, o.refuse(rule, "a source whose mint is known: an associated account of a mint that the intent names, one made in this transaction, or one that the caller listed",
			"a source %s of an unknown mint", describe(m.source))
	}
	return true, mint, nil
}
