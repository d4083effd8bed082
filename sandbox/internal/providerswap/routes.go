// Package providerswap is the provider swap service of the sandbox.
package providerswap

import (
	"net/http"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/market"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// Service quotes and builds trades over ten providers, the venues of the pools:
// version 2 over all of them, version 1 over a single provider.
type Service struct {
	*build.Chain
	book      *market.Book
	errorForm string
}

// New makes the service and its specification for the kit.
func New(b *market.Book) (*Service, *kit.Spec) {
	p := &Service{Chain: b.Chain, book: b}
	for _, name := range []string{Tips, sponsor} {
		p.Airdrop(build.PublicKey(p.Keypair(name)), 100*build.LamportsPerSOL)
	}
	return p, &kit.Spec{Name: play.ProviderSwap, Auth: kit.HeaderKey, Envelope: p.envelope, Routes: p.routes()}
}

func (p *Service) routes() []kit.Route {
	return []kit.Route{
		{Method: "GET", Path: "/api/v2/quote", Endpoint: kit.Handle(p.quoteV2)},
		{Method: "GET", Path: "/api/v1/quote", Endpoint: kit.Handle(p.quoteV1)},
		{Method: "GET", Path: "/api/v1/quote/all", Endpoint: kit.Handle(p.quoteAll)},
		{Method: "GET", Path: "/api/v1/swap", Endpoint: kit.Handle(p.swap)},
		{Method: "GET", Path: "/api/v1/swap/bundle", Endpoint: kit.Handle(p.bundle)},
		{Method: "GET", Path: "/api/v1/fee/custom", Endpoint: kit.Handle(p.customFee)},
	}
}

// The wallets of the service, by the names of their keys.
const (
	Tips    = "providerswap tips"
	sponsor = "providerswap sponsor"
)

// The forms of providerswap's errors. The service documents no form.
const (
	ErrorsJSON = "json" // {"error": "text"}
	ErrorsHTML = "html" // a gateway's page
)

// SetErrors does what sandbox.ProviderSwapHandle.SetErrors says.
func (p *Service) SetErrors(form string) { p.Locked(func() { p.errorForm = form }) }

func (p *Service) envelope(c *kit.Call, f *kit.Failure) kit.Reply {
	switch p.errorForm {
	case ErrorsJSON:
		return kit.Reply{Body: map[string]string{"error": f.Message}}
	case ErrorsHTML:
		header := http.Header{"Content-Type": {"text/html; charset=utf-8"}}
		for name, values := range f.Header {
			header[name] = values
		}
		title := http.StatusText(f.Status)
		return kit.Reply{Header: header, Raw: []byte("<html>\r\n<head><title>" + title +
			"</title></head>\r\n<body><center><h1>" + title + "</h1></center></body>\r\n</html>\r\n")}
	}
	return kit.PlainEnvelope(c, f)
}

// Providers does what sandbox.ProviderSwapHandle.Providers says.
func (p *Service) Providers() []string {
	p.Lock()
	defer p.Unlock()
	return kit.List(p.book.Venues, func(v *market.Venue) string { return v.Slug })
}
