package predictmeta

import (
	"slices"

	"github.com/walletfi/walletfi-go"
)

// bookSide is a side of a book that changes: its levels, best first.
type bookSide struct {
	direction int // +1 by rising price, as of asks
	levels    []Level
	// full is how many levels were fetched, if there may be worse ones than worst,
	// which are not known then. 0 means that all are known.
	full  int
	worst walletfi.Decimal
}

// replace makes levels the whole side. most is how many could be fetched, 0 if all.
func (s *bookSide) replace(levels []Level, most int) (changed bool) {
	fresh := sorted(levels, s.direction)
	changed = !areSame(fresh, s.levels)
	s.levels, s.full = fresh, 0
	if most > 0 && len(levels) >= most && len(fresh) > 0 {
		s.full, s.worst = len(fresh), fresh[len(fresh)-1].Price
	}
	return changed
}

// areSame reports whether the levels of two sides are the same.
func areSame(a, b []Level) bool {
	return slices.EqualFunc(a, b, func(a, b Level) bool { return a.Quantity == b.Quantity && byPrice(a, b) == 0 })
}

// change takes the new quantities of levels.
func (s *bookSide) change(levels []Level) (changed bool) {
	for _, level := range levels {
		i, found := slices.BinarySearchFunc(s.levels, level, func(a, b Level) int {
			return a.Price.Cmp(b.Price) * s.direction
		})
		switch {
		case found && level.Quantity == s.levels[i].Quantity:
			continue
		case found && level.Quantity == 0:
			s.levels = slices.Delete(s.levels, i, i+1)
		case found:
			s.levels[i] = level
		case level.Quantity == 0:
			continue
		case s.full > 0 && level.Price.Cmp(s.worst)*s.direction > 0:
			continue
		default:
			s.levels = slices.Insert(s.levels, i, level)
		}
		changed = true
	}
	return changed
}

// isThin reports whether so much of what was fetched is gone that it should be fetched
// again.
func (s *bookSide) isThin() bool { return s.full > 0 && len(s.levels) <= s.full/2 }

// isExhausted reports whether the best price is unknown.
func (s *bookSide) isExhausted() bool { return s.full > 0 && len(s.levels) == 0 }

// bookSides are both sides of a book.
type bookSides struct{ bids, asks bookSide }

func (s *bookSides) replace(bids, asks []Level, most int) (changed bool) {
	changed = s.bids.replace(bids, most)
	return s.asks.replace(asks, most) || changed
}

// take merges an update.
func (s *bookSides) take(u *BookUpdate, updates BookUpdates) (changed bool) {
	if updates == UpdatesReplace {
		return s.replace(u.Bids, u.Asks, 0)
	}
	changed = s.bids.change(u.Bids)
	return s.asks.change(u.Asks) || changed
}

func (s *bookSides) clone() *bookSides {
	c := *s
	c.bids.levels, c.asks.levels = slices.Clone(s.bids.levels), slices.Clone(s.asks.levels)
	return &c
}
