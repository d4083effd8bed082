package jsonscan

// Slab hands out lists that share arrays, so that a short one costs no
// allocation of its own. The zero value is ready.
//
//	list := slab.Begin()
//	for ... {
//		list = slab.Extend(list)
//		fill(&list[len(list)-1])
//	}
//	kept := slab.End(list)
type Slab[T any] struct {
	free []T // not handed out: its length counts for nothing
}

// perArray is how many elements an array has.
const perArray = 256

// Begin starts a list at the free end. Only one list grows at a time.
func (s *Slab[T]) Begin() []T { return s.free[:0] }

// Extend returns the list with one more element, which is zero.
func (s *Slab[T]) Extend(list []T) []T {
	if len(list) == cap(list) {
		list = append(make([]T, 0, max(perArray, 2*len(list))), list...)
	}
	return list[:len(list)+1]
}

// End returns the list that was grown, capped, so that appending to it touches
// no other. An empty one is not nil.
func (s *Slab[T]) End(list []T) []T {
	if len(list) == 0 {
		return []T{}
	}
	s.free = list[len(list):]
	return list[:len(list):len(list)]
}
