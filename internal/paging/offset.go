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
		seen := 0
		if start != nil {
			seen = *start
		}
		for offset := start; ; offset = new(seen) {
			items, total, err := fetch(clone(offset), clone(limit))
			if !page(items, err, yield) {
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

// page yields the result of a fetch and reports whether to go on. A record that
// could not be read is yielded as an error in its place, with the record if a part of it
// could; one that is inside of another, or beside the page's own, after them. Neither ends
// the iteration.
func page[T any](items []T, err error, yield func(T, error) bool) bool {
	var zero T
	unread, inside := unreadOf(err)
	if err != nil && unread == nil && inside == nil {
		yield(zero, err)
		return false
	}
	for n := 0; len(items)+len(unread) > 0; n++ {
		if len(unread) > 0 && (unread[0].Index <= n || len(items) == 0) {
			record := zero
			if unread[0].Kept && len(items) > 0 {
				record, items = items[0], items[1:]
			}
			if !yield(record, unread[0]) {
				return false
			}
			unread = unread[1:]
			continue
		}
		if !yield(items[0], nil) {
			return false
		}
		items = items[1:]
	}
	for _, record := range inside {
		if !yield(zero, record) {
			return false
		}
	}
	return true
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
