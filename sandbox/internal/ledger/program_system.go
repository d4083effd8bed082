package ledger

import (
	"encoding/binary"

	"github.com/gagliardetto/solana-go"
)

// maxSpace is the most data an account can be created with.
const maxSpace = 10 << 20

// The system program's own errors.
var (
	errInUse        = Custom(0)
	errNegative     = Custom(1)
	errSpace        = Custom(3)
	errSeedMismatch = Custom(5)
)

// runSystem carries out the system program's instructions. Data beyond their
// end is ignored, as on the real ledger.
func runSystem(x *Invocation) *InstructionError {
	r := &reader{rest: x.Data}
	tag := r.uint32()
	if r.err != nil {
		return errData
	}
	run, ok := systemInstructions[tag]
	if !ok {
		return errData
	}
	if err := x.need(run.accounts); err != nil {
		return err
	}
	return run.f(x, r)
}

type systemInstruction struct {
	accounts int // at least
	f        func(x *Invocation, r *reader) *InstructionError
}

var systemInstructions = map[uint32]systemInstruction{
	0:  {2, systemCreate},
	1:  {1, systemAssign},
	2:  {2, systemTransfer},
	3:  {2, systemCreateWithSeed},
	4:  {2, nonceAdvance},
	5:  {4, nonceWithdraw},
	6:  {2, nonceInitialize},
	7:  {2, nonceAuthorize},
	8:  {1, systemAllocate},
	9:  {1, systemAllocateWithSeed},
	10: {1, systemAssignWithSeed},
	11: {3, systemTransferWithSeed},
	12: {1, nonceUpgrade},
	13: {1, systemCreatePrefunded},
}

func systemCreate(x *Invocation, r *reader) *InstructionError {
	lamports, space, owner := r.uint64(), r.uint64(), solana.PublicKey(r.array32())
	if r.err != nil {
		return errData
	}
	if x.at(1).Lamports > 0 {
		return errInUse
	}
	if err := x.allocate(1, x.Signed(x.key(1)), space, owner); err != nil {
		return err
	}
	return x.transfer(0, 1, lamports)
}

// systemCreatePrefunded creates an account that may hold lamports already: the
// new account comes first, the payer, if any lamports are due, second.
func systemCreatePrefunded(x *Invocation, r *reader) *InstructionError {
	lamports, space, owner := r.uint64(), r.uint64(), solana.PublicKey(r.array32())
	if r.err != nil {
		return errData
	}
	if err := x.allocate(0, x.Signed(x.key(0)), space, owner); err != nil {
		return err
	}
	if lamports == 0 {
		return nil
	}
	if err := x.need(2); err != nil {
		return err
	}
	return x.transfer(1, 0, lamports)
}

func systemCreateWithSeed(x *Invocation, r *reader) *InstructionError {
	base, seed := solana.PublicKey(r.array32()), r.seed()
	lamports, space, owner := r.uint64(), r.uint64(), solana.PublicKey(r.array32())
	if r.err != nil {
		return errData
	}
	if err := x.derived(1, base, seed, owner); err != nil {
		return err
	}
	if x.at(1).Lamports > 0 {
		return errInUse
	}
	if err := x.allocate(1, x.Signed(base), space, owner); err != nil {
		return err
	}
	return x.transfer(0, 1, lamports)
}

func systemAssign(x *Invocation, r *reader) *InstructionError {
	owner := solana.PublicKey(r.array32())
	if r.err != nil {
		return errData
	}
	return x.assign(0, x.Signed(x.key(0)), owner)
}

func systemAssignWithSeed(x *Invocation, r *reader) *InstructionError {
	base, seed, owner := solana.PublicKey(r.array32()), r.seed(), solana.PublicKey(r.array32())
	if r.err != nil {
		return errData
	}
	if err := x.derived(0, base, seed, owner); err != nil {
		return err
	}
	return x.assign(0, x.Signed(base), owner)
}

func systemAllocate(x *Invocation, r *reader) *InstructionError {
	space := r.uint64()
	if r.err != nil {
		return errData
	}
	return x.grow(0, x.Signed(x.key(0)), space)
}

func systemAllocateWithSeed(x *Invocation, r *reader) *InstructionError {
	base, seed, space, owner := solana.PublicKey(r.array32()), r.seed(), r.uint64(), solana.PublicKey(r.array32())
	if r.err != nil {
		return errData
	}
	if err := x.derived(0, base, seed, owner); err != nil {
		return err
	}
	return x.allocate(0, x.Signed(base), space, owner)
}

func systemTransfer(x *Invocation, r *reader) *InstructionError {
	lamports := r.uint64()
	if r.err != nil {
		return errData
	}
	if !x.Signed(x.key(0)) {
		return errSigner
	}
	return x.move(0, 1, lamports)
}

// systemTransferWithSeed moves lamports from an address that is derived from
// the signer, the instruction's second account.
func systemTransferWithSeed(x *Invocation, r *reader) *InstructionError {
	lamports, seed, owner := r.uint64(), r.seed(), solana.PublicKey(r.array32())
	if r.err != nil {
		return errData
	}
	if !x.Signed(x.key(1)) {
		return errSigner
	}
	if err := x.derived(0, x.key(1), seed, owner); err != nil {
		return err
	}
	return x.move(0, 2, lamports)
}

// transfer moves lamports between two of the instruction's accounts, the first
// of which signs.
func (x *Invocation) transfer(from, to int, lamports uint64) *InstructionError {
	if !x.Signed(x.key(from)) {
		return errSigner
	}
	return x.move(from, to, lamports)
}

func (x *Invocation) move(from, to int, lamports uint64) *InstructionError {
	source, err := x.write(from)
	if err != nil {
		return err
	}
	target, err := x.write(to)
	if err != nil {
		return err
	}
	switch {
	case len(source.Data) > 0:
		return errArgument
	case source.Owner != solana.SystemProgramID:
		return &InstructionError{Kind: "ExternalAccountLamportSpend"}
	case source.Lamports < lamports:
		return errNegative
	}
	source.Lamports -= lamports
	target.Lamports += lamports
	return nil
}

func (x *Invocation) allocate(i int, signed bool, space uint64, owner solana.PublicKey) *InstructionError {
	if err := x.grow(i, signed, space); err != nil {
		return err
	}
	return x.assign(i, signed, owner)
}

func (x *Invocation) grow(i int, signed bool, space uint64) *InstructionError {
	a, err := x.write(i)
	switch {
	case err != nil:
		return err
	case !signed:
		return errSigner
	case len(a.Data) > 0 || a.Owner != solana.SystemProgramID:
		return errInUse
	case space > maxSpace:
		return errSpace
	}
	a.Data = zeros(space)
	return nil
}

func (x *Invocation) assign(i int, signed bool, owner solana.PublicKey) *InstructionError {
	a, err := x.write(i)
	switch {
	case err != nil:
		return err
	case a.Owner == owner:
		return nil
	case !signed:
		return errSigner
	case a.Owner != solana.SystemProgramID:
		return errIllegalOwner
	}
	a.Owner = owner
	return nil
}

// derived refuses an account that is not at the address that the seed gives.
func (x *Invocation) derived(i int, base solana.PublicKey, seed string, owner solana.PublicKey) *InstructionError {
	if len(seed) > 32 {
		return &InstructionError{Kind: "MaxSeedLengthExceeded"}
	}
	want, err := solana.CreateWithSeed(base, seed, owner)
	if err != nil || want != x.key(i) {
		return errSeedMismatch
	}
	return nil
}

// seed reads a text with its length in eight bytes.
func (r *reader) seed() string {
	n := r.uint64()
	if n > uint64(len(r.rest)) {
		r.fail("a seed is longer than the data")
		return ""
	}
	return string(r.bytes(int(n)))
}

func putUint64(b []byte, n uint64) { binary.LittleEndian.PutUint64(b, n) }
func getUint64(b []byte) uint64    { return binary.LittleEndian.Uint64(b) }
