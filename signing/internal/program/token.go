package program

// The token programs' instructions, by their u8 tag.
const (
	TokenInitializeMint     = 0
	TokenInitializeAccount  = 1
	TokenTransfer           = 3
	TokenApprove            = 4
	TokenRevoke             = 5
	TokenSetAuthority       = 6
	TokenBurn               = 8
	TokenClose              = 9
	TokenTransferChecked    = 12
	TokenApproveChecked     = 13
	TokenBurnChecked        = 15
	TokenInitializeAccount2 = 16
	TokenSyncNative         = 17
	TokenInitializeAccount3 = 18
	TokenInitializeMint2    = 20
	TokenAccountDataSize    = 21
	TokenUIToAmount         = 24
	TokenTransferFee        = 26 // Token-2022: a second tag follows
	TokenWithdrawExcess     = 38
	TokenUnwrap             = 45
	TokenBatch              = 255
)

// The second tags of the transfer fee extension.
const (
	TransferFeeTransfer = 1
	TransferFeeHarvest  = 4
)

// TokenMove is a transfer or an approval of tokens.
type TokenMove struct {
	Source, Mint, To *Key // Mint is nil if the instruction names none
	Authorities      int  // index of the first
	Amount           uint64
	Fee              uint64 // withheld from Amount on its way
}

// ReadTokenTransfer reads the three kinds of transfer.
func (c *Call) ReadTokenTransfer() (m TokenMove, ok bool) {
	switch c.Data[0] {
	case TokenTransfer:
		m.Amount, ok = c.U64(1)
		m.Source, m.To, m.Authorities = c.At(0), c.At(1), 2
		return m, ok && c.Count() >= 3
	case TokenTransferChecked:
		m.Amount, ok = c.U64(1)
		ok = ok && len(c.Data) >= 10
	case TokenTransferFee:
		m.Amount, _ = c.U64(2)
		m.Fee, ok = c.U64(11)
	}
	m.Source, m.Mint, m.To, m.Authorities = c.At(0), c.At(1), c.At(2), 3
	return m, ok && c.Count() >= 4
}

// MayHook reports whether the call is a transfer with which Token-2022 may call
// the mint's transfer hook: any program, with the accounts after the authority.
func (c *Call) MayHook() bool {
	if c.Program != Token2022 || len(c.Data) == 0 {
		return false
	}
	switch c.Data[0] {
	case TokenTransfer:
		return c.Count() > 3
	case TokenTransferChecked:
		return c.Count() > 4
	case TokenTransferFee:
		return len(c.Data) > 1 && c.Data[1] == TransferFeeTransfer && c.Count() > 4
	}
	return false
}

// ReadTokenApproval reads the two kinds of approval; To is the delegate.
func (c *Call) ReadTokenApproval() (m TokenMove, ok bool) {
	m.Amount, ok = c.U64(1)
	if c.Data[0] == TokenApprove {
		m.Source, m.To, m.Authorities = c.At(0), c.At(1), 2
		return m, ok && c.Count() >= 3
	}
	m.Source, m.Mint, m.To, m.Authorities = c.At(0), c.At(1), c.At(2), 3
	return m, ok && len(c.Data) >= 10 && c.Count() >= 4
}

// ReadInitialOwner reads the owner that an InitializeAccount sets.
func (c *Call) ReadInitialOwner() (owner Key, ok bool) {
	if c.Data[0] != TokenInitializeAccount {
		owner, ok = c.KeyAt(1)
		return owner, ok && c.Count() >= 2
	}
	if k := c.At(2); k != nil {
		return *k, true
	}
	return Key{}, false
}
