package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/contrib/sqlstore"
	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/demo"
	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/payments"
	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/services"
	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/settings"
	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/store"
	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/web"
	"github.com/walletfi/walletfi-go/observe"
	"github.com/walletfi/walletfi-go/signer/client"
)

// backend is everything that the server is made of.
type backend struct {
	log       *slog.Logger
	settings  *settings.Settings
	db        *store.DB
	signer    *client.Client // holds the users' keys
	clients   *services.Clients
	accounts  *services.SmartAccounts
	payments  *payments.Payments
	live      *web.Live
	control   *demo.Control    // nil on real services
	observer  observe.Observer // nil without a collector
	telemetry *telemetry
	handler   http.Handler
	closers   []func() // in the order of opening
}

// newBackend opens everything, each part after those that it needs.
func newBackend(ctx context.Context, o options, s *settings.Settings, log *slog.Logger) (*backend, error) {
	b := &backend{log: log, settings: s, live: web.NewLive()}
	for _, step := range []func(context.Context, options) error{
		b.openStores, b.openServices, b.openPayments, b.addUsers, b.openWeb,
	} {
		if err := step(ctx, o); err != nil {
			b.close()
			return nil, err
		}
	}
	return b, nil
}

// close closes in the reverse order.
func (b *backend) close() {
	for i := len(b.closers) - 1; i >= 0; i-- {
		b.closers[i]()
	}
}

func (b *backend) closeLater(name string, c io.Closer) {
	b.closers = append(b.closers, func() {
		if err := c.Close(); err != nil {
			b.log.Error("closing", "what", name, "error", err)
		}
	})
}

// openStores opens the database. This process holds no user's key, so the database must not
// either.
func (b *backend) openStores(ctx context.Context, o options) (err error) {
	if b.db, err = openDatabase(ctx, o, b.settings); err != nil {
		return err
	}
	b.closeLater("database", b.db)
	keys, err := b.db.Keys(ctx)
	if err != nil {
		return err
	}
	if len(keys) > 0 {
		return fmt.Errorf("the database has the keys of %d users: move them to the signer by export-keys and forget-keys",
			len(keys))
	}
	b.accounts = services.NewSmartAccounts(b.settings.Services.SmartAccount, b.db)
	b.signer = client.Connect(o.signer)
	b.closers = append(b.closers, b.signer.Close)
	return nil
}

// openDatabase opens the database that the options name.
func openDatabase(ctx context.Context, o options, s *settings.Settings) (*store.DB, error) {
	master, err := masterKey(s, o.data)
	if err != nil {
		return nil, err
	}
	cfg := databaseOf(o.data)
	if o.postgres {
		cfg = sqlstore.Config{}
		if cfg.URL, err = s.Secret(settings.DatabaseURL); err != nil {
			return nil, err
		}
	}
	cfg.Keys = []walletfi.Secret{master} // of the tokens
	return store.Open(ctx, cfg)
}

// openServices makes the clients, with limits of their own or the fleet's.
func (b *backend) openServices(ctx context.Context, o options) (err error) {
	options := walletfi.Options{Logger: b.log}
	if o.collector != "" {
		telemetry, err := openTelemetry(ctx, o.collector)
		if err != nil {
			return err
		}
		b.closeLater("telemetry", telemetry)
		b.telemetry, b.observer, options.Observer = telemetry, telemetry.observer, telemetry.observer
	}
	if o.redis {
		fleet, err := openFleet(b.settings)
		if err != nil {
			return err
		}
		b.closeLater("limits", fleet)
		options.Limiter = fleet.Limiter
	}
	if b.clients, err = services.New(ctx, b.settings, options); err != nil {
		return err
	}
	if b.settings.SandboxControl != "" {
		token, err := b.settings.Secret(settings.SandboxToken)
		if err != nil {
			return err
		}
		b.control = demo.NewControl(b.settings.SandboxControl, token)
	}
	return nil
}

// openPayments goes on with what an earlier run left.
func (b *backend) openPayments(ctx context.Context, _ options) (err error) {
	b.payments, err = payments.New(ctx, payments.Config{
		DB: b.db, Clients: b.clients, Signer: b.signer, Pins: b.settings.Pins, Log: b.log,
		Changed: b.live.PaymentChanged, Observer: b.observer,
	})
	if err != nil {
		return err
	}
	b.closers = append(b.closers, b.payments.Close)
	return nil
}

// addUsers adds the demo's users, with money if the services are a sandbox.
func (b *backend) addUsers(ctx context.Context, o options) error {
	if !o.demo {
		return nil
	}
	password, err := b.settings.Secret(settings.DemoPassword)
	if err != nil {
		return err
	}
	if password.IsZero() {
		return fmt.Errorf("-demo-users needs %s", settings.Variable(settings.DemoPassword))
	}
	added, err := demo.AddUsers(ctx, b.db, b.signer, o.template, password)
	if err != nil || b.control == nil {
		return err
	}
	for _, user := range added {
		if err := demo.Furnish(ctx, b.control, b.clients, b.accounts, user); err != nil {
			return err
		}
	}
	return nil
}

func (b *backend) openWeb(ctx context.Context, _ options) error {
	secret, err := b.settings.Secret(settings.WebhooksSecret)
	if err != nil {
		return err
	}
	var hooks http.Handler
	if !secret.IsZero() && b.settings.PublicURL != "" {
		if hooks, err = web.NewHooks(secret, b.db.Seen(), b.db, b.live, b.log); err != nil {
			return err
		}
		if err := b.register(ctx); err != nil {
			return err
		}
	}
	b.handler, err = web.New(web.Config{
		DB: b.db, Clients: b.clients, Accounts: b.accounts, Payments: b.payments, Live: b.live, Hooks: hooks,
		Network: b.settings.Network, SignerPage: b.settings.SignerPage,
		Control: b.control, Secure: b.control == nil, Log: b.log,
	})
	return err
}

// webhookName is the name of this program's webhook at the service.
const webhookName = "walletbackend"

// register has the webhook service watch the users' wallets.
func (b *backend) register(ctx context.Context) error {
	var watch services.Watch
	watch.Name, watch.Network, watch.Template = webhookName, b.settings.WebhookNetwork, b.settings.WebhookTemplate
	watch.Destination = b.settings.PublicURL + "/hooks/ledger"
	users, err := b.db.Users(ctx)
	if err != nil {
		return err
	}
	for _, user := range users {
		watch.Wallets = append(watch.Wallets, user.Address)
	}
	return b.clients.Register(ctx, watch)
}
