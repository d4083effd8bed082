package paging

import "iter"

// UnknownTotal is the total that a fetch function returns if the service does not
// state one.
const UnknownTotal = -1

// Offset iterates over a list that is requested by offset and limit, from start
// on. The next offset is the last offset plus the number of records that came, so
// that no record is lost if the service returns fewer than limit. The first
// request has start as it is: nil states no offset. So does limit in each request.
// The iteration ends on an empty page and at the total of the latest page. A total
// of 0 on a page with records counts as unknown.
func Offset[T any](start, limit *int, fetch func(offset, limit *int) (items []T, total int, err error)) iter.Seq2[T, error] {
	start, limit = clone(start), clone(limit)
	return func(yield func(T, error) bool) {
		seen := 0
		if start != nil {
			seen = *start
		}
		for offset := start; ; offset = new(seen) {
			items, total, err := fetch(clone(offset), clone(limit))
			if !page(items, err, yield) {
				return
			}
			seen += len(items)
			if len(items) == 0 || total > 0 && seen >= total {
				return
			}
		}
	}
}

// clone keeps an iteration's numbers apart from those that the caller can change.
func clone(n *int) *int {
	if n == nil {
		return nil
	}
	return new(*n)
}

// page yields the result of a fetch and reports whether to go on.
func page[T any](items []T, err error, yield func(T, error) bool) bool {
	if err != nil {
		var zero T
		yield(zero, err)
		return false
	}
	for _, item := range items {
		if !yield(item, nil) {
			return false
		}
	}
	return true
}
