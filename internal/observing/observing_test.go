package observing

import (
	"context"
	"log/slog"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/observe"
)

// TestNothingIsAllocatedUnobserved: also of what a wrapper would make of the values.
func TestNothingIsAllocatedUnobserved(t *testing.T) {
	ctx := t.Context()
	require.Zero(t, testing.AllocsPerRun(100, func() {
		inside, span := Start(ctx, nil, observe.Attempt{Service: "test", Number: 1})
		Tell(inside, nil, observe.LimiterState{Service: "test", Requests: 7})
		End(span, observe.AttemptEnd{StatusCode: 200})
		if span.Observed() {
			t.Error("observed")
		}
	}))
}

// panicking panics in each of its calls, and says in which.
type panicking struct {
	observe.None
	calls []string
}

func (p *panicking) Start(ctx context.Context, _ observe.Operation) (context.Context, func(observe.End)) {
	if p.calls = append(p.calls, "start"); len(p.calls) == 1 {
		panic("start")
	}
	return context.WithValue(ctx, insideKey{}, true), func(observe.End) {
		p.calls = append(p.calls, "end")
		panic("end")
	}
}

func (p *panicking) Observe(context.Context, observe.Event) {
	p.calls = append(p.calls, "observe")
	panic("observe")
}

type insideKey struct{}

// TestPanicsAreSurvived: the operation goes on in its own context, and a later one is
// observed again.
func TestPanicsAreSurvived(t *testing.T) {
	p := &panicking{}
	ctx, span := Start(t.Context(), p, observe.Call{})
	require.Equal(t, t.Context(), ctx)
	require.False(t, span.Observed())
	End(span, observe.CallEnd{})
	ctx, span = Start(t.Context(), p, observe.Call{})
	require.Equal(t, true, ctx.Value(insideKey{}))
	End(span, observe.CallEnd{})
	Tell(ctx, p, observe.Spent{})
	require.Equal(t, []string{"start", "start", "end", "observe"}, p.calls)
}

// TestNoContext: an observer that returns none is taken to mean the one that it got.
func TestNoContext(t *testing.T) {
	ctx, span := Start(t.Context(), contextless{}, observe.Call{})
	require.Equal(t, t.Context(), ctx)
	End(span, observe.CallEnd{})
}

type contextless struct{ observe.None }

func (contextless) Start(context.Context, observe.Operation) (context.Context, func(observe.End)) {
	return nil, nil
}

// TestThrough: an operation ends also if a panic, or the end of its goroutine, goes
// through it, and neither is held up.
func TestThrough(t *testing.T) {
	p := &ends{}
	_, span := Start(t.Context(), p, observe.Call{})
	end := func(err error) observe.CallEnd { return observe.CallEnd{Err: err} }
	require.Equal(t, context.Canceled, Through(span, func() error { return context.Canceled }, end))
	require.NoError(t, Through(span, func() error { return nil }, end))
	require.PanicsWithValue(t, "mine", func() { _ = Through(span, func() error { panic("mine") }, end) })
	gone := make(chan bool)
	go func() {
		defer close(gone)
		_ = Through(span, func() error { runtime.Goexit(); return nil }, end)
		t.Error("it went on")
	}()
	<-gone
	require.Equal(t, []error{context.Canceled, nil, ErrPanicked, ErrPanicked}, p.all)
	require.Equal(t, context.Canceled, Through(Span{}, func() error { return context.Canceled }, end))
	require.Len(t, p.all, 4)
}

type ends struct {
	observe.None
	all []error
}

func (e *ends) Start(ctx context.Context, _ observe.Operation) (context.Context, func(observe.End)) {
	return ctx, func(end observe.End) { e.all = append(e.all, end.(observe.CallEnd).Err) }
}

// TestPanicOfTheLog: a value whose text panics, and a handler that does, do no harm.
func TestPanicOfTheLog(t *testing.T) {
	was := slog.Default()
	defer slog.SetDefault(was)
	slog.SetDefault(slog.New(panickingHandler{was.Handler()}))
	firstPanic = sync.Once{}
	require.NotPanics(t, func() { Tell(t.Context(), &panicking{}, observe.Spent{}) })
	require.NotPanics(t, func() { Tell(t.Context(), (*panicking)(nil), observe.Spent{}) })
	require.NotPanics(t, func() {
		_, span := Start(t.Context(), (*panicking)(nil), observe.Call{})
		End(span, observe.CallEnd{})
		_, span = Start(t.Context(), observe.OnAttempt(nil), observe.Attempt{})
		End(span, observe.AttemptEnd{})
	})
}

type panickingHandler struct{ slog.Handler }

func (panickingHandler) Handle(context.Context, slog.Record) error { panic("log") }
