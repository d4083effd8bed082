package e2e

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/e2e/flows"
	"github.com/walletfi/walletfi-go/internal/wire"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/predictmeta"
	"github.com/walletfi/walletfi-go/webhooks"
)

// uncalled are the types of what comes without a call: the events of the feed and the
// deliveries.
var uncalled = map[string]reflect.Type{
	"feed.PriceUpdate":          reflect.TypeFor[predictmeta.PriceUpdate](),
	"feed.BookUpdate":           reflect.TypeFor[predictmeta.BookUpdate](),
	"feed.TradeUpdate":          reflect.TypeFor[predictmeta.TradeUpdate](),
	"feed.BookRefresh":          reflect.TypeFor[predictmeta.BookRefresh](),
	"webhooks.Delivery":         reflect.TypeFor[webhooks.Delivery](),
	"lending.UnverifiedWebhook": reflect.TypeFor[lending.UnverifiedWebhook](),
}

// TestDeclared walks all types of answers, from each call, and holds each number, amount,
// decimal, time and flag in them to be declared: it decides, if a caller would trade, size,
// wait or sign on it, or it is free. A member counts once for each way that leads to it.
func TestDeclared(t *testing.T) {
	w := &declarations{fault: t.Errorf, on: map[reflect.Type]bool{}, read: map[reflect.Type]bool{}}
	w.answers()
	t.Log(strings.Join(w.list, "\n"))
	t.Logf("members=%d decides=%d free=%d undeclared=%d",
		w.decides+w.free+w.undeclared, w.decides, w.free, w.undeclared)
	assert.GreaterOrEqual(t, w.decides+w.free, 1200, "the walk saw too few members")
	require.Zero(t, w.undeclared)
}

type declarations struct {
	fault                     func(format string, args ...any)
	on                        map[reflect.Type]bool // the types that the path leads through
	read                      map[reflect.Type]bool // the types of answers that were met
	list                      []string              // each member with its declaration
	decides, free, undeclared int
}

// answers walks all types of answers.
func (w *declarations) answers() {
	for service, client := range flows.Clients {
		for m := range client.Methods() {
			for out := range m.Type.Outs() {
				if flows.IsIterator(m.Type) {
					out = out.In(0).In(0)
				}
				w.walk(out, string(service)+"."+m.Name)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(uncalled)) {
		w.walk(uncalled[name], name)
	}
}

// walk looks at the members of a type. A type that a client makes itself has no json tags,
// and is walked through; so is a related record, which is no member of the one that has it.
func (w *declarations) walk(t reflect.Type, path string) {
	t = within(t)
	isOurs := strings.HasPrefix(t.PkgPath(), "github.com/walletfi/walletfi-go")
	ofRequest := t == reflect.TypeFor[walletfi.Intent]()
	if t.Kind() != reflect.Struct || !isOurs || ofRequest || isScalar(t) || w.on[t] {
		return
	}
	w.on[t] = true
	defer delete(w.on, t)
	read := isRead(t)
	if read {
		w.read[t] = true
	}
	for f := range t.Fields() {
		name := path + "." + f.Name
		switch {
		case !f.IsExported() && !f.Anonymous:
		case !isScalar(within(f.Type)):
			w.walk(f.Type, name)
		case read && f.Tag.Get("json") != "-":
			w.member(name, wire.TagOf(f))
		}
	}
}

func (w *declarations) member(name string, tag wire.Tag) {
	w.list = append(w.list, name+" "+declaration(tag))
	switch {
	case tag.Decides == tag.Free:
		w.undeclared++
		w.fault("%s is not declared", name)
	case tag.Decides:
		w.decides++
	default:
		w.free++
	}
}

// declaration writes what a tag declares for the list.
func declaration(tag wire.Tag) string {
	text := "free"
	if tag.Decides {
		text = "decides"
	}
	if !tag.Min.IsZero() || !tag.Max.IsZero() {
		text += " " + tag.Min.String() + ".." + tag.Max.String()
	}
	return text
}

// isRead reports whether a type is read from an answer: a member has a json tag, or the
// type decodes itself.
func isRead(t reflect.Type) bool {
	if reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()) {
		return true
	}
	for f := range t.Fields() {
		if name := f.Tag.Get("json"); name != "" && name != "-" {
			return true
		}
	}
	return false
}

// within is the type of the elements, if t is a pointer, a list or a map.
func within(t reflect.Type) reflect.Type {
	for {
		switch t.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
			t = t.Elem()
		default:
			return t
		}
	}
}

// isScalar reports a number, an amount, a decimal, a time or a flag. Bytes are none.
func isScalar(t reflect.Type) bool {
	switch t {
	case reflect.TypeFor[walletfi.Decimal](), reflect.TypeFor[walletfi.Time](), reflect.TypeFor[webhooks.Quantity]():
		return true
	}
	k := t.Kind()
	return k >= reflect.Bool && k <= reflect.Float64 && k != reflect.Uint8
}

// TestDeclaredSees: a member without a declaration, one with both, and one that is free
// within bounds are seen.
func TestDeclaredSees(t *testing.T) {
	for tag, faults := range map[string]int{
		``: 1, `wire:"strict"`: 1, `wire:"decides,free"`: 1, `wire:"free,max=1"`: 0,
		`wire:"decides,min=0,max=1"`: 0, `wire:"strict,free"`: 0,
	} {
		found := 0
		w := &declarations{fault: func(string, ...any) { found++ }}
		w.member("A", wire.TagOf(reflect.StructField{Name: "A", Tag: reflect.StructTag(tag)}))
		require.Equal(t, faults, found, tag)
	}
	for _, tag := range []reflect.StructTag{`wire:"decide"`, `wire:"min=x"`, `wire:"decides,"`} {
		require.Panics(t, func() { wire.TagOf(reflect.StructField{Name: "A", Tag: tag}) }, string(tag))
	}
}
