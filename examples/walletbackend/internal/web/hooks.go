package web

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/services"
	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/store"
	"github.com/walletfi/walletfi-go/webhooks"
)

// NewHooks receives the ledger's webhooks. A delivery is verified, handled once, and
// in the database before the service is answered.
func NewHooks(
	secret walletfi.Secret, seen webhooks.Seen, db *store.DB, live *Live, log *slog.Logger,
) (http.Handler, error) {
	return webhooks.NewReceiver(webhooks.ReceiverConfig{
		Verifier: webhooks.Verifier{Secrets: []walletfi.Secret{secret}},
		Seen:     seen,
		Logger:   log,
		Handler: func(ctx context.Context, d *webhooks.Delivery) error {
			if d.DecodeErr != nil {
				log.Warn("a delivery is not as documented", "delivery", d.Key(), "problem", d.DecodeErr)
			}
			if d.Ledger == nil {
				return d.DecodeErr
			}
			users, err := db.Users(ctx)
			if err != nil {
				return err
			}
			for _, tx := range d.Ledger.Transactions {
				for _, user := range users {
					if !slices.Contains(tx.Transaction.Message.AccountKeys, user.Address) {
						continue
					}
					if err := receive(ctx, db, live, user, d.Ledger.Slot, tx); err != nil {
						return err
					}
				}
			}
			return nil
		},
	})
}

// receive keeps a transaction that concerns a user and shows it on the open pages.
func receive(
	ctx context.Context, db *store.DB, live *Live, user store.User, slot webhooks.Number, tx webhooks.LedgerTransaction,
) error {
	title := "A transaction of your wallet succeeded"
	switch {
	case !tx.Raw.IsZero(): // a part of it could not be read
		title = "What became of a transaction of your wallet could not be read"
	case tx.Meta.Failed():
		title = "A transaction of your wallet failed"
	}
	event := store.Event{
		ID: user.ID + " " + tx.Signature, UserID: user.ID, Received: time.Now(), Title: title,
		Detail: fmt.Sprintf("%s in slot %d", services.Short(tx.Signature), slot),
	}
	if err := db.AddEvent(ctx, event); err != nil {
		return err
	}
	live.Send(user.ID, Message{"webhook", event})
	return nil
}
