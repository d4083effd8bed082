package kit

import "time"

// Shelf keeps values for a while: each for a life by the sandbox's clock, and
// no more than most of them. What is older, or too much, is let go, so that a
// sandbox that runs for days does not grow. Callers hold the sandbox's lock.
type Shelf[K comparable, V any] struct {
	core    *Core
	life    time.Duration
	most    int
	kept    map[K]shelved[V]
	order   []K // as they were put; a key that was put again is in it twice
	stale   int // entries of order that no longer count
	puts    uint64
	numbers []uint64 // of order
	planned bool
}

type shelved[V any] struct {
	value  V
	number uint64
	until  time.Time
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
	s.order, s.numbers = append(s.order, key), append(s.numbers, s.puts)
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
	s.stale++
	if s.stale > 64 && s.stale > len(s.kept) {
		s.compact()
	}
}

// Len is how many values are kept.
func (s *Shelf[K, V]) Len() int { return len(s.kept) }

// drop lets the eldest go.
func (s *Shelf[K, V]) drop() {
	key, number := s.order[0], s.numbers[0]
	s.order, s.numbers = s.order[1:], s.numbers[1:]
	if v, ok := s.kept[key]; ok && v.number == number {
		delete(s.kept, key)
		return
	}
	s.stale--
}

// compact forgets the entries of order that no longer count.
func (s *Shelf[K, V]) compact() {
	order, numbers := make([]K, 0, len(s.kept)), make([]uint64, 0, len(s.kept))
	for i, key := range s.order {
		if v, ok := s.kept[key]; ok && v.number == s.numbers[i] {
			order, numbers = append(order, key), append(numbers, v.number)
		}
	}
	s.order, s.numbers, s.stale = order, numbers, 0
}

// plan has the eldest let go when its life is over.
func (s *Shelf[K, V]) plan() {
	if s.planned || s.life == 0 || len(s.order) == 0 {
		return
	}
	s.planned = true
	at := s.core.Now()
	if v, ok := s.kept[s.order[0]]; ok {
		at = v.until
	}
	s.core.At(at, s.sweep)
}

// sweep lets go what has outlived its life. A map never shrinks: an empty shelf
// starts a new one.
func (s *Shelf[K, V]) sweep() {
	s.planned = false
	now := s.core.Now()
	for len(s.order) > 0 {
		v, ok := s.kept[s.order[0]]
		if ok && v.number == s.numbers[0] && v.until.After(now) {
			break
		}
		s.drop()
	}
	if len(s.kept) == 0 {
		s.kept, s.order, s.numbers = map[K]shelved[V]{}, nil, nil
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
