package sandbox

// newSwap makes the swap service's side.
func newSwap(s *Sandbox) *service {
	return &service{name: Swap, auth: optionalAPIKey, envelope: plainEnvelope}
}
