package bearer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/scripttest"
)

// TestScripts plays testdata/scripts: the Tokens of one or several processes, their
// store and the service, on virtual time.
func TestScripts(t *testing.T) {
	scripttest.Run(t, func(t *testing.T, trace *scripttest.Trace) func(*scripttest.Event) {
		s := &scripted{t: t, trace: trace}
		t.Cleanup(s.end)
		return s.play
	})
}

// scripted is the rig of a script.
type scripted struct {
	*rig
	t       *testing.T
	trace   *scripttest.Trace
	all     []*Tokens // of the processes, the rig's own first
	calls   sync.WaitGroup
	release chan struct{} // closed when a service that hangs may answer
	unlock  func()        // lets go of another process's lock
}

// end waits for what is under way.
func (s *scripted) end() {
	if s.rig != nil {
		close(s.release)
		s.calls.Wait()
	}
}

func (s *scripted) play(e *scripttest.Event) {
	ctx := s.t.Context()
	switch e.Name {
	case "start":
		s.start(e)
	case "call":
		s.each(e, func(ctx context.Context, b *Tokens) string { return s.call(ctx, b, http.Header{}) })
	case "refuse":
		header := http.Header{e.Text("header", "Authorization"): {"Bearer " + e.First()}}
		call := e.Has("then-call")
		s.each(e, func(ctx context.Context, b *Tokens) string { return s.refuse(ctx, b, header.Clone(), call) })
	case "spent":
		s.Spent(bearing(e.First()))
	case "set":
		token := s.token(e)
		s.each(e, func(ctx context.Context, b *Tokens) string { return s.described("is set", b.Set(ctx, token)) })
	case "token":
		token, err := s.Token(ctx)
		s.say("token", "%s", s.described(shown(token), err))
	case "secrets":
		s.say("tokens", "secrets %q", s.Secrets())
	case "service":
		s.service(e)
	case "release":
		close(s.release)
		s.release = make(chan struct{})
	case "clock":
		s.offset = e.Lasts()
	case "reads":
		s.say("store", "was read %d times", s.loads)
		s.loads = 0
	default:
		s.playStore(e)
	}
}

// start makes a rig, and a Tokens for each process.
func (s *scripted) start(e *scripttest.Event) {
	s.end()
	s.trace.Begin()
	s.rig, s.release = newRig(s.t, e.Duration("life", time.Hour)), make(chan struct{})
	s.said = s.trace.Say
	s.saysLocks = e.Has("show-locks")
	s.service(e)
	s.all = []*Tokens{s.Tokens}
	for range e.Int("processes", 1) - 1 {
		s.all = append(s.all, New(s.cfg))
	}
	if e.Has("no-token") {
		require.NoError(s.t, s.store.Save(s.t.Context(), walletfi.Token{}))
	}
}

// token is that of an event's first two arguments, of which - is none, and ~ a line break.
func (s *scripted) token(e *scripttest.Event) walletfi.Token {
	none := strings.NewReplacer("-", "", "~", "\n")
	return tokenOf(none.Replace(e.First()), none.Replace(e.First()), e.Duration("life", 0))
}

func shown(t walletfi.Token) string {
	text := cmp.Or(t.Access.Reveal(), "-") + " " + cmp.Or(t.Refresh.Reveal(), "-")
	if t.Expiry.IsZero() {
		return text
	}
	return text + " for " + time.Until(t.Expiry).Round(time.Millisecond).String()
}

func (s *scripted) call(ctx context.Context, b *Tokens, header http.Header) string {
	before := len(header)
	err := b.Authorise(ctx, header)
	if err != nil {
		require.Len(s.t, header, before, "no token that cannot be used is sent")
	}
	return s.described("sent with "+strings.Join(header["Authorization"], ""), err)
}

func (s *scripted) refuse(ctx context.Context, b *Tokens, header http.Header, call bool) string {
	again, err := b.Refused(ctx, header)
	if again && call {
		return s.call(ctx, b, header)
	}
	return s.described(map[bool]string{true: "again", false: "not again"}[again], err)
}

// each makes a call of each process, n times at once, or times times one after the
// other, every so often. The trace says how many of them ended alike, and when.
func (s *scripted) each(e *scripttest.Event, call func(context.Context, *Tokens) string) {
	n, times, every := e.Int("n", 1), e.Int("times", 1), e.Duration("every", 0)
	within, cancel, over := e.Duration("within", time.Hour), e.Duration("cancel", 0), e.Has("ended")
	name := e.Name
	var mu sync.Mutex
	ended := map[string]int{}
	one := func(b *Tokens) {
		ctx, stop := context.WithTimeout(s.t.Context(), within)
		defer stop()
		if cancel > 0 {
			time.AfterFunc(cancel, stop)
		}
		if over {
			stop()
		}
		began := time.Now()
		text := call(ctx, b)
		if took := time.Since(began); took > 0 {
			text = fmt.Sprintf("%s, after %s", text, took)
		}
		mu.Lock()
		defer mu.Unlock()
		ended[text]++
	}
	s.calls.Go(func() {
		for range times {
			var group sync.WaitGroup
			for _, b := range s.all {
				for range n {
					group.Go(func() { one(b) })
				}
			}
			group.Wait()
			time.Sleep(every)
		}
		for _, text := range slices.Sorted(maps.Keys(ended)) {
			if ended[text] == 1 {
				s.say(name, "%s", text)
				continue
			}
			s.say(name, "%d times %s", ended[text], text)
		}
	})
	if every > 0 {
		s.calls.Wait()
	}
}

var kinds = []struct {
	kind error
	name string
}{
	{walletfi.ErrUnauthorized, "unauthorized"}, {walletfi.ErrForbidden, "forbidden"},
	{walletfi.ErrInvalidRequest, "invalid"}, {walletfi.ErrNotFound, "not found"},
	{walletfi.ErrUnavailable, "unavailable"}, {walletfi.ErrRateLimited, "rate limited"},
	{walletfi.ErrDecode, "decode"}, {walletfi.ErrTokenStore, "store"}, {errBroken, "broken"},
	{context.DeadlineExceeded, "deadline"}, {context.Canceled, "canceled"},
}

var errBroken = errors.New("disk full")

// oneEnd makes one of the two ends of a refresh that hangs, which come at the same time.
var oneEnd = strings.NewReplacer(
	"token refresh: service unavailable: no token within 15s", "no token within 15s",
	"service unavailable: token refresh: context deadline exceeded", "no token within 15s",
	"\n", "; ",
)

// described is text, or the error with its kinds.
func (s *scripted) described(text string, err error) string {
	if err == nil {
		return text
	}
	var is []string
	for _, k := range kinds {
		if errors.Is(err, k.kind) {
			is = append(is, k.name)
		}
	}
	return fmt.Sprintf("fails [%s] %s", strings.Join(is, ", "), oneEnd.Replace(err.Error()))
}
