// Package observing calls an observe.Observer so that it costs nothing if there is
// none and does no harm if it panics.
package observing

import (
	"context"
	"log/slog"
	"runtime/debug"
	"sync"

	"github.com/walletfi/walletfi-go/observe"
)

// Span is an operation under way. The zero value is of one that is not observed.
type Span struct {
	end func(observe.End)
}

// Start tells o that op begins. If o is nil, it allocates nothing: op becomes an
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

// End tells the observer of s how it ended. It is called once.
func End[E observe.End](s Span, end E) {
	if s.end == nil {
		return
	}
	defer survive()
	s.end(end)
}

// Tell tells o of an event.
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
			slog.Default().Error("walletfi: an observer panicked; what it is told is lost", "panic", p, "stack", string(debug.Stack()))
		})
	}
}
