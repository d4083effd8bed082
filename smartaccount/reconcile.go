package smartaccount

import (
	"fmt"

	"github.com/walletfi/walletfi-go"
)

// matching returns the items of a list that match. If no item matches and the
// service left some out, the outcome is unknown.
func matching[T any](items []T, total int, match func(T) bool) ([]T, error) {
	var found []T
	for _, item := range items {
		if match(item) {
			found = append(found, item)
		}
	}
	if len(found) == 0 && total > len(items) {
		return nil, &walletfi.OutcomeUnknownError{
			Cause: fmt.Errorf("the service listed %d of %d items, and none of them matches", len(items), total),
		}
	}
	return found, nil
}
