package sandbox

// newProviderSwap makes the providerswap service's side.
func newProviderSwap(s *Sandbox) *service {
	return &service{name: ProviderSwap, auth: apiKey, envelope: plainEnvelope}
}
