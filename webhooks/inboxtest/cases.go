package inboxtest

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/walletfi/walletfi-go/webhooks"
)

func whole(t *testing.T, s Store) {
	p := start(t, s, nil)
	bodies := map[string][]byte{
		"json": []byte(`{"a": "<&>\u2028", "n":1e400}`), "empty": {}, "no json": []byte("\x00\xff{"),
		"a\x00b": []byte("\x00"), "\xff": []byte("1"), strings.Repeat("k", 3000): []byte("2"), "ä'\"\\": []byte("3"),
		"large": bytes.Repeat([]byte("0123456789abcdef"), 1<<16), "": []byte("4"),
	}
	at := time.Date(2026, 1, 2, 3, 4, 5, 678_901_000, time.UTC)
	for key, body := range bodies {
		if err := p.inbox.Put(t.Context(), webhooks.StoredDelivery{Key: key, Body: body, ReceivedAt: at}); err != nil {
			t.Fatalf("Put(%.40q): %v", key, err)
		}
	}
	for key, body := range bodies {
		p.until(fmt.Sprintf("%.40q is handled", key), func() bool { return p.ran(key) > 0 })
		p.mu.Lock()
		if !bytes.Equal(p.bodies[key], body) {
			t.Errorf("the body of %.40q has %d bytes, %.60q, want %d", key, len(p.bodies[key]), p.bodies[key], len(body))
		}
		if !p.times[key].Equal(at) {
			t.Errorf("ReceivedAt of %.40q is %v, want %v", key, p.times[key], at)
		}
		p.mu.Unlock()
	}
}

func many(t *testing.T, s Store) {
	p := start(t, s, nil)
	const n, writers = 120, 4
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			for i := w; i < n; i += writers {
				d := webhooks.StoredDelivery{Key: fmt.Sprint(i), Body: fmt.Appendf(nil, "%d", i), ReceivedAt: time.Now()}
				if err := p.inbox.Put(t.Context(), d); err != nil {
					t.Errorf("Put: %v", err)
				}
			}
		})
	}
	all.Wait()
	p.until("all are handled", func() bool { return len(p.handled()) == n })
	aWhile(t)
	for key, runs := range p.handled() {
		if runs != 1 || string(p.bodies[key]) != key {
			t.Fatalf("%q was handled %d times, with body %q", key, runs, p.bodies[key])
		}
	}
}

func (p *process) handled() map[string]int {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := map[string]int{}
	for key, runs := range p.runs {
		all[key] = runs
	}
	return all
}

// heldOnce puts a key again while it waits, runs and is dead.
func heldOnce(t *testing.T, s Store) {
	begun, release := make(chan struct{}, 100), make(chan struct{})
	p := start(t, s, func(p *process) {
		p.work.Workers, p.work.Attempts = 1, 1
		p.handle = func(ctx context.Context, _ int, key string) error {
			begun <- struct{}{}
			<-release
			if key == "dies" {
				return errDown
			}
			return nil
		}
	})
	p.put("runs")
	<-begun
	for range 3 {
		p.put("runs")
		p.put("waits")
		p.put("dies")
	}
	close(release)
	p.until("one is dead", func() bool { return len(p.dead()) == 1 })
	p.put("dies")
	p.until("the other is handled", func() bool { return p.ran("waits") == 1 })
	aWhile(t)
	for key, runs := range p.handled() {
		if runs != 1 {
			t.Errorf("%q was handled %d times", key, runs)
		}
	}
	if n := len(p.dead()); n != 1 {
		t.Errorf("%d are dead, want 1", n)
	}
}

func triedAgain(t *testing.T, s Store) {
	var waits []int
	p := start(t, s, func(p *process) {
		p.work.Attempts = 5
		p.work.Wait = func(failures int) time.Duration { waits = append(waits, failures); return time.Millisecond }
		p.handle = func(_ context.Context, run int, _ string) error {
			if run < 4 {
				return errDown
			}
			return nil
		}
	})
	p.put("a")
	p.until("it is handled after three failures", func() bool { return p.ran("a") == 4 })
	aWhile(t)
	p.stop()
	if p.ran("a") != 4 || len(p.dead()) != 0 {
		t.Fatalf("it was handled %d times, %d are dead", p.ran("a"), len(p.dead()))
	}
	if fmt.Sprint(waits) != "[1 2 3]" || fmt.Sprint(p.failures["a"]) != "[0 1 2 3]" {
		t.Fatalf("Wait was asked for %v, want [1 2 3]; Handle was told %v, want [0 1 2 3]", waits, p.failures["a"])
	}
}

// othersGoOn: a delivery that waits for its next attempt does not hold a worker.
func othersGoOn(t *testing.T, s Store) {
	p := start(t, s, func(p *process) {
		p.work.Workers = 1
		p.work.Wait = func(int) time.Duration { return time.Hour }
		p.handle = func(_ context.Context, _ int, key string) error {
			if key == "fails" {
				return errDown
			}
			return nil
		}
	})
	p.put("fails")
	p.until("it failed", func() bool { return p.ran("fails") == 1 })
	for i := range 5 {
		p.put(fmt.Sprint(i))
	}
	p.until("the others are handled", func() bool { return len(p.handled()) == 6 })
	if p.ran("fails") != 1 {
		t.Fatalf("it was tried %d times within an hour", p.ran("fails"))
	}
}

func panics(t *testing.T, s Store) {
	p := start(t, s, func(p *process) {
		p.work.Workers = 1
		p.handle = func(_ context.Context, run int, _ string) error {
			if run == 1 {
				panic("nil map")
			}
			return nil
		}
	})
	p.put("a")
	p.until("it is handled again", func() bool { return p.ran("a") == 2 })
}

func timeEnds(t *testing.T, s Store) {
	p := start(t, s, func(p *process) {
		p.work.Timeout, p.work.Attempts = 50*time.Millisecond, 1
		p.handle = func(ctx context.Context, _ int, _ string) error { <-ctx.Done(); return ctx.Err() }
	})
	p.put("a")
	p.until("its time ended", func() bool { return len(p.dead()) == 1 })
}

func startOnce(t *testing.T, s Store) {
	p := start(t, s, nil)
	if p.inbox.Start(p.work) == nil {
		t.Fatal("a second Start succeeded")
	}
}
