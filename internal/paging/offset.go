package paging

import "iter"

// UnknownTotal is the total that a fetch function returns if the service does not
// state one.
const UnknownTotal = -1

// Offset iterates over a list that is requested by offset and limit, from start
// on. The next offset is the last offset plus the number of records that came, so
// that no record is lost if the service returns fewer than limit. A limit of 0 is
// passed on. The iteration ends on an empty page and at the total of the latest
// page. A total of 0 on a page with records counts as unknown.
func Offset[T any](start, limit int, fetch func(offset, limit int) (items []T, total int, err error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for offset := start; ; {
			items, total, err := fetch(offset, limit)
			if !page(items, err, yield) {
				return
			}
			offset += len(items)
			if len(items) == 0 || total > 0 && offset >= total {
				return
			}
		}
	}
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
