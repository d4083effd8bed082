package inboxtest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/walletfi/walletfi-go/internal/pause"
	"github.com/walletfi/walletfi-go/webhooks"
)

func (s Store) patience() time.Duration { return cmp.Or(s.Patience, 30*time.Second) }

// process is one that has started an inbox, and what it handled.
type process struct {
	t     *testing.T
	store Store
	inbox webhooks.Inbox
	work  webhooks.InboxWork

	mu       sync.Mutex
	runs     map[string]int // by key
	bodies   map[string][]byte
	times    map[string]time.Time
	failures map[string][]int                                     // before each run
	handle   func(ctx context.Context, run int, key string) error // nil succeeds
}

var errDown = errors.New("the handler is down")

// start starts an inbox as a further process, which ends with the test.
func start(t *testing.T, s Store, change func(*process)) *process {
	t.Helper()
	p := &process{
		t:        t,
		store:    s,
		inbox:    s.Open(t),
		runs:     map[string]int{},
		bodies:   map[string][]byte{},
		times:    map[string]time.Time{},
		failures: map[string][]int{},
	}
	p.work = webhooks.InboxWork{
		Workers: 4, Timeout: 2 * s.patience(), Attempts: 3,
		Wait: func(int) time.Duration { return 10 * time.Millisecond }, Handle: p.run,
	}
	if change != nil {
		change(p)
	}
	if err := p.inbox.Start(p.work); err != nil {
		t.Fatalf("Start: %v", err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), s.patience())
		defer cancel()
		_ = p.inbox.Stop(ctx) // it may be stopped, or lose what it has
	})
	return p
}

func (p *process) run(ctx context.Context, d webhooks.StoredDelivery, failures int) error {
	p.mu.Lock()
	p.runs[d.Key]++
	p.bodies[d.Key], p.times[d.Key] = d.Body, d.ReceivedAt
	p.failures[d.Key] = append(p.failures[d.Key], failures)
	run, handle := p.runs[d.Key], p.handle
	p.mu.Unlock()
	if handle == nil {
		return nil
	}
	return handle(ctx, run, d.Key)
}

func (p *process) ran(key string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.runs[key]
}

func (p *process) put(key string) { p.putBody(key, fmt.Appendf(nil, `{"key":%q}`, key)) }

func (p *process) putBody(key string, body []byte) {
	p.t.Helper()
	d := webhooks.StoredDelivery{Key: key, Body: body, ReceivedAt: time.Now()}
	if err := p.inbox.Put(p.t.Context(), d); err != nil {
		p.t.Fatalf("Put(%.40q): %v", key, err)
	}
}

func (p *process) dead() []webhooks.DeadDelivery {
	p.t.Helper()
	var all []webhooks.DeadDelivery
	for d, err := range p.inbox.Dead(p.t.Context()) {
		if err != nil {
			p.t.Fatalf("Dead: %v", err)
		}
		all = append(all, d)
	}
	return all
}

func (p *process) stop() {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), p.store.patience())
	defer cancel()
	if err := p.inbox.Stop(ctx); err != nil {
		p.t.Fatalf("Stop: %v", err)
	}
}

// until waits for something that must happen.
func (p *process) until(what string, happened func() bool) {
	p.t.Helper()
	for end := time.Now().Add(p.store.patience()); !happened(); {
		if time.Now().After(end) {
			p.t.Fatalf("not after %v: %s", p.store.patience(), what)
		}
		_ = pause.For(p.t.Context(), 5*time.Millisecond)
	}
}

// aWhile is long enough for something to happen that must not.
func aWhile(t *testing.T) { _ = pause.For(t.Context(), 150*time.Millisecond) }
