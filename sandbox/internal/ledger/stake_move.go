package ledger

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/gagliardetto/solana-go"
)

func stakeDelegate(x *Invocation, _ stakeArguments) {
	x.need(2)
	at := x.authorityAt(2, 2)
	x.need(min(at, 5))
	vote := x.at(1)
	FailIf(vote.Owner != solana.VoteProgramID, errProgram)
	credits := voteCredits(vote.Data)
	s := x.stakeMade(0, redelegatedUnits)
	FailIf(!x.Signed(s.staker()), ErrSigner)
	lamports := x.at(0).Lamports - min(x.at(0).Lamports, s.reserve())
	FailIf(lamports < leastDelegation, errLittleDelegated)
	if active, _ := s.active(x.epoch()); active == 0 {
		s.delegate(x.key(1), lamports, x.epoch(), credits)
		return
	}
	FailIf(s.deactivation() != x.epoch() || s.voter() != x.key(1), errTooSoon)
	FailIf(lamports < s.amount(), errLittleDelegated)
	putUint64(s[172:], forever) // it goes on
}

// voteCredits are those that a validator has earned. The ledger's accounts have it in the one entry that they have.
func voteCredits(data []byte) uint64 {
	const entry = 69 + 21 + 9 + 48 + priorVoters + 9 + 8
	FailIf(len(data) != voteSize || binary.LittleEndian.Uint32(data) != voteVersion, errAccountData)
	return getUint64(data[entry+8:])
}

func stakeDeactivate(x *Invocation, _ stakeArguments) {
	x.need(1)
	x.authorityAt(1, 0)
	s := x.stakeMade(0, delegatedUnits)
	FailIf(s.state() != stakeDelegated, errAccountData)
	FailIf(!x.Signed(s.staker()), ErrSigner)
	FailIf(s.deactivation() != forever, errDeactivated)
	putUint64(s[172:], x.epoch())
}

func stakeWithdraw(x *Invocation, a stakeArguments) {
	x.need(2)
	at := x.authorityAt(2, 1)
	x.need(at + 1)
	FailIf(x.key(0) == x.key(1), errArgument)
	x.mustSign(at)
	custodian := x.mustSign(at + 1)
	signers := []solana.PublicKey{x.key(at)}
	if custodian != nil {
		x.spend(custodianUnits)
		signers = append(signers, *custodian)
	}
	kept, active := x.bound(signers, custodian)
	lamports := x.at(0).Lamports
	if a.lamports == lamports {
		FailIf(active, errFunds)
		x.write(0).Data = nil
	} else {
		sum, over := bits.Add64(a.lamports, kept, 0)
		FailIf(over > 0 || sum > lamports, errFunds)
	}
	x.shift(0, 1, a.lamports)
}

// bound returns how much must stay in the first account, and whether some of that is stake. One without
// a state is its own authority.
func (x *Invocation) bound(signers []solana.PublicKey, custodian *solana.PublicKey) (lamports uint64, active bool) {
	if own := x.at(0); own.Owner == x.Program && len(own.Data) == 0 || x.stakeAt(0).state() == stakeEmpty {
		FailIf(!slices.Contains(signers, x.key(0)), ErrSigner)
		return 0, false
	}
	s := x.stakeAt(0)
	FailIf(!slices.Contains(signers, s.withdrawer()), ErrSigner)
	staked := uint64(0)
	if s.state() == stakeDelegated {
		x.spend(redelegatedUnits)
		staked = s.amount() // it may be active at the next epoch
		if x.epoch() >= s.deactivation() {
			staked, _ = s.active(x.epoch())
		}
	}
	FailIf(x.locked(s, custodian), errLocked)
	return staked + s.reserve(), staked > 0
}

// shift moves lamports out of the program's account.
func (x *Invocation) shift(from, to int, lamports uint64) {
	x.write(from).Lamports -= lamports
	x.write(to).Lamports += lamports
}

func stakeSplit(x *Invocation, a stakeArguments) {
	x.need(2)
	FailIf(x.key(0) == x.key(1), errArgument)
	FailIf(x.stakeAt(1).state() != stakeEmpty || len(x.at(1).Data) != stakeSize, errAccountData)
	lamports, has, reserve := a.lamports, x.at(0).Lamports, Rent(len(x.at(0).Data))
	FailIf(lamports > has || lamports == 0, errFunds)
	s := x.stakeAt(0)
	if s.state() == stakeEmpty {
		FailIf(!x.Accounts[0].Signer, ErrSigner)
	} else {
		FailIf(!x.Signed(s.staker()), ErrSigner)
	}
	active, moving := s.active(x.epoch())
	switch counts, there := active > 0 || moving, x.at(1).Lamports; {
	case lamports == has:
		delegation := uint64(0)
		if counts {
			delegation = s.amount()
		}
		FailIf(there+lamports < Rent(stakeSize)+delegation, errFunds)
		FailIf(counts && delegation < leastDelegation, errLittleDelegated)
		x.copyStake()
		x.write(0).Data = nil
	case counts:
		x.spend(2 * delegatedUnits)
		FailIf(there < Rent(stakeSize), errFunds)
		FailIf(s.amount() < lamports || s.amount()-lamports < leastDelegation, errLittleDelegated)
		FailIf(lamports < leastDelegation, errLittleDelegated)
		x.copyStake().setAmount(lamports)
		stake(x.write(0).Data).setAmount(s.amount() - lamports)
	default: // nothing of it counts
		FailIf(has-lamports < reserve || there+lamports < Rent(stakeSize), errFunds)
		x.copyStake()
	}
	x.shift(0, 1, lamports)
}

// copyStake writes the first account's state into the second, if it has one.
func (x *Invocation) copyStake() stake {
	from, to := x.stakeAt(0), stake(x.write(1).Data)
	if from.state() == stakeEmpty {
		return to
	}
	end := stakeMeta
	if from.state() == stakeDelegated {
		x.spend(delegatedUnits)
		end = stakeEnd
	}
	copy(to, from[:end])
	putUint64(to[4:], Rent(stakeSize))
	return to
}

// What a stake is to a merge.
const (
	mergeInactive = iota
	mergeActivating
	mergeActive
)

func (x *Invocation) mergeable(i int) (s stake, kind int) {
	s = x.stakeAt(i)
	FailIf(s.state() == stakeEmpty, errAccountData)
	if s.state() == stakeDelegated {
		x.spend(redelegatedUnits)
	}
	switch active, moving := s.active(x.epoch()); {
	case active == 0 && !moving:
		return s, mergeInactive
	case active == 0:
		return s, mergeActivating
	default:
		x.failLogging(moving, errTransient, "stake account with transient stake cannot be merged")
		return s, mergeActive
	}
}

func stakeMerge(x *Invocation, _ stakeArguments) {
	x.need(2)
	at := x.authorityAt(2, 1)
	x.need(min(at, 4))
	FailIf(x.key(0) == x.key(1), errArgument)
	x.Log("Checking if destination stake is mergeable")
	s, kind := x.mergeable(0)
	FailIf(!x.Signed(s.staker()), ErrSigner)
	x.Log("Checking if source stake is mergeable")
	from, fromKind := x.mergeable(1)
	x.Log("Merging stake accounts")
	x.matching(s, from, kind != mergeInactive && fromKind != mergeInactive)
	s = stake(x.write(0).Data)
	if kind != mergeInactive {
		x.spend(mergedUnits)
	}
	switch {
	case kind == mergeInactive && fromKind != mergeActive: // it stays as it is
	case kind == mergeActivating && fromKind == mergeInactive:
		s.setAmount(s.amount() + x.at(1).Lamports)
	case kind == mergeActivating && fromKind == mergeActivating:
		s.absorb(from.reserve()+from.amount(), from.credits())
	case kind == mergeActive && fromKind == mergeActive:
		s.absorb(from.amount(), from.credits()) // the reserve can be withdrawn
	default:
		panic(errMismatch)
	}
	x.write(1).Data = nil
	x.shift(1, 0, x.at(1).Lamports)
}

// matching refuses to merge stakes of other people, or with other lockups while these are in force. Those that
// count, both, must be delegated to the same validator and stay so.
func (x *Invocation) matching(s, from stake, both bool) {
	lockups := slices.Equal(s[76:stakeMeta], from[76:stakeMeta]) || !x.locked(s, nil) && !x.locked(from, nil)
	x.failLogging(!slices.Equal(s[12:76], from[12:76]) || !lockups, errMismatch,
		"Unable to merge due to metadata mismatch")
	x.failLogging(both && s.voter() != from.voter(), errMismatch, "Unable to merge due to voter mismatch")
	x.failLogging(both && (s.deactivation() != forever || from.deactivation() != forever), errMismatch,
		"Unable to merge due to stake deactivation")
}

// absorb adds stake. The credits observed are then the mean by stake, rounded up.
func (s stake) absorb(lamports, credits uint64) {
	if total := s.amount() + lamports; credits != s.credits() {
		high, low := bits.Mul64(s.credits(), s.amount())
		h, l := bits.Mul64(credits, lamports)
		low, carry := bits.Add64(low, l, 0)
		high, _ = bits.Add64(high, h, carry)
		low, carry = bits.Add64(low, total-1, 0)
		mean, _ := bits.Div64(high+carry, low, total)
		putUint64(s[188:], mean)
	}
	s.setAmount(s.amount() + lamports)
}
