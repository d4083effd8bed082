package paging

import (
	"crypto/sha256"
	"errors"
	"fmt"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// walk is an iteration over pages. It yields no record twice that says which one it is: a list
// that changes between two requests has the last records of a page on the next one too.
type walk[T any] struct {
	yield func(T, error) bool
	seen  map[fingerprint]struct{} // records, nil if no page has one of another
	stale int                      // pages in a row without a record that is new
}

// fingerprint stands for a text that can be as long as the service likes.
type fingerprint [16]byte

func fingerprintOf(text string) fingerprint {
	sum := sha256.Sum256([]byte(text))
	return fingerprint(sum[:])
}

func newWalk[T any](yield func(T, error) bool) *walk[T] {
	return &walk[T]{yield: yield, seen: map[fingerprint]struct{}{}}
}

var errRepeats = fmt.Errorf("%w: the service answers with no records but those of earlier pages", walletfi.ErrDecode)

// mostStale is how many pages in a row may have nothing new.
const mostStale = 2

// page yields the result of a fetch and reports whether to go on. A record that
// could not be read is yielded as an error in its place, with the record if a part of it
// could; one that is inside of another, or beside the page's own, after them. Neither ends
// the iteration. A service that repeats its records does, as it would for ever.
func (w *walk[T]) page(items []T, err error) bool {
	var zero T
	unread, inside := unreadOf(err)
	if err != nil && unread == nil && inside == nil {
		w.yield(zero, err)
		return false
	}
	w.stale++
	if len(items) == 0 {
		w.stale = 0
	}
	for n := 0; len(items)+len(unread) > 0; n++ {
		record, isNew := zero, false
		var problem error
		if len(unread) > 0 && (unread[0].Index <= n || len(items) == 0) {
			if unread[0].Kept && len(items) > 0 {
				record, items = items[0], items[1:]
				if !w.isNew(&record) {
					record = zero
				}
			}
			problem, unread = unread[0], unread[1:]
			isNew = !errors.Is(problem, wire.ErrRepeated)
		} else {
			record, items = items[0], items[1:]
			isNew = w.isNew(&record)
		}
		if !isNew {
			continue
		}
		w.stale = 0
		if !w.yield(record, problem) {
			return false
		}
	}
	for _, record := range inside {
		if !w.yield(zero, record) {
			return false
		}
	}
	if w.stale == mostStale {
		w.yield(zero, errRepeats)
		return false
	}
	return true
}

// isNew notes a record, and reports whether it did not come before.
func (w *walk[T]) isNew(record *T) bool {
	id := wire.Identity(record)
	if id == "" || w.seen == nil {
		return true
	}
	print := fingerprintOf(id)
	_, again := w.seen[print]
	w.seen[print] = struct{}{}
	return !again
}
