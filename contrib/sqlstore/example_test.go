package sqlstore_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/contrib/sqlstore"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/smartaccount"
	"github.com/walletfi/walletfi-go/socialsearch"
	"github.com/walletfi/walletfi-go/wallet"
	"github.com/walletfi/walletfi-go/webhooks"
)

func Example() {
	if err := keepTokens(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// after a restart: access-1
}

func keepTokens(ctx context.Context) error {
	folder, err := os.MkdirTemp("", "sqlstore")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	config := sqlstore.Config{
		Path: filepath.Join(folder, "bot.db"),
		Keys: []walletfi.Secret{walletfi.NewSecret("MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=")}, // openssl rand -base64 32
	}
	store, err := sqlstore.Open(ctx, config)
	if err != nil {
		return err
	}
	err = store.Tokens("ann").Save(ctx, walletfi.Token{Access: walletfi.NewSecret("access-1")})
	if err != nil {
		return err
	}
	if err := store.Close(); err != nil {
		return err
	}
	if store, err = sqlstore.Open(ctx, config); err != nil {
		return err
	}
	defer store.Close()
	token, err := store.Tokens("ann").Load(ctx)
	if err != nil {
		return err
	}
	fmt.Println("after a restart:", token.Access.Reveal())
	return nil
}

// The code of docs/fleet.md, against a sandbox.
func Example_fleet() {
	folder, err := os.MkdirTemp("", "sqlstore")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	box, err := sandbox.Start(sandbox.Config{InstantConfirmation: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer box.Close()
	if err := fleet(context.Background(), box, filepath.Join(folder, "payments.db")); err != nil {
		fmt.Println(err)
	}
	// Output:
	// nothing is left of an earlier process: true
	// the budget is shared: 5
	// a delivery without a signature: 401
}

func fleet(ctx context.Context, box *sandbox.Sandbox, path string) error {
	node, err := rpcnode.New(rpcnode.Config{URL: walletfi.NewSecret(box.URL(sandbox.RPC))})
	if err != nil {
		return err
	}
	key, err := signing.NewLocalKey(box.Wallet())
	if err != nil {
		return err
	}
	guard := signing.NewGuard(signing.Policy{Simulator: node, Resolver: node})
	tokenKey := walletfi.NewSecret("MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=")
	accountsURL := box.URL(sandbox.SmartAccount)
	webhookSecret := walletfi.NewSecret("whsec_0123456789")
	handle := func(context.Context, *webhooks.Delivery) error { return nil }

	store, err := sqlstore.Open(ctx, sqlstore.Config{
		Path: path, // on one machine; URL is that of a PostgreSQL database for a fleet
		Keys: []walletfi.Secret{tokenKey},
	})
	if err != nil {
		return err
	}
	defer store.Close()

	w, err := wallet.New(wallet.Config{
		Signer: key, Guard: guard, Node: node,
		Journal: store.Journal(),
	})
	if err != nil {
		return err
	}
	defer w.Close()
	left, err := w.Settle(ctx)
	if err != nil {
		return err
	}
	fmt.Println("nothing is left of an earlier process:", len(left) == 0)

	accounts, err := smartaccount.New(smartaccount.Config{
		BaseURL: accountsURL, TokenStore: store.Tokens("ann"),
	})
	if err != nil {
		return err
	}
	_ = accounts

	meter, err := socialsearch.NewMeter(socialsearch.MeterConfig{
		Budget: 5_000_000, Store: store.Spend("search"),
	})
	if err != nil {
		return err
	}
	if _, err := meter.Current(ctx); err != nil {
		return err
	}
	fmt.Println("the budget is shared:", meter.Remaining())

	inbox, err := store.OpenInbox(ctx, sqlstore.InboxConfig{})
	if err != nil {
		return err
	}
	receiver, err := webhooks.NewReceiver(webhooks.ReceiverConfig{
		Verifier: webhooks.Verifier{Secrets: []walletfi.Secret{webhookSecret}},
		Handler:  handle,
		Inbox:    inbox, Seen: store.Seen(),
	})
	if err != nil {
		return err
	}
	defer receiver.Close(ctx)
	answer := httptest.NewRecorder()
	receiver.ServeHTTP(answer, httptest.NewRequest(http.MethodPost, "/", nil))
	fmt.Println("a delivery without a signature:", answer.Code)
	return nil
}
