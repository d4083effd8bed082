package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/webhooks"
)

const treasury = "0x00000000000000000000000000000000000000aa"

// demo lets a sandbox deliver events to a receiver with a store on disk, and
// checks every step.
func demo(ctx context.Context, out io.Writer) error {
	folder, err := os.MkdirTemp("", "webhookreceiver")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	store, err := openFileStore(filepath.Join(folder, "seen.jsonl"))
	if err != nil {
		return err
	}
	defer store.Close()

	mux := http.NewServeMux()
	destination := httptest.NewTLSServer(mux) // the service delivers only to https
	defer destination.Close()
	s, err := sandbox.Start(sandbox.Config{WebhookClient: destination.Client()})
	if err != nil {
		return err
	}
	defer s.Close()
	receiver, err := newReceiver(store, walletfi.NewSecret(s.Webhooks().Secret()), printer(out),
		deadLetters(filepath.Join(folder, "dead.jsonl")))
	if err != nil {
		return err
	}
	mux.Handle("POST /hook", receiver)

	client, err := webhooks.New(webhooks.Config{
		BaseURL: s.URL(sandbox.Webhooks),
		APIKey:  walletfi.NewSecret(s.APIKey(sandbox.Webhooks)),
	})
	if err != nil {
		return err
	}
	d := &demonstration{out: out, sandbox: s, client: client, destination: destination}
	for _, step := range []func(context.Context) error{d.watch, d.event, d.replay, d.test, d.remove} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// demonstration is the state that the steps share.
type demonstration struct {
	out         io.Writer
	sandbox     *sandbox.Sandbox
	client      *webhooks.Client
	destination *httptest.Server
	hook        string // id
}

func (d *demonstration) say(format string, args ...any) {
	fmt.Fprintf(d.out, "- "+format+"\n", args...)
}

func (d *demonstration) watch(ctx context.Context) error {
	d.say("a webhook that watches %s", treasury)
	hook, err := d.client.CreateWebhook(ctx, webhooks.TemplateEVMWalletFilter, webhooks.CreateWebhookRequest{
		Name: "treasury", Network: "ETH_MAINNET", Enabled: true, DestinationURL: d.destination.URL + "/hook",
		TemplateArgs: webhooks.WalletFilter{Addresses: []string{treasury}},
	})
	if err != nil {
		return err
	}
	d.hook = hook.ID
	return nil
}

func (d *demonstration) event(context.Context) error {
	d.say("a block with two transactions of the watched wallet and one of another wallet")
	const somebody = "0x00000000000000000000000000000000000000bb"
	d.sandbox.Webhooks().EmitEVM("ETH_MAINNET",
		sandbox.EVMTransaction{From: treasury, To: somebody, Value: "1500000000000000000"},
		sandbox.EVMTransaction{From: somebody, To: somebody, Value: "7"},
		sandbox.EVMTransaction{
			From:  somebody,
			To:    treasury,
			Value: "20",
			Logs:  []sandbox.EVMLog{{Event: "Paid(uint256)", Address: somebody}},
		},
	)
	return d.delivered(1)
}

// delivered waits until the total number of deliveries is want, each answered
// with 200.
func (d *demonstration) delivered(want int) error {
	sandbox.Settle(d.sandbox, 10*time.Second)
	all := d.sandbox.Deliveries()
	for _, delivery := range all {
		if !delivery.Landed {
			return fmt.Errorf("a delivery failed: %s", delivery.Err)
		}
	}
	if len(all) != want {
		return fmt.Errorf("got %d deliveries, want %d", len(all), want)
	}
	return nil
}

// replay sends a delivery again, as the service does if it lost the answer, and
// then with a byte changed.
func (d *demonstration) replay(ctx context.Context) error {
	last := d.sandbox.Deliveries()[0]
	for body, want := range map[string]int{
		string(last.Body):       http.StatusOK,
		string(last.Body) + " ": http.StatusUnauthorized,
	} {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, last.URL, bytes.NewReader([]byte(body)))
		if err != nil {
			return err
		}
		req.Header = last.Header.Clone()
		resp, err := d.destination.Client().Do(req)
		if err != nil {
			return err
		}
		resp.Body.Close()
		if resp.StatusCode != want {
			return fmt.Errorf("a replay was answered with %d, want %d", resp.StatusCode, want)
		}
	}
	d.say("a repeated delivery is answered with 200 and not printed; a tampered one with 401")
	return nil
}

func (d *demonstration) test(ctx context.Context) error {
	d.say("a test delivery")
	if _, err := d.client.TestWebhook(ctx, d.hook); err != nil {
		return err
	}
	return d.delivered(2)
}

func (d *demonstration) remove(ctx context.Context) error {
	if err := d.client.DeleteWebhook(ctx, d.hook); err != nil {
		return err
	}
	list, err := d.client.ListWebhooks(ctx)
	if err != nil {
		return err
	}
	d.say("deleted; %d webhooks left", len(list.Items))
	if v := d.sandbox.Violations(); len(v) > 0 {
		return fmt.Errorf("the sandbox saw undocumented requests: %v", v)
	}
	return nil
}
