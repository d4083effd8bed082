package sandbox

import (
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/walletfi/walletfi-go/sandbox/internal/control"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// openControl opens the control port.
func (s *Sandbox) openControl(c ControlPort) error {
	if c.Token == "" {
		c.Token = rand.Text()
	}
	s.world().Lock()
	defer s.world().Unlock()
	s.world().AddKey(Control, c.Token)
	closing := func() {
		s.Close()
		if c.Closed != nil {
			c.Closed()
		}
	}
	rows := append(sandboxControls(closing), handleControls()...)
	url := func() string { return s.URL(Control) }
	return s.world().Listen(Control, "", control.New(c.Token, url, rows, s.subjects, s.pages()))
}

// subjects are what the controls control at present.
func (s *Sandbox) subjects() []any {
	return []any{
		s, s.Ledger(), s.Market(), s.Lending(), s.SmartAccount(), s.PredictMeta(), s.PredictMeta().Feed(), s.Swap(),
		s.AMM(), s.ProviderSwap(), s.BurnClose(), s.OnchainData(), s.SocialSearch(), s.Webhooks(),
	}
}

// addFault is [Sandbox.Fault], with an error for a fault that can never hit: no
// compiler checks the names that another language sends.
func addFault(s *Sandbox, match Route, f Fault) (remove func(), err error) {
	// The methods of the node are not listed.
	if match.Service != RPC && !slices.ContainsFunc(s.Routes(), match.Covers) {
		return nil, fmt.Errorf("sandbox: match is of no route: GET /routes lists them: %s", match)
	}
	switch {
	case f.Status != 0 && (f.Status < 200 || f.Status > 999):
		return nil, fmt.Errorf("sandbox: fault.status must be 0, or from 200 to 999, not %d", f.Status)
	case f.Tenant != "" && !s.isTenant(f.Tenant):
		return nil, fmt.Errorf("sandbox: fault.tenant is not there: %s", f.Tenant)
	case f.Truncate < 0 || f.After < 0 || f.Times < 0:
		return nil, errors.New("sandbox: fault.truncate, after and times must not be negative")
	case f.Delay == 0 && !f.Reset && f.Status == 0 && f.Body == nil && len(f.Header) == 0 && f.Truncate == 0 &&
		!f.Garbage && f.Lie == "":
		return nil, errors.New("sandbox: the fault does nothing")
	case f.Lie != "":
		if err := lieProblem("fault.", f.Lie, f.Member); err != nil {
			return nil, err
		}
	}
	return s.Fault(match, f), nil
}

// lieProblem names what is wrong with a lie and its member, which are fields of what is in.
func lieProblem(in string, lie Lie, member string) error {
	if !lie.Known() {
		return fmt.Errorf("sandbox: %slie is of no kind: %q", in, string(lie))
	}
	if (member == "") != (lie == play.LieFailure) {
		return fmt.Errorf("sandbox: %smember names what lies, and is empty for a failure", in)
	}
	return nil
}

// walletInfo is the test wallet. Its key has money on the sandbox's ledger alone.
type walletInfo struct {
	Address string
	Keypair []int
}

// controlInfo is the control port.
type controlInfo struct {
	URL     string
	Token   string
	OpenAPI string
}

// info has all that the control port says of the whole sandbox.
func info(s *Sandbox) (services []ServiceAccess, tokens []Token, w walletInfo, c controlInfo, templates []string) {
	return s.services(), s.Ledger().Tokens(), walletInfo{s.WalletAddress(), keypair(s.Wallet())},
		controlInfo{s.URL(Control), s.APIKey(Control), s.URL(Control) + control.OpenAPI},
		[]string{LedgerWalletFilter, UTXOWalletFilter}
}

// services has all that a program needs to call the services and the node.
func (s *Sandbox) services() (services []ServiceAccess) {
	headers := map[Service]string{
		ProviderSwap: "X-API-KEY", SmartAccount: "Authorization", SocialSearch: "Authorization",
		Webhooks: "Authorization", OnchainData: "x-demo-api-key", AMM: "",
	}
	for _, name := range Services() {
		header, ok := headers[name]
		if !ok {
			header = "x-api-key"
		}
		key := s.APIKey(name)
		if header == "" {
			key = ""
		}
		header = http.CanonicalHeaderKey(header)
		services = append(services, ServiceAccess{
			Service: name, URL: s.URL(name), Key: key, Header: header, Program: s.ProgramID(name),
		})
	}
	pro := ServiceAccess{
		Service: OnchainData, Host: "pro", URL: s.OnchainData().ProURL(), Key: s.APIKey(OnchainData),
		Header: "X-Pro-Api-Key",
	}
	return append(services,
		ServiceAccess{Service: AMM, Host: "data", URL: s.AMM().DataURL()},
		ServiceAccess{Service: PredictMeta, Host: "feed", URL: s.PredictMeta().WSURL() + "/ws"},
		pro,
		ServiceAccess{Service: RPC, URL: s.URL(RPC)},
	)
}

// wallet is the wallet's key as a Solana key file has it.
func wallet(s *Sandbox) []int { return keypair(s.Wallet()) }

func keypair(key ed25519.PrivateKey) []int { return kit.List(key, func(b byte) int { return int(b) }) }

// routeHits is how many requests a route has had.
type routeHits struct {
	Route Route
	Count int
}

func hits(s *Sandbox) (all []routeHits) {
	for r, n := range s.Hits() {
		all = append(all, routeHits{r, n})
	}
	slices.SortFunc(all, func(a, b routeHits) int { return strings.Compare(a.Route.String(), b.Route.String()) })
	return all
}

func advanceUntil(s *Sandbox, t time.Time) error {
	by := t.Sub(s.Now())
	if by < 0 {
		return fmt.Errorf("sandbox: it is past %s already: %s", t.Format(time.RFC3339), s.Now().Format(time.RFC3339))
	}
	return advance(s, by)
}

// longestAdvance bounds one call: what falls due in centuries would not be done before the caller gives up.
const longestAdvance = 366 * 24 * time.Hour

func advance(s *Sandbox, by time.Duration) error {
	if by > longestAdvance {
		return fmt.Errorf("sandbox: one call moves the clock by at most 366 days, which are 31,622,400 seconds")
	}
	s.Advance(by)
	return nil
}
