package inboxtest

import (
	"context"
	"fmt"
	"testing"
	"time"
)

// stopWaits for the handler that runs.
func stopWaits(t *testing.T, s Store) {
	begun, release := make(chan struct{}), make(chan struct{})
	p := start(t, s, func(p *process) {
		p.handle = func(ctx context.Context, _ int, _ string) error {
			close(begun)
			<-release
			return ctx.Err()
		}
	})
	p.put("a")
	<-begun
	stopped := make(chan error, 1)
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), s.patience())
		defer cancel()
		stopped <- p.inbox.Stop(ctx)
	}()
	aWhile(t)
	select {
	case err := <-stopped:
		t.Fatalf("Stop did not wait: %v", err)
	default:
	}
	close(release)
	if err := <-stopped; err != nil {
		t.Fatalf("Stop: %v", err)
	}
	if p.ran("a") != 1 {
		t.Fatalf("it was handled %d times", p.ran("a"))
	}
}

// stopGivesUp on a handler, which then notices.
func stopGivesUp(t *testing.T, s Store) {
	begun, noticed := make(chan struct{}), make(chan struct{})
	p := start(t, s, func(p *process) {
		p.work.Wait = func(int) time.Duration { return time.Hour }
		p.handle = func(ctx context.Context, _ int, _ string) error {
			close(begun)
			<-ctx.Done()
			close(noticed)
			return ctx.Err()
		}
	})
	p.put("a")
	<-begun
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if p.inbox.Stop(ctx) == nil {
		t.Error("Stop said nothing of a handler that runs")
	}
	select {
	case <-noticed:
	case <-time.After(s.patience()):
		t.Fatal("the handler's context did not end")
	}
}

// left: what a process leaves, waiting or failing, is handled by the next one.
func left(t *testing.T, s Store) {
	if s.Volatile {
		t.Skip("the inbox does not outlive its process")
	}
	first := start(t, s, func(p *process) { p.work.Workers, p.work.Attempts, p.handle = 1, 50, failing })
	for i := range 20 {
		first.put(fmt.Sprint(i))
	}
	first.until("some failed", func() bool { return len(first.handled()) > 2 })
	first.stop()
	first.put("late") // stored, or refused: not lost
	next := start(t, s, nil)
	next.until("all are handled", func() bool { return len(next.handled()) == 21 })
	if dead := next.dead(); len(dead) != 0 {
		t.Fatalf("%d are dead", len(dead))
	}
}

// shared: each delivery is handled by one process, and both work.
func shared(t *testing.T, s Store) {
	if s.Volatile || s.Single {
		t.Skip("one process at a time can use the inbox")
	}
	slow := func(p *process) {
		p.work.Workers = 1
		p.handle = func(context.Context, int, string) error { aWhile(t); return nil }
	}
	a, b := start(t, s, slow), start(t, s, slow)
	const n = 12
	for i := range n {
		a.put(fmt.Sprint(i))
		b.put(fmt.Sprint(i)) // the same key
	}
	a.until("all are handled", func() bool { return len(a.handled())+len(b.handled()) >= n })
	aWhile(t)
	for i := range n {
		if runs := a.ran(fmt.Sprint(i)) + b.ran(fmt.Sprint(i)); runs != 1 {
			t.Errorf("%d was handled %d times", i, runs)
		}
	}
	if len(a.handled()) == 0 || len(b.handled()) == 0 {
		t.Errorf("one of the processes does nothing: %d and %d", len(a.handled()), len(b.handled()))
	}
}
