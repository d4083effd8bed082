package wire

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"unsafe"

	"github.com/walletfi/walletfi-go"
)

// ErrRepeated is why a record of a list is left out that an earlier one is too: whoever adds
// the records up would count it twice. Which of two that differ is right is not known.
var ErrRepeated = errors.New("the record comes twice")

// identity has the fields that tell a record from all others.
type identity []reflect.StructField

func identityOf(t reflect.Type) (id identity) {
	if t.Kind() != reflect.Struct {
		return nil
	}
	for _, f := range reflect.VisibleFields(t) {
		if TagOf(f).Identity {
			id = append(id, f)
		}
	}
	return id
}

// Identity returns what tells a record from all others, empty if its type or the service does
// not say.
func Identity[T any](record *T) string {
	return made(&identities, reflect.TypeFor[T](), identityOf).of(reflect.ValueOf(record).Elem())
}

// TakeRepeated reads the answer to several names, of which two can be of one record: that it is
// there twice is not said.
func TakeRepeated[T any](s *Scanner, v *T) error {
	err := Fields(s, v)
	s.unread = slices.DeleteFunc(s.unread, func(r *walletfi.RecordError) bool { return errors.Is(r, ErrRepeated) })
	return err
}

// Unique returns the records of a list without those that are one of an earlier place.
func Unique[T any](all []T) []T {
	seen := map[string]bool{}
	return slices.DeleteFunc(all, func(record T) bool {
		id := Identity(&record)
		again := id != "" && seen[id]
		seen[id] = true
		return again
	})
}

func (id identity) of(record reflect.Value) (all string) {
	for i, f := range id {
		part := record.FieldByIndex(f.Index)
		if part.IsZero() {
			return ""
		}
		text := part.String()
		if part.Kind() != reflect.String {
			text = plainText(part.Interface())
		}
		if i == 0 {
			all = text
			continue
		}
		all += "\x00" + text
	}
	return all
}

func plainText(value any) string {
	if at, is := value.(walletfi.Time); is {
		return strconv.FormatInt(at.UnixNano(), 36)
	}
	return fmt.Sprint(value)
}

// fewRecords are so few that each is compared with all before it.
const fewRecords = 8

// repeats reports whether the newest record is one of those before it.
func (g *growth) repeats() (again bool) {
	if g.list.identity == nil {
		return false
	}
	last := g.len - 1
	if g.follows(last) {
		return false
	}
	id := g.identity(last)
	switch {
	case id == "":
		return false
	case last < fewRecords:
		for i := 0; i < last && !again; i++ {
			again = g.identity(i) == id
		}
		return again
	case g.seen == nil:
		g.seen = map[string]bool{}
		for i := range last {
			g.seen[g.identity(i)] = true
		}
	}
	again = g.seen[id]
	g.seen[id] = true
	return again
}

// follows reports a record that only its time tells from others, in a list whose times only rise
// or only fall so far: none of them comes twice.
func (g *growth) follows(last int) bool {
	id := g.list.identity
	if g.unordered || len(id) != 1 || id[0].Type != reflect.TypeFor[walletfi.Time]() || len(id[0].Index) != 1 {
		return false
	}
	at := func(i int) walletfi.Time {
		return *(*walletfi.Time)(unsafe.Add(g.data, uintptr(i)*g.list.size+id[0].Offset))
	}
	if at(last).IsZero() {
		g.unordered = true
		return false
	}
	if last == 0 {
		return true
	}
	c := at(last).Compare(at(last - 1).Time)
	if g.order == 0 {
		g.order = c
	}
	g.unordered = c == 0 || c != g.order
	return !g.unordered
}

// identity is that of record i.
func (g *growth) identity(i int) string {
	return g.list.identity.of(reflect.NewAt(g.list.elem.typ, unsafe.Add(g.data, uintptr(i)*g.list.size)).Elem())
}
