package lenient

import (
	"errors"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/jsontext"
)

// hop leads from a value to a part of it: a field, or an element of a list.
type hop struct {
	field   []int // nil for an element
	element int
	inMap   bool // to the value of a map, which has no address

	name   string // of a field that is no list of records, or of the list whose record it is
	record bool
	index  int // of a record, with those that cannot be read
}

// keeper is a struct that has a field Raw for its JSON.
type keeper struct {
	path     []hop
	raw      []int
	from, to int
	lost     bool // a value in it could not be read
}

// keepIn makes the object at i the one that keeps the JSON of what is lost in it, if
// it can, up to keepEnds.
func (r *relaxer) keepIn(known *structFields, i int) {
	if known.raw == nil || slices.ContainsFunc(r.path, func(s hop) bool { return s.inMap }) {
		return
	}
	r.around = &keeper{raw: known.raw, from: i}
}

// keepEnds makes outer the object that keeps again.
func (r *relaxer) keepEnds(outer *keeper) {
	own := r.around
	r.around = outer
	if own != outer && own.lost {
		own.path, own.to = slices.Clone(r.path), jsontext.ValueEnd(r.Src, own.from)
		r.kept = append(r.kept, *own)
	}
}

// names is the path for people, with a point at its end; without lists that are no
// records.
func (r *relaxer) names() string {
	var b strings.Builder
	for _, s := range r.path {
		switch {
		case s.record:
			b.WriteString(s.name + "[" + strconv.Itoa(s.index) + "].")
		case s.name != "":
			b.WriteString(s.name + ".")
		}
	}
	return b.String()
}

// mark is a state to which a relaxer can go back.
type mark struct {
	jsontext.Patch
	kept, unread int
}

func (r *relaxer) mark() mark { return mark{r.Patch, len(r.kept), len(r.unread)} }

func (r *relaxer) back(to mark) {
	r.Patch, r.kept, r.unread = to.Patch, r.kept[:to.kept], r.unread[:to.unread]
}

// lose puts a null in the place of the value at i, and returns the index behind
// it.
func (r *relaxer) lose(before mark, i int) int {
	r.back(before)
	end := jsontext.ValueEnd(r.Src, i)
	r.Replace(i, end, null)
	if r.around != nil {
		r.around.lost = true
	}
	return end
}

var errNullRecord = errors.New("null in place of a record")

// records handles a list element by element. It leaves out those that cannot be
// read.
func (r *relaxer) records(i int, t reflect.Type, name string) (int, error) {
	kept, last := 0, 0
	return jsontext.Elements(r.Src, i, func(n, at int) (int, error) {
		before := r.mark()
		end, err := r.at(hop{element: kept, name: name, record: true, index: n}, at, t.Elem())
		if err == nil && r.Src[at] == 'n' {
			err = errNullRecord
		}
		if err == nil {
			kept, last = kept+1, end
			return end, nil
		}
		r.back(before)
		end = jsontext.ValueEnd(r.Src, at)
		r.unread = append(r.unread, &walletfi.RecordError{
			List: r.names() + name, Index: n, Raw: slices.Clone(r.Src[at:end]), Err: err,
		})
		if kept > 0 {
			r.Replace(max(last, r.Copied()), end, nil) // with the comma before it
		} else {
			r.Replace(at, jsontext.NextItem(r.Src, end), nil) // with the comma after it
		}
		return end, nil
	})
}

// settle sets the field Raw of each struct in which a value was lost.
func (r *relaxer) settle(v reflect.Value) {
	for _, k := range r.kept {
		if at := follow(v, k.path); at.IsValid() {
			if raw, err := at.FieldByIndexErr(k.raw); err == nil {
				raw.SetBytes(slices.Clone(r.Src[k.from:k.to]))
			}
		}
	}
}

// follow returns the part of v that the path leads to, invalid if there is none.
func follow(v reflect.Value, path []hop) reflect.Value {
	for _, s := range path {
		switch v = pointed(v); {
		case !v.IsValid():
			return v
		case s.field != nil:
			var err error
			if v, err = v.FieldByIndexErr(s.field); err != nil {
				return reflect.Value{}
			}
		case s.element >= v.Len():
			return reflect.Value{}
		default:
			v = v.Index(s.element)
		}
	}
	return pointed(v)
}

// pointed follows pointers, also those in interfaces.
func pointed(v reflect.Value) reflect.Value {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	return v
}

// Usable reports whether a decoded value can be used: err is nil, or all that is
// wrong is that some records of a list could not be read.
func Usable(err error) bool {
	_, ok := errors.AsType[*walletfi.UnreadError](err)
	return err == nil || ok
}

// unreadError returns nil if there are no records.
func unreadError(records []*walletfi.RecordError) error {
	if len(records) == 0 {
		return nil
	}
	return &walletfi.UnreadError{Records: records}
}
