package inboxtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/walletfi/walletfi-go/webhooks"
)

func failing(_ context.Context, run int, key string) error {
	return fmt.Errorf("run %d of %s: %w", run, key, errDown)
}

func dies(t *testing.T, s Store) {
	p := start(t, s, func(p *process) { p.handle = failing })
	p.put("a")
	p.until("it is dead", func() bool { return len(p.dead()) == 1 })
	aWhile(t)
	if p.ran("a") != 3 {
		t.Fatalf("it was tried %d times, want 3", p.ran("a"))
	}
}

func deadRead(t *testing.T, s Store) {
	p := start(t, s, func(p *process) { p.handle = failing })
	body := []byte("\x00 body \xff")
	before := time.Now().Add(-time.Minute)
	p.putBody("a\x00b", body)
	p.until("it is dead", func() bool { return len(p.dead()) == 1 })
	listed := p.dead()[0]
	read, err := p.inbox.GetDead(t.Context(), listed.ID)
	if err != nil {
		t.Fatalf("GetDead: %v", err)
	}
	for _, d := range []webhooks.DeadDelivery{listed, read} {
		switch {
		case d.Key != "a\x00b" || !bytes.Equal(d.Body, body):
			t.Errorf("it is %q with body %q", d.Key, d.Body)
		case d.ReceivedAt.Before(before) || d.DiedAt.Before(d.ReceivedAt.Add(-time.Second)) ||
			d.DiedAt.After(time.Now().Add(time.Minute)):
			t.Errorf("it came at %v and died at %v", d.ReceivedAt, d.DiedAt)
		case d.Attempts != 3:
			t.Errorf("Attempts is %d, want 3", d.Attempts)
		case !strings.Contains(d.Cause, "run 3 of "):
			t.Errorf("Cause is %q, want the last error", d.Cause)
		}
	}
	for _, id := range []string{"", "none", "0", "999999999", listed.ID + "0", "-1", "'"} {
		if _, err := p.inbox.GetDead(t.Context(), id); !errors.Is(err, webhooks.ErrNotDead) {
			t.Errorf("GetDead(%q): %v, want ErrNotDead", id, err)
		}
		if err := p.inbox.RetryDead(t.Context(), id); !errors.Is(err, webhooks.ErrNotDead) {
			t.Errorf("RetryDead(%q): %v, want ErrNotDead", id, err)
		}
	}
}

func deadRetried(t *testing.T, s Store) {
	p := start(t, s, func(p *process) {
		p.handle = func(_ context.Context, run int, _ string) error {
			if run < 5 {
				return errDown
			}
			return nil
		}
	})
	p.put("a")
	for _, runs := range []int{3, 4} {
		p.until("it is dead", func() bool { return len(p.dead()) == 1 })
		d := p.dead()[0]
		if p.ran("a") != runs || d.Attempts != runs {
			t.Fatalf("it was tried %d times, Attempts is %d, want %d", p.ran("a"), d.Attempts, runs)
		}
		if err := p.inbox.RetryDead(t.Context(), d.ID); err != nil {
			t.Fatalf("RetryDead: %v", err)
		}
		p.until("it is tried once more", func() bool { return p.ran("a") == runs+1 })
	}
	aWhile(t)
	if dead := p.dead(); len(dead) != 0 || p.ran("a") != 5 {
		t.Fatalf("it was tried %d times, %d are dead", p.ran("a"), len(dead))
	}
}

// manyDead is more than a page of any store.
func manyDead(t *testing.T, s Store) {
	p := start(t, s, func(p *process) { p.work.Workers, p.work.Attempts, p.handle = 1, 1, failing })
	const n = 230
	for i := range n {
		p.put(fmt.Sprint(i))
	}
	p.until("all are dead", func() bool { return len(p.dead()) == n })
	seen, last := map[string]bool{}, time.Time{}
	for _, d := range p.dead() {
		if seen[d.Key] || d.DiedAt.Before(last) {
			t.Fatalf("%q is listed twice or out of order", d.Key)
		}
		seen[d.Key], last = true, d.DiedAt
	}
	for range p.inbox.Dead(t.Context()) {
		break // a list can be left
	}
	if dead := p.dead(); len(dead) != n {
		t.Fatalf("%d are dead, want %d", len(dead), n)
	}
}
