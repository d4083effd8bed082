package paging

import (
	"iter"
	"slices"
	"time"
)

// Backwards iterates over records with distinct times, such as candles, newest
// first whatever the order within a page. The first page is requested with before
// (zero for the newest records), each following page with the time of the oldest
// record so far. It makes no difference whether the service includes that
// instant: no record comes twice. The iteration ends on a page without an older
// record.
func Backwards[T any](
	before time.Time, at func(T) time.Time, fetch func(before time.Time) ([]T, error),
) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		w := walk[T]{yield: yield}
		oldest, begun := before, false
		for {
			items, err := fetch(oldest)
			if begun {
				items = older(items, oldest, at)
			}
			items = newestFirst(items, at)
			if !w.page(items, err) || len(items) == 0 {
				return
			}
			oldest, begun = at(items[len(items)-1]), true
		}
	}
}

// older returns a new slice of the items before the given time.
func older[T any](items []T, than time.Time, at func(T) time.Time) []T {
	return slices.DeleteFunc(slices.Clone(items), func(item T) bool { return !at(item).Before(than) })
}

func newestFirst[T any](items []T, at func(T) time.Time) []T {
	return slices.SortedStableFunc(slices.Values(items), func(a, b T) int { return at(b).Compare(at(a)) })
}
