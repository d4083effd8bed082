package signing

import "encoding/binary"

// The System program's instructions, by their u32 tag.
const (
	systemCreateAccount         = 0
	systemAssign                = 1
	systemTransfer              = 2
	systemCreateAccountWithSeed = 3
	systemAdvanceNonce          = 4
	systemWithdrawNonce         = 5
	systemInitializeNonce       = 6
	systemAuthorizeNonce        = 7
	systemAllocate              = 8
	systemAllocateWithSeed      = 9
	systemAssignWithSeed        = 10
	systemTransferWithSeed      = 11
	systemUpgradeNonce          = 12
	systemCreateAllowPrefund    = 13
)

// maxSeed is the longest seed of a derived address.
const maxSeed = 32

// systemTag returns the tag, -1 where the data is too short for one. The
// program ignores what follows the last field, and so do we.
func systemTag(o *operation) int64 {
	if len(o.data) < 4 {
		return -1
	}
	return int64(binary.LittleEndian.Uint32(o.data))
}

// system is the System program's row.
func (c *checker) system(o *operation) *GuardError {
	switch systemTag(o) {
	case systemTransfer, systemTransferWithSeed:
		return c.systemTransfer(o)
	case systemCreateAccount, systemCreateAccountWithSeed, systemCreateAllowPrefund:
		return c.systemCreate(o)
	case systemAdvanceNonce, systemWithdrawNonce, systemInitializeNonce, systemAuthorizeNonce, systemUpgradeNonce:
		return c.nonce(o)
	case systemAssign, systemAllocate, systemAllocateWithSeed, systemAssignWithSeed:
		if o.simulated && !c.reachesKeys(o) {
			return nil // a token account that is made at an address with lamports
		}
		if c.touchesOurs(o) {
			return o.refuse(RuleSystemAssign, "no assignment or allocation of an account of ours", "instruction %d, which reaches an account of ours", systemTag(o))
		}
		return nil
	}
	if c.touchesOurs(o) {
		return o.refuse(RuleSystemUnknown, "transfers and creates, well formed", "instruction %d with %d bytes, which reaches an account of ours", systemTag(o), len(o.data))
	}
	return nil
}

// touchesOurs reports whether any account of the operation is ours, or may be.
func (c *checker) touchesOurs(o *operation) bool {
	for i := range o.count() {
		k := o.at(i)
		if k == nil || c.signs(k) || c.keeps(k, o) {
			return true
		}
	}
	return false
}

// reachesKeys reports whether the owner, a key of ours or a listed account is
// among the accounts, leaving out those that only a program can sign for.
func (c *checker) reachesKeys(o *operation) bool {
	for i := range o.count() {
		if k := o.at(i); k != nil && (c.signs(k) || c.listed(*k) != nil) {
			return true
		}
	}
	return false
}

// systemMove is a transfer of lamports. by is who signs for it: the source, or
// the base of a derived one.
type systemMove struct {
	from, by, to *PublicKey
	lamports     uint64
}

func readSystemTransfer(o *operation) (m systemMove, ok bool) {
	lamports, whole := o.u64(4)
	switch systemTag(o) {
	case systemTransfer:
		return systemMove{o.at(0), o.at(0), o.at(1), lamports}, whole && o.count() >= 2
	case systemTransferWithSeed:
		return systemMove{o.at(0), o.at(1), o.at(2), lamports}, whole && o.count() >= 3
	}
	return m, false
}

func (c *checker) systemTransfer(o *operation) *GuardError {
	move, ok := readSystemTransfer(o)
	if !ok {
		return o.refuse(RuleSystemUnknown, "a whole transfer", "a transfer with %d bytes and %d accounts", len(o.data), o.count())
	}
	if !c.signs(move.by) && !(move.from != nil && c.keeps(move.from, o)) {
		return nil
	}
	if c.keeps(move.to, o) || move.to == nil && c.guard.off == RuleLookup {
		c.report.stays(o.site(), NativeMint, move.lamports, move.to)
		return nil
	}
	item := outgoing{rule: RuleSystemTransfer, mint: NativeMint, amount: move.lamports, to: move.to, may: asTip | asFee}
	switch {
	case c.named(move.to, NativeMint, TokenProgram):
		item.may |= asSpend
	case o.simulated:
		// Inside a pinned program's call nobody's identity is known; caps hold.
		item.may |= asSpend | asRent
	}
	c.spend(o.site(), item)
	return nil
}
