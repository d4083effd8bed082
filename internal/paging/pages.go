package paging

import (
	"fmt"
	"iter"

	"github.com/walletfi/walletfi-go"
)

// Pages iterates over a list whose pages are numbered, from the page start on. It
// ends on an empty page and after the page last, the cap of the caller's tier; 0
// means no cap. If start is not valid, Pages yields the error of [CheckPage] and
// fetches nothing.
func Pages[T any](start, last int, fetch func(page int) ([]T, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		w := newWalk(yield)
		if err := CheckPage(start, last); err != nil {
			w.page(nil, err)
			return
		}
		for n := start; last == 0 || n <= last; n++ {
			items, err := fetch(n)
			if !w.page(items, err) || Count(items, err) == 0 {
				return
			}
		}
	}
}

// CheckPage returns a [*walletfi.ValidationError] unless n is a number from 1 to
// last. With last 0 there is no upper bound.
func CheckPage(n, last int) error {
	switch {
	case n < 1:
		return &walletfi.ValidationError{Field: "page", Problem: fmt.Sprintf("is %d, pages are numbered from 1", n)}
	case last > 0 && n > last:
		return &walletfi.ValidationError{
			Field:   "page",
			Problem: fmt.Sprintf("is %d, the tier gives no more than %d", n, last),
		}
	}
	return nil
}
