package txwire

import "fmt"

// Kind is the class of a fault, and a bit of Faults.Kinds.
type Kind uint8

// The kinds of faults.
const (
	Encoding Kind = 1 << iota // text, size, lengths, bytes missing or left over
	Unknown                   // a version that is not legacy, v0 or v1
	Sanity                    // what every node checks before it runs a transaction
)

// Faults lists the faults of a transaction's text or bytes.
type Faults struct {
	Kind    Kind   // of the first fault
	Found   string // the first fault
	Allowed string // what would have passed in its place

	// Kinds holds the kind of every fault that was found.
	Kinds Kind
	// Unreadable is set if the bytes could not be read to their end, so that
	// the layout is incomplete and further faults may be hidden.
	Unreadable bool
}

// Error describes the first fault.
func (f *Faults) Error() string { return f.Found + "; allowed: " + f.Allowed }

// WholeText describes a text that passes as a transaction.
const WholeText = "a transaction in strict base64 or base58, at most 1,232 bytes or in v1 4,096"

func badText(found string, args ...any) *Faults {
	return &Faults{
		Kind:       Encoding,
		Kinds:      Encoding,
		Unreadable: true,
		Found:      fmt.Sprintf(found, args...),
		Allowed:    WholeText,
	}
}
