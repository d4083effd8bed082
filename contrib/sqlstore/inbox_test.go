package sqlstore_test

import (
	"context"
	"crypto/rand"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/contrib/sqlstore"
	"github.com/walletfi/walletfi-go/webhooks"
	"github.com/walletfi/walletfi-go/webhooks/inboxtest"
)

// inboxConfig is of an inbox of the test's own.
func (e engine) inboxConfig(t *testing.T) sqlstore.InboxConfig {
	t.Helper()
	cfg := sqlstore.InboxConfig{Poll: 20 * time.Millisecond}
	if e.dialect == sqlstore.PostgreSQL {
		cfg.Schema = "inbox_" + strings.ToLower(rand.Text()[:16])
		db := e.open(t).DB()
		t.Cleanup(func() {
			_, err := db.Exec("DROP SCHEMA IF EXISTS " + cfg.Schema + " CASCADE")
			require.NoError(t, err)
		})
	}
	return cfg
}

// TestInbox runs the suite on each engine.
func TestInbox(t *testing.T) {
	onEach(t, func(t *testing.T, e engine) {
		fresh := newEngine(e.dialect)
		inboxtest.Run(t, func(t *testing.T) inboxtest.Store {
			e := fresh(t)
			cfg := e.inboxConfig(t)
			return inboxtest.Store{Open: func(t *testing.T) webhooks.Inbox {
				inbox, err := e.open(t).OpenInbox(t.Context(), cfg)
				require.NoError(t, err)
				return inbox
			}}
		})
	})
}

// TestInboxesOpenAtOnce: several processes make river's tables at the same time.
func TestInboxesOpenAtOnce(t *testing.T) {
	onEach(t, func(t *testing.T, e engine) {
		cfg := e.inboxConfig(t)
		stores := []*sqlstore.Store{e.open(t), e.open(t), e.open(t), e.open(t)}
		errs := make([]error, len(stores))
		var all sync.WaitGroup
		for i, s := range stores {
			all.Go(func() { _, errs[i] = s.OpenInbox(t.Context(), cfg) })
		}
		all.Wait()
		for _, err := range errs {
			require.NoError(t, err)
		}
		inbox, err := stores[0].OpenInbox(t.Context(), cfg)
		require.NoError(t, err)
		require.NoError(t, inbox.Put(t.Context(), webhooks.StoredDelivery{Key: "a"}))
	})
}

// TestInboxNames: inboxes of different names do not take each other's deliveries for
// repeated ones, and a name that the queue does not take is named.
func TestInboxNames(t *testing.T) {
	onEach(t, func(t *testing.T, e engine) {
		s := e.open(t)
		cfg := e.inboxConfig(t)
		handled := make(chan string, 8)
		for _, name := range []string{"a", "a-b", "a_b", "1"} {
			cfg.Queue = name
			inbox, err := s.OpenInbox(t.Context(), cfg)
			require.NoError(t, err)
			require.NoError(t, inbox.Put(t.Context(), webhooks.StoredDelivery{Key: "key", Body: []byte(name), ReceivedAt: time.Now()}))
			require.NoError(t, inbox.Start(webhooks.InboxWork{
				Workers: 1, Timeout: time.Minute, Attempts: 1, Wait: func(int) time.Duration { return 0 },
				Handle: func(_ context.Context, d webhooks.StoredDelivery, _ int) error { handled <- string(d.Body); return nil },
			}))
			require.Equal(t, name, <-handled)
			require.NoError(t, inbox.Stop(t.Context()))
		}
		for _, name := range []string{"A", "-a", "a--b", "a|b", "a b", "a\n"} {
			cfg.Queue = name
			_, err := s.OpenInbox(t.Context(), cfg)
			require.ErrorContains(t, err, "queue: must be lower-case letters", name)
		}
	})
}
