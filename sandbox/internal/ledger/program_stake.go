package ledger

import (
	"encoding/binary"
	"slices"

	"github.com/gagliardetto/solana-go"
)

// The stake program's own errors, by the numbers of StakeError.
var (
	errLocked          = Custom(1)
	errDeactivated     = Custom(2)
	errTooSoon         = Custom(3)
	errTransient       = Custom(5)
	errMismatch        = Custom(6)
	errNoCustodian     = Custom(7)
	errCustodianSign   = Custom(8)
	errLittleDelegated = Custom(12)
)

const leastDelegation = 1_000_000_000 // lamports

// stakeArguments are read from the data of an instruction. Each has some of them.
type stakeArguments struct {
	authorized [2]solana.PublicKey // the staker and the withdrawer, or the new authority
	lockup     []byte              // whole
	which      uint32              // 0 for the staker, 1 for the withdrawer
	lamports   uint64
	seed       string
	owner      solana.PublicKey
	set        [3][]byte // parts of the lockup, nil where they stay
}

type stakeInstruction struct {
	name string
	read func(r *reader, a *stakeArguments)
	run  func(x *Invocation, a stakeArguments)
}

var stakeInstructions = map[uint32]stakeInstruction{
	0: {"Initialize", func(r *reader, a *stakeArguments) {
		a.authorized = [2]solana.PublicKey{r.array32(), r.array32()}
		a.lockup = r.bytes(48)
	}, stakeInitialize},
	1: {"Authorize", func(r *reader, a *stakeArguments) {
		a.authorized[0] = r.array32()
		a.which = r.role()
	}, stakeAuthorize},
	2: {"DelegateStake", readNothing, stakeDelegate},
	3: {"Split", readLamports, stakeSplit},
	4: {"Withdraw", readLamports, stakeWithdraw},
	5: {"Deactivate", readNothing, stakeDeactivate},
	6: {"SetLockup", func(r *reader, a *stakeArguments) {
		a.set = [3][]byte{r.option(8), r.option(8), r.option(32)}
	}, stakeSetLockup},
	7: {"Merge", readNothing, stakeMerge},
	8: {"AuthorizeWithSeed", func(r *reader, a *stakeArguments) {
		a.authorized[0] = r.array32()
		readSeeded(r, a)
	}, stakeAuthorizeWithSeed},
	9:  {"InitializeChecked", readNothing, stakeInitializeChecked},
	10: {"AuthorizeChecked", func(r *reader, a *stakeArguments) { a.which = r.role() }, stakeAuthorizeChecked},
	11: {"AuthorizeCheckedWithSeed", readSeeded, stakeAuthorizeCheckedWithSeed},
	12: {"SetLockupChecked", func(r *reader, a *stakeArguments) {
		a.set = [3][]byte{r.option(8), r.option(8), nil}
	}, stakeSetLockupChecked},
	13: {"GetMinimumDelegation", readNothing, func(x *Invocation, _ stakeArguments) {
		x.returned = binary.LittleEndian.AppendUint64(nil, leastDelegation)
	}},
}

func readNothing(*reader, *stakeArguments)      {}
func readLamports(r *reader, a *stakeArguments) { a.lamports = r.uint64() }
func readSeeded(r *reader, a *stakeArguments) {
	a.which, a.seed, a.owner = r.role(), r.seed(), r.array32()
}

// beyond is the place after a sysvar, which may be left out.
func (x *Invocation) beyond(i int, sysvar solana.PublicKey) int {
	if i < len(x.Accounts) && x.key(i) == sysvar {
		return i + 1
	}
	return i
}

func (r *reader) role() uint32 {
	which := r.uint32()
	FailIf(which > 1, r.short)
	return which
}

// option reads so many bytes that may be left out.
func (r *reader) option(n int) []byte {
	there := r.byte()
	FailIf(there > 1, r.short)
	if there == 0 {
		return nil
	}
	return r.bytes(n)
}

// runStake carries out an instruction of the stake program. Data after its last field is ignored.
func runStake(x *Invocation) {
	r := &reader{rest: x.Data, short: ErrData}
	in, ok := stakeInstructions[r.uint32()]
	FailIf(!ok, ErrData)
	var a stakeArguments
	in.read(r, &a)
	x.Log("Instruction: " + in.name)
	in.run(x, a)
}

// authorityAt is the place of the authority: after the clock and as many more sysvars that earlier versions of
// the program wanted. They may be left out. Then it must sign, and otherwise any of the accounts may be the signer.
func (x *Invocation) authorityAt(i, more int) int {
	x.need(i + 1)
	if x.beyond(i, solana.SysVarClockPubkey) > i {
		return i + 1 + more
	}
	FailIf(!x.Accounts[i].Signer, ErrSigner)
	return i
}

// signers are the accounts of the instruction that sign.
func (x *Invocation) signers() (all []solana.PublicKey) {
	for _, m := range x.Accounts {
		if m.Signer {
			all = append(all, m.Key)
		}
	}
	return all
}

func stakeInitialize(x *Invocation, a stakeArguments) {
	x.need(1)
	x.initializeStake(a.authorized, a.lockup)
}

func stakeInitializeChecked(x *Invocation, _ stakeArguments) {
	x.need(2)
	at := x.beyond(1, solana.SysVarRentPubkey)
	x.need(at + 2)
	FailIf(!x.Accounts[at+1].Signer, ErrSigner)
	x.initializeStake([2]solana.PublicKey{x.key(at), x.key(at + 1)}, make([]byte, 48))
}

func (x *Invocation) initializeStake(authorized [2]solana.PublicKey, lockup []byte) {
	FailIf(len(x.at(0).Data) != stakeSize, errAccountData)
	FailIf(x.stakeAt(0).state() != stakeEmpty, errAccountData)
	FailIf(x.at(0).Lamports < Rent(stakeSize), errFunds)
	s := stake(x.write(0).Data)
	s.setState(stakeInitialized)
	putUint64(s[4:], Rent(stakeSize))
	copy(s[12:], slices.Concat(authorized[0][:], authorized[1][:], lockup))
}

func stakeAuthorize(x *Invocation, a stakeArguments) {
	x.need(1)
	at := x.authorityAt(1, 0)
	x.need(at + 1)
	x.authorize(x.signers(), a.authorized[0], a.which, x.custodianAt(at+1))
}

func stakeAuthorizeChecked(x *Invocation, a stakeArguments) {
	x.need(1)
	at := x.authorityAt(1, 0)
	x.need(at + 2)
	FailIf(!x.Accounts[at+1].Signer, ErrSigner)
	x.authorize(x.signers(), x.key(at+1), a.which, x.custodianAt(at+2))
}

// custodianAt is the account at a place if it is there and signs.
func (x *Invocation) custodianAt(i int) *solana.PublicKey {
	if i >= len(x.Accounts) || !x.Accounts[i].Signer {
		return nil
	}
	return &x.Accounts[i].Key
}

// mustSign is the account at a place, which signs if it is there.
func (x *Invocation) mustSign(i int) *solana.PublicKey {
	FailIf(i < len(x.Accounts) && !x.Accounts[i].Signer, ErrSigner)
	return x.custodianAt(i)
}

func stakeAuthorizeWithSeed(x *Invocation, a stakeArguments) {
	x.need(2)
	x.authorizeSeeded(a, a.authorized[0], x.mustSign(x.beyond(2, solana.SysVarClockPubkey)))
}

func stakeAuthorizeCheckedWithSeed(x *Invocation, a stakeArguments) {
	x.need(3)
	at := x.beyond(2, solana.SysVarClockPubkey)
	x.need(at + 1)
	authority := x.mustSign(at)
	x.authorizeSeeded(a, *authority, x.mustSign(at+1), *authority)
}

// authorizeSeeded is authorize by an address that is derived from the second account.
func (x *Invocation) authorizeSeeded(a stakeArguments, authority solana.PublicKey, custodian *solana.PublicKey,
	signers ...solana.PublicKey) {
	if custodian != nil {
		signers = append(signers, *custodian)
	}
	if x.Accounts[1].Signer {
		FailIf(len(a.seed) > 32, errSeedLength)
		derived, err := solana.CreateWithSeed(x.key(1), a.seed, a.owner)
		FailIf(err != nil, errIllegalOwner)
		signers = append(signers, derived)
	}
	x.authorize(signers, authority, a.which, custodian)
}

// authorize names a new authority. The withdrawer may name the staker, too, and
// itself while there is a lockup only with the custodian.
func (x *Invocation) authorize(signers []solana.PublicKey, authority solana.PublicKey, which uint32,
	custodian *solana.PublicKey) {
	s := x.stakeMade(0, delegatedUnits)
	if which == 0 {
		FailIf(!slices.Contains(signers, s.staker()) && !slices.Contains(signers, s.withdrawer()), ErrSigner)
		copy(s[12:], authority[:])
		return
	}
	if x.locked(s, nil) {
		FailIf(custodian == nil, errNoCustodian)
		x.spend(2 * custodianUnits)
		FailIf(!slices.Contains(signers, *custodian), errCustodianSign)
		FailIf(x.locked(s, custodian), errLocked)
	}
	FailIf(!slices.Contains(signers, s.withdrawer()), ErrSigner)
	copy(s[44:], authority[:])
}

func stakeSetLockup(x *Invocation, a stakeArguments) {
	x.need(1)
	x.setLockup(a.set)
}

func stakeSetLockupChecked(x *Invocation, a stakeArguments) {
	x.need(1)
	if custodian := x.mustSign(2); custodian != nil {
		a.set[2] = custodian[:]
	}
	x.setLockup(a.set)
}

// setLockup is the custodian's right while there is a lockup, and the withdrawer's otherwise.
func (x *Invocation) setLockup(parts [3][]byte) {
	s := x.stakeMade(0, delegatedUnits)
	holder := s.withdrawer()
	if x.locked(s, nil) {
		holder = s.custodian()
	}
	FailIf(!x.Signed(holder), ErrSigner)
	if parts[2] != nil {
		x.spend(custodianUnits)
	}
	for i, at := range []int{76, 84, 92} {
		copy(s[at:], parts[i])
	}
}
