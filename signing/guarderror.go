package signing

import (
	"errors"
	"fmt"
	"log/slog"
	"strings"
)

// ErrRefused matches every [GuardError] with errors.Is.
var ErrRefused = errors.New("refused by the signing guard")

// EnvelopeInstruction is GuardError.Instruction if the refusal is about the
// transaction as a whole.
const EnvelopeInstruction = -1

// GuardError is a refusal to sign. No signature slot was touched.
type GuardError struct {
	Rule        Rule      `json:"rule"`                // which rule refused
	Transaction int       `json:"transaction"`         // index in the set, 0 where there is one
	Instruction int       `json:"instruction"`         // index of the instruction, EnvelopeInstruction for the whole
	Simulated   bool      `json:"simulated,omitempty"` // seen in a simulated inner instruction or in its outcome
	Program     PublicKey `json:"program"`             // that the instruction calls, zero for the whole
	Found       string    `json:"found"`               // what the transaction does
	Allowed     string    `json:"allowed"`             // what would have passed
}

// Error says in one line what was refused and what would have passed. It counts from 1.
func (e *GuardError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v", ErrRefused)
	if e.Transaction > 0 {
		fmt.Fprintf(&b, ", transaction %d", e.Transaction+1)
	}
	if e.Instruction != EnvelopeInstruction {
		fmt.Fprintf(&b, ", instruction %d of %s", e.Instruction+1, ProgramName(e.Program))
	}
	if e.Simulated {
		b.WriteString(", simulated")
	}
	fmt.Fprintf(&b, ": found %s; allowed: %s (rule %s)", e.Found, e.Allowed, e.Rule)
	return b.String()
}

// Unwrap returns ErrRefused.
func (e *GuardError) Unwrap() error { return ErrRefused }

// LogValue gives slog the fields.
func (e *GuardError) LogValue() slog.Value {
	return slog.GroupValue(
		slog.String("rule", string(e.Rule)),
		slog.Int("transaction", e.Transaction),
		slog.Int("instruction", e.Instruction),
		slog.Bool("simulated", e.Simulated),
		slog.String("program", ProgramName(e.Program)),
		slog.String("found", e.Found),
		slog.String("allowed", e.Allowed),
	)
}
