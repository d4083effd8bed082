package onchaindata

import (
	"iter"
	"slices"

	"github.com/walletfi/walletfi-go/internal/paging"
)

// pageList is a list in numbered pages.
type pageList[T any] struct {
	tier  Tier
	start *int           // nil means the first, for which no number is sent
	id    func(T) string // identifies a record
	// endsShort ends the list after a page that is not full: for the routes that
	// are not documented to take a page.
	endsShort bool
}

// all iterates over the list. It ends at an empty page, and at a page that repeats
// the page before: a route that ignores the page would repeat it for ever. After
// the tier's last page it ends with a PageCapError, unless that page was not full.
func (l pageList[T]) all(fetch func(page *int) ([]T, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var last []T
		begun, ended, count := false, false, 0
		next := func(page int) ([]T, error) {
			short := begun && count < PageSize
			if err := l.tier.checkPage(&page); ended || short && (err != nil || l.endsShort) {
				return nil, nil
			} else if err != nil {
				return nil, err
			}
			number := &page
			if !begun {
				number = l.start
			}
			items, err := fetch(number)
			if begun && slices.EqualFunc(items, last, l.same) {
				ended = true // what of the page could not be read is still reported
				return nil, err
			}
			last, begun, count = items, true, paging.Count(items, err)
			return items, err
		}
		start := 1
		if l.start != nil {
			start = *l.start
		}
		paging.Pages(start, 0, next)(yield)
	}
}

func (l pageList[T]) same(a, b T) bool { return l.id(a) != "" && l.id(a) == l.id(b) }

func poolID(p Pool) string { return p.ID }

// pools iterates over pages of pools.
func (c *Client) pools(start *int, fetch func(page *int) (*PoolPage, error)) iter.Seq2[Pool, error] {
	l := pageList[Pool]{tier: c.made().tier, start: start, id: poolID}
	return l.all(func(page *int) ([]Pool, error) {
		p, err := fetch(page)
		if p == nil {
			return nil, err
		}
		return p.Items, err
	})
}
