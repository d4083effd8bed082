package kit

import (
	"slices"
	"time"
)

// Shelf keeps values for a while: each for a life by the sandbox's clock, and
// no more than most of them. What is older, or too much, is let go, so that a
// sandbox that runs for days does not grow. Callers hold the sandbox's lock.
type Shelf[K comparable, V any] struct {
	core    *Core
	life    time.Duration
	most    int
	kept    map[K]shelved[V]
	order   []entry[K] // as they were put; a key that was put again is in it twice
	stale   int        // entries of order that no longer count
	puts    uint64
	planned bool
}

type shelved[V any] struct {
	value  V
	number uint64
	until  time.Time
}

// entry is a key and the number of its put.
type entry[K comparable] struct {
	key    K
	number uint64
}

// NewShelf makes a shelf. A life of 0 keeps values whatever their age; a most of
// 0 keeps any number.
func NewShelf[K comparable, V any](core *Core, life time.Duration, most int) *Shelf[K, V] {
	return &Shelf[K, V]{core: core, life: life, most: most, kept: map[K]shelved[V]{}}
}

// Put keeps a value under a key, in place of an earlier one.
func (s *Shelf[K, V]) Put(key K, value V) {
	if _, again := s.kept[key]; again {
		s.stale++
	}
	s.puts++
	s.kept[key] = shelved[V]{value, s.puts, s.core.Now().Add(s.life)}
	s.order = append(s.order, entry[K]{key, s.puts})
	for s.most > 0 && len(s.kept) > s.most {
		s.drop()
	}
	s.plan()
}

// Get returns the value of a key, and false if there is none.
func (s *Shelf[K, V]) Get(key K) (V, bool) {
	v, ok := s.kept[key]
	return v.value, ok
}

// Delete lets the value of a key go.
func (s *Shelf[K, V]) Delete(key K) {
	if _, ok := s.kept[key]; !ok {
		return
	}
	delete(s.kept, key)
	if s.stale++; s.stale > 64 && s.stale > len(s.kept) {
		s.order = slices.DeleteFunc(slices.Clone(s.order), func(e entry[K]) bool { return !s.counts(e) })
		s.stale = 0
	}
}

// Len is how many values are kept.
func (s *Shelf[K, V]) Len() int { return len(s.kept) }

// counts reports whether an entry is of what is kept.
func (s *Shelf[K, V]) counts(e entry[K]) bool { return s.kept[e.key].number == e.number }

// drop lets the eldest go.
func (s *Shelf[K, V]) drop() {
	if e := s.order[0]; s.counts(e) {
		delete(s.kept, e.key)
	} else {
		s.stale--
	}
	s.order = s.order[1:]
}

// plan has the eldest let go when its life is over.
func (s *Shelf[K, V]) plan() {
	if s.planned || s.life == 0 || len(s.order) == 0 {
		return
	}
	s.planned = true
	at := s.core.Now()
	if v, ok := s.kept[s.order[0].key]; ok {
		at = v.until
	}
	s.core.At(at, s)
}

// Happen lets go what has outlived its life. A map never shrinks: an empty shelf
// starts a new one.
func (s *Shelf[K, V]) Happen() {
	s.planned = false
	now := s.core.Now()
	for len(s.order) > 0 && !(s.counts(s.order[0]) && s.kept[s.order[0].key].until.After(now)) {
		s.drop()
	}
	if len(s.kept) == 0 {
		s.kept, s.order = map[K]shelved[V]{}, nil
	}
	s.plan()
}

// Newest bounds a list whose eldest come first: it returns about most of the
// newest, in a list of its own, so that the others are let go.
func Newest[T any](all []T, most int) []T {
	if len(all) <= most+most/8 {
		return all
	}
	return append(make([]T, 0, most+most/8+1), all[len(all)-most:]...)
}

// Newest returns the values that were put last, the newest first, most at most.
func (s *Shelf[K, V]) Newest(most int) (all []V) {
	for _, e := range slices.Backward(s.order) {
		if len(all) < most && s.counts(e) {
			all = append(all, s.kept[e.key].value)
		}
	}
	return all
}
