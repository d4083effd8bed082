package ledger

// TransferFee is the part that a mint withholds of a transfer of an amount, in smallest
// units: 0 if it withholds nothing.
func TransferFee(m Mint, amount uint64) uint64 {
	config, ok := feeOf(m)
	if !ok {
		return 0
	}
	return config.fee(amount)
}
