package transport

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/bearer"
	"github.com/walletfi/walletfi-go/internal/connections"
	"github.com/walletfi/walletfi-go/internal/places"
)

// crowded returns a client of a service at url whose host has so few places.
func crowded(t *testing.T, url string, most int, change ...func(*Config)) *Client {
	c := clientOf(t, nil, append(change, at(url))...)
	c.room = places.New(most).Room("a")
	return c
}

// TestRequestsAreBounded: no more than there are places are under way, and all arrive.
func TestRequestsAreBounded(t *testing.T) {
	var inside, most atomic.Int64
	url, _ := server(t, func(w http.ResponseWriter, r *http.Request) {
		n := inside.Add(1)
		for highest := most.Load(); n > highest && !most.CompareAndSwap(highest, n); highest = most.Load() {
		}
		defer inside.Add(-1)
		io.Copy(io.Discard, r.Body)
		io.WriteString(w, success)
	})
	c := crowded(t, url, 4)
	var group sync.WaitGroup
	for i := range 200 {
		group.Go(func() {
			_, err := Do[result](t.Context(), c, callOf([]Effect{Read, Create, Set, Relay}[i%4]), nil)
			assert.NoError(t, err)
		})
	}
	group.Wait()
	require.LessOrEqual(t, most.Load(), int64(4))
	require.Positive(t, most.Load())
}

// TestNoTurn: an attempt that finds no place in time was not sent, whatever its effect.
func TestNoTurn(t *testing.T) {
	for effect, name := range effectNames {
		t.Run(name, func(t *testing.T) {
			url, count := server(t, func(http.ResponseWriter, *http.Request) {})
			c := crowded(t, url, 1)
			require.NoError(t, c.room.Enter(t.Context(), false, 0))
			_, err := Do[result](t.Context(), c, callOf(effect), []walletfi.CallOption{walletfi.WithoutRetry(), walletfi.WithTimeout(20 * time.Millisecond)})
			require.ErrorIs(t, err, walletfi.ErrUnavailable)
			require.NotErrorIs(t, err, walletfi.ErrOutcomeUnknown)
			require.ErrorContains(t, err, "no free connection within 20ms")

			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
			defer cancel()
			_, err = Do[result](ctx, c, callOf(effect), nil)
			require.ErrorIs(t, err, context.DeadlineExceeded)
			require.NotErrorIs(t, err, walletfi.ErrOutcomeUnknown)
			require.Zero(t, count.Load())

			c.room.Leave()
			require.NoError(t, c.room.Enter(t.Context(), false, time.Minute), "nobody who gave up has a place")
		})
	}
}

// TestUrgentTurn: a call with Urgent goes before those that wait for a place.
func TestUrgentTurn(t *testing.T) {
	var order []string
	var mu sync.Mutex
	url, _ := server(t, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		order = append(order, r.Method)
		io.WriteString(w, success)
	})
	c := crowded(t, url, 1)
	require.NoError(t, c.room.Enter(t.Context(), false, 0))
	var group sync.WaitGroup
	call := func(effect Effect, waiting int, opts ...walletfi.CallOption) {
		group.Go(func() {
			_, err := Do[result](t.Context(), c, callOf(effect), opts)
			assert.NoError(t, err)
		})
		require.Eventually(t, func() bool { return c.room.Waiting() == waiting }, time.Minute, time.Millisecond)
	}
	call(Read, 1)
	call(Relay, 2, walletfi.Urgent())
	c.room.Leave()
	group.Wait()
	require.Equal(t, []string{"POST", "GET"}, order)
}

// TestRefreshInACrowd: a call whose token is refused needs a second one of the only
// place, for the refresh: it has left its own before.
func TestRefreshInACrowd(t *testing.T) {
	url, count := server(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet && r.Header.Get("Authorization") != "Bearer new" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		io.WriteString(w, success)
	})
	var c *Client
	tokens := bearer.New(bearer.Config{Room: &bearer.Room{Room: places.New(1).Room("a")}, Refresh: func(ctx context.Context, _ walletfi.Token) (walletfi.Token, error) {
		call := callOf(Set)
		call.Public = true
		_, err := Do[result](ctx, c, call, nil)
		return tokenOf("new", "r1", time.Hour), err
	}})
	require.NoError(t, tokens.Set(t.Context(), tokenOf("old", "r0", time.Hour)))
	c = crowded(t, url, 1, func(cfg *Config) { cfg.Auth = tokens })
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			_, err := Do[result](t.Context(), c, callOf(Read), nil)
			assert.NoError(t, err)
		})
	}
	group.Wait()
	require.LessOrEqual(t, count.Load(), int32(41), "20 calls, each refused at most once, and one refresh")
}

// TestForeignTransportsHaveNoBound of ours.
func TestForeignTransportsHaveNoBound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := make(chan struct{})
		service := serve(func(r *http.Request) (*http.Response, error) {
			<-gate
			return reply(200, success)(r)
		})
		c := clientOf(t, service)
		var group sync.WaitGroup
		for range mostRequests + 50 {
			group.Go(func() {
				_, err := Do[result](t.Context(), c, callOf(Read), nil)
				assert.NoError(t, err)
			})
		}
		synctest.Wait()
		require.Len(t, service.requests(), mostRequests+50)
		close(gate)
		group.Wait()
	})
}

// TestStatedBounds: what the comment on Options says.
func TestStatedBounds(t *testing.T) {
	text, err := os.ReadFile("../../options.go")
	require.NoError(t, err)
	words := strings.Join(strings.Fields(strings.ReplaceAll(string(text), "//", "")), " ")
	require.Contains(t, words, fmt.Sprintf("at most %d requests to a host are under way", mostRequests))
	require.Contains(t, words, fmt.Sprintf("at most %d idle connections to a host", connections.Shared().MaxIdleConnsPerHost))
}
