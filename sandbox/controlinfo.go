package sandbox

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/walletfi/walletfi-go/sandbox/internal/control"
)

// serviceInfo has all that a program needs to call a service.
type serviceInfo struct {
	Service Service
	Host    string // of an additional address, empty for the main one
	URL     string
	Key     string // empty if the service takes none
	Header  string // in which the key goes; a bearer token has the word Bearer before it
	Program string // to pin in a guard
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
func info(s *Sandbox) (services []serviceInfo, tokens []Token, w walletInfo, c controlInfo, templates []string) {
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
		services = append(services, serviceInfo{name, "", s.URL(name), key, header, s.ProgramID(name)})
	}
	pro := serviceInfo{
		Service: OnchainData, Host: "pro", URL: s.OnchainData().ProURL(), Key: s.APIKey(OnchainData),
		Header: "X-Pro-Api-Key",
	}
	services = append(services,
		serviceInfo{Service: AMM, Host: "data", URL: s.AMM().DataURL()},
		serviceInfo{Service: PredictMeta, Host: "feed", URL: s.PredictMeta().WSURL() + "/ws"},
		pro,
		serviceInfo{Service: RPC, URL: s.URL(RPC)},
	)
	return services, s.Ledger().Tokens(), walletInfo{s.WalletAddress(), wallet(s)},
		controlInfo{s.URL(Control), s.APIKey(Control), s.URL(Control) + control.OpenAPI},
		[]string{LedgerWalletFilter, UTXOWalletFilter}
}

// wallet is the wallet's key as a Solana key file has it.
func wallet(s *Sandbox) (keypair []int) {
	for _, b := range s.Wallet() {
		keypair = append(keypair, int(b))
	}
	return keypair
}

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
	s.Advance(by)
	return nil
}
