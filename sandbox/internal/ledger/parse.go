package ledger

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/gagliardetto/solana-go"
)

// The largest transactions.
const (
	MaxSize   = 1232 // legacy and v0
	MaxSizeV1 = 4096
)

// Version is a transaction's format.
type Version int

// The formats.
const (
	Legacy Version = iota - 1
	V0
	V1
)

// Transaction is a transaction as its bytes say.
type Transaction struct {
	Raw        []byte
	Version    Version
	Signatures []solana.Signature
	Message    []byte // what is signed

	RequiredSignatures, ReadonlySigned, ReadonlyUnsigned int

	Keys         []solana.PublicKey // static ones
	Blockhash    solana.Hash
	Instructions []Compiled
	Lookups      []Lookup
	Budget       *BudgetV1 // of a v1 transaction
}

// Compiled is an instruction with its keys as indexes.
type Compiled struct {
	Program  int
	Accounts []int
	Data     []byte
}

// Lookup loads accounts from a table.
type Lookup struct {
	Table              solana.PublicKey
	Writable, Readonly []byte
}

// BudgetV1 is the config of a v1 transaction.
type BudgetV1 struct {
	PriorityFee uint64 // lamports, in all
	Units       uint32
	DataLimit   uint32
	Heap        uint32
}

// Parse reads a transaction, strictly.
func Parse(raw []byte) (*Transaction, error) {
	r := &reader{rest: raw}
	tx := &Transaction{Raw: raw}
	if len(raw) > 0 && raw[0] == 0x81 {
		tx.parseV1(r)
	} else {
		tx.parseSigned(r)
	}
	if r.err == nil && len(r.rest) > 0 {
		r.err = errors.New("bytes follow the transaction")
	}
	if r.err == nil {
		r.err = tx.sane()
	}
	if r.err != nil {
		return nil, fmt.Errorf("ledger: %w", r.err)
	}
	return tx, nil
}

// parseSigned reads the signatures and then a legacy or v0 message.
func (tx *Transaction) parseSigned(r *reader) {
	if len(r.rest) > MaxSize {
		r.err = errors.New("more than 1232 bytes")
		return
	}
	for range r.count() {
		tx.Signatures = append(tx.Signatures, solana.Signature(r.array64()))
	}
	tx.Message = r.rest
	tx.Version = Legacy
	if len(r.rest) > 0 && r.rest[0] >= 0x80 {
		if r.byte() != 0x80 {
			r.fail("the version is not supported")
		}
		tx.Version = V0
	}
	tx.parseHeader(r)
	for range r.count() {
		tx.Keys = append(tx.Keys, solana.PublicKey(r.array32()))
	}
	tx.Blockhash = solana.Hash(r.array32())
	for range r.count() {
		tx.Instructions = append(tx.Instructions, Compiled{int(r.byte()), indexes(r.bytes(r.count())), r.bytes(r.count())})
	}
	if tx.Version == V0 {
		for range r.count() {
			tx.Lookups = append(tx.Lookups, Lookup{solana.PublicKey(r.array32()), r.bytes(r.count()), r.bytes(r.count())})
		}
	}
	if len(tx.Signatures) != tx.RequiredSignatures {
		r.fail("the signatures are not as many as the header asks for")
	}
}

func (tx *Transaction) parseHeader(r *reader) {
	tx.RequiredSignatures, tx.ReadonlySigned, tx.ReadonlyUnsigned = int(r.byte()), int(r.byte()), int(r.byte())
}

// parseV1 reads the format whose signatures come last.
func (tx *Transaction) parseV1(r *reader) {
	whole := r.rest
	if len(whole) > MaxSizeV1 {
		r.err = errors.New("more than 4096 bytes")
		return
	}
	r.byte()
	tx.Version = V1
	tx.parseHeader(r)
	mask := r.uint32()
	tx.Blockhash = solana.Hash(r.array32())
	instructions, addresses := int(r.byte()), int(r.byte())
	if tx.RequiredSignatures > 12 || addresses > 64 || instructions > 64 {
		r.fail("more signatures, accounts or instructions than the format allows")
	}
	for range addresses {
		tx.Keys = append(tx.Keys, solana.PublicKey(r.array32()))
	}
	for n, k := range tx.Keys {
		if slices.Contains(tx.Keys[:n], k) {
			r.fail("an address is there twice")
		}
	}
	tx.Budget = parseBudget(r, mask)
	lengths := make([][2]int, instructions)
	for i := range lengths {
		tx.Instructions = append(tx.Instructions, Compiled{Program: int(r.byte())})
		lengths[i] = [2]int{int(r.byte()), int(r.uint16())}
	}
	for i, n := range lengths {
		tx.Instructions[i].Accounts = indexes(r.bytes(n[0]))
		tx.Instructions[i].Data = r.bytes(n[1])
	}
	tx.Message = whole[:len(whole)-len(r.rest)]
	for range tx.RequiredSignatures {
		tx.Signatures = append(tx.Signatures, solana.Signature(r.array64()))
	}
}

func parseBudget(r *reader, mask uint32) *BudgetV1 {
	b := &BudgetV1{Heap: 32768}
	if mask>>5 != 0 || mask&3 == 1 || mask&3 == 2 {
		r.fail("the config mask is not valid")
	}
	if mask&3 == 3 {
		b.PriorityFee = r.uint64()
	}
	for bit, target := range []*uint32{&b.Units, &b.DataLimit, &b.Heap} {
		if mask&(4<<bit) != 0 {
			*target = r.uint32()
		}
	}
	if b.Heap%1024 != 0 || b.Heap < 32768 || b.Heap > 262144 {
		r.fail("the heap is not valid")
	}
	return b
}

// sane checks the rules that every node checks first.
func (tx *Transaction) sane() error {
	loaded := 0
	for _, l := range tx.Lookups {
		if len(l.Writable)+len(l.Readonly) == 0 {
			return errors.New("a lookup loads nothing")
		}
		loaded += len(l.Writable) + len(l.Readonly)
	}
	switch {
	case tx.ReadonlySigned >= tx.RequiredSignatures:
		return errors.New("the fee payer is not writable")
	case tx.RequiredSignatures+tx.ReadonlyUnsigned > len(tx.Keys):
		return errors.New("fewer keys than the header asks for")
	case len(tx.Keys)+loaded > 256:
		return errors.New("more than 256 accounts")
	}
	for _, in := range tx.Instructions {
		if in.Program == 0 || in.Program >= len(tx.Keys) {
			return errors.New("a program index is out of range")
		}
		for _, a := range in.Accounts {
			if a >= len(tx.Keys)+loaded {
				return errors.New("an account index is out of range")
			}
		}
	}
	return nil
}

// signer and writable tell the privileges of a static key.
func (tx *Transaction) signer(i int) bool { return i < tx.RequiredSignatures }

func (tx *Transaction) writable(i int) bool {
	if i < tx.RequiredSignatures {
		return i < tx.RequiredSignatures-tx.ReadonlySigned
	}
	return i < len(tx.Keys)-tx.ReadonlyUnsigned
}

func indexes(b []byte) []int {
	out := make([]int, len(b))
	for i, x := range b {
		out[i] = int(x)
	}
	return out
}

// reader reads fields from the front and remembers the first failure. With short, for the data
// of an instruction, a failure fails the instruction in that way.
type reader struct {
	rest  []byte
	err   error
	short *InstructionError
}

func (r *reader) fail(problem string) {
	FailIf(r.short != nil, r.short)
	if r.err == nil {
		r.err = errors.New(problem)
	}
	r.rest = nil
}

func (r *reader) bytes(n int) []byte {
	if n > len(r.rest) {
		r.fail("the transaction ends early")
		return nil
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}

func (r *reader) byte() byte {
	if b := r.bytes(1); b != nil {
		return b[0]
	}
	return 0
}

func (r *reader) array32() (a [32]byte) { copy(a[:], r.bytes(32)); return a }
func (r *reader) array64() (a [64]byte) { copy(a[:], r.bytes(64)); return a }

func (r *reader) uint16() uint16 { return binary.LittleEndian.Uint16(r.fixed(2)) }
func (r *reader) uint32() uint32 { return binary.LittleEndian.Uint32(r.fixed(4)) }
func (r *reader) uint64() uint64 { return binary.LittleEndian.Uint64(r.fixed(8)) }

func (r *reader) fixed(n int) []byte {
	if b := r.bytes(n); b != nil {
		return b
	}
	return make([]byte, n)
}

// count reads a compact-u16 in its shortest form. A count larger than the
// remaining bytes fails here, before anything is allocated.
func (r *reader) count() int {
	n := 0
	for i := range 3 {
		b := r.byte()
		n |= int(b&0x7f) << (7 * i)
		if b&0x80 == 0 {
			if i > 0 && b == 0 || n > 0xffff {
				r.fail("a length is not in its shortest form")
				return 0
			}
			if n > len(r.rest) {
				r.fail("the transaction ends early")
				return 0
			}
			return n
		}
	}
	r.fail("a length is too long")
	return 0
}
