// Package check has the rules for requests and configurations, so that bad input
// is refused by field before anything is sent:
//
//	return check.All(
//		check.Required("owner", r.Owner),
//		check.Positive("amount", r.Amount),
//	)
//
// Each rule returns nil or a [*walletfi.ValidationError]; [All] joins them.
package check

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/mr-tron/base58"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/ratelimit"
)

// All returns the errors of all broken rules, joined, or nil.
func All(rules ...error) error {
	broken := slices.DeleteFunc(rules, func(err error) bool { return err == nil })
	if len(broken) == 1 {
		return broken[0]
	}
	return errors.Join(broken...)
}

// That refuses field with the given problem unless ok. It is for rules that have
// no function of their own.
func That(ok bool, field, problem string) error {
	if ok {
		return nil
	}
	return &walletfi.ValidationError{Field: field, Problem: problem}
}

// Required refuses an empty text.
func Required[S ~string](field string, value S) error {
	return That(strings.TrimSpace(string(value)) != "", field, "is required")
}

// Positive refuses 0.
func Positive(field string, value walletfi.Amount) error {
	return That(value > 0, field, "must be more than 0")
}

// Range refuses a value below low or above high.
func Range[N cmp.Ordered](field string, value, low, high N) error {
	return That(low <= value && value <= high, field, fmt.Sprintf("must be %v to %v", low, high))
}

// maxBps is 100 % in basis points.
const maxBps = 10_000

// Slippage refuses a tolerance that is not stated, or not 0 to 10,000 basis
// points.
func Slippage(field string, s walletfi.Slippage) error {
	return All(
		That(!s.IsZero(), field, "is required: state 0 as walletfi.SlippageBps(0)"),
		OptionalSlippage(field, s),
	)
}

// OptionalSlippage is [Slippage] for a tolerance that need not be stated.
func OptionalSlippage(field string, s walletfi.Slippage) error {
	bps, fixed := s.Bps()
	return That(s.IsZero() || fixed && 0 <= bps && bps <= maxBps, field,
		fmt.Sprintf("must be 0 to %d basis points", maxBps))
}

// SlippageOrAuto is [OptionalSlippage] where the service can also choose.
func SlippageOrAuto(field string, s walletfi.Slippage) error {
	if s == walletfi.AutoSlippage() {
		return nil
	}
	return OptionalSlippage(field, s)
}

// RangeOf is [Range] for an optional value.
func RangeOf[N cmp.Ordered](field string, value *N, low, high N) error {
	if value == nil {
		return nil
	}
	return Range(field, *value, low, high)
}

// NotNegative refuses a value below 0.
func NotNegative[N ~int | ~int64 | ~float64](field string, value N) error {
	return That(value >= 0, field, "must not be negative")
}

// NotNegativeOf is [NotNegative] for an optional value.
func NotNegativeOf[N ~int | ~int64 | ~float64](field string, value *N) error {
	if value == nil {
		return nil
	}
	return NotNegative(field, *value)
}

// OneOf refuses a value outside a closed set.
func OneOf[S ~string](field string, value S, set ...S) error {
	if slices.Contains(set, value) {
		return nil
	}
	names := make([]string, len(set))
	for i, s := range set {
		names[i] = string(s)
	}
	return &walletfi.ValidationError{Field: field, Problem: "must be " + strings.Join(names, ", ")}
}

// OptionalOneOf is [OneOf] for a text that may be empty.
func OptionalOneOf[S ~string](field string, value S, set ...S) error {
	if value == "" {
		return nil
	}
	return OneOf(field, value, set...)
}

// Address refuses a text that is not the base58 of 32 bytes, as a public key or a
// mint is.
func Address[S ~string](field string, value S) error {
	if value == "" {
		return &walletfi.ValidationError{Field: field, Problem: "is required"}
	}
	return OptionalAddress(field, value)
}

// OptionalAddress is [Address] for a text that may be empty.
func OptionalAddress[S ~string](field string, value S) error {
	if value == "" {
		return nil
	}
	// Any 32 bytes fit 44 characters. Decoding is quadratic, so a longer text is
	// not decoded.
	decoded, err := []byte(nil), error(nil)
	if len(value) <= 44 {
		decoded, err = base58.Decode(string(value))
	}
	return That(err == nil && len(decoded) == 32, field, "must be the base58 of 32 bytes")
}

// Signature refuses a text that is not the base58 of 64 bytes.
func Signature[S ~string](field string, value S) error {
	decoded, err := []byte(nil), error(nil)
	if len(value) <= 88 {
		decoded, err = base58.Decode(string(value))
	}
	return That(err == nil && len(decoded) == 64, field, "must be the base58 of 64 bytes")
}

// Ordered refuses a period that ends before it starts. A zero time is open.
func Ordered(startField string, start time.Time, endField string, end time.Time) error {
	return That(start.IsZero() || end.IsZero() || !end.Before(start), endField, "must not be before "+startField)
}

// HTTPS refuses a text that is not an absolute https URL.
func HTTPS(field, value string) error {
	u, err := url.Parse(value)
	return That(err == nil && u.Scheme == "https" && u.Host != "", field, "must be an https URL")
}

// Budget refuses a budget that cannot be a limit.
func Budget(field string, b ratelimit.Budget) error {
	if wrong, ok := errors.AsType[*ratelimit.BudgetError](b.Validate()); ok {
		return &walletfi.ValidationError{Field: field + strings.TrimPrefix(wrong.Field, "Budget"), Problem: wrong.Problem}
	}
	return nil
}

// Each applies a rule to every item and returns the error of the first item that
// breaks it.
func Each[T any](field string, items []T, rule func(field string, item T) error) error {
	for i, item := range items {
		if err := rule(fmt.Sprintf("%s[%d]", field, i), item); err != nil {
			return err
		}
	}
	return nil
}
