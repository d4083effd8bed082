package bearer

import (
	"context"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
)

func TestHeaderIsTheRequestsOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, time.Hour)
		header := http.Header{}
		require.NoError(t, r.Authorise(t.Context(), header))
		header["Authorization"][0] = "masked for a log"
		assert.Equal(t, "Bearer a0", r.sent(t))
	})
}

func BenchmarkAuthorise(b *testing.B) {
	for name, expiry := range map[string]time.Time{"expiry=known": time.Now().Add(time.Hour), "expiry=unknown": {}} {
		b.Run(name, func(b *testing.B) {
			refresh := func(context.Context, walletfi.Token) (walletfi.Token, error) {
				return walletfi.Token{}, walletfi.ErrUnavailable
			}
			bearer := New(Config{Refresh: refresh})
			token := tokenOf("a0", "r0", 0)
			token.Expiry = expiry
			if err := bearer.Set(b.Context(), token); err != nil {
				b.Fatal(err)
			}
			header := http.Header{}
			ctx := b.Context()
			b.ReportAllocs()
			for b.Loop() {
				if err := bearer.Authorise(ctx, header); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
