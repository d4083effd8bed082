package entryfile

import (
	"cmp"
	"iter"
	"maps"
	"slices"
)

// List yields the records that have one of the names, or all if names is nil, the oldest
// first. Of the settled ones only the places are in memory. What changes meanwhile is
// yielded as it is then; open leaves out what was settled at the beginning.
func (s *Store) List(open bool, names []string) iter.Seq2[*Record, error] {
	return func(yield func(*Record, error) bool) {
		hot, cold, places := s.view(open, names)
		defer cold.users.Done()
		var next *Record // at the first of the places
		for len(hot)+len(places) > 0 {
			var err error
			if next == nil && len(places) > 0 {
				next, err = cold.read(s.cfg, places[0])
			}
			r := next
			switch {
			case err != nil:
			case len(places) == 0 || len(hot) > 0 && hot[0].Since.Before(next.Since):
				r, hot = hot[0], hot[1:]
			default:
				next, places = nil, places[1:]
			}
			if err == nil {
				r, err = s.current(cold, r)
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if r != nil && !yield(r, nil) {
				return
			}
		}
	}
}

// view returns the records of a list at one moment.
func (s *Store) view(open bool, names []string) (hot []*Record, cold *kept, places []int64) {
	s.mu.Lock()
	if cold = s.cold; names == nil {
		hot = slices.Collect(maps.Values(s.hot))
		if !open {
			places = cold.keys.places()
		}
	}
	for _, name := range names {
		hot = append(hot, s.named[hashOf(name)]...)
		if !open {
			places = append(places, cold.names.find(hashOf(name))...)
		}
	}
	cold.users.Add(1)
	s.mu.Unlock()
	hot = slices.DeleteFunc(hot, func(r *Record) bool { return open && !r.Open })
	slices.SortFunc(hot, oldest)
	slices.Sort(places)
	return slices.Compact(hot), cold, slices.Compact(places)
}

func oldest(a, b *Record) int { return cmp.Or(a.Since.Compare(b.Since), cmp.Compare(a.Key, b.Key)) }

// current is a record of a list as it is now, once that is on disk, nil if it is there no
// more.
func (s *Store) current(cold *kept, r *Record) (*Record, error) {
	s.mu.Lock()
	now, written := s.inMemory(r.Key)
	if now == nil && r.place > 0 && s.cold == cold && cold.keys.has(hashOf(r.Key), r.place) {
		now = r
	}
	s.mu.Unlock()
	if now != nil {
		return now, written()
	}
	return s.Get(r.Key)
}
