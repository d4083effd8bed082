// Package recorded has the observer of the tests.
package recorded

import (
	"context"
	"sync"
	"testing"

	"github.com/walletfi/walletfi-go/observe"
)

// Recorder keeps all events. It fails the test if an operation ends twice.
type Recorder struct {
	t testing.TB

	mu     sync.Mutex
	begun  []*begun
	events []observe.Event
}

type begun struct {
	op     observe.Operation
	parent observe.Operation // whose context it began in, nil if none
	end    observe.End       // nil before
}

var _ observe.Observer = (*Recorder)(nil)

// New returns an empty recorder.
func New(t testing.TB) *Recorder { return &Recorder{t: t} }

type insideKey struct{}

// Inside is the operation whose context ctx is, nil if none.
func Inside(ctx context.Context) observe.Operation {
	op, _ := ctx.Value(insideKey{}).(observe.Operation)
	return op
}

// Start notes op.
func (r *Recorder) Start(ctx context.Context, op observe.Operation) (context.Context, func(observe.End)) {
	b := &begun{op: op, parent: Inside(ctx)}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.begun = append(r.begun, b)
	return context.WithValue(ctx, insideKey{}, op), func(end observe.End) {
		r.mu.Lock()
		defer r.mu.Unlock()
		if b.end != nil || end == nil {
			r.t.Errorf("%#v ended twice, or without an end: %#v, %#v", op, b.end, end)
		}
		b.end = end
	}
}

// Observe notes event.
func (r *Recorder) Observe(_ context.Context, event observe.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.events = append(r.events, event)
}

// Ended is an operation that has ended.
type Ended[O observe.Operation, E observe.End] struct {
	Op     O
	End    E
	Parent observe.Operation // nil if none
}

// Ends returns the operations of type O that have ended, in the order in which they
// began.
func Ends[O observe.Operation, E observe.End](r *Recorder) (all []Ended[O, E]) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, b := range r.begun {
		if op, ok := b.op.(O); ok && b.end != nil {
			all = append(all, Ended[O, E]{op, b.end.(E), b.parent})
		}
	}
	return all
}

// Events returns the events of type E in order.
func Events[E observe.Event](r *Recorder) (all []E) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, event := range r.events {
		if e, ok := event.(E); ok {
			all = append(all, e)
		}
	}
	return all
}

// Open lists the operations that have not ended.
func (r *Recorder) Open() (all []observe.Operation) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, b := range r.begun {
		if b.end == nil {
			all = append(all, b.op)
		}
	}
	return all
}

// All returns all that was observed, for a test that looks for secrets.
func (r *Recorder) All() (all []any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, b := range r.begun {
		all = append(all, b.op, b.end)
	}
	for _, event := range r.events {
		all = append(all, event)
	}
	return all
}
