package wallet

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet/internal/intents"
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
// until then remains filled; what is left is paid back by the service, in a transaction that it
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
	// Replayed is Result.Replayed: this call has signed nothing, as the key's order has come
	// to its end before, or was found to have.
	Replayed bool `json:"replayed,omitempty"`
	// Intent is the one that the order's transactions were guarded against.
	Intent walletfi.Intent `json:"intent"`
	// Unsigned was built by the service in the last attempt, or is the set that went on
	// between two steps. Nil if the result is the journal's.
	Unsigned *walletfi.Unsigned `json:"unsigned,omitempty"`
	// Attempts is how often the order was built, at least 1.
	Attempts int `json:"attempts"`
	// Landing says what each attempt offered for landing, with Config.Fees.
	Landing []LandingFee `json:"landing,omitempty"`
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

// ErrShort means that an order is confirmed and, where that comes later, filled, and that
// less has arrived than its intent's Receive. It comes with the whole Placed, and each
// later Place of the key returns it again. The order is paid: ErrShort is never a reason to
// pay again, under this key or another. What a node does not show is not short.
var ErrShort = errors.New("less has arrived than was asked for")

// Shortfall is a mint of which less arrived than an order asked for.
type Shortfall struct {
	Mint    string          `json:"mint"`
	Asked   walletfi.Amount `json:"asked"`
	Arrived walletfi.Amount `json:"arrived"` // at most: costs that cannot be told apart are added back
}

// holdToFloor ends an order that is carried out with ErrShort, if less has arrived than it
// asked for.
func (p *placing) holdToFloor(ctx context.Context, e Entry) error {
	p.placed.Short = slices.Clone(e.Short)
	if p.placed.Short == nil {
		if p.placed.Short = p.placed.shortfalls(); p.placed.Short != nil {
			p.record(ctx, func(next *Entry) { next.Short = slices.Clone(p.placed.Short) })
		}
	}
	if p.placed.Short == nil {
		return nil
	}
	p.stage = StageEffects
	var each []string
	for _, s := range p.placed.Short {
		each = append(each, fmt.Sprintf("%d of %s, not %d", s.Arrived, s.Mint, s.Asked))
	}
	return p.failed(fmt.Errorf("%w: %s", ErrShort, strings.Join(each, "; ")))
}

// shortfalls compares what the effects show with the intent. What goes to others, or comes
// after the last transaction that is known, is not seen in them.
func (p *Placed) shortfalls() (all []Shortfall) {
	if len(p.Intent.OutputTo) > 0 || p.Intent.ReceiveAfter != nil && !p.FilledLater {
		return nil
	}
	for _, asked := range intents.Sum(p.Intent.Receive) {
		gained, lost, known := p.Net(p.Intent.Owner, asked.Mint)
		costs := p.costs(asked.Mint)
		arrived := plus(gained, costs-min(lost, costs)) // gained or lost is 0
		if known && arrived < asked.Amount {
			all = append(all, Shortfall{Mint: asked.Mint, Asked: asked.Amount, Arrived: arrived})
		}
	}
	return all
}

// costs is the most of a mint that the order also took: what it may spend, and of SOL
// its fees, tips and rent.
func (p *Placed) costs(mint string) (most walletfi.Amount) {
	for _, a := range slices.Concat(p.Intent.Spend, p.Intent.ServiceFee) {
		if a.Mint == mint {
			most = plus(most, a.Amount)
		}
	}
	if mint != walletfi.NativeMint {
		return most
	}
	rent := walletfi.Amount(signing.DefaultMaxRentLamports)
	if own := p.Intent.MaxRentLamports; own != nil {
		rent = *own
	}
	most = plus(plus(most, rent), plus(p.Intent.TipLamports, p.Intent.MaxForeignRentLamports))
	for _, step := range p.steps() {
		if e := step.Effects; e != nil && e.FeePayer == p.Intent.Owner {
			most = plus(most, e.Fee)
		}
	}
	return most
}

// plus is a and b together, or the most that an amount holds.
func plus(a, b walletfi.Amount) walletfi.Amount {
	if a+b < a {
		return math.MaxUint64
	}
	return a + b
}

// LandingFee says what an attempt of an order pays for landing, by the bytes that were signed.
type LandingFee struct {
	Attempt int `json:"attempt"` // counted from 1
	// Price is in micro-lamports per compute unit; of a set the least of its transactions.
	Price uint64 `json:"price"`
	// Units are the compute limits of all transactions together.
	Units uint64 `json:"units"`
	// Tip says what all of them tip, if all execute, by the guard's report. Of a policy for
	// tips alone it is all that is told.
	Tip walletfi.Amount `json:"tip,omitzero"`
	// Most says what all of them cost the owner, if all execute: base and priority fees.
	Most walletfi.Amount `json:"most"`
	// Paid says what those that were executed have cost, tips included.
	Paid walletfi.Amount `json:"paid"`
	// Market is the policy's percentile of the recent prices when the attempt was built.
	Market uint64 `json:"market"`
	// Builds is how often the service built it: again if the accounts of the first answer, or
	// its compute limit, ask for another price than was guessed, or if that was simulated for the limit.
	Builds int   `json:"builds"`
	State  State `json:"state"` // of the set
}
