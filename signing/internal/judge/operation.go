package judge

import (
	"fmt"
	"unsafe"

	"github.com/walletfi/walletfi-go/signing/internal/program"
	"github.com/walletfi/walletfi-go/signing/internal/rule"
)

// operation is one instruction as a rule sees it: of the transaction itself,
// of a token batch, or simulated.
type operation struct {
	program.Call
	check       *checker
	instruction int
	order       int // among all operations
	simulated   bool
	outer       Key // of a simulated one, the program that the transaction called
}

// text is the data as a string. It shares the transaction's bytes, of which
// only the signature slots ever change.
func (o *operation) text() string {
	return unsafe.String(unsafe.SliceData(o.Data), len(o.Data))
}

func (o *operation) site() rule.Site {
	return rule.Site{Transaction: o.check.index, Instruction: o.instruction, Simulated: o.simulated, Program: o.Program}
}

// refuse makes the refusal of this operation. It is never nil.
func (o *operation) refuse(by, allowed, found string, args ...any) *rule.Refusal {
	return o.site().Refuse(by, allowed, fmt.Sprintf(found, args...))
}

// describe names an account in a refusal.
func describe(k *Key) string {
	if k == nil {
		return "an account that only a lookup table names"
	}
	return k.String()
}
