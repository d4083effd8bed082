package sqlstore_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/contrib/sqlstore"
	"github.com/walletfi/walletfi-go/internal/pause"
	"github.com/walletfi/walletfi-go/webhooks"
)

// hook is a receiver with an inbox.
type hook struct {
	*webhooks.Receiver
	store *sqlstore.Store
	inbox *sqlstore.Inbox
	ran   atomic.Int64
}

// newHook opens the database as a further process would.
func (e engine) newHook(t *testing.T, cfg sqlstore.InboxConfig, change func(*hook, *webhooks.ReceiverConfig)) *hook {
	t.Helper()
	h := &hook{store: e.open(t)}
	var err error
	h.inbox, err = h.store.OpenInbox(t.Context(), cfg)
	require.NoError(t, err)
	rc := webhooks.ReceiverConfig{
		Verifier: webhooks.Verifier{Secrets: []walletfi.Secret{hookSecret}},
		Seen:     h.store.Seen(), Inbox: h.inbox, RetryWait: 10 * time.Millisecond,
		Handler: func(context.Context, *webhooks.Delivery) error { h.ran.Add(1); return nil },
	}
	if change != nil {
		change(h, &rc)
	}
	h.Receiver, err = webhooks.NewReceiver(rc)
	require.NoError(t, err)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		_ = h.Close(ctx) // the database may be gone
	})
	return h
}

// gets returns the status of the answer to a delivery.
func (h *hook) gets(body []byte) int {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, webhooks.DeliverySigner{Secret: hookSecret}.Request("https://example.com/hook", body))
	return w.Code
}

func eventually(t *testing.T, what string, happened func() bool) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); !happened(); {
		require.True(t, time.Now().Before(end), "not after 30 s: %s", what)
		require.NoError(t, pause.For(t.Context(), 10*time.Millisecond))
	}
}

// TestNothingIsAnsweredThatIsNotStored: with a SQLite database that is full, locked,
// read-only or gone, no delivery is answered with 200; afterwards they are.
func TestNothingIsAnsweredThatIsNotStored(t *testing.T) {
	for name, breaks := range map[string]func(t *testing.T, e engine, h *hook) (mend func()){
		"full": func(t *testing.T, e engine, h *hook) func() {
			for range 8 { // on each connection
				conn, err := h.store.DB().Conn(t.Context())
				require.NoError(t, err)
				_, err = conn.ExecContext(t.Context(), "PRAGMA max_page_count = 1")
				require.NoError(t, err)
				t.Cleanup(func() { _ = conn.Close() })
				defer conn.Close()
			}
			return nil
		},
		"locked": func(t *testing.T, e engine, h *hook) func() {
			tx, err := e.open(t).DB().BeginTx(t.Context(), nil)
			require.NoError(t, err)
			return func() { require.NoError(t, tx.Rollback()) }
		},
		"read-only": func(t *testing.T, e engine, h *hook) func() {
			for range 8 {
				conn, err := h.store.DB().Conn(t.Context())
				require.NoError(t, err)
				_, err = conn.ExecContext(t.Context(), "PRAGMA query_only = 1")
				require.NoError(t, err)
				defer conn.Close()
			}
			return nil
		},
		"closed": func(t *testing.T, e engine, h *hook) func() {
			require.NoError(t, h.store.Close())
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newSQLite(t)
			e.config.Timeout = time.Second
			h := e.newHook(t, sqlstore.InboxConfig{Poll: 20 * time.Millisecond}, nil)
			require.Equal(t, 200, h.gets(eventBody(-1)))
			mend := breaks(t, e, h)
			large := fmt.Appendf(nil, `{"webhookId":"wh_1","large":%q}`, strings.Repeat("x", 1<<16))
			require.Equal(t, 503, h.gets(large))
			if name != "full" { // a small one may find room
				require.Equal(t, 503, h.gets(eventBody(1)))
			}
			if mend != nil {
				mend()
				eventually(t, "it is stored", func() bool { return h.gets(eventBody(1)) == 200 })
				eventually(t, "it is handled", func() bool { return h.ran.Load() == 2 })
			}
		})
	}
}

// TestPostgreSQLRestarts: while the server is away no delivery is answered with 200.
// When it is back, what was stored is handled and what comes is stored.
func TestPostgreSQLRestarts(t *testing.T) {
	onEach(t, func(t *testing.T, e engine) {
		if e.dialect != sqlstore.PostgreSQL {
			return
		}
		folder, err := os.MkdirTemp("", "walletfi")
		require.NoError(t, err)
		require.NoError(t, os.Chmod(folder, 0o755)) //nolint:gosec // the server's user enters it
		t.Cleanup(func() { require.NoError(t, os.RemoveAll(folder)) })
		address := runEngine(t, "postgres", folder)
		t.Cleanup(func() { runEngine(t, "stop", folder) })
		own := engine{sqlstore.PostgreSQL, sqlstore.Config{URL: walletfi.NewSecret(address), Timeout: time.Second}}
		down := atomic.Bool{}
		down.Store(true)
		h := own.newHook(t, sqlstore.InboxConfig{Poll: 20 * time.Millisecond}, func(h *hook, c *webhooks.ReceiverConfig) {
			c.Handler = func(context.Context, *webhooks.Delivery) error {
				if down.Load() {
					return context.DeadlineExceeded
				}
				h.ran.Add(1)
				return nil
			}
			c.RetryWait = 500 * time.Millisecond
		})
		require.Equal(t, 200, h.gets(eventBody(1)))
		postgresControl(t, folder, "stop")
		for range 3 {
			require.Equal(t, 503, h.gets(eventBody(2)))
		}
		down.Store(false)
		postgresControl(t, folder, "start")
		eventually(t, "it is stored", func() bool { return h.gets(eventBody(2)) == 200 })
		eventually(t, "both are handled", func() bool { return h.ran.Load() >= 2 })
	})
}

func runEngine(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.Command("../../.ci/engine", args...).Output()
	require.NoError(t, err)
	return strings.TrimSpace(string(out))
}

// postgresControl stops the server at once, or starts it again on its port.
func postgresControl(t *testing.T, folder, action string) {
	t.Helper()
	bins, err := exec.Command("bash", "-c", "ls -d /usr/lib/postgresql/*/bin 2> /dev/null | sort -V | tail -n 1").Output()
	require.NoError(t, err)
	control := strings.TrimSpace(string(bins)) + "/pg_ctl"
	args := []string{control, "-D", folder + "/data", "-w", "-m", "immediate", "stop"}
	if action == "start" {
		options, err := os.ReadFile(folder + "/data/postmaster.opts")
		require.NoError(t, err)
		_, rest, _ := strings.Cut(strings.TrimSpace(string(options)), " ")
		args = []string{control, "-D", folder + "/data", "-w", "-l", folder + "/again.log", "-o", strings.ReplaceAll(rest, `"`, ""), "start"}
	}
	if os.Getuid() == 0 {
		args = append([]string{"runuser", "-u", "postgres", "--"}, args...)
	}
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = folder
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// TestDuplicatesRace: two processes get the same deliveries at the same time, and
// again. Each has its effect once.
func TestDuplicatesRace(t *testing.T) {
	onEach(t, func(t *testing.T, e engine) {
		_, err := e.open(t).DB().ExecContext(t.Context(), "CREATE TABLE effects (delivery text NOT NULL)")
		require.NoError(t, err)
		cfg := e.inboxConfig(t)
		transactional := func(h *hook, c *webhooks.ReceiverConfig) {
			c.Handler = func(ctx context.Context, d *webhooks.Delivery) error {
				tx, err := h.store.DB().BeginTx(ctx, nil)
				if err != nil {
					return err
				}
				defer tx.Rollback()
				if err := h.store.Seen().CommitTx(ctx, tx, d); err != nil {
					return err
				}
				if err := addEffect(ctx, h.store, tx, d.Key()); err != nil {
					return err
				}
				return tx.Commit()
			}
		}
		// A third one handles before it answers: they share Seen alone.
		direct := func(h *hook, c *webhooks.ReceiverConfig) { transactional(h, c); c.Inbox = nil }
		processes := []*hook{e.newHook(t, cfg, transactional), e.newHook(t, cfg, transactional), e.newHook(t, cfg, direct)}
		const n = 20
		var keys []string
		var all sync.WaitGroup
		for i := range n {
			keys = append(keys, webhooks.ParseDelivery(eventBody(i)).Key())
			for j := range 6 {
				all.Go(func() {
					for processes[j%3].gets(eventBody(i)) != 200 { // the service repeats
						_ = pause.For(t.Context(), 5*time.Millisecond)
					}
				})
			}
		}
		all.Wait()
		eventually(t, "all have their effect", func() bool { return effectsOf(t, processes[0].store, keys) == n })
		for i := range n {
			require.Equal(t, 200, processes[i%3].gets(eventBody(i)))
		}
		require.NoError(t, pause.For(t.Context(), 300*time.Millisecond))
		require.Equal(t, n, effectsOf(t, processes[0].store, keys))
	})
}

// TestHandlerThatIgnoresItsTime holds a worker of its own, and no other delivery.
func TestHandlerThatIgnoresItsTime(t *testing.T) {
	onEach(t, func(t *testing.T, e engine) {
		release := make(chan struct{})
		h := e.newHook(t, e.inboxConfig(t), func(h *hook, c *webhooks.ReceiverConfig) {
			c.Workers, c.HandlerTimeout = 2, 50*time.Millisecond
			c.Handler = func(_ context.Context, d *webhooks.Delivery) error {
				if strings.Contains(d.Raw.String(), `"n":0`) {
					<-release
				}
				h.ran.Add(1)
				return nil
			}
		})
		for n := range 6 {
			require.Equal(t, 200, h.gets(eventBody(n)))
		}
		eventually(t, "the others are handled", func() bool { return h.ran.Load() == 5 })
		close(release)
		eventually(t, "it too", func() bool { return h.ran.Load() == 6 })
	})
}

// TestLargeDelivery of a megabyte that is no text.
func TestLargeDelivery(t *testing.T) {
	onEach(t, func(t *testing.T, e engine) {
		body := fmt.Appendf(nil, `{"webhookId":"wh_1\u0000","large":"%s\xff"}`, strings.Repeat("\u2028x", 1<<18))
		require.Greater(t, len(body), 1<<20)
		got := make(chan []byte, 1)
		h := e.newHook(t, e.inboxConfig(t), func(_ *hook, c *webhooks.ReceiverConfig) {
			c.Handler = func(_ context.Context, d *webhooks.Delivery) error { got <- d.Raw; return nil }
		})
		require.Equal(t, 200, h.gets(body))
		select {
		case handled := <-got:
			require.Equal(t, string(body), string(handled))
		case <-time.After(30 * time.Second):
			t.Fatal("not handled")
		}
	})
}
