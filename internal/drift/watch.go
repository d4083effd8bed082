package drift

import (
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/walletfi/walletfi-go/internal/catalogue"
	"github.com/walletfi/walletfi-go/internal/jsontext"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// most is how many findings a Watch remembers; past it, it is silent: a service whose
// names are data would otherwise fill the memory.
const most = 1024

// mostText bounds a member and a value that are told, and what is remembered of them: a
// service can make them as long as an answer.
const mostText = 128

// Watch tells each member and value that is not documented the first time that it comes.
// It is safe for concurrent use.
type Watch struct {
	shapes map[string]catalogue.Shape // by route

	mu   sync.Mutex
	seen map[string]bool
}

// NewWatch returns a watch over the answers of a service.
func NewWatch(service string) *Watch {
	w := &Watch{map[string]catalogue.Shape{}, sync.Mutex{}, map[string]bool{}}
	documented, _ := catalogue.Of(service)
	for _, o := range documented.Operations {
		if o.Answer != nil {
			w.shapes[o.Route] = *o.Answer
		}
	}
	return w
}

// Look compares the body of a success, in the documented words, with its route's
// answer. The value is empty for an unknown member. What is told went through hide, so
// that a credential that a service repeats is not shown, and is then cut.
func (w *Watch) Look(route string, body []byte, hide func(string) string, tell func(member, value string)) {
	shape, documented := w.shapes[route]
	if !documented {
		return
	}
	Compare(shape, body, func(f Finding) {
		value := ""
		switch f.Kind {
		case Arrived:
			return
		case Value:
			value = string(jsontext.Unquote(f.Value))
		}
		if w.First(route, cut(f.Member), cut(value)) {
			tell(cut(hide(f.Member)), cut(hide(value)))
		}
	})
}

// Let tells a breach that was let through, the first time that it comes.
func (w *Watch) Let(route string, b wire.Breach, tell func(member, fault string)) {
	if w.First(route, b.Name(), string(b.What)) {
		tell(b.Name(), string(b.What))
	}
}

// cut returns the start of a text that is too long, in whole characters.
func cut(text string) string {
	text = strings.ToValidUTF8(text[:min(len(text), mostText+utf8.UTFMax)], "\uFFFD")
	if len(text) <= mostText {
		return text
	}
	end := mostText
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "…"
}

// First reports whether a finding on a route is the first of its kind.
func (w *Watch) First(route, member, value string) bool {
	key := route + "\x00" + member + "\x00" + value
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.seen[key] || len(w.seen) == most {
		return false
	}
	w.seen[key] = true
	return true
}
