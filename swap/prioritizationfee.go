package swap

import (
	"encoding/json"
	"errors"
	"math"
	"net/url"
	"strconv"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/networkfee"
	"github.com/walletfi/walletfi-go/internal/slippage"
)

// PrioritizationFee is the price of early execution. It has six
// forms: PriorityAuto, PriorityDisabled, PriorityAt, PriorityLamports,
// PriorityMultiplied and PriorityBundleTip. The zero value sends nothing and
// lets the service decide.
type PrioritizationFee struct {
	form       feeForm
	level      PriorityLevel
	lamports   walletfi.Amount
	multiplier float64
}

type feeForm uint8

const (
	feeUnset feeForm = iota
	feeAuto
	feeDisabled
	feeLevel
	feeExact
	feeMultiplied
	feeBundleTip
)

// PriorityLevel is a step of the service's own scale.
type PriorityLevel string

// The levels, a closed set.
const (
	LevelMedium   PriorityLevel = "medium"
	LevelHigh     PriorityLevel = "high"
	LevelVeryHigh PriorityLevel = "veryHigh"
)

// PriorityAuto lets the service choose the fee.
func PriorityAuto() PrioritizationFee { return PrioritizationFee{form: feeAuto} }

// PriorityDisabled pays no priority fee.
func PriorityDisabled() PrioritizationFee { return PrioritizationFee{form: feeDisabled} }

// PriorityAt pays the service's price for a level.
func PriorityAt(level PriorityLevel) PrioritizationFee {
	return PrioritizationFee{form: feeLevel, level: level}
}

// PriorityLamports pays exactly n lamports, 0 included.
func PriorityLamports(n walletfi.Amount) PrioritizationFee {
	return PrioritizationFee{form: feeExact, lamports: n}
}

// PriorityMultiplied pays multiplier times the automatic fee, at most
// maxLamports. Both are more than 0.
func PriorityMultiplied(multiplier float64, maxLamports walletfi.Amount) PrioritizationFee {
	return PrioritizationFee{form: feeMultiplied, multiplier: multiplier, lamports: maxLamports}
}

// PriorityBundleTip tips a bundle with n lamports, more than 0, instead of
// paying a priority fee.
func PriorityBundleTip(n walletfi.Amount) PrioritizationFee {
	return PrioritizationFee{form: feeBundleTip, lamports: n}
}

// SetLamports makes f a fee of exactly n lamports, as [PriorityLamports] is. Package wallet sets
// a policy's fee by it.
func (f *PrioritizationFee) SetLamports(n walletfi.Amount) { *f = PriorityLamports(n) }

// SetTip makes f, if it is a bundle's tip, one of n lamports. Package wallet sets a policy's tip by it.
func (f *PrioritizationFee) SetTip(n walletfi.Amount) {
	if f.form == feeBundleTip {
		f.lamports = n
	}
}

// IsZero reports whether nothing is sent.
func (f PrioritizationFee) IsZero() bool { return f.form == feeUnset }

// MarshalJSON writes the fee for a request body: a string, a number or an
// object. The zero value is an error.
func (f PrioritizationFee) MarshalJSON() ([]byte, error) {
	switch f.form {
	case feeAuto:
		return []byte(`"auto"`), nil
	case feeDisabled:
		return []byte(`"disabled"`), nil
	case feeExact:
		return []byte(f.lamports.String()), nil
	case feeLevel:
		return json.Marshal(struct {
			Level PriorityLevel `json:"priorityLevel"`
		}{f.level})
	case feeMultiplied:
		return json.Marshal(struct {
			Multiplier  json.RawMessage `json:"autoMultiplier"`
			MaxLamports uint64          `json:"maxLamports"`
		}{strconv.AppendFloat(nil, f.multiplier, 'f', -1, 64), uint64(f.lamports)})
	case feeBundleTip:
		return json.Marshal(struct {
			Lamports uint64 `json:"bundleTipLamports"`
		}{uint64(f.lamports)})
	}
	return nil, errors.New("swap: a zero PrioritizationFee must be left out; it cannot be marshalled")
}

// Text returns the fee for a query: auto, disabled, digits, or an object as
// compact JSON. It is empty for the zero value.
func (f PrioritizationFee) Text() (string, error) {
	switch f.form {
	case feeUnset:
		return "", nil
	case feeAuto:
		return "auto", nil
	case feeDisabled:
		return "disabled", nil
	}
	text, err := f.MarshalJSON()
	return string(text), err
}

// priorityFeeQuery is the default of Config.PriorityFeeQuery.
func priorityFeeQuery(f PrioritizationFee) (url.Values, error) {
	text, err := f.Text()
	if err != nil {
		return nil, err
	}
	return url.Values{"prioritizationFeeLamports": {text}}, nil
}

func (f PrioritizationFee) problem() error {
	const field = "prioritizationFeeLamports"
	switch f.form {
	case feeLevel:
		return check.OneOf(field+".priorityLevel", f.level, LevelMedium, LevelHigh, LevelVeryHigh)
	case feeMultiplied:
		return check.All(
			check.That(f.multiplier > 0 && !math.IsInf(f.multiplier, 0), field+".autoMultiplier", "must be more than 0"),
			check.Positive(field+".maxLamports", f.lamports),
		)
	case feeBundleTip:
		return check.Positive(field+".bundleTipLamports", f.lamports)
	}
	return nil
}

// most returns the highest priority fee or tip that f allows, and false if only the service
// knows.
func (f PrioritizationFee) most() (walletfi.Amount, bool) {
	switch f.form {
	case feeDisabled, feeExact, feeMultiplied, feeBundleTip:
		return f.lamports, true
	}
	return 0, false
}

// mismatch holds the priority fee that the service chose against f.
func (f PrioritizationFee) mismatch(chosen walletfi.Amount) error {
	most, known := f.most()
	if !known {
		return nil
	}
	return slippage.Ceiling(slippage.Stated{Field: "prioritizationFeeLamports", Amount: chosen}, most)
}

// networkFeeCap returns the most that a transaction may cost, base fee
// included; nil if only the service knows.
func (f PrioritizationFee) networkFeeCap() *walletfi.Amount {
	most, known := f.most()
	if !known || f.form == feeBundleTip {
		return nil
	}
	return new(most + min(networkfee.Cap(0), math.MaxUint64-most))
}

// tip returns what goes to the bundle's tip account.
func (f PrioritizationFee) tip() walletfi.Amount {
	if f.form == feeBundleTip {
		return f.lamports
	}
	return 0
}
