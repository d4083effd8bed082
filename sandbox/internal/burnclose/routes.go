// Package burnclose is the burn and close service of the sandbox.
package burnclose

import (
	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// Service burns assets and closes token accounts. It keeps no books of its own:
// it reads the token accounts from the ledger.
type Service struct{ *build.Chain }

// auth is a key in either header.
var auth = kit.Auth{Demand: kit.Required, Headers: []string{"X-Api-Key", "Authorization"}}

// keyAuth is the authentication of the route that issues keys. It is
// undocumented.
var keyAuth = kit.Auth{Demand: kit.Optional, Headers: auth.Headers}

// New makes the service and its specification for the kit.
func New(c *build.Chain) (*Service, *kit.Spec) {
	b := &Service{c}
	return b, &kit.Spec{Name: play.BurnClose, Auth: auth, Envelope: kit.PlainEnvelope, Routes: b.routes()}
}

func (b *Service) routes() []kit.Route {
	return []kit.Route{
		{Method: "GET", Path: "/", Auth: kit.NoAuth, Endpoint: kit.Handle(b.health)},
		{Method: "POST", Path: "/api-keys/generate", Auth: keyAuth, Endpoint: kit.Handle(b.generateKey)},
		{Method: "GET", Path: "/openapi.json", Auth: kit.NoAuth, Endpoint: kit.Handle(b.openAPI)},
		{Method: "GET", Path: "/.well-known/api-catalog", Auth: kit.NoAuth, Endpoint: kit.Handle(b.catalog)},
		{Method: "GET", Path: "/llms.txt", Auth: kit.NoAuth, Endpoint: kit.Handle(b.index)},
		{Method: "GET", Path: "/llms.md", Auth: kit.NoAuth, Endpoint: kit.Handle(b.index)},
		{Method: "GET", Path: "/llms-full.txt", Auth: kit.NoAuth, Endpoint: kit.Handle(b.manual)},
		{Method: "GET", Path: "/DOCS.md", Auth: kit.NoAuth, Endpoint: kit.Handle(b.manual)},
		{Method: "POST", Path: "/burn", Endpoint: kit.Handle(b.burn)},
		{Method: "POST", Path: "/burn/preview", Endpoint: kit.Handle(b.previewBurn)},
		{Method: "POST", Path: "/burn-instructions", Endpoint: kit.Handle(b.burnInstructions)},
		{Method: "POST", Path: "/close", Endpoint: kit.Handle(b.close)},
		{Method: "POST", Path: "/close/preview", Endpoint: kit.Handle(b.previewClose)},
		{Method: "POST", Path: "/close-instructions", Endpoint: kit.Handle(b.closeInstructions)},
		{Method: "POST", Path: "/batch/close-all", Endpoint: kit.Handle(b.closeAll)},
		{Method: "POST", Path: "/batch/close-all/preview", Endpoint: kit.Handle(b.previewCloseAll)},
		{Method: "POST", Path: "/batch/close-all/summary", Endpoint: kit.Handle(b.summarizeCloseAll)},
		{Method: "POST", Path: "/batch/close-all-instructions", Endpoint: kit.Handle(b.closeAllInstructions)},
		{Method: "POST", Path: "/transactions/send", Endpoint: kit.Handle(b.send)},
		{Method: "POST", Path: "/transactions/send-batch", Endpoint: kit.Handle(b.sendBatch)},
		{Method: "POST", Path: "/transactions/status", Endpoint: kit.Handle(b.transactionStatus)},
	}
}
