package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/webhooks"
)

// receive runs the receiver as a process of its own, until ctx ends.
func receive(ctx context.Context, out io.Writer, listen, path string, secret walletfi.Secret) error {
	store, err := openFileStore(path)
	if err != nil {
		return err
	}
	defer store.Close()
	receiver, err := newReceiver(store, secret, printer(out), deadLetters(path+".dead"))
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", listen)
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "listening on", listener.Addr())
	return serve(ctx, listener, receiver)
}

func newReceiver(
	seen webhooks.Seen, secret walletfi.Secret, handle webhooks.Handler, bury buryFunc,
) (*webhooks.Receiver, error) {
	return webhooks.NewReceiver(webhooks.ReceiverConfig{
		Verifier:   webhooks.Verifier{Secrets: []walletfi.Secret{secret}},
		Handler:    handle,
		Seen:       seen,
		DeadLetter: bury,
		Logger:     slog.Default(),
	})
}

// serve answers requests until ctx ends, and then waits for those in progress.
func serve(ctx context.Context, listener net.Listener, handler http.Handler) error {
	server := &http.Server{Handler: handler, ReadTimeout: 20 * time.Second}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	patience, cancel := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
	defer cancel()
	err := server.Shutdown(patience)
	if e := <-ended; !errors.Is(e, http.ErrServerClosed) {
		return errors.Join(err, e)
	}
	return err
}

// printer writes one line per event. A real handler would process the event in
// a database transaction.
func printer(out io.Writer) webhooks.Handler {
	return func(_ context.Context, d *webhooks.Delivery) error {
		var err error
		line := func(format string, args ...any) {
			_, e := fmt.Fprintf(out, "%s: "+format+"\n", append([]any{d.WebhookID}, args...)...)
			err = errors.Join(err, e)
		}
		switch {
		case d.EVM != nil:
			for _, tx := range d.EVM.Transactions {
				wei, _ := tx.Value.BigInt()
				line("%s block %d: %s sent %v wei to %s, %d logs, failed %t",
					d.Network, d.EVM.BlockNumber, tx.From, wei, tx.To, len(tx.Logs), tx.Failed())
			}
		case d.Ledger != nil:
			for _, tx := range d.Ledger.Transactions {
				line("%s slot %d: %s, fee %d lamports, failed %t",
					d.Network, d.Ledger.Slot, tx.Signature, tx.Meta.Fee, tx.Meta.Failed())
			}
		default: // another chain, or an unknown form
			line("%s", d.Raw)
		}
		return err
	}
}
