package onchaindata

import (
	"iter"
	"slices"

	"github.com/walletfi/walletfi-go/internal/paging"
)

// pageList is a list in numbered pages.
type pageList[T any] struct {
	tier  Tier
	start int            // 0 means the first, for which no number is sent
	id    func(T) string // tells one record from another
	// endsShort says that a page which is not full is the last: for the routes
	// that are not documented to take a page.
	endsShort bool
}

// all iterates over the list. It ends on an empty page, and on one that brings
// what the page before brought, since a service that knows no pages would do so
// for ever. Beyond the tier's last page comes its PageCapError, unless that
// page was not full.
func (l pageList[T]) all(fetch func(page int) ([]T, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var last []T
		begun := false
		next := func(page int) ([]T, error) {
			short := begun && len(last) < PageSize
			if err := l.tier.checkPage(page); short && (err != nil || l.endsShort) {
				return nil, nil
			} else if err != nil {
				return nil, err
			}
			if !begun {
				page = l.start
			}
			items, err := fetch(page)
			if begun && slices.EqualFunc(items, last, l.same) {
				return nil, err
			}
			last, begun = items, true
			return items, err
		}
		start := l.start
		if start == 0 {
			start = 1
		}
		paging.Pages(start, 0, next)(yield)
	}
}

func (l pageList[T]) same(a, b T) bool { return l.id(a) != "" && l.id(a) == l.id(b) }

func poolID(p Pool) string { return p.ID }

// pools iterates over pages of pools.
func (c *Client) pools(start int, fetch func(page int) (*PoolPage, error)) iter.Seq2[Pool, error] {
	l := pageList[Pool]{tier: c.tier, start: start, id: poolID}
	return l.all(func(page int) ([]Pool, error) {
		p, err := fetch(page)
		if err != nil {
			return nil, err
		}
		return p.Pools, nil
	})
}
