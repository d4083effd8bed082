package sandbox

import "net/http"

// providerSwap quotes and builds over ten providers, which are the venues of
// the pools: version 2 over all of them at once, version 1 over one at a time.
type providerSwap struct {
	*Sandbox
	book      *poolBook
	errorForm string
}

func newProviderSwap(s *Sandbox) *service {
	p := &providerSwap{Sandbox: s, book: s.pools}
	s.providerSwap = p
	for _, name := range []string{providerSwapTips, providerSwapSponsor} {
		s.chain.Airdrop(publicKey(s.keypair(name)), 100*lamportsPerSOL)
	}
	return &service{name: ProviderSwap, auth: apiKey, envelope: p.envelope, routes: p.routes()}
}

func (p *providerSwap) routes() []route {
	return []route{
		{method: "GET", path: "/api/v2/quote", endpoint: handle(p.quoteV2)},
		{method: "GET", path: "/api/v1/quote", endpoint: handle(p.quoteV1)},
		{method: "GET", path: "/api/v1/quote/all", endpoint: handle(p.quoteAll)},
		{method: "GET", path: "/api/v1/swap", endpoint: handle(p.swap)},
		{method: "GET", path: "/api/v1/swap/bundle", endpoint: handle(p.bundle)},
		{method: "GET", path: "/api/v1/fee/custom", endpoint: handle(p.customFee)},
	}
}

// The wallets of the service, by the names of their keys.
const (
	providerSwapTips    = "providerswap tips"
	providerSwapSponsor = "providerswap sponsor"
)

// The forms in which providerswap says no, since none is documented.
const (
	ProviderSwapErrorsJSON = "json" // {"error": "text"}
	ProviderSwapErrorsHTML = "html" // a gateway's page
)

// SetProviderSwapErrors makes providerswap write all of its errors in one form:
// ProviderSwapErrorsJSON or ProviderSwapErrorsHTML. Anything else, as at the
// start, makes it take turns between the first and an object with "message".
func (s *Sandbox) SetProviderSwapErrors(form string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.providerSwap.errorForm = form
}

func (p *providerSwap) envelope(c *call, f *failure) reply {
	switch p.errorForm {
	case ProviderSwapErrorsJSON:
		return reply{body: map[string]string{"error": f.Message}}
	case ProviderSwapErrorsHTML:
		header := http.Header{"Content-Type": {"text/html; charset=utf-8"}}
		for name, values := range f.Header {
			header[name] = values
		}
		title := http.StatusText(f.Status)
		return reply{header: header, raw: []byte("<html>\r\n<head><title>" + title + "</title></head>\r\n<body><center><h1>" + title + "</h1></center></body>\r\n</html>\r\n")}
	}
	return plainEnvelope(c, f)
}

// Providers returns the slugs of the ten providers of providerswap, in the
// order of their documented types: AMM, constant product, CLMM, AMM, dynamic
// liquidity, two bonding curves, stable, two AMMs.
func (s *Sandbox) Providers() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	slugs := make([]string, 0, len(s.pools.venues))
	for _, v := range s.pools.venues {
		slugs = append(slugs, v.slug)
	}
	return slugs
}
