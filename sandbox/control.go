package sandbox

import (
	"crypto/rand"

	"github.com/walletfi/walletfi-go/sandbox/internal/control"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

// ControlPort is an HTTP port of its own beside the services, through which
// programs in any language use the controls of a [Sandbox]: JSON in and out, one
// route for each method of the sandbox and of its handles. URL of [Control] is its
// address, APIKey of [Control] the bearer token that each request needs. GET
// /openapi.json describes the routes and needs no token.
//
// The port is on loopback. It refuses a Host that is not its own and requests
// from pages in a browser, and sends no CORS headers: who has the token controls
// the sandbox and its test wallet.
type ControlPort struct {
	// Token is the bearer token: printable ASCII without blanks. Empty draws a
	// random one.
	Token string
	// Closed is called when the sandbox was closed by the route /close. May be nil.
	Closed func()
}

// openControl opens the control port.
func (s *Sandbox) openControl(c ControlPort) error {
	if c.Token == "" {
		c.Token = rand.Text()
	}
	s.world.Lock()
	defer s.world.Unlock()
	s.world.AddKey(kit.Control, c.Token)
	url := func() string { return s.URL(Control) }
	rows := append(s.sandboxControls(c), handleControls()...)
	return s.world.Listen(kit.Control, "", control.New(c.Token, url, rows, s,
		s.Ledger(), s.Market(), s.Lending(), s.SmartAccount(), s.PredictMeta(), s.PredictMeta().Feed(), s.Swap(), s.AMM(),
		s.ProviderSwap(), s.BurnClose(), s.OnchainData(), s.SocialSearch(), s.Webhooks()))
}
