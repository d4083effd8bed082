package sandbox

import (
	"crypto/ed25519"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/world"
)

// Sandbox is all eleven services and a Solana node in one process. Its methods
// and those of its handles may be called from any number of goroutines.
type Sandbox struct{ present atomic.Pointer[world.World] }

// world has the present state, which Reset replaces.
func (s *Sandbox) world() *world.World { return s.present.Load() }

// Start opens a sandbox on loopback. The caller must close it.
func Start(c Config) (*Sandbox, error) {
	w, err := world.Open(c)
	if err != nil {
		return nil, err
	}
	s := &Sandbox{}
	s.present.Store(w)
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
func (s *Sandbox) Close() { s.world().Close() }

// URL returns a service's base URL, with the path prefix if the service's
// documentation counts it as part of the base. For AMM it is the trade host's,
// for OnchainData the demo tier's, for RPC the node's. See [AMMHandle.DataURL],
// [OnchainDataHandle.ProURL] and [PredictMetaHandle.WSURL] for the others.
func (s *Sandbox) URL(service Service) string { return s.world().URL(service) }

// APIKey returns the key or bearer token that a service takes. It is empty for
// SmartAccount, which issues tokens at sign-in: see [SmartAccountHandle.SignIn].
func (s *Sandbox) APIKey(service Service) string { return s.world().APIKey(service) }

// Transport carries requests to the sandbox's addresses in process, without a
// connection. In a synctest bubble time passes while such a request is under way,
// and not while a connection is read.
func (s *Sandbox) Transport() http.RoundTripper { return kit.InProcess{Core: s.world().Core} }

// Wallet is the key of a wallet that has 100 SOL, 10,000 USDC and a little
// DUST. It is the same for the same seed.
func (s *Sandbox) Wallet() ed25519.PrivateKey { return s.world().Wallet() }

// WalletAddress is the address of Wallet, base58.
func (s *Sandbox) WalletAddress() string { return s.world().WalletAddress() }

// ProgramID returns the address of a service's program on the ledger, base58.
// Pin it in signing's policy.
func (s *Sandbox) ProgramID(service Service) string { return s.world().ProgramID(service) }

// Mint returns the mint of the token with a symbol, base58, empty if there is
// none. See [LedgerHandle.Tokens].
func (s *Sandbox) Mint(symbol string) string {
	return kit.Under(s.world(), func() string { return s.world().Token(symbol).Mint })
}

// Fault makes requests of the matching routes go wrong. It hits only requests
// that would be carried out: a malformed, unauthorised or rate-limited
// request is refused as usual. If several faults match, the oldest applies. For
// the Solana node, Service is RPC and Pattern is the method, such as
// "sendTransaction". remove ends the fault.
func (s *Sandbox) Fault(match Route, f Fault) (remove func()) { return s.world().Fault(match, f) }

// Attack calls f with every transaction that a service is about to answer. If f
// returns a transaction, it replaces the honest transaction; nil keeps it. A
// nil f ends the attack. owner is the key whose signature is requested. f runs
// during a request: it must not call methods that read or change the sandbox's
// state. It may call Wallet, WalletAddress, URL and ProgramID.
func (s *Sandbox) Attack(f func(service string, honest []byte, owner [32]byte) []byte) {
	s.world().Attack(f)
}

// Drain returns an attack for [Sandbox.Attack]: the transaction sends all of
// the owner's SOL, less the fee, to thief.
func Drain(s *Sandbox, thief string) (func(service string, honest []byte, owner [32]byte) []byte, error) {
	return s.world().Drain(thief)
}

// Routes lists every route of every service.
func (s *Sandbox) Routes() []Route { return s.world().Routes() }

// Hits returns how many requests each route has had, refused ones included,
// and how many calls each method of the node, under Route{RPC, "POST", method}.
// A route without requests is absent.
func (s *Sandbox) Hits() map[Route]int { return s.world().Hits() }

// Violations returns the violations so far, in order: the first 999, of one kind its first 100, and
// the last one, whose Number says how many there were. Long texts are cut.
func (s *Sandbox) Violations() []Violation { return s.world().Violations() }

// ViolationGroups counts the violations so far by service, route, problem and client, in the order
// in which they were first met. Of more than 1,000 kinds, the last group has the rest.
func ViolationGroups(s *Sandbox) []ViolationGroup { return s.world().ViolationGroups() }

// ForgetViolations begins the list and the groups of violations again. Number counts on.
func ForgetViolations(s *Sandbox) { s.world().TakeViolations() }

// Deliveries returns every attempt to deliver a webhook that has ended, in the
// order in which they ended: the newest, 2,048 or a few more at most.
func (s *Sandbox) Deliveries() []Delivery { return s.world().Deliveries() }

// Settle waits until no webhook delivery of s is in flight, for at most the given
// real time.
func Settle(s *Sandbox, most time.Duration) { s.world().Settle(most) }
