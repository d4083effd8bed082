package sandbox

// newLeverage makes the leverage service's side.
func newLeverage(s *Sandbox) *service {
	return &service{name: Leverage, prefix: "/api/v1", auth: auth{optional, []string{"X-Api-Key"}}, envelope: plainEnvelope}
}
