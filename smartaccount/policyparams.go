package smartaccount

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// PolicyParams are the params of a policy: a SpendingLimit, a
// SpendingLimitChange (in an update only), or RawParams for the types whose
// params are not documented.
type PolicyParams interface {
	// paramsProblem checks the params for a new policy of type create, or for an
	// update where that is empty.
	paramsProblem(create PolicyType) error
}

// Period is the time over which a spending limit counts. Others than the
// constant exist and are not documented.
type Period string

// PeriodDaily counts by the day.
const PeriodDaily Period = "daily"

// SpendingLimit is the params of a PolicySpendingLimit.
type SpendingLimit struct {
	Mint   string          `json:"mint"`          // required
	Amount walletfi.Amount `json:"amount,string"` // most in a period, smallest units; 0 lets nothing out
	Period Period          `json:"period"`        // required
}

func (l SpendingLimit) paramsProblem(create PolicyType) error {
	return check.All(
		forSpending(create),
		check.Required("params.mint", l.Mint),
		check.Required("params.period", l.Period),
	)
}

// SpendingLimitChange is some of the params of a PolicySpendingLimit: what is
// zero or nil stays as it is.
type SpendingLimitChange struct {
	Mint   string           `json:"mint,omitzero"`
	Amount *walletfi.Amount `json:"amount,string,omitempty"` // smallest units; 0 lets nothing out
	Period Period           `json:"period,omitzero"`
}

func (l SpendingLimitChange) paramsProblem(create PolicyType) error {
	return check.All(
		check.That(create == "", "params", "of a new policy must be whole: take SpendingLimit"),
		check.That(l != SpendingLimitChange{}, "params", "change nothing"),
	)
}

// RawParams are params as JSON, an object.
type RawParams []byte

// MarshalJSON returns the params as they are.
func (p RawParams) MarshalJSON() ([]byte, error) { return walletfi.Document(p).MarshalJSON() }

func (p RawParams) paramsProblem(PolicyType) error { return object("params", p) }

// SpendingLimit reads the params of a PolicySpendingLimit. It is an error for
// a policy of another type and where the list left the params out.
func (p Policy) SpendingLimit() (SpendingLimit, error) {
	if p.Type != PolicySpendingLimit {
		return SpendingLimit{}, fmt.Errorf("smartaccount: a policy of type %q has no spending limit", p.Type)
	}
	if p.Params.IsZero() || string(p.Params) == "null" {
		return SpendingLimit{}, fmt.Errorf("smartaccount: the service left out the params of policy %q", p.ID)
	}
	var l SpendingLimit
	if err := transport.Unmarshal(p.Params, &l); err != nil {
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
	return check.That(create == "" || create == PolicySpendingLimit, "params", "are those of a "+string(PolicySpendingLimit)+" policy")
}

// object refuses what is not a JSON object.
func object(field string, doc []byte) error {
	isObject := bytes.HasPrefix(bytes.TrimSpace(doc), []byte("{")) && json.Valid(doc)
	return check.That(isObject, field, "must be a JSON object")
}
