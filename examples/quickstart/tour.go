package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/burnclose"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// slotTime is shorter than the 400 ms of the real ledger, so that the tour does
// not wait long for confirmations.
const slotTime = 50 * time.Millisecond

// tour is the state that the steps share.
type tour struct {
	out      io.Writer
	sandbox  *sandbox.Sandbox
	node     *rpcnode.Client
	wallet   *wallet.Wallet
	folder   string // of the journal
	journal  *wallet.FileJournal
	payments int
	lending  *lending.Client
	burn     *burnclose.Client
	events   chan *lending.UnverifiedWebhook // received by the webhook's receiver
	receiver *httptest.Server
	me, usdc string
}

func newTour(out io.Writer) (*tour, error) {
	t := &tour{out: out, events: make(chan *lending.UnverifiedWebhook, 16)}
	t.receiver = httptest.NewServer(http.HandlerFunc(t.receive))
	var err error
	if t.sandbox, err = sandbox.Start(sandbox.Config{LendingWebhook: t.receiver.URL, SlotTime: slotTime}); err != nil {
		t.receiver.Close()
		return nil, err
	}
	t.me, t.usdc = t.sandbox.WalletAddress(), t.sandbox.Mint("USDC")
	if err := t.connect(); err != nil {
		t.close()
		return nil, err
	}
	return t, nil
}

func (t *tour) close() {
	if t.wallet != nil {
		t.wallet.Close()
	}
	if t.journal != nil {
		t.journal.Close()
		os.RemoveAll(t.folder)
	}
	t.sandbox.Close()
	t.receiver.Close()
}

// openJournal opens the file that has what was signed and sent, so that a crash
// loses nothing and pays nothing twice. A real program keeps it.
func (t *tour) openJournal() (err error) {
	if t.folder, err = os.MkdirTemp("", "quickstart"); err != nil {
		return err
	}
	t.journal, err = wallet.OpenFileJournal(filepath.Join(t.folder, "payments.journal"))
	return err
}

// payment names the next payment. A real program takes its order's id.
func (t *tour) payment() wallet.ExecuteOptions {
	t.payments++
	return wallet.ExecuteOptions{Key: fmt.Sprintf("payment %d", t.payments)}
}

// connect creates the clients, and the wallet that guards, signs and confirms.
func (t *tour) connect() (err error) {
	s := t.sandbox
	if t.lending, err = lending.New(lending.Config{
		BaseURL: s.URL(sandbox.Lending), APIKey: walletfi.NewSecret(s.APIKey(sandbox.Lending)),
	}); err != nil {
		return err
	}
	if t.burn, err = burnclose.New(burnclose.Config{
		BaseURL: s.URL(sandbox.BurnClose), APIKey: walletfi.NewSecret(s.APIKey(sandbox.BurnClose)),
	}); err != nil {
		return err
	}
	if t.node, err = rpcnode.New(rpcnode.Config{URL: walletfi.NewSecret(s.URL(sandbox.RPC))}); err != nil {
		return err
	}
	key, err := signing.NewLocalKey(s.Wallet())
	if err != nil {
		return err
	}
	if err := t.openJournal(); err != nil {
		return err
	}
	guard := signing.NewGuard(signing.Policy{Pins: t.pins(), Resolver: t.node, Simulator: t.node})
	t.wallet, err = wallet.New(wallet.Config{
		Signer: key, Guard: guard, Node: t.node,
		Journal: t.journal, PollEvery: slotTime,
	})
	return err
}

// pins returns the programs that each service may call. A real program reads
// them from the services' documentation.
func (t *tour) pins() map[string][]signing.PublicKey {
	pins := map[string][]signing.PublicKey{}
	for _, service := range sandbox.Services() {
		pins[string(service)] = []signing.PublicKey{signing.MustPublicKey(t.sandbox.ProgramID(service))}
	}
	return pins
}

// receive handles the lending service's webhooks.
func (t *tour) receive(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	if err == nil {
		var event *lending.UnverifiedWebhook
		if event, err = lending.ParseUnverifiedWebhook(body); err == nil {
			t.events <- event
		}
	}
	if err != nil {
		http.Error(w, "bad event", http.StatusBadRequest)
	}
}

// awaitEvent waits for a webhook of one kind and skips others.
func (t *tour) awaitEvent(ctx context.Context, kind lending.WebhookEvent) (*lending.UnverifiedWebhook, error) {
	for {
		select {
		case event := <-t.events:
			if event.Event == kind {
				return event, nil
			}
		case <-ctx.Done():
			return nil, fmt.Errorf("no %s arrived: %w", kind, ctx.Err())
		}
	}
}

// say writes a line of a step.
func (t *tour) say(format string, args ...any) { fmt.Fprintf(t.out, "   "+format+"\n", args...) }

// check returns an error, which ends the program, if a condition does not hold.
func check(ok bool, format string, args ...any) error {
	if ok {
		return nil
	}
	return fmt.Errorf("check failed: "+format, args...)
}
