package sqlstore_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/contrib/sqlstore"
	"github.com/walletfi/walletfi-go/webhooks"
)

const receiverVariable = "WALLETFI_SQLSTORE_RECEIVER"

// hookSecret signs the deliveries of the tests.
var hookSecret = walletfi.NewSecret("whsec_1")

// receiverTask tells a process what to do.
type receiverTask struct {
	Path, URL string
	Inbox     sqlstore.InboxConfig
	Die       string // the step at which it dies, empty for none
}

func (r receiverTask) die(step string) {
	if step == r.Die {
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {} // until the signal arrives
	}
}

// TestReceivingProcess is a process of TestInboxCrash: a receiver whose handler
// writes a row in the transaction that commits the delivery.
func TestReceivingProcess(t *testing.T) {
	text := os.Getenv(receiverVariable)
	if text == "" {
		return // TestInboxCrash runs it in processes of their own
	}
	var task receiverTask
	require.NoError(t, json.Unmarshal([]byte(text), &task))
	cfg := sqlstore.Config{Path: task.Path}
	if task.URL != "" {
		cfg.URL = walletfi.NewSecret(task.URL)
	}
	store, err := sqlstore.Open(t.Context(), cfg)
	require.NoError(t, err)
	inbox, err := store.OpenInbox(t.Context(), task.Inbox)
	require.NoError(t, err)
	seen := store.Seen()
	receiver, err := webhooks.NewReceiver(webhooks.ReceiverConfig{
		Verifier: webhooks.Verifier{Secrets: []walletfi.Secret{hookSecret}},
		Seen:     seen, Inbox: deadlyInbox{inbox, task}, RetryWait: 10 * time.Millisecond,
		Handler: func(ctx context.Context, d *webhooks.Delivery) error {
			task.die("before it was handled")
			tx, err := store.DB().BeginTx(ctx, nil)
			if err != nil {
				return err
			}
			defer tx.Rollback()
			if err := seen.CommitTx(ctx, tx, d); err != nil {
				return err
			}
			if err := addEffect(ctx, store, tx, d.Key()); err != nil {
				return err
			}
			task.die("before its transaction was committed")
			if err := tx.Commit(); err != nil {
				return err
			}
			task.die("before it was noted as handled")
			return nil
		},
	})
	require.NoError(t, err)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	fmt.Println("listening on " + listener.Addr().String())
	require.NoError(t, http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		receiver.ServeHTTP(w, req)
		task.die("before the answer was sent")
	})))
}

// deadlyInbox has a step before and after each delivery is stored and handled.
type deadlyInbox struct {
	*sqlstore.Inbox
	task receiverTask
}

func (i deadlyInbox) Put(ctx context.Context, d webhooks.StoredDelivery) error {
	i.task.die("before it was stored")
	err := i.Inbox.Put(ctx, d)
	i.task.die("before it was answered")
	return err
}

func (i deadlyInbox) Start(work webhooks.InboxWork) error {
	handle := work.Handle
	work.Handle = func(ctx context.Context, d webhooks.StoredDelivery, failures int) error {
		err := handle(ctx, d, failures)
		i.task.die("before its job was completed")
		return err
	}
	return i.Inbox.Start(work)
}

// deadlySteps are where a process dies.
var deadlySteps = []string{
	"before it was stored", "before it was answered", "before the answer was sent", "before it was handled",
	"before its transaction was committed", "before it was noted as handled", "before its job was completed",
}
