package sqlstore_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/contrib/sqlstore"
	"github.com/walletfi/walletfi-go/webhooks"
)

// A handler writes its own rows and the delivery's in one transaction: however often a
// delivery comes, and wherever the process dies, it counts once.
func ExampleSeen_CommitTx() {
	folder, err := os.MkdirTemp("", "sqlstore")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	if err := countDeliveries(context.Background(), filepath.Join(folder, "payments.db")); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 200 200
	// deliveries counted: 1
}

func countDeliveries(ctx context.Context, path string) error {
	secret := walletfi.NewSecret("whsec_1")
	store, err := sqlstore.Open(ctx, sqlstore.Config{Path: path})
	if err != nil {
		return err
	}
	defer store.Close()
	if _, err := store.DB().ExecContext(ctx, "CREATE TABLE accounts (deliveries INTEGER)"); err != nil {
		return err
	}
	if _, err := store.DB().ExecContext(ctx, "INSERT INTO accounts VALUES (0)"); err != nil {
		return err
	}

	inbox, err := store.OpenInbox(ctx, sqlstore.InboxConfig{})
	if err != nil {
		return err
	}
	seen := store.Seen()
	handled := make(chan struct{}, 2)
	receiver, err := webhooks.NewReceiver(webhooks.ReceiverConfig{
		Verifier: webhooks.Verifier{Secrets: []walletfi.Secret{secret}},
		Seen:     seen,
		Inbox:    inbox,
		Handler: func(ctx context.Context, d *webhooks.Delivery) error {
			defer func() { handled <- struct{}{} }()
			tx, err := store.DB().BeginTx(ctx, nil)
			if err != nil {
				return err
			}
			defer tx.Rollback()
			if err := seen.CommitTx(ctx, tx, d); err != nil {
				return err // also webhooks.ErrSeen, which the receiver takes for success
			}
			if _, err := tx.ExecContext(ctx, "UPDATE accounts SET deliveries = deliveries + 1"); err != nil {
				return err
			}
			return tx.Commit()
		},
	})
	if err != nil {
		return err
	}

	signer := webhooks.DeliverySigner{Secret: secret}
	first, second := httptest.NewRecorder(), httptest.NewRecorder()
	body := []byte(`{"webhookId":"wh_1","network":"ETH_MAINNET","timestamp":1767225600,"blockNumber":7,"blockHash":"0x00000000000000000000000000000000000000000000000000000000000000b1","transactions":[]}`)
	delivery := signer.Request("https://bot.example.com/hook", body)
	receiver.ServeHTTP(first, delivery)
	receiver.ServeHTTP(second, signer.Replayed(delivery))
	<-handled
	if err := receiver.Close(ctx); err != nil {
		return err
	}
	fmt.Println(first.Code, second.Code)
	var counted int
	if err := store.DB().QueryRowContext(ctx, "SELECT deliveries FROM accounts").Scan(&counted); err != nil {
		return err
	}
	fmt.Println("deliveries counted:", counted)
	return nil
}
