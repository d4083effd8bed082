//go:build linux

package smartaccount_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/smartaccount"
)

var tenants = flag.Int("tenants", 1000, "the number of clients in TestRefreshStorm: 10000 for the whole storm")

// stormAt names the environment variable with the service's URL, in the process that
// has the clients.
const stormAt = "SMARTACCOUNT_STORM_AT"

// stormFigures is the output of that process.
type stormFigures struct {
	Failed     int
	First      string // error
	Goroutines int    // the most at a time, without those that call
	Took       time.Duration
	MB         uint64
}

// TestRefreshStorm: the tokens of very many clients expire at once, in a process with
// 1,024 file descriptors. No call fails, no token is refreshed twice, and connections
// and goroutines stay few.
//
//	go test ./smartaccount -run RefreshStorm -v -tenants 10000
func TestRefreshStorm(t *testing.T) {
	if base := os.Getenv(stormAt); base != "" {
		require.NoError(t, json.NewEncoder(os.Stdout).Encode(stormOf(t, base)))
		os.Exit(0) // with connections still open
	}
	var open, most, refreshes atomic.Int64
	var refreshed sync.Map
	service := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		wait := time.NewTimer(20 * time.Millisecond)
		<-wait.C
		w.Header().Set("Content-Type", "application/json")
		if strings.HasSuffix(r.URL.Path, "/auth/refresh") {
			var asked struct{ RefreshToken string }
			body, _ := io.ReadAll(r.Body)
			_ = json.Unmarshal(body, &asked)
			refreshes.Add(1)
			if _, again := refreshed.LoadOrStore(asked.RefreshToken, true); again || asked.RefreshToken == "" {
				w.WriteHeader(http.StatusUnauthorized)
				return
			}
			fmt.Fprintf(w, `{"accessToken":"new-%s","refreshToken":"next-%s","expiresIn":3600}`, asked.RefreshToken, asked.RefreshToken)
			return
		}
		if !strings.HasPrefix(r.Header.Get("Authorization"), "Bearer new-rt-") {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		io.WriteString(w, `{"id":"acc_1","address":"A1111111111111111111111111111111","status":"active","balance":{}}`)
	}))
	service.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		switch state {
		case http.StateNew:
			n := open.Add(1)
			for highest := most.Load(); n > highest && !most.CompareAndSwap(highest, n); highest = most.Load() {
			}
		case http.StateClosed, http.StateHijacked:
			open.Add(-1)
		}
	}
	service.Start()
	defer service.Close()

	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestRefreshStorm$", fmt.Sprint("-tenants=", *tenants))
	child.Env = append(os.Environ(), stormAt+"="+service.URL)
	out, err := child.Output()
	require.NoError(t, err, "%s", out)
	var got stormFigures
	require.NoError(t, json.Unmarshal([]byte(strings.SplitN(string(out), "\n", 2)[0]), &got), "%s", out)
	t.Logf("%d tenants: %d failed, %d connections at most, %d goroutines beside the callers, %d MB, %v", *tenants, got.Failed, most.Load(), got.Goroutines, got.MB, got.Took.Round(time.Millisecond))
	require.Zero(t, got.Failed, got.First)
	require.EqualValues(t, *tenants, refreshes.Load(), "each token once")
	require.LessOrEqual(t, most.Load(), int64(512))
	require.Less(t, got.Goroutines, 2000)
}

// stormOf makes the clients and has all of them call at once.
func stormOf(t *testing.T, base string) (got stormFigures) {
	require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: 1024, Max: 1024}))
	clients := make([]*smartaccount.Client, *tenants)
	for i := range clients {
		var err error
		clients[i], err = smartaccount.New(smartaccount.Config{
			BaseURL: base + "/api/v1",
			Token: walletfi.Token{
				Access: walletfi.NewSecret(fmt.Sprint("old-", i)), Refresh: walletfi.NewSecret(fmt.Sprint("rt-", i)),
				Expiry: time.Now().Add(-time.Second),
			},
		})
		require.NoError(t, err)
	}
	var mu sync.Mutex
	var calls sync.WaitGroup
	start, over := make(chan struct{}), make(chan struct{})
	for _, c := range clients {
		calls.Go(func() {
			<-start
			if _, err := c.GetAccount(t.Context(), "acc_1"); err != nil {
				mu.Lock()
				defer mu.Unlock()
				if got.Failed++; got.First == "" {
					got.First = err.Error()
				}
			}
		})
	}
	begun := time.Now()
	close(start)
	go func() {
		calls.Wait()
		close(over)
	}()
	for ticks := time.NewTicker(5 * time.Millisecond); ; {
		select {
		case <-ticks.C:
			got.Goroutines = max(got.Goroutines, runtime.NumGoroutine()-*tenants)
			continue
		case <-over:
		}
		break
	}
	got.Took = time.Since(begun)
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	got.MB = m.Sys >> 20
	return got
}
