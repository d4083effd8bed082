// Package observing calls an observe.Observer so that it costs nothing if there is
// none and does no harm if it panics.
package observing

import (
	"context"
	"errors"
	"log/slog"
	"runtime/debug"
	"sync"

	"github.com/walletfi/walletfi-go/observe"
)

// Span is an operation under way. The zero value is of one that is not observed.
type Span struct {
	end func(observe.End)
}

// Start notifies o that op begins. If o is nil, it allocates nothing: op becomes an
// interface value only after that is known.
func Start[O observe.Operation](ctx context.Context, o observe.Observer, op O) (context.Context, Span) {
	if o == nil {
		return ctx, Span{}
	}
	return start(ctx, o, op)
}

func start(ctx context.Context, o observe.Observer, op observe.Operation) (inside context.Context, s Span) {
	inside = ctx
	defer survive()
	watched, end := o.Start(ctx, op)
	if watched != nil {
		inside = watched
	}
	return inside, Span{end}
}

// Observed reports whether the end of s is of interest to an observer.
func (s Span) Observed() bool { return s.end != nil }

// End notifies the observer of s of its end. It is called once.
func End[E observe.End](s Span, end E) {
	if s.end == nil {
		return
	}
	defer survive()
	s.end(end)
}

// ErrPanicked is how an operation ended that a panic went through: of a round tripper, a
// limiter, a signer of the program's own.
var ErrPanicked = errors.New("it ended in a panic")

// Through runs work and notifies the observer of s of its end, also if that is a panic,
// which goes on.
func Through[E observe.End](s Span, work func() error, end func(err error) E) error {
	if s.end == nil {
		return work()
	}
	err := ErrPanicked
	defer func() { End(s, end(err)) }()
	err = work()
	return err
}

// Tell notifies o of an event.
func Tell[E observe.Event](ctx context.Context, o observe.Observer, event E) {
	if o == nil {
		return
	}
	defer survive()
	o.Observe(ctx, event)
}

var firstPanic sync.Once

// survive ends a panic of the observer's.
func survive() {
	if p := recover(); p != nil {
		firstPanic.Do(func() {
			defer func() { _ = recover() }() // a log handler's, or of the value's own text
			slog.Default().Error("walletfi: an observer panicked; what it is told is lost",
				"panic", p, "stack", string(debug.Stack()))
		})
	}
}
