package transport

import (
	"context"
	"fmt"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/bearer"
)

// tokensRig has the token a0, which does not expire. The service answers a refresh
// with a1, then a2, each good for an hour.
type tokensRig struct {
	*bearer.Tokens
	refreshes int
}

func renewing(t *testing.T) *tokensRig {
	t.Helper()
	r := &tokensRig{}
	r.Tokens = bearer.New(bearer.Config{Refresh: func(context.Context, walletfi.Token) (walletfi.Token, error) {
		r.refreshes++
		return tokenOf(fmt.Sprintf("a%d", r.refreshes), fmt.Sprintf("r%d", r.refreshes), time.Hour), nil
	}})
	require.NoError(t, r.Set(t.Context(), tokenOf("a0", "r0", 0)))
	return r
}

func tokenOf(access, refresh string, life time.Duration) walletfi.Token {
	t := walletfi.Token{Access: walletfi.NewSecret(access), Refresh: walletfi.NewSecret(refresh)}
	if life != 0 {
		t.Expiry = time.Now().Add(life)
	}
	return t
}

// advance lets d pass on the bubble's clock.
func advance(d time.Duration) { <-time.After(d) }

// inBubble runs f on virtual time; it fails if f leaves a goroutine.
func inBubble(name string, t *testing.T, f func(t *testing.T)) {
	t.Run(name, func(t *testing.T) { synctest.Test(t, f) })
}

// TestDates: the Date of a success says that another process's token is over, an hour before
// the clock of this one does. That of a cache is corrected by its Age. That of a refusal, and garbage say nothing.
func TestDates(t *testing.T) {
	for name, c := range map[string]struct {
		status  int
		header  []string
		renewed int
	}{
		"of a success": {200, []string{"Date", "hour"}, 1},
		"of a refusal": {404, []string{"Date", "hour"}, 0},
		"not cached":   {200, []string{"Date", "hour", "Age", "0"}, 1},
		"of a cache":   {200, []string{"Date", "now", "Age", "3600"}, 1},
		"of no age":    {200, []string{"Date", "hour", "Age", "old"}, 0},
		"of now":       {200, []string{"Date", "now"}, 0},
		"garbage":      {200, []string{"Date", "an hour on"}, 0},
		"none":         {200, nil, 0},
	} {
		inBubble(name, t, func(t *testing.T) {
			for i, text := range c.header {
				when := map[string]time.Duration{"hour": time.Hour, "now": 0}
				if ahead, ok := when[text]; ok {
					c.header[i] = time.Now().Add(ahead).UTC().Format(http.TimeFormat)
				}
			}
			store := new(walletfi.MemoryTokenStore)
			require.NoError(t, store.Save(t.Context(), tokenOf("a0", "r0", time.Hour)))
			renewed := 0
			tokens := bearer.New(bearer.Config{Store: store, Refresh: func(context.Context, walletfi.Token) (walletfi.Token, error) {
				renewed++
				return tokenOf("a1", "r1", time.Hour), nil
			}})
			client := clientOf(t, serve(reply(c.status, success, c.header...), reply(200, success)), func(cfg *Config) { cfg.Auth = tokens })
			for range 2 {
				_, _ = DoDocument(t.Context(), client, callOf(Read), nil)
			}
			require.Equal(t, c.renewed, renewed)
		})
	}
}
