package bearer

import (
	"context"
	"fmt"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/scripttest"
)

type answering = func(ctx context.Context, n int, old walletfi.Token) (walletfi.Token, error)

// refusals are the ways in which a service fails.
var refusals = map[string]error{
	"400":     refusal(400, walletfi.ErrInvalidRequest),
	"401":     refusal(401, walletfi.ErrUnauthorized),
	"403":     refusal(403, walletfi.ErrForbidden),
	"404":     refusal(404, walletfi.ErrNotFound),
	"429":     refusal(429, walletfi.ErrRateLimited),
	"503":     refusal(503, walletfi.ErrUnavailable),
	"garbage": fmt.Errorf("%w: what", walletfi.ErrDecode),
}

func refusal(status int, kind error) error {
	return &walletfi.ResponseError{Service: "accounts", Op: "Refresh", Method: "POST", Path: "/refresh", StatusCode: status, Kind: kind}
}

// service says how the service answers from now on.
func (s *scripted) service(e *scripttest.Event) {
	answer := s.granting(e)
	if failure := e.Text("fails", ""); failure != "" {
		answer = s.failing(e, failure)
	}
	takes, hangs, heeds := e.Duration("takes", 0), e.Has("hangs"), e.Has("heeds")
	release := s.release
	s.answer = func(ctx context.Context, n int, old walletfi.Token) (walletfi.Token, error) {
		s.say("service", "refresh %d, of %s", n, old.Refresh.Reveal())
		switch {
		case hangs && heeds:
			<-ctx.Done()
			return walletfi.Token{}, ctx.Err()
		case hangs:
			<-release
		case takes > 0:
			select {
			case <-time.After(takes):
			case <-ctx.Done():
				return walletfi.Token{}, ctx.Err()
			}
		}
		return answer(ctx, n, old)
	}
}

// granting answers with a new token, good for an hour by the clock of the Tokens, but
// for what the event says.
func (s *scripted) granting(e *scripttest.Event) answering {
	access, refresh, life := e.Text("access", ""), e.Text("refresh", ""), e.Duration("life", time.Hour)
	same := e.Has("access-only")
	line := e.Has("line-break")
	none := e.Has("no-access")
	return func(_ context.Context, n int, _ walletfi.Token) (walletfi.Token, error) {
		token := tokenOf(fmt.Sprintf("a%d", n), fmt.Sprintf("r%d", n), 0)
		if life != 0 {
			token.Expiry = s.cfg.Now().Add(life)
		}
		if access != "" {
			token.Access = walletfi.NewSecret(access)
		}
		if line {
			token.Access = walletfi.NewSecret("canary\r\nX-Evil: 1")
		}
		if none {
			token.Access = walletfi.Secret{}
		}
		if same {
			token.Refresh = walletfi.Secret{}
		}
		if refresh != "" {
			token.Refresh = walletfi.NewSecret(refresh)
		}
		return token, nil
	}
}

// failing answers with a failure, at which another process's token, or the end of the
// store, may come.
func (s *scripted) failing(e *scripttest.Event, failure string) answering {
	access, later, breaks := e.Text("stores", ""), e.Duration("later", 0), e.Has("breaks-store")
	return func(context.Context, int, walletfi.Token) (walletfi.Token, error) {
		if access != "" {
			put := func() {
				time.Sleep(later)
				s.put(tokenOf(access, "s0", time.Hour))
			}
			if later == 0 {
				put()
			} else {
				s.calls.Go(put)
			}
		}
		if breaks {
			s.breaks("load")
		}
		err := refusals[failure]
		if r, ok := err.(*walletfi.ResponseError); ok {
			err = refusal(r.StatusCode, r.Kind) // the Tokens may change it
		}
		return walletfi.Token{}, err
	}
}

// playStore runs an event of the store and of other processes.
func (s *scripted) playStore(e *scripttest.Event) {
	switch e.Name {
	case "store":
		s.put(s.token(e))
	case "stored":
		s.say("store", "has %s", shown(s.stored(s.t)))
	case "store-fails":
		s.breaks(e.First())
	case "store-works":
		s.breaks("")
	case "store-takes":
		s.takes = e.Lasts()
	case "store-keeps":
		s.keeps = true
	case "busy":
		s.saving <- struct{}{}
	case "free":
		<-s.saving
	case "lock":
		unlock, err := s.store.TryLock(s.t.Context(), e.Duration("lease", time.Hour))
		require.NoError(s.t, err)
		s.unlock = unlock
	case "unlock":
		s.unlock()
	case "at-lock":
		token := s.token(e)
		breaks := e.Has("breaks-store")
		s.locked = func() {
			s.locked = nil
			if breaks {
				s.loadErr = errBroken
				return
			}
			require.NoError(s.t, s.store.Save(s.t.Context(), token))
		}
	default:
		e.Unknown()
	}
}

// put stores a token as another process does.
func (s *scripted) put(token walletfi.Token) {
	require.NoError(s.t, s.store.Save(s.t.Context(), token))
}

// breaks makes one kind of access to the store fail, and all others work.
func (s *scripted) breaks(what string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.saveErr, s.loadErr, s.lockErr = nil, nil, nil
	switch what {
	case "save":
		s.saveErr = errBroken
	case "load":
		s.loadErr = errBroken
	case "lock":
		s.lockErr = errBroken
	}
}
