// Package check states what a request must fulfil, a line a rule, so that bad
// input is refused by field before anything is sent. Each rule returns nil or
// a *walletfi.ValidationError; All gathers them.
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

// All returns every rule that is broken, joined, or nil.
func All(rules ...error) error {
	broken := slices.DeleteFunc(rules, func(err error) bool { return err == nil })
	if len(broken) == 1 {
		return broken[0]
	}
	return errors.Join(broken...)
}

// That is the rule for which there is no other: field has problem unless ok.
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

// Range refuses what is not between low and high, both included.
func Range[N cmp.Ordered](field string, value, low, high N) error {
	return That(low <= value && value <= high, field, fmt.Sprintf("must be %v to %v", low, high))
}

// RangeOf is Range for an optional value.
func RangeOf[N cmp.Ordered](field string, value *N, low, high N) error {
	if value == nil {
		return nil
	}
	return Range(field, *value, low, high)
}

// NotNegative refuses what is less than 0.
func NotNegative[N ~int | ~int64 | ~float64](field string, value N) error {
	return That(value >= 0, field, "must not be negative")
}

// OneOf refuses what is not among the values of a closed set.
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

// OptionalOneOf is OneOf for a text that may be empty.
func OptionalOneOf[S ~string](field string, value S, set ...S) error {
	if value == "" {
		return nil
	}
	return OneOf(field, value, set...)
}

// Address refuses what is not the base58 of 32 bytes: a public key or a mint.
func Address[S ~string](field string, value S) error {
	if value == "" {
		return &walletfi.ValidationError{Field: field, Problem: "is required"}
	}
	return OptionalAddress(field, value)
}

// OptionalAddress is Address for a text that may be empty.
func OptionalAddress[S ~string](field string, value S) error {
	if value == "" {
		return nil
	}
	// 44 characters hold any 32 bytes; decoding is quadratic, so longer text is
	// not decoded.
	decoded, err := []byte(nil), error(nil)
	if len(value) <= 44 {
		decoded, err = base58.Decode(string(value))
	}
	return That(err == nil && len(decoded) == 32, field, "must be the base58 of 32 bytes")
}

// Signature refuses what is not the base58 of 64 bytes.
func Signature[S ~string](field string, value S) error {
	decoded, err := []byte(nil), error(nil)
	if len(value) <= 88 {
		decoded, err = base58.Decode(string(value))
	}
	return That(err == nil && len(decoded) == 64, field, "must be the base58 of 64 bytes")
}

// Ordered refuses a period that ends before it starts; a zero time is open.
func Ordered(startField string, start time.Time, endField string, end time.Time) error {
	return That(start.IsZero() || end.IsZero() || !end.Before(start), endField, "must not lie before "+startField)
}

// HTTPS refuses what is not an absolute https URL.
func HTTPS(field, value string) error {
	u, err := url.Parse(value)
	return That(err == nil && u.Scheme == "https" && u.Host != "", field, "must be an https URL")
}

// Budget refuses what cannot be a limit.
func Budget(_ string, b ratelimit.Budget) error {
	if wrong, ok := errors.AsType[*ratelimit.BudgetError](b.Validate()); ok {
		return &walletfi.ValidationError{Field: wrong.Field, Problem: wrong.Problem}
	}
	return nil
}

// Each applies a rule to every item, naming the item that breaks it.
func Each[T any](field string, items []T, rule func(field string, item T) error) error {
	for i, item := range items {
		if err := rule(fmt.Sprintf("%s[%d]", field, i), item); err != nil {
			return err
		}
	}
	return nil
}
