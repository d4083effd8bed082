package judge

import (
	"github.com/walletfi/walletfi-go/signing/internal/program"
	"github.com/walletfi/walletfi-go/signing/internal/rule"
)

// token is the token programs' row.
func (c *checker) token(o *operation) *rule.Refusal {
	if len(o.Data) == 0 {
		return c.tokenDenied(o)
	}
	switch tag := o.Data[0]; tag {
	case program.TokenTransfer, program.TokenTransferChecked, program.TokenTransferFee:
		return c.tokenTransfer(o)
	case program.TokenApprove, program.TokenApproveChecked:
		return c.tokenApprove(o)
	case program.TokenRevoke:
		if c.reachesOurs(o) {
			c.note(o, NoteRevoke, o.At(0), nil, "")
		}
		return nil
	case program.TokenSyncNative:
		return nil
	case program.TokenSetAuthority:
		if o.simulated && !c.reachesOurs(o) {
			return nil
		}
		return c.tokenAuthority(o)
	case program.TokenClose, program.TokenWithdrawExcess, program.TokenUnwrap:
		return c.tokenClose(o)
	case program.TokenBurn, program.TokenBurnChecked:
		return c.tokenBurn(o)
	case program.TokenInitializeAccount, program.TokenInitializeAccount2, program.TokenInitializeAccount3:
		return c.tokenInitialize(o)
	case program.TokenInitializeMint, program.TokenInitializeMint2:
		return c.tokenMint(o)
	default:
		if tag >= program.TokenAccountDataSize && tag <= program.TokenUIToAmount {
			return nil
		}
	}
	return c.tokenDenied(o)
}

// tokenDenied refuses what has no rule. Inside a program's call it concerns
// us only if we sign it or it names an account of ours.
func (c *checker) tokenDenied(o *operation) *rule.Refusal {
	if o.simulated && !c.reachesOurs(o) {
		return nil
	}
	if len(o.Data) == 0 {
		return o.refuse(rule.TokenUnknown, "instructions with a rule", "an instruction without data")
	}
	return o.refuse(rule.TokenUnknown, "instructions with a rule", "instruction %d with %d bytes", o.Data[0], len(o.Data))
}

// tokenAuthority refuses a change of who controls an account or a mint, and says who would.
func (c *checker) tokenAuthority(o *operation) *rule.Refusal {
	const ofOwner, toClose, head = 2, 3, 3 // the kinds for accounts, and the bytes before the new key
	what, account, to := "an authority over", describe(o.At(0)), "no key"
	if len(o.Data) >= 2 && (o.Data[1] == ofOwner || o.Data[1] == toClose) {
		what = [...]string{"control of", "the right to close"}[o.Data[1]-ofOwner]
		if c.reachesOurs(o) {
			account = "your account " + account
		}
	}
	if len(o.Data) >= head+len(Key{}) && o.Data[head-1] == 1 {
		to = Key(o.Data[head:]).String()
	}
	return o.refuse(rule.TokenAuthority, "you keep your control of it", "%s %s given to %s", what, account, to)
}

// reachesOurs reports whether we sign a token operation, or it is on a token
// account of ours.
func (c *checker) reachesOurs(o *operation) bool {
	if c.signedByUs(o, 0) {
		return true
	}
	ours, _ := c.tokenAccount(o, o.At(0), nil)
	return ours
}

// malformed refuses an operation that is cut short.
func (o *operation) malformed() *rule.Refusal {
	return o.refuse(rule.TokenUnknown, "a whole instruction", "instruction %d with %d bytes and %d accounts",
		o.Data[0], len(o.Data), o.Count())
}
