package ratelimit_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/scripttest"
	"github.com/walletfi/walletfi-go/ratelimit"
)

// TestScripts plays testdata/scripts: a limiter and its callers on virtual time.
func TestScripts(t *testing.T) {
	scripttest.Run(t, func(t *testing.T, trace *scripttest.Trace) func(*scripttest.Event) {
		s := &scene{t: t, trace: trace}
		t.Cleanup(func() { s.close() })
		return s.play
	})
}

// scene is the limiter of a script and who calls it.
type scene struct {
	t       *testing.T
	trace   *scripttest.Trace
	limiter ratelimit.Holder
	calls   sync.WaitGroup
	all     context.Context // of all calls
	end     context.CancelFunc

	mu      sync.Mutex
	done    map[string]func(context.Context, bool) error // of the calls under way
	cancels map[string]context.CancelFunc
}

func (s *scene) play(e *scripttest.Event) {
	ctx := s.t.Context()
	switch e.Name {
	case "budgets":
		var budgets []ratelimit.Budget
		for _, text := range e.Rest() {
			requests, per, _ := strings.Cut(text, "/")
			n, err := strconv.Atoi(requests)
			require.NoError(s.t, err)
			window, err := time.ParseDuration(per)
			require.NoError(s.t, err)
			budgets = append(budgets, ratelimit.Budget{Requests: n, Per: window})
		}
		s.start(ratelimit.New(budgets...))
	case "pacer":
		s.start(ratelimit.NewPacer(e.Lasts()))
	case "call":
		s.call(e)
	case "answered", "unsent":
		name := e.First()
		s.mu.Lock()
		done := s.done[name]
		s.mu.Unlock()
		require.NotNil(s.t, done, name)
		require.NoError(s.t, done(ctx, e.Name == "answered"))
	case "cancel":
		s.cancels[e.First()]()
	case "hold":
		require.NoError(s.t, s.limiter.Hold(ctx, time.Now().Add(e.Lasts())))
	case "left":
		left, err := strconv.Atoi(e.First())
		require.NoError(s.t, err)
		require.NoError(s.t, s.limiter.Tighten(ctx, left, time.Now().Add(e.Duration("for", 0))))
	case "lift":
		require.NoError(s.t, s.limiter.Lift(ctx))
	case "held":
		until, err := s.limiter.Held(ctx)
		require.NoError(s.t, err)
		text := "holds nothing back"
		if !until.IsZero() {
			text = "holds back until " + s.trace.Since(until).String()
		}
		s.trace.Say("limiter", "%s", text)
	default:
		e.Unknown()
	}
}

// start begins with a limiter that nobody has called.
func (s *scene) start(l ratelimit.Holder) {
	if s.end != nil {
		s.close()
	}
	s.trace.Begin()
	s.limiter, s.done, s.cancels = l, map[string]func(context.Context, bool) error{}, map[string]context.CancelFunc{}
	s.all, s.end = context.WithCancel(s.t.Context())
}

// close ends what still waits.
func (s *scene) close() {
	s.end()
	s.calls.Wait()
}

// call asks for a slot, n times at once. It waits for no time at all, unless the event
// says how long, and its request is answered at once, unless it is slow.
func (s *scene) call(e *scripttest.Event) {
	name, n, patience := e.First(), e.Int("n", 1), e.Duration("waits", 0)
	slow, within := e.Has("slow"), e.Duration("within", 0)
	ctx, cancel := context.WithCancel(s.all)
	if within > 0 {
		ctx, cancel = context.WithTimeout(s.all, within)
	}
	if e.Has("urgent") {
		ctx = ratelimit.WithUrgent(ctx)
	}
	if e.Has("follow-up") {
		ctx = ratelimit.WithFollowUp(ctx)
	}
	s.cancels[name] = cancel
	for i := range n {
		who := name
		if n > 1 {
			who = fmt.Sprintf("%s%d", name, i+1)
		}
		s.calls.Go(func() { s.ask(ctx, who, patience, slow) })
		synctest.Wait()
	}
}

func (s *scene) ask(ctx context.Context, who string, patience time.Duration, slow bool) {
	done, err := s.limiter.Permit(ctx, patience)
	var limited *ratelimit.Error
	switch {
	case errors.As(err, &limited):
		s.trace.Say(who, "is refused until %s", s.trace.Exactly(limited.ResetAt))
	case err != nil:
		require.True(s.t, errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded))
		require.NotErrorIs(s.t, err, walletfi.ErrRateLimited)
		s.trace.Say(who, "ends: %s", err)
	default:
		s.trace.Say(who, "goes")
		s.mu.Lock()
		s.done[who] = done
		s.mu.Unlock()
		if !slow {
			require.NoError(s.t, done(context.Background(), true))
		}
	}
}
