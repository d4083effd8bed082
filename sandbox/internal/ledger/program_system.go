package ledger

import (
	"encoding/binary"
	"fmt"
	"slices"
	"unicode/utf8"

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
func runSystem(x *Invocation) {
	r := &reader{rest: x.Data, short: ErrData}
	tag := r.uint32()
	run, ok := systemInstructions[tag]
	FailIf(!ok, ErrData)
	FailIf(len(r.rest) < run.data, r.short)
	FailIf(len(x.Accounts) < run.accounts, errMissing)
	run.f(x, r)
}

var systemInstructions = map[uint32]instruction{
	0:  {2, 48, systemCreate},
	1:  {1, 32, systemAssign},
	2:  {2, 8, systemTransfer},
	3:  {2, 88, systemCreateWithSeed},
	4:  {1, 0, nonceAdvance},
	5:  {2, 8, nonceWithdraw},
	6:  {1, 32, nonceInitialize},
	7:  {1, 32, nonceAuthorize},
	8:  {1, 8, systemAllocate},
	9:  {1, 80, systemAllocateWithSeed},
	10: {1, 72, systemAssignWithSeed},
	11: {3, 48, systemTransferWithSeed},
	12: {1, 0, nonceUpgrade},
	13: {1, 48, systemCreatePrefunded},
}

func systemCreate(x *Invocation, r *reader) {
	lamports, space, owner := r.uint64(), r.uint64(), solana.PublicKey(r.array32())
	x.unused(1, nil)
	x.allocate(1, nil, space, owner)
	x.transfer(0, 1, lamports)
}

// systemCreatePrefunded creates an account that may hold lamports already: the
// new account comes first, the payer, if any lamports are due, second.
func systemCreatePrefunded(x *Invocation, r *reader) {
	lamports, space, owner := r.uint64(), r.uint64(), solana.PublicKey(r.array32())
	x.allocate(0, nil, space, owner)
	if lamports == 0 {
		return
	}
	FailIf(len(x.Accounts) < 2, errMissing)
	x.transfer(1, 0, lamports)
}

func systemCreateWithSeed(x *Invocation, r *reader) {
	base, seed := solana.PublicKey(r.array32()), r.seed()
	lamports, space, owner := r.uint64(), r.uint64(), solana.PublicKey(r.array32())
	x.derived(1, base, seed, owner)
	x.unused(1, &base)
	x.allocate(1, &base, space, owner)
	x.transfer(0, 1, lamports)
}

func systemAssign(x *Invocation, r *reader) {
	owner := solana.PublicKey(r.array32())
	x.assign(0, nil, owner)
}

func systemAssignWithSeed(x *Invocation, r *reader) {
	base, seed, owner := solana.PublicKey(r.array32()), r.seed(), solana.PublicKey(r.array32())
	x.derived(0, base, seed, owner)
	x.assign(0, &base, owner)
}

func systemAllocate(x *Invocation, r *reader) {
	space := r.uint64()
	x.grow(0, nil, space)
}

func systemAllocateWithSeed(x *Invocation, r *reader) {
	base, seed, space, owner := solana.PublicKey(r.array32()), r.seed(), r.uint64(), solana.PublicKey(r.array32())
	x.derived(0, base, seed, owner)
	x.allocate(0, &base, space, owner)
}

func systemTransfer(x *Invocation, r *reader) {
	x.transfer(0, 1, r.uint64())
}

// systemTransferWithSeed moves lamports from an address that is derived from
// the signer, the instruction's second account.
func systemTransferWithSeed(x *Invocation, r *reader) {
	lamports, seed, owner := r.uint64(), r.seed(), solana.PublicKey(r.array32())
	x.failSaying(!x.Signed(x.key(1)), ErrSigner, "Transfer: 'from' account %s must sign", x.key(1))
	x.seeded(0, "Transfer: 'from'", x.key(1), seed, owner)
	x.move(0, 2, lamports)
}

// transfer moves lamports between two of the instruction's accounts, the first
// of which signs.
func (x *Invocation) transfer(from, to int, lamports uint64) {
	x.failSaying(!x.Signed(x.key(from)), ErrSigner, "Transfer: `from` account %s must sign", x.key(from))
	x.move(from, to, lamports)
}

func (x *Invocation) move(from, to int, lamports uint64) {
	source := x.at(from)
	x.failSaying(len(source.Data) > 0, errArgument, "Transfer: `from` must not carry data")
	x.failSaying(source.Lamports < lamports, errNegative, "Transfer: insufficient lamports %d, need %d",
		source.Lamports, lamports)
	x.pay(from, to, lamports)
}

// pay moves lamports as the runtime's own programs do: each change is checked when it is made.
func (x *Invocation) pay(from, to int, lamports uint64) {
	source := x.write(from)
	FailIf(source.Owner != x.Program && lamports > 0, errSpend)
	FailIf(!x.Accounts[from].Writable, errReadonlyLamports)
	source.Lamports -= lamports
	FailIf(!x.Accounts[to].Writable, errReadonlyLamports)
	x.write(to).Lamports += lamports
}

// place is how the runtime writes an address that may be derived from another, the base.
func (x *Invocation) place(i int, base *solana.PublicKey) string {
	from := "None"
	if base != nil {
		from = "Some(" + base.String() + ")"
	}
	return fmt.Sprintf("account Address { address: %s, base: %s }", x.key(i), from)
}

// signedBy reports whether the i-th account signs, or the base that it is derived from.
func (x *Invocation) signedBy(i int, base *solana.PublicKey) bool {
	if base != nil {
		return x.Signed(*base)
	}
	return x.Signed(x.key(i))
}

func (x *Invocation) unused(i int, base *solana.PublicKey) {
	x.failSaying(x.at(i).Lamports > 0, errInUse, "Create Account: %s already in use", x.place(i, base))
}

func (x *Invocation) allocate(i int, base *solana.PublicKey, space uint64, owner solana.PublicKey) {
	x.grow(i, base, space)
	x.assign(i, base, owner)
}

func (x *Invocation) grow(i int, base *solana.PublicKey, space uint64) {
	a := x.at(i)
	x.failSaying(!x.signedBy(i, base), ErrSigner, "Allocate: 'to' %s must sign", x.place(i, base))
	used := len(a.Data) > 0 || a.Owner != solana.SystemProgramID
	x.failSaying(used, errInUse, "Allocate: %s already in use", x.place(i, base))
	x.failSaying(space > maxSpace, errSpace, "Allocate: requested %d, max allowed %d", space, maxSpace)
	FailIf(!x.Accounts[i].Writable, errReadonly)
	x.write(i).Data = zeros(space)
}

func (x *Invocation) assign(i int, base *solana.PublicKey, owner solana.PublicKey) {
	a := x.at(i)
	if a.Owner == owner {
		return
	}
	x.failSaying(!x.signedBy(i, base), ErrSigner, "Assign: %s must sign", x.place(i, base))
	FailIf(a.Owner != solana.SystemProgramID || !x.Accounts[i].Writable || !zeroed(a.Data), errModified)
	x.account(x.key(i)).Owner = owner
}

func zeroed(data []byte) bool {
	return len(data) > 0 && &data[0] == &blank[0] || !slices.ContainsFunc(data, func(b byte) bool { return b != 0 })
}

// derived refuses an account that is not at the address that the seed gives.
func (x *Invocation) derived(i int, base solana.PublicKey, seed string, owner solana.PublicKey) {
	x.seeded(i, "Create:", base, seed, owner)
}

func (x *Invocation) seeded(i int, name string, base solana.PublicKey, seed string, owner solana.PublicKey) {
	FailIf(len(seed) > 32, errSeedLength)
	want, err := solana.CreateWithSeed(base, seed, owner)
	x.failSaying(err != nil || want != x.key(i), errSeedMismatch, "%s address %s does not match derived address %s",
		name, x.key(i), want)
}

// seed reads a text with its length in eight bytes.
func (r *reader) seed() string {
	n := r.uint64()
	if n > uint64(len(r.rest)) {
		r.fail("a seed is longer than the data")
		return ""
	}
	b := r.bytes(int(n))
	FailIf(!utf8.Valid(b), r.short)
	return string(b)
}

func putUint64(b []byte, n uint64) { binary.LittleEndian.PutUint64(b, n) }
func getUint64(b []byte) uint64    { return binary.LittleEndian.Uint64(b) }
