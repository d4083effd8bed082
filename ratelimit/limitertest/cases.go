package limitertest

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/walletfi/walletfi-go/internal/pause"
	"github.com/walletfi/walletfi-go/ratelimit"
)

func wholeBudget(t *testing.T, f Fleet) {
	l := f.Open(t)
	for range 3 {
		take(t, l)
	}
	refuse(t, l, 0)
	refuse(t, l, -time.Second)
}

func afterTheAnswer(t *testing.T, f Fleet) {
	l := f.Open(t)
	done := take(t, l)
	wait(t, window/2)
	answered := time.Now()
	end(t, done, true)
	at := refuse(t, l, 0)
	near(t, "the refusal's time", answered.Add(window), at)
	end(t, await(t, l, 3*window), true)
	if since := time.Since(answered); since < window {
		t.Fatalf("the slot came free %v after the answer, the window is %v", since, window)
	}
}

func unsent(t *testing.T, f Fleet) {
	l := f.Open(t)
	for range 5 {
		end(t, take(t, l), false)
	}
	take(t, l)
	refuse(t, l, 0)
}

func allBudgets(t *testing.T, f Fleet) {
	l := f.Open(t)
	begun := time.Now()
	end(t, take(t, l), true)
	end(t, take(t, l), true)
	refuse(t, l, 0)                     // the short budget
	end(t, await(t, l, 2*window), true) // of the long one, the last
	near(t, "the long budget's time", begun.Add(2*window), refuse(t, l, window/2))
}

func refusedAtOnce(t *testing.T, f Fleet) {
	l := f.Open(t)
	end(t, take(t, l), true)
	answered := time.Now()
	at := refuse(t, l, window/2)
	near(t, "the refusal", answered, time.Now())
	near(t, "the refusal's time", answered.Add(window), at)
}

func refusedByDeadline(t *testing.T, f Fleet) {
	l := f.Open(t)
	end(t, take(t, l), true)
	answered := time.Now()
	ctx, cancel := context.WithTimeout(t.Context(), window/2)
	defer cancel()
	if _, err := l.Permit(ctx, time.Hour); !errors.Is(err, ratelimit.ErrLimited) {
		t.Fatalf("Permit before a deadline that is too near: %v, want a refusal", err)
	}
	near(t, "the refusal", answered, time.Now())
}

func givesUp(t *testing.T, f Fleet) {
	l := f.Open(t)
	done := take(t, l)
	for range 3 {
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() {
			_, err := l.Permit(ctx, time.Hour)
			ended <- err
		}()
		wait(t, window/10)
		cancel()
		select {
		case err := <-ended:
			if !errors.Is(err, context.Canceled) {
				t.Fatalf("Permit of a cancelled call: %v, want context.Canceled", err)
			}
		case <-time.After(10 * window):
			t.Fatal("Permit does not heed the end of its context")
		}
	}
	end(t, done, false)
	end(t, await(t, l, window/2), false)
}

func endedContext(t *testing.T, f Fleet) {
	l := f.Open(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := l.Permit(ctx, time.Hour); !errors.Is(err, context.Canceled) {
		t.Fatalf("Permit with an ended context: %v, want context.Canceled", err)
	}
	end(t, take(t, l), false)
}

func freedAnyway(t *testing.T, f Fleet) {
	l := f.Open(t)
	ctx, cancel := context.WithCancel(t.Context())
	done, err := l.Permit(ctx, 0)
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := done(ctx, false); err != nil {
		t.Fatalf("done after the context ended: %v", err)
	}
	end(t, take(t, l), false)
}

func held(t *testing.T, f Fleet) {
	l := f.Open(t)
	end(t, take(t, l), true)
	until := time.Now().Add(window)
	hold(t, l, until)
	near(t, "the refusal's time", until, refuse(t, l, 0))
	end(t, await(t, l, 3*window), true)
	if early := time.Until(until); early > 2*time.Millisecond { // the clocks of two machines are compared
		t.Fatalf("a call was let through %v before the end of the hold", early)
	}
	end(t, take(t, l), true)
}

func heldLonger(t *testing.T, f Fleet) {
	l := f.Open(t)
	until := time.Now().Add(10 * window)
	hold(t, l, until)
	hold(t, l, time.Now().Add(window/10))
	hold(t, l, time.Time{})
	wait(t, window/5)
	near(t, "the refusal's time", until, refuse(t, l, 0))
}

// take takes a slot that is free.
func take(t *testing.T, l ratelimit.Limiter) func(context.Context, bool) error {
	t.Helper()
	done, err := l.Permit(t.Context(), 0)
	if err != nil || done == nil {
		t.Fatalf("no slot is free: %v", err)
	}
	return done
}

// await waits for a slot.
func await(t *testing.T, l ratelimit.Limiter, most time.Duration) func(context.Context, bool) error {
	t.Helper()
	done, err := l.Permit(t.Context(), most)
	if err != nil || done == nil {
		t.Fatalf("no slot came free within %v: %v", most, err)
	}
	return done
}

// refuse requires a refusal, and returns the time that it names.
func refuse(t *testing.T, l ratelimit.Limiter, maxWait time.Duration) time.Time {
	t.Helper()
	_, err := l.Permit(t.Context(), maxWait)
	var refused *ratelimit.Error
	if !errors.As(err, &refused) {
		t.Fatalf("Permit(%v): %v, want a *ratelimit.Error", maxWait, err)
	}
	if errors.Is(err, ratelimit.ErrLimiter) {
		t.Fatalf("a refusal answers to ErrLimiter: %v", err)
	}
	return refused.ResetAt
}

func end(t *testing.T, done func(context.Context, bool) error, sent bool) {
	t.Helper()
	if err := done(t.Context(), sent); err != nil {
		t.Fatalf("done(%v): %v", sent, err)
	}
}

func hold(t *testing.T, l ratelimit.Limiter, until time.Time) {
	t.Helper()
	if err := l.Hold(t.Context(), until); err != nil {
		t.Fatalf("Hold: %v", err)
	}
}

func tighten(t *testing.T, l ratelimit.Limiter, remaining int, reset time.Time) {
	t.Helper()
	if err := l.Tighten(t.Context(), remaining, reset); err != nil {
		t.Fatalf("Tighten: %v", err)
	}
}

// near allows for a machine that is busy.
func near(t *testing.T, what string, want, got time.Time) {
	t.Helper()
	if d := got.Sub(want); d < -window/3 || d > window/3 {
		t.Fatalf("%s is off by %v", what, d)
	}
}

func wait(t *testing.T, d time.Duration) {
	t.Helper()
	if err := pause.For(t.Context(), d); err != nil {
		t.Fatal(err)
	}
}
