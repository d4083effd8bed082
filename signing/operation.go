package signing

import (
	"encoding/binary"
	"fmt"
	"unsafe"
)

// operation is one instruction as a rule sees it: of the transaction itself,
// of a token batch, or simulated.
type operation struct {
	check       *checker
	program     PublicKey
	known       *knownProgram
	indexes     []byte      // accounts of the transaction's own instructions
	keys        []PublicKey // accounts of a simulated one
	data        []byte
	instruction int
	order       int // among all operations
	batched     bool
	simulated   bool
	outer       PublicKey // of a simulated one, the program that the transaction called
}

// at returns account i, nil where there is none or it is not known.
func (o *operation) at(i int) *PublicKey {
	if o.simulated {
		if i >= len(o.keys) {
			return nil
		}
		return &o.keys[i]
	}
	if i >= len(o.indexes) {
		return nil
	}
	return o.check.account(int(o.indexes[i]))
}

func (o *operation) count() int {
	if o.simulated {
		return len(o.keys)
	}
	return len(o.indexes)
}

// writes reports whether account i may be written. A simulated operation
// passes on no more than the transaction's own.
func (o *operation) writes(i int) bool {
	return !o.simulated && o.check.tx.writable(int(o.indexes[i]))
}

// u64 reads the number at an offset of the data; ok is false where it ends
// before.
func (o *operation) u64(at int) (n uint64, ok bool) {
	if len(o.data) < at+8 {
		return 0, false
	}
	return binary.LittleEndian.Uint64(o.data[at:]), true
}

func (o *operation) key(at int) (k PublicKey, ok bool) {
	if len(o.data) < at+32 {
		return k, false
	}
	return PublicKey(o.data[at : at+32]), true
}

// text is the data as a string. It shares the transaction's bytes, which
// nothing changes but the signature slots.
func (o *operation) text() string {
	return unsafe.String(unsafe.SliceData(o.data), len(o.data))
}

// site is where in a set an operation stands.
type site struct {
	transaction, instruction int
	simulated                bool
	program                  PublicKey
}

func (o *operation) site() site {
	return site{o.check.index, o.instruction, o.simulated, o.program}
}

func (s *site) refuse(rule Rule, allowed, found string) *GuardError {
	return &GuardError{Rule: rule, Transaction: s.transaction, Instruction: s.instruction, Simulated: s.simulated,
		Program: s.program, Found: found, Allowed: allowed}
}

// refuse makes the refusal of this operation, nil where the rule is switched
// off.
func (o *operation) refuse(rule Rule, allowed, found string, args ...any) *GuardError {
	if rule == o.check.guard.off {
		return nil
	}
	at := o.site()
	return at.refuse(rule, allowed, fmt.Sprintf(found, args...))
}

// describe names an account in a refusal.
func describe(k *PublicKey) string {
	if k == nil {
		return "an account that only a lookup table names"
	}
	return k.String()
}
