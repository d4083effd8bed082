package paging

import (
	"iter"
	"slices"
	"time"
)

// Backwards iterates over records that are each alone in their time, such as
// candles, newest first whatever the order within a page. The first page is
// asked for with before (zero for the newest there is), each next one with the
// time of the oldest record so far. Whether a service means "before" with or
// without that instant makes no difference: no record comes twice. It ends on
// a page without an older record.
func Backwards[T any](before time.Time, at func(T) time.Time, fetch func(before time.Time) ([]T, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		oldest, begun := before, false
		for {
			items, err := fetch(oldest)
			if begun {
				items = older(items, oldest, at)
			}
			items = newestFirst(items, at)
			if !page(items, err, yield) || len(items) == 0 {
				return
			}
			oldest, begun = at(items[len(items)-1]), true
		}
	}
}

// older returns the items from before the given time, in a slice of its own.
func older[T any](items []T, than time.Time, at func(T) time.Time) []T {
	return slices.DeleteFunc(slices.Clone(items), func(item T) bool { return !at(item).Before(than) })
}

func newestFirst[T any](items []T, at func(T) time.Time) []T {
	return slices.SortedStableFunc(slices.Values(items), func(a, b T) int { return at(b).Compare(at(a)) })
}
