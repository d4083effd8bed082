package sandbox

import (
	"net/http"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/world"
)

// Sandbox is all eleven services and a Solana node in one process. Its methods
// and those of its handles may be called from any number of goroutines.
type Sandbox struct{ world *world.World }

// Start opens a sandbox on loopback. The caller must close it.
func Start(c Config) (*Sandbox, error) {
	w, err := world.Open(c)
	if err != nil {
		return nil, err
	}
	s := &Sandbox{w}
	if c.Control != nil {
		if err := s.openControl(*c.Control); err != nil {
			s.Close()
			return nil, err
		}
	}
	return s, nil
}

// Close stops every listener, connection, timer and delivery, and waits for
// them.
func (s *Sandbox) Close() { s.world.Close() }

// URL returns a service's base URL, with the path prefix if the service's
// documentation counts it as part of the base. For AMM it is the trade host's,
// for OnchainData the demo tier's, for RPC the node's. See [AMMHandle.DataURL],
// [OnchainDataHandle.ProURL] and [PredictMetaHandle.WSURL] for the others.
func (s *Sandbox) URL(service Service) string { return s.world.URL(service) }

// APIKey returns the key or bearer token that a service takes. It is empty for
// SmartAccount, which issues tokens at sign-in: see [SmartAccountHandle.SignIn].
func (s *Sandbox) APIKey(service Service) string { return s.world.APIKey(service) }

// Transport carries requests to the sandbox's addresses in process, without a
// connection. In a synctest bubble time passes while such a request is under way,
// and not while a connection is read.
func (s *Sandbox) Transport() http.RoundTripper { return kit.InProcess{Core: s.world.Core} }
