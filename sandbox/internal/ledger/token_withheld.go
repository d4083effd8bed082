package ledger

// Withheld returns the transfer fees that the account holds back until a
// harvest. An account with withheld fees cannot be closed.
func (t Token) Withheld() uint64 {
	held := extension(t, extensionFeeAmount)
	if held == nil {
		return 0
	}
	return getUint64(held)
}
