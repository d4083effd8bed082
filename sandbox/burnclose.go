package sandbox

// newBurnClose makes the burnclose service's side.
func newBurnClose(s *Sandbox) *service {
	return &service{name: BurnClose, auth: auth{required, []string{"X-Api-Key", "Authorization"}}, envelope: plainEnvelope}
}
