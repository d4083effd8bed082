package sandbox

// newAMM makes the amm service's side.
func newAMM(s *Sandbox) *service {
	return &service{name: AMM, hosts: []string{"data"}, auth: auth{demand: optional}, envelope: plainEnvelope}
}
