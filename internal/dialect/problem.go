package dialect

import (
	"fmt"
	"maps"
	"slices"

	"github.com/walletfi/walletfi-go"
)

// problem is an error that names a field of a deployment.
func problem(field, format string, args ...any) error {
	return &walletfi.ValidationError{Field: field, Problem: fmt.Sprintf(format, args...)}
}

// inOrder returns the keys of a map in an order that does not change from run to
// run: it decides which of several mistakes an error names.
func inOrder[V any](m map[string]V) []string {
	if len(m) == 0 {
		return nil // spares most calls the iterator
	}
	return slices.Sorted(maps.Keys(m))
}
