// Package agenda keeps what is planned in order, however often that changes.
package agenda

import "container/heap"

// Agenda holds what is planned, in order. What is planned knows its place, so that a
// change of its order, or its end, costs little however much is planned.
type Agenda[T any] struct {
	// Compare orders two.
	Compare func(a, b T) int
	// Place is of each where it keeps its place. It is 0 as long as it is not planned.
	Place func(x T) *int

	list []T // each Place is an index of it, and one more
}

// Len is how much is planned.
func (a *Agenda[T]) Len() int { return len(a.list) }

// Put plans x, or moves it to where it belongs by now.
func (a *Agenda[T]) Put(x T) {
	if i := *a.Place(x); i > 0 {
		heap.Fix(order[T]{a}, i-1)
		return
	}
	heap.Push(order[T]{a}, x)
}

// Remove ends the plan of x, if there is one.
func (a *Agenda[T]) Remove(x T) {
	if i := *a.Place(x); i > 0 {
		heap.Remove(order[T]{a}, i-1)
	}
}

// First returns the one that comes first, the zero value if there is none.
func (a *Agenda[T]) First() (x T, any bool) {
	if len(a.list) == 0 {
		return x, false
	}
	return a.list[0], true
}

// Take removes what comes first.
func (a *Agenda[T]) Take() T { return heap.Pop(order[T]{a}).(T) }

// order is an Agenda as container/heap wants it.
type order[T any] struct{ *Agenda[T] }

func (o order[T]) Len() int           { return len(o.list) }
func (o order[T]) Less(i, j int) bool { return o.Compare(o.list[i], o.list[j]) < 0 }

func (o order[T]) Swap(i, j int) {
	o.list[i], o.list[j] = o.list[j], o.list[i]
	*o.Place(o.list[i]), *o.Place(o.list[j]) = i+1, j+1
}

func (o order[T]) Push(x any) {
	o.list = append(o.list, x.(T))
	*o.Place(x.(T)) = len(o.list)
}

func (o order[T]) Pop() any {
	last := len(o.list) - 1
	x := o.list[last]
	clear(o.list[last:])
	o.list = o.list[:last]
	*o.Place(x) = 0
	return x
}
