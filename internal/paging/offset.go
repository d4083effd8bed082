package paging

import "iter"

// UnknownTotal is what a fetch function returns where the service does not say
// how many records there are.
const UnknownTotal = -1

// Offset iterates over a list that is asked for by offset and limit, from
// start on. The next offset is the last one plus what came, so that a service
// which gives fewer than limit loses nothing; limit 0 is passed on as it is. It
// ends on an empty page and, where fetch knows it, at the total of the latest
// page. A total of 0 beside records is one that the service left out.
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

// page yields what one fetch brought and tells whether to go on.
func page[T any](items []T, err error, yield func(T, error) bool) bool {
	if err != nil {
		var none T
		yield(none, err)
		return false
	}
	for _, item := range items {
		if !yield(item, nil) {
			return false
		}
	}
	return true
}
