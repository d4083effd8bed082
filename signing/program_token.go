package signing

// The token programs' instructions, by their u8 tag.
const (
	tokenInitializeMint     = 0
	tokenInitializeAccount  = 1
	tokenTransfer           = 3
	tokenApprove            = 4
	tokenRevoke             = 5
	tokenSetAuthority       = 6
	tokenBurn               = 8
	tokenClose              = 9
	tokenTransferChecked    = 12
	tokenApproveChecked     = 13
	tokenBurnChecked        = 15
	tokenInitializeAccount2 = 16
	tokenSyncNative         = 17
	tokenInitializeAccount3 = 18
	tokenInitializeMint2    = 20
	tokenAccountDataSize    = 21
	tokenUIToAmount         = 24
	tokenTransferFee        = 26 // Token-2022: a second tag follows
	tokenWithdrawExcess     = 38
	tokenUnwrap             = 45
	tokenBatch              = 255
)

// The second tags of the transfer fee extension.
const (
	transferFeeTransfer = 1
	transferFeeHarvest  = 4
)

func isTokenProgram(k PublicKey) bool { return k == TokenProgram || k == Token2022Program }

// token is the token programs' row.
func (c *checker) token(o *operation) *GuardError {
	if len(o.data) == 0 {
		return c.tokenDenied(o)
	}
	switch tag := o.data[0]; tag {
	case tokenTransfer, tokenTransferChecked, tokenTransferFee:
		return c.tokenTransfer(o)
	case tokenApprove, tokenApproveChecked:
		return c.tokenApprove(o)
	case tokenRevoke, tokenSyncNative:
		return nil
	case tokenSetAuthority:
		if o.simulated && !c.reachesOurs(o) {
			return nil
		}
		return o.refuse(RuleTokenAuthority, "no change of an authority", "a new authority of %s", describe(o.at(0)))
	case tokenClose, tokenWithdrawExcess, tokenUnwrap:
		return c.tokenClose(o)
	case tokenBurn, tokenBurnChecked:
		return c.tokenBurn(o)
	case tokenInitializeAccount, tokenInitializeAccount2, tokenInitializeAccount3:
		return c.tokenInitialize(o)
	case tokenInitializeMint, tokenInitializeMint2:
		return c.tokenMint(o)
	default:
		if tag >= tokenAccountDataSize && tag <= tokenUIToAmount {
			return nil
		}
	}
	return c.tokenDenied(o)
}

// tokenDenied refuses what has no rule. Inside a program's call it concerns
// us only where we sign it or it names an account of ours.
func (c *checker) tokenDenied(o *operation) *GuardError {
	if o.simulated && !c.reachesOurs(o) {
		return nil
	}
	if len(o.data) == 0 {
		return o.refuse(RuleTokenUnknown, "instructions with a rule", "an instruction without data")
	}
	return o.refuse(RuleTokenUnknown, "instructions with a rule", "instruction %d with %d bytes", o.data[0], len(o.data))
}

// reachesOurs reports whether we sign a token operation, or it is on a token
// account of ours.
func (c *checker) reachesOurs(o *operation) bool {
	if c.signedByUs(o, 0) {
		return true
	}
	ours, _ := c.tokenAccount(o, o.at(0), nil)
	return ours
}

// malformed refuses an operation that is cut short.
func (o *operation) malformed() *GuardError {
	return o.refuse(RuleTokenUnknown, "a whole instruction", "instruction %d with %d bytes and %d accounts", o.data[0], len(o.data), o.count())
}
