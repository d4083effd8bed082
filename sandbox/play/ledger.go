package play

// Account has all that the ledger holds under an address.
type Account struct {
	Lamports uint64
	Owner    string // the program that may change it, base58
	Data     []byte
}

// TokenAccount is a token account, decoded.
type TokenAccount struct {
	Mint           string
	Owner          string // the wallet
	Amount         uint64 // smallest units
	Delegate       string // empty if there is none
	Delegated      uint64
	CloseAuthority string // empty if there is none
	Native         bool   // wrapped SOL
	Frozen         bool
}

// TransactionStatus is the outcome of a transaction.
type TransactionStatus struct {
	Found      bool
	Commitment string // "processed", "confirmed" or "finalized"
	Slot       uint64
	Fee        uint64 // lamports
	Err        string // empty if it succeeded
}

// Token is a token of the sandbox's ledger.
type Token struct {
	Mint     string // base58
	Symbol   string
	Name     string
	Decimals uint8
	Program  string // the token program that it belongs to, base58
}
