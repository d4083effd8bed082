// Package web serves the page and the HTTP API.
package web

import (
	"context"
	"log/slog"
	"net/http"

	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/demo"
	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/payments"
	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/services"
	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/store"
)

// Config configures a Server.
type Config struct {
	DB       *store.DB
	Clients  *services.Clients
	Accounts *services.SmartAccounts
	Payments *payments.Payments
	Live     *Live
	Hooks    http.Handler // receives the ledger's webhooks; nil receives none
	Network  string       // of the prices, in onchaindata's words
	// SignerPage is the URL of the signer's page for approvers, empty if it has none.
	SignerPage string
	// Control is the sandbox's, nil on real services.
	Control *demo.Control
	// Secure marks cookies so that browsers send them over TLS only.
	Secure bool
	Log    *slog.Logger
}

// Server serves the page and the API.
type Server struct {
	Config
	pages  pages
	limits *limits
}

// New returns the server's handler.
func New(cfg Config) (http.Handler, error) {
	pages, err := parsePages()
	if err != nil {
		return nil, err
	}
	s := &Server{Config: cfg, pages: pages, limits: newLimits()}
	mux := http.NewServeMux()
	for _, r := range routes {
		mux.Handle(r.pattern, s.serve(r))
	}
	mux.Handle("GET /static/", static())
	if cfg.Hooks != nil {
		mux.Handle("POST /hooks/ledger", cfg.Hooks)
	}
	// A request from another site's page is refused before its session is looked
	// at; the form's token is the second lock.
	return s.logged(headers(http.NewCrossOriginProtection().Handler(mux))), nil
}

// visit is a request with who made it.
type visit struct {
	*http.Request
	user    store.User // zero on open routes
	session store.Session
}

func (v *visit) ctx() context.Context { return v.Context() }
