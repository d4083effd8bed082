package limitertest

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/walletfi/walletfi-go/ratelimit"
)

// queued starts calls of l one after the other, and returns the channel of their
// names in the order in which they were served.
func queued(t *testing.T, names []string, of func(i int) (ratelimit.Limiter, context.Context)) <-chan string {
	served := make(chan string, len(names))
	for i, name := range names {
		l, ctx := of(i)
		go func() {
			done, err := l.Permit(ctx, time.Minute)
			if err != nil {
				name = err.Error()
			}
			served <- name
			if err == nil {
				_ = done(ctx, false)
			}
		}()
		wait(t, 80*time.Millisecond)
	}
	return served
}

func order(t *testing.T, served <-chan string, want ...string) {
	t.Helper()
	var got []string
	for range want {
		select {
		case name := <-served:
			got = append(got, name)
		case <-time.After(20 * window):
			t.Fatalf("served %q and then no other, want %q", got, want)
		}
	}
	if !slices.Equal(want, got) {
		t.Fatalf("served %q, want %q", got, want)
	}
}

// inOrder lets two processes wait in turn.
func inOrder(t *testing.T, f Fleet) {
	ls := []ratelimit.Limiter{f.Open(t), f.Open(t)}
	done := take(t, ls[0])
	served := queued(t, []string{"a", "b", "c", "d"}, func(i int) (ratelimit.Limiter, context.Context) {
		return ls[i%2], t.Context()
	})
	end(t, done, false)
	order(t, served, "a", "b", "c", "d")
}

func urgentFirst(t *testing.T, f Fleet) {
	ls := []ratelimit.Limiter{f.Open(t), f.Open(t)}
	done := take(t, ls[0])
	served := queued(t, []string{"a", "b", "urgent", "too"}, func(i int) (ratelimit.Limiter, context.Context) {
		if i >= 2 {
			return ls[i%2], ratelimit.WithUrgent(t.Context())
		}
		return ls[i%2], t.Context()
	})
	end(t, done, false)
	order(t, served, "urgent", "too", "a", "b")
}

func tightened(t *testing.T, f Fleet) {
	l := f.Open(t)
	reset := time.Now().Add(2 * window)
	tighten(t, l, 2, reset)
	end(t, take(t, l), false) // not sent, so not counted
	end(t, take(t, l), true)
	end(t, take(t, l), true)
	near(t, "the refusal's time", reset, refuse(t, l, 0))
	tighten(t, l, 4, reset) // an answer that comes late
	refuse(t, l, 0)
	tighten(t, l, 0, time.Now().Add(-time.Second))
	end(t, await(t, l, 4*window), true)
	if early := time.Until(reset); early > 2*time.Millisecond {
		t.Fatalf("a call was let through %v before the reset", early)
	}
}

func neverLoosened(t *testing.T, f Fleet) {
	l := f.Open(t)
	end(t, take(t, l), true)
	tighten(t, l, 1000, time.Now().Add(window))
	refuse(t, l, 0)
}

func underWay(t *testing.T, f Fleet) {
	l := f.Open(t)
	done := take(t, l)
	tighten(t, l, 2, time.Now().Add(10*window))
	end(t, take(t, l), true)
	refuse(t, l, 0)
	end(t, done, false)
	end(t, take(t, l), true)
	refuse(t, l, 0)
}

// exact saturates a budget from two processes, with requests of any latency.
func exact(t *testing.T, f Fleet) {
	const n, per, windows = 10, window / 3, 6
	service := &log{requests: n, per: per}
	ctx, cancel := context.WithTimeout(t.Context(), windows*per)
	defer cancel()
	begun := time.Now()
	var workers sync.WaitGroup
	for range 2 {
		l := f.Open(t)
		for w := range 2 * n {
			latency := time.Duration(w+1) * time.Millisecond / 4 // never 0, in which simulated time would stand
			workers.Go(func() {
				for ctx.Err() == nil {
					done, err := l.Permit(ctx, time.Minute)
					if err != nil {
						return
					}
					<-time.After(latency)
					service.arrive()
					<-time.After(latency)
					_ = done(ctx, true)
				}
			})
		}
	}
	workers.Wait()
	passed := int(time.Since(begun) / per)
	if service.over > 0 {
		t.Fatalf("%d of %d requests were over the budget", service.over, len(service.all))
	}
	if len(service.all) < n*max(1, passed/2) {
		t.Fatalf("%d requests in %d windows of %d", len(service.all), passed, n)
	}
}

// log counts as a service does that refuses a request if so many others came in the
// window that ends with it.
type log struct {
	requests int
	per      time.Duration
	mu       sync.Mutex
	all      []time.Time
	over     int
}

func (s *log) arrive() {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	if i := len(s.all) - s.requests; i >= 0 && now.Sub(s.all[i]) <= s.per {
		s.over++
	}
	s.all = append(s.all, now)
}

func shared(t *testing.T, f Fleet) {
	a, b := f.Open(t), f.Open(t)
	end(t, take(t, a), true)
	end(t, take(t, b), true)
	take(t, a)
	done := take(t, b)
	refuse(t, a, 0)
	refuse(t, b, 0)
	end(t, done, false)
	take(t, a)
	refuse(t, b, 0)
}

func sharedWord(t *testing.T, f Fleet) {
	a, b := f.Open(t), f.Open(t)
	reset := time.Now().Add(window)
	tighten(t, a, 1, reset)
	end(t, take(t, b), true)
	refuse(t, b, 0)
	until := time.Now().Add(2 * window)
	hold(t, b, until)
	near(t, "the refusal's time", until, refuse(t, a, 0))
	end(t, await(t, a, 6*window), true)
	if early := time.Until(until); early > 2*time.Millisecond {
		t.Fatalf("a call was let through %v before the end of the hold", early)
	}
}
