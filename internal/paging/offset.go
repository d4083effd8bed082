package paging

import (
	"errors"
	"iter"
	"strings"

	"github.com/walletfi/walletfi-go"
)

// UnknownTotal is the total that a fetch function returns if the service does not
// state one.
const UnknownTotal = -1

// Offset iterates over a list that is requested by offset and limit, from start
// on. The next offset is the last offset plus the number of records that came, so
// that no record is lost if the service returns fewer than limit. The first
// request has start as it is: nil states no offset. So does limit in each request.
// The iteration ends on an empty page and at the total of the latest page. A total
// of 0 on a page with records counts as unknown.
func Offset[T any](
	start, limit *int, fetch func(offset, limit *int) (items []T, total int, err error),
) iter.Seq2[T, error] {
	start, limit = clone(start), clone(limit)
	return func(yield func(T, error) bool) {
		w, seen := newWalk(yield), 0
		if start != nil {
			seen = *start
		}
		for offset := start; ; offset = new(seen) {
			items, total, err := fetch(clone(offset), clone(limit))
			if !w.page(items, err) {
				return
			}
			count := Count(items, err)
			seen += count
			if count == 0 || total > 0 && seen >= total {
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

// Count is how many records a page had: those that could be read, and those that
// could not.
func Count[T any](items []T, err error) int {
	count := len(items)
	unread, _ := unreadOf(err)
	for _, record := range unread {
		if !record.Kept {
			count++
		}
	}
	return count
}

// unreadOf returns the records that could not be read: those of the page, and those
// inside of one or beside them.
func unreadOf(err error) (own, inside []*walletfi.RecordError) {
	if e, ok := errors.AsType[*walletfi.UnreadError](err); ok {
		for _, record := range e.Records {
			if strings.ContainsAny(record.List, "[.") || record.List == "included" {
				inside = append(inside, record)
			} else {
				own = append(own, record)
			}
		}
	}
	return own, inside
}
