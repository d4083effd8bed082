package sqlstore_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/contrib/sqlstore"
	"github.com/walletfi/walletfi-go/webhooks"
)

// BenchmarkInbox takes deliveries from the request to the end of a handler that does
// nothing, 16 requests at a time, and prints how many are answered and handled a
// second:
//
//	go test -run '^$' -bench Inbox -benchtime 2000x .
func BenchmarkInbox(b *testing.B) {
	dialects := []sqlstore.Dialect{sqlstore.SQLite, sqlstore.PostgreSQL}
	for _, d := range dialects {
		b.Run(string(d), func(b *testing.B) {
			cfg := sqlstore.Config{Path: filepath.Join(b.TempDir(), "bench.db")}
			if d == sqlstore.PostgreSQL {
				cfg = sqlstore.Config{URL: walletfi.NewSecret(os.Getenv("WALLETFI_TEST_POSTGRES"))}
			}
			if d == sqlstore.PostgreSQL && cfg.URL.IsZero() {
				return
			}
			store, err := sqlstore.Open(b.Context(), cfg)
			require.NoError(b, err)
			defer store.Close()
			inbox, err := store.OpenInbox(b.Context(), sqlstore.InboxConfig{Schema: "inbox_bench"})
			require.NoError(b, err)
			if d == sqlstore.PostgreSQL {
				defer store.DB().Exec("DROP SCHEMA inbox_bench CASCADE")
			}
			handled := make(chan struct{}, b.N)
			h := &hook{store: store}
			h.Receiver, err = webhooks.NewReceiver(webhooks.ReceiverConfig{
				Verifier: webhooks.Verifier{Secrets: []walletfi.Secret{hookSecret}}, Inbox: inbox, Workers: 16,
				Handler: func(context.Context, *webhooks.Delivery) error { handled <- struct{}{}; return nil },
			})
			require.NoError(b, err)
			defer h.Close(context.Background())
			next := make(chan int)
			var senders sync.WaitGroup
			for range 16 {
				senders.Go(func() {
					for n := range next {
						if status := h.gets(fmt.Appendf(nil, `{"webhookId":"wh_1","run":%d,"n":%d}`, b.N, n)); status != 200 {
							b.Error(status)
						}
					}
				})
			}
			b.ResetTimer()
			for n := range b.N {
				next <- n
			}
			close(next)
			senders.Wait()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "answered/s")
			for range b.N {
				<-handled
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "handled/s")
		})
	}
}
