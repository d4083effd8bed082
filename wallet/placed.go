package wallet

import (
	"errors"
	"fmt"

	"github.com/walletfi/walletfi-go"
)

// Stage is a part of an order's way.
type Stage string

// The stages, in their order.
const (
	StageSettle  Stage = "settle"  // what was signed for the key before is followed to its end
	StageBuild   Stage = "build"   // the service builds the transactions
	StageGuard   Stage = "guard"   // they are held against the intent
	StageSign    Stage = "sign"    // they are signed and recorded
	StageSubmit  Stage = "submit"  // they are sent, again and again until each has come to its end
	StageConfirm Stage = "confirm" // one is confirmed, or has ended otherwise
	StageEffects Stage = "effects" // the ledger is asked what they have changed
	StageFill    Stage = "fill"    // the service fills the order
)

// ErrNotFilled means that a service ended an order before it was filled. What it filled
// until then stands; what is left is paid back by the service, in a transaction that it
// need not name.
var ErrNotFilled = errors.New("the service ended the order before it was filled")

// StageError is the stage at which an order ended.
type StageError struct {
	Stage Stage `json:"stage"`
	Cause error `json:"-"` // "cause" in JSON
}

// Error names the stage and the cause.
func (e *StageError) Error() string { return fmt.Sprintf("%s: %v", e.Stage, e.Cause) }

// Unwrap returns the cause.
func (e *StageError) Unwrap() error { return e.Cause }

// Placed has the results of the stages of an order.
type Placed struct {
	// Result has the guard's report, and each transaction with its state, signature,
	// bytes and effects.
	Result Result `json:"result"`
	// Intent is the one that the order's transactions were guarded against.
	Intent walletfi.Intent `json:"intent"`
	// Unsigned was built by the service in the last attempt, zero if the result is
	// the journal's.
	Unsigned *walletfi.Unsigned `json:"unsigned,omitempty"`
	// Attempts is how often the order was built, at least 1.
	Attempts int `json:"attempts"`
	// FilledLater says that the service fills the order after its transactions are
	// confirmed.
	FilledLater bool `json:"filledLater,omitempty"`
	// End is how the service ended an order that is filled later. Nil if that is not
	// known.
	End *walletfi.OrderEnd `json:"end,omitempty"`
	// Fills are the transactions of End, with what each has changed of the owner's.
	Fills []FillStep `json:"fills,omitempty"`
	// Short are the mints of which less arrived than Intent.Receive: see ErrShort.
	Short []Shortfall `json:"short,omitempty"`
}

// FillStep is a fill and what its transaction has changed of the owner's.
type FillStep struct {
	walletfi.OrderFill
	// Effects is nil if it is not known: Config.Effects is nil, or EffectsErr says why.
	Effects    *walletfi.Effects `json:"effects,omitempty"`
	EffectsErr error             `json:"-"` // "effectsError" in JSON
}

// Net returns how all transactions of the order together, its fills included, have
// changed an owner's tokens: see Result.Net. known is false too if the order is filled later and
// was not filled whole: the transaction that pays back the rest is not known.
func (p *Placed) Net(owner, mint string) (gained, lost walletfi.Amount, known bool) {
	if p.FilledLater && (p.End == nil || !p.End.Filled) {
		return 0, 0, false
	}
	all := Result{Steps: p.steps()}
	return all.Net(owner, mint)
}

// steps are the transactions of the order, its fills included, each of them once.
func (p *Placed) steps() (all []Step) {
	counted := map[string]bool{}
	for _, step := range p.Result.Steps {
		counted[step.Signature] = true
		all = append(all, step)
	}
	for _, f := range p.Fills {
		if !counted[f.Signature] { // several fills may be one transaction's
			counted[f.Signature] = true
			all = append(all, Step{State: StateConfirmed, Effects: f.Effects})
		}
	}
	return all
}
