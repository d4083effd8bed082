package ledger

// Withheld is what the account keeps back of transfers that it received, until
// somebody harvests it. An account with any cannot be closed.
func (t Token) Withheld() uint64 {
	held := extension(t, extensionFeeAmount)
	if held == nil {
		return 0
	}
	return getUint64(held)
}
