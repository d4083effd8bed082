package smartaccount

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// PolicyParams holds the params of a policy: a SpendingLimit, a
// SpendingLimitChange (only in an update), or RawParams for types whose params
// are not documented.
type PolicyParams interface {
	// paramsProblem checks the params for a new policy of type create, or for an
	// update if create is empty.
	paramsProblem(create PolicyType) error
}

// Period is the time over which a spending limit counts. Undocumented values
// exist.
type Period string

// PeriodDaily counts per day.
const PeriodDaily Period = "daily"

func init() { wire.Words(PeriodDaily) }

// SpendingLimit holds the params of a PolicySpendingLimit.
type SpendingLimit struct {
	Mint string `json:"mint" wire:"said"` // required
	// Amount is the maximum per period, smallest units; 0 allows no spending.
	Amount walletfi.Amount `json:"amount,string" wire:"said"`
	Period Period          `json:"period" wire:"said"` // required
}

func (l SpendingLimit) paramsProblem(create PolicyType) error {
	return check.All(
		forSpending(create),
		check.Required("params.mint", l.Mint),
		check.Required("params.period", l.Period),
	)
}

// SpendingLimitChange holds the params of a PolicySpendingLimit to change. Zero
// and nil fields stay unchanged.
type SpendingLimitChange struct {
	Mint   string           `json:"mint,omitzero"`
	Amount *walletfi.Amount `json:"amount,string,omitempty"` // smallest units; 0 allows no spending
	Period Period           `json:"period,omitzero"`
}

func (l SpendingLimitChange) paramsProblem(create PolicyType) error {
	return check.All(
		check.That(create == "", "params", "of a new policy must be complete: use SpendingLimit"),
		check.That(l != SpendingLimitChange{}, "params", "change nothing"),
	)
}

// RawParams holds params as a JSON object.
type RawParams []byte

// MarshalJSON returns the params unchanged.
func (p RawParams) MarshalJSON() ([]byte, error) { return walletfi.Document(p).MarshalJSON() }

func (p RawParams) paramsProblem(PolicyType) error { return object("params", p) }

// SpendingLimit reads the params of a PolicySpendingLimit. It fails for a
// policy of another type, for a policy from a list, which has no params, and for params
// without a mint, an amount or a period.
func (p Policy) SpendingLimit() (SpendingLimit, error) {
	if p.Type != PolicySpendingLimit {
		return SpendingLimit{}, fmt.Errorf("smartaccount: a policy of type %q has no spending limit", p.Type)
	}
	if p.Params.IsZero() || string(p.Params) == "null" {
		return SpendingLimit{}, fmt.Errorf("smartaccount: the service left out the params of policy %q", p.ID)
	}
	var l SpendingLimit
	if err := wire.Unmarshal(p.Params, &l); err != nil {
		return SpendingLimit{}, fmt.Errorf("smartaccount: params of policy %q: %w", p.ID, err)
	}
	return l, nil
}

func paramsProblem(params PolicyParams, create PolicyType) error {
	if params == nil {
		return &walletfi.ValidationError{Field: "params", Problem: "are required"}
	}
	return params.paramsProblem(create)
}

func forSpending(create PolicyType) error {
	return check.That(create == "" || create == PolicySpendingLimit, "params",
		"are those of a "+string(PolicySpendingLimit)+" policy")
}

// object checks that doc is a JSON object in which each member has one value.
func object(field string, doc []byte) error {
	if !bytes.HasPrefix(bytes.TrimSpace(doc), []byte("{")) || !json.Valid(doc) {
		return check.That(false, field, "must be a JSON object")
	}
	return check.That(wire.Once(doc) == nil, field, "must not have a member twice")
}
