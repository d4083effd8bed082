package drift

import (
	"sync"

	"github.com/walletfi/walletfi-go/internal/catalogue"
	"github.com/walletfi/walletfi-go/internal/jsontext"
)

// most is how many findings a Watch remembers; past it, it is silent: a service whose
// names are data would otherwise fill the memory.
const most = 1024

// mostText bounds a value that is told.
const mostText = 64

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
// answer. The value is empty for an unknown member.
func (w *Watch) Look(route string, body []byte, tell func(member, value string)) {
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
			value = value[:min(len(value), mostText)]
		}
		if w.first(route + "\x00" + f.Member + "\x00" + value) {
			tell(f.Member, value)
		}
	})
}

func (w *Watch) first(key string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.seen[key] || len(w.seen) == most {
		return false
	}
	w.seen[key] = true
	return true
}
