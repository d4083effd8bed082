package wire

import (
	"reflect"
	"unsafe"
)

// A room has the elements of a list type that are not used yet, so that short lists
// share arrays and cost no allocation of their own.
type room struct {
	list *list
	free slice // of length 0
	size int   // of the newest array
	busy bool  // a list grows in it
}

// An array has twice as many elements as the one before it, so that what is kept of a
// small body stays small. A list that is likely to be long gets an array of its own.
const (
	firstArray = 4 // of elements of at most smallBytes; of larger ones 1
	mostArray  = 256
	mostBytes  = 32 << 10
	smallBytes = 64
	longList   = 16
)

// growth is a list while it is read.
type growth struct {
	list *list
	room *room
	slice
	seen map[string]bool // the identities of records, if there are many

	order     int // of the times so far: 1 they rise, -1 they fall
	unordered bool
}

// grow begins a list.
func (s *Scanner) grow(l *list) growth {
	for _, r := range s.rooms {
		if r.list == l && !r.busy {
			r.busy = true
			return growth{list: l, room: r, slice: r.free}
		}
	}
	r := &room{list: l, busy: true}
	s.rooms = append(s.rooms, r)
	return growth{list: l, room: r}
}

// next returns the address of one more element, which is zero. The list's text begins
// at start.
func (g *growth) next(s *Scanner, start int) unsafe.Pointer {
	if g.len == g.cap {
		g.extend(s, start)
	}
	g.len++
	return unsafe.Add(g.data, uintptr(g.len-1)*g.list.size)
}

// extend moves the list to a larger array.
func (g *growth) extend(s *Scanner, start int) {
	size := int(max(g.list.size, 1))
	first := 1
	if size <= smallBytes {
		first = firstArray
	}
	g.room.size = min(max(first, 2*g.room.size), mostArray, max(mostBytes/size, 1))
	most := max(g.room.size, 2*g.len)
	if g.len >= longList || g.len > 0 && size > smallBytes && s.depth <= 2 {
		// As many more as there are if all are as long as these, in no more memory than
		// four times the rest of the body.
		likely := (len(s.text) - s.at) / max((s.at-start)/g.len, size/4)
		most = max(2*g.len, g.len+1+likely+likely/16)
	}
	array := reflect.MakeSlice(g.list.typ, most, most)
	if g.len > 0 {
		old := g.slice
		reflect.Copy(array, reflect.NewAt(g.list.typ, unsafe.Pointer(&old)).Elem())
	}
	g.data, g.cap = array.UnsafePointer(), most
}

// drop takes the newest element back.
func (g *growth) drop() {
	g.len--
	g.list.elem.zero(unsafe.Add(g.data, uintptr(g.len)*g.list.size))
}

var noElements byte

// end returns the finished list, whose capacity is its length, so that appending to it
// changes no other list. It is never nil.
func (g *growth) end() slice {
	g.room.busy = false
	g.room.free = slice{}
	if g.len < g.cap {
		g.room.free = slice{unsafe.Add(g.data, uintptr(g.len)*g.list.size), 0, g.cap - g.len}
	}
	if g.len == 0 {
		return slice{unsafe.Pointer(&noElements), 0, 0}
	}
	return slice{g.data, g.len, g.len}
}

// one allocates a single element.
func (s *Scanner) one(l *list) unsafe.Pointer {
	g := s.grow(l)
	p := g.next(s, s.at)
	g.end()
	return p
}
