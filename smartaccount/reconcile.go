package smartaccount

import (
	"errors"
	"fmt"
	"slices"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// telling makes a list's call one that can say that something is not there: the
// answer must hold the list, which null does not, and how long it is.
func telling(call transport.Call) transport.Call {
	call.Answer = transport.Lists(call.Answer.First())
	call.Answer.Members = append(call.Answer.Members, "total:number")
	return call
}

// matching returns the items of a list whose key is want. If there is none, and
// the service left items out of the list or did not say the key of one, the
// outcome is unknown. What else such an item does not say is no reason to doubt.
func matching[T any](items []T, total int, key func(T) []string, want ...string) ([]T, error) {
	var found []T
	nameless := 0
	for _, item := range items {
		switch k := key(item); {
		case slices.Equal(k, want):
			found = append(found, item)
		case slices.Contains(k, ""):
			nameless++
		}
	}
	switch {
	case len(found) > 0:
		return found, nil
	case total > len(items):
		return nil, inDoubt("the service listed %d of %d items, and none of them matches", len(items), total)
	case nameless > 0:
		return nil, inDoubt("the service did not say what %d of %d items are, and none of the others matches",
			nameless, len(items))
	}
	return nil, nil
}

func inDoubt(format string, args ...any) error {
	return &walletfi.OutcomeUnknownError{Cause: fmt.Errorf(format, args...)}
}

// lossOf returns the error of a list that cannot be searched: of one in which every item is,
// if only in part, it is nil. One that came twice is there.
func lossOf(err error) error {
	unread, ok := errors.AsType[*walletfi.UnreadError](err)
	isLost := func(r *walletfi.RecordError) bool { return !r.Kept && !errors.Is(r, wire.ErrRepeated) }
	if !ok || slices.ContainsFunc(unread.Records, isLost) {
		return err
	}
	return nil
}
