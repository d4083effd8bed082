package jsonscan

import "unsafe"

// Slab makes lists that share arrays, so that a short list costs no allocation
// of its own. The zero value is ready for use.
//
//	list := slab.Begin()
//	for ... {
//		list = slab.Extend(list)
//		fill(&list[len(list)-1])
//	}
//	kept := slab.End(list)
type Slab[T any] struct {
	free []T // the part of the array that no list has; only its capacity counts
	size int // of the newest array
}

// An array has twice as many elements as the one before it, so that what is kept of
// a small body stays small.
const (
	firstArray = 4
	mostArray  = 256
)

// Begin starts a list. Only one list can grow at a time.
func (s *Slab[T]) Begin() []T { return s.free[:0] }

// Extend returns the list with one more element, which is zero.
func (s *Slab[T]) Extend(list []T) []T {
	if len(list) == cap(list) {
		s.size = min(max(firstArray, 2*s.size), mostArray)
		list = append(make([]T, 0, max(s.size, 2*len(list))), list...)
	}
	return list[:len(list)+1]
}

// End returns the finished list, whose capacity is its length, so that appending
// to it changes no other list. It is never nil.
func (s *Slab[T]) End(list []T) []T {
	if len(list) == 0 {
		return []T{}
	}
	s.free = list[len(list):]
	return list[:len(list):len(list)]
}

// Extend returns the list with one more element, which is zero. Nothing but Extend
// may have made the list longer since it was made. It is append without the copy of
// an empty element.
func Extend[T any](list []T) []T {
	if len(list) == cap(list) {
		return append(list, *new(T))
	}
	return list[:len(list)+1]
}

// Likely is how many more elements a list has if all are as long as the first, which
// began at from and has been read. It is no more than fit into as much memory as the
// rest of the body takes.
func Likely[T any](s *Scanner, from int) int {
	return len(s.Rest()) / max(s.Offset()-from, int(unsafe.Sizeof(*new(T))))
}
