package webhooks_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/walletfi/walletfi-go/observe"
	"github.com/walletfi/walletfi-go/webhooks"
)

func answered(h http.Handler, req *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, req)
	return w
}

// oneLine is an error in one line, without the stack of a panic, which it must have.
func oneLine(err error) string {
	if err == nil {
		return "no error"
	}
	text, stack, _ := strings.Cut(err.Error(), "\ngoroutine ")
	if strings.Contains(text, "panicked") && !strings.Contains(stack, "_test.go") {
		text += ", nobody knows where"
	}
	return strings.ReplaceAll(text, "\n", "; ")
}

// scriptedSeen is the Seen of a script.
type scriptedSeen struct {
	s            *scripted
	seen, commit behaviour

	mu    sync.Mutex
	until map[string]time.Time
}

func (m *scriptedSeen) Seen(ctx context.Context, key string) (bool, error) {
	if err := m.s.do(ctx, m.seen.next()); err != nil {
		m.s.say(key, "was it seen? %v", err)
		return false, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	seen := time.Now().Before(m.until[key])
	m.s.say(key, "was it seen? %t", seen)
	return seen, nil
}

func (m *scriptedSeen) Commit(ctx context.Context, key string, until time.Time) error {
	allowed := left(ctx)
	if err := m.s.do(ctx, m.commit.next()); err != nil {
		m.s.say(key, "is not committed: %v", err)
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.until[key] = until
	m.s.say(key, "is committed for %s, within %s", time.Until(until), allowed)
	return nil
}

// scriptedInbox is the Inbox of a script.
type scriptedInbox struct {
	webhooks.MemoryInbox
	s   *scripted
	put behaviour
}

func (b *scriptedInbox) Put(ctx context.Context, d webhooks.StoredDelivery) error {
	assert.Equal(b.s.t, d.Key, webhooks.ParseDelivery(d.Body).Key())
	assert.True(b.s.t, time.Now().Equal(d.ReceivedAt))
	b.s.say(d.Key, "is put into the inbox") // before a worker takes it
	err := b.s.do(ctx, b.put.next())
	if err == nil {
		err = b.MemoryInbox.Put(ctx, d)
	}
	if err != nil {
		b.s.say(d.Key, "is not stored: %s", oneLine(err))
	}
	return err
}

// logger is a logger whose lines are in the trace.
func (s *scripted) logger() *slog.Logger {
	return slog.New(&scriptedLog{Handler: slog.DiscardHandler, s: s})
}

type scriptedLog struct {
	slog.Handler
	s *scripted
}

func (scriptedLog) Enabled(context.Context, slog.Level) bool { return true }

func (l *scriptedLog) Handle(_ context.Context, r slog.Record) error {
	fields := map[string]string{}
	r.Attrs(func(a slog.Attr) bool {
		fields[a.Key] = a.Value.String()
		return true
	})
	l.s.say(fields["delivery"], "log %s %s: %s", r.Level, r.Message, oneLine(errors.New(fields["error"])))
	return nil
}

// scriptedObserver says in the trace what it is told.
type scriptedObserver struct{ s *scripted }

func (o scriptedObserver) Start(ctx context.Context, op observe.Operation) (context.Context, func(observe.End)) {
	key := op.(observe.Handle).Delivery
	return ctx, func(end observe.End) { o.s.say(key, "observer: handled, %s", oneLine(end.(observe.HandleEnd).Err)) }
}

func (o scriptedObserver) Observe(_ context.Context, event observe.Event) {
	switch e := event.(type) {
	case observe.DeliveryVerified:
		o.s.say(e.Delivery, "observer: verified")
	case observe.DeliveryDuplicate:
		o.s.say(e.Delivery, "observer: a duplicate")
	case observe.DeliveryRetried:
		o.s.say(e.Delivery, "observer: failed %d times, again in %s: %s", e.Failures, e.Wait, oneLine(e.Err))
	case observe.DeliveryDead:
		o.s.say(e.Delivery, "observer: dead of %s, %s", oneLine(e.Cause), oneLine(e.Err))
	}
}
