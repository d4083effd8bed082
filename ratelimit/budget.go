package ratelimit

import (
	"strconv"
	"time"
)

// Budget is a limit: at most Requests in any window of the length Per.
type Budget struct {
	Requests int           // 1 or more
	Per      time.Duration // above 0, at most 100 years
}

// maxPer keeps sums of instants within an int64 of nanoseconds.
const maxPer = 100 * 366 * 24 * time.Hour

// Validate returns a [*BudgetError] if b cannot be a limit. A client that takes
// budgets from its configuration calls it before [New]. "No limit" is an empty
// list of budgets, never a zero Budget.
func (b Budget) Validate() error {
	switch {
	case b.Requests < 1:
		return &BudgetError{Field: "Budget.Requests", Problem: "must be 1 or more, is " + strconv.Itoa(b.Requests)}
	case b.Per <= 0 || b.Per > maxPer:
		return &BudgetError{Field: "Budget.Per", Problem: "must be above 0 and at most 100 years, is " + b.Per.String()}
	}
	return nil
}

// BudgetError describes an invalid [Budget]. The New function of a client
// reports it as a *walletfi.ValidationError.
type BudgetError struct {
	Field   string // "Budget.Requests" or "Budget.Per"
	Problem string // the rule and the value
}

// Error is "field: problem".
func (e *BudgetError) Error() string { return e.Field + ": " + e.Problem }
