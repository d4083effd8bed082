package webhooks_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/scripttest"
	"github.com/walletfi/walletfi-go/webhooks"
)

// TestScripts plays testdata/scripts: deliveries to a receiver on virtual time.
func TestScripts(t *testing.T) {
	scripttest.Run(t, func(t *testing.T, trace *scripttest.Trace) func(*scripttest.Event) {
		s := &scripted{t: t, trace: trace}
		t.Cleanup(func() {
			ctx, cancel := context.WithCancel(context.Background())
			cancel()
			s.close(ctx)
		})
		return s.play
	})
}

// scripted is the receiver of a script and what it calls.
type scripted struct {
	t        *testing.T
	trace    *scripttest.Trace
	receiver *webhooks.Receiver
	closed   bool
	inbox    *scriptedInbox
	seen     *scriptedSeen

	mu    sync.Mutex
	names map[string]string // of the deliveries, by key

	handler, bury behaviour
	hold          chan struct{} // what holds waits for it
}

// behaviour says how a part reacts when it is called: "ok", "fail", "panic", "hold" until
// the script releases it, "hang" until its context ends, "linger" a second longer, "late" to succeed then, or what
// only a handler can.
type behaviour struct {
	mu    sync.Mutex
	what  string
	times int           // 0 for ever; "ok" afterwards
	takes time.Duration // before that
}

func (b *behaviour) set(what string, times int, takes time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.what, b.times, b.takes = what, times, takes
}

// next takes its time, and returns what the part does this time.
func (b *behaviour) next() string {
	b.mu.Lock()
	what, takes := b.what, b.takes
	if b.times > 0 {
		if b.times--; b.times == 0 {
			b.what = "ok"
		}
	}
	b.mu.Unlock()
	time.Sleep(takes)
	return what
}

func (s *scripted) play(e *scripttest.Event) {
	switch e.Name {
	case "start":
		s.start(e)
	case "deliver":
		s.deliver(e)
	case "handler":
		s.handler.set(e.First(), e.Int("times", 0), e.Duration("takes", 0))
	case "dead-letter":
		s.bury.set(e.First(), e.Int("times", 0), e.Duration("takes", 0))
	case "seen":
		s.seen.seen.set(e.First(), e.Int("times", 0), e.Duration("takes", 0))
	case "commit":
		s.seen.commit.set(e.First(), e.Int("times", 0), e.Duration("takes", 0))
	case "inbox":
		s.inbox.put.set(e.First(), e.Int("times", 0), e.Duration("takes", 0))
	case "release":
		close(s.hold)
	case "dead":
		for d, err := range s.inbox.Dead(s.t.Context()) {
			require.NoError(s.t, err)
			require.Equal(s.t, d.Key, webhooks.ParseDelivery(d.Body).Key())
			s.say(d.Key, "dead since %s with ID %s after %d attempts: %s",
				s.trace.Since(d.DiedAt), d.ID, d.Attempts, oneLine(errors.New(d.Cause)))
		}
	case "retry":
		s.trace.Say("inbox", "retries: %v", s.inbox.RetryDead(s.t.Context(), e.First()))
	case "close":
		ctx, cancel := s.t.Context(), context.CancelFunc(func() {})
		if within := e.Duration("within", -1); within >= 0 {
			ctx, cancel = context.WithTimeout(ctx, within)
		}
		s.closed = false
		go func() {
			defer cancel()
			s.close(ctx)
		}()
	default:
		e.Unknown()
	}
}

// start makes a receiver, which knows again what the ones before have committed.
func (s *scripted) start(e *scripttest.Event) {
	require.True(s.t, s.receiver == nil || s.closed, "close the one before")
	s.trace.Begin()
	if !e.Has("again") {
		s.names, s.seen = map[string]string{}, &scriptedSeen{s: s, until: map[string]time.Time{}}
	}
	for _, part := range []*behaviour{&s.handler, &s.bury, &s.seen.seen, &s.seen.commit} {
		part.set("ok", 0, 0)
	}
	s.hold, s.inbox = make(chan struct{}), nil
	cfg := webhooks.ReceiverConfig{
		Verifier: webhooks.Verifier{
			Secrets: []walletfi.Secret{secret}, MaxAge: e.Duration("max-age", 0), MaxAhead: e.Duration("max-ahead", 0),
		},
		Seen: s.seen, Handler: s.handle, DeadLetter: s.deadLetter,
		Remember: e.Duration("remember", 0), HandlerTimeout: e.Duration("handler-timeout", 0),
		MaxFailures: e.Int("failures", 0), Workers: e.Int("workers", 0),
		Queue: e.Int("queue", 0), RetryWait: e.Duration("retry-wait", 0),
	}
	if e.Has("no-dead-letter") {
		cfg.DeadLetter = nil
	}
	if e.Has("inbox") {
		s.inbox = &scriptedInbox{MemoryInbox: webhooks.MemoryInbox{Capacity: e.Int("capacity", 0)}, s: s}
		s.inbox.put.set("ok", 0, 0)
		cfg.Inbox, cfg.DeadLetter = s.inbox, nil
	}
	if e.Has("logged") {
		cfg.Logger = s.logger()
	}
	if e.Has("observed") {
		cfg.Observer = scriptedObserver{s}
	}
	receiver, err := webhooks.NewReceiver(cfg)
	require.NoError(s.t, err)
	s.receiver, s.closed = receiver, false
}

// close closes the receiver, unless that was done.
func (s *scripted) close(ctx context.Context) {
	if s.receiver != nil && !s.closed {
		s.closed = true
		s.trace.Say("service", "closed: %s", oneLine(s.receiver.Close(ctx)))
	}
}

// deliver sends a delivery, which it names, so many times at once.
func (s *scripted) deliver(e *scripttest.Event) {
	name, receiver := e.First(), s.receiver
	body := fmt.Appendf(nil, `{"webhookId":"wh_1","network":"n","timestamp":%d,"blockNumber":7,"blockHash":"0x%064x","transactions":[]}`, today.Unix(), name)
	s.mu.Lock()
	s.names[webhooks.ParseDelivery(body).Key()] = name
	s.mu.Unlock()
	for range e.Int("times", 1) {
		go func() {
			w := answered(receiver, webhooks.DeliverySigner{Secret: secret}.Request(destination, body))
			s.trace.Say(name+" gets", "%d", w.Code) // sorted after what else happens to it
		}()
		if !e.Has("together") {
			synctest.Wait()
		}
	}
}

// say says what happened to a delivery.
func (s *scripted) say(key, format string, args ...any) {
	s.trace.Say(s.name(key), format, args...)
}

func (s *scripted) name(key string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.names[key]
}

// isWhole fails unless d is the delivery as it was sent.
func (s *scripted) isWhole(d *webhooks.Delivery) {
	if d.EVM == nil || d.EVM.BlockHash != fmt.Sprintf("0x%064x", s.name(d.Key())) {
		s.t.Errorf("%s is not what was delivered", d.Raw)
	}
}

// left is how long ctx lasts.
func left(ctx context.Context) string {
	deadline, ok := ctx.Deadline()
	if !ok {
		return "ever"
	}
	return time.Until(deadline).String()
}

func (s *scripted) handle(ctx context.Context, d *webhooks.Delivery) error {
	s.say(d.Key(), "is handled within %s", left(ctx))
	s.isWhole(d)
	switch what := s.handler.next(); what {
	case "marks":
		d.Marked()
		return nil
	case "commits", "commits-and-fails":
		d.Marked()
		err := s.seen.Commit(ctx, d.Key(), d.RememberUntil())
		if what == "commits-and-fails" {
			return errDown
		}
		return err
	case "finds-it":
		return fmt.Errorf("inserting: %w", webhooks.ErrSeen)
	case "commits-and-finds-it": // as another process
		return errors.Join(s.seen.Commit(ctx, d.Key(), d.RememberUntil()), webhooks.ErrSeen)
	case "refuses":
		return errors.Join(webhooks.ErrSignature, webhooks.ErrTooLarge, webhooks.ErrBody)
	default:
		return s.do(ctx, what)
	}
}

func (s *scripted) deadLetter(ctx context.Context, d *webhooks.Delivery, cause error) error {
	s.say(d.Key(), "is buried within %s: %s", left(ctx), oneLine(cause))
	s.isWhole(d)
	return s.do(ctx, s.bury.next())
}

// do does what every part can.
func (s *scripted) do(ctx context.Context, what string) error {
	switch what {
	case "ok":
		return nil
	case "fail":
		return errDown
	case "panic":
		panic("nil map")
	case "hold":
		select {
		case <-s.hold:
			return nil
		case <-ctx.Done():
		}
	case "late":
		<-ctx.Done()
		return nil
	case "hang":
		<-ctx.Done()
	case "linger":
		<-ctx.Done()
		time.Sleep(time.Second)
	default:
		s.t.Errorf("nothing can %s", what)
	}
	return ctx.Err()
}
