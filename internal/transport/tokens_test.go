package transport

import (
	"context"
	"fmt"
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
