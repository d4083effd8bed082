package observe

import "context"

// Observer is notified of what the SDK does. It must be safe for concurrent use. It is
// called in the goroutine that does the work, never while a lock of the SDK is held,
// and should return at once.
//
// If an Observer panics, the SDK recovers and goes on as if it were not observed:
// telemetry must not decide what becomes of a payment. The first panic of the
// process is logged to slog.Default.
//
// The sets of operations and events grow: ignore what you do not know. Embed [None]
// so that an observer needs only the method that it wants.
type Observer interface {
	// Start is called when an operation begins. The operation runs in the context
	// that Start returns, which must derive from ctx; nil means ctx. The function
	// is called exactly once, when the operation has ended, also if a panic of the
	// program's own code ended it; nil is not called.
	Start(ctx context.Context, op Operation) (context.Context, func(End))
	// Observe is called for an event that has no duration.
	Observe(ctx context.Context, event Event)
}

// Operation is something that takes time, by value: [Call], [Attempt] and so on.
type Operation interface{ operation() }

// End is how an operation ended, by value: [CallEnd] for a [Call], and so on.
type End interface{ end() }

// Event is something that happened at an instant, by value: [FeedGap] and so on.
type Event interface{ event() }

// None observes nothing. Embed it in an observer of your own.
type None struct{}

// Start does nothing.
func (None) Start(ctx context.Context, _ Operation) (context.Context, func(End)) { return ctx, nil }

// Observe does nothing.
func (None) Observe(context.Context, Event) {}

// OnAttempt is an [Observer] of attempts alone. It is called after each.
type OnAttempt func(ctx context.Context, attempt Attempt, end AttemptEnd)

// Start waits for the end of an attempt.
func (f OnAttempt) Start(ctx context.Context, op Operation) (context.Context, func(End)) {
	attempt, ok := op.(Attempt)
	if !ok {
		return ctx, nil
	}
	return ctx, func(end End) {
		if e, ok := end.(AttemptEnd); ok {
			f(ctx, attempt, e)
		}
	}
}

// Observe does nothing.
func (OnAttempt) Observe(context.Context, Event) {}
