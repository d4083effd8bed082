package sandbox

// newSmartAccount makes the smartaccount service's side.
func newSmartAccount(s *Sandbox) *service {
	return &service{name: SmartAccount, prefix: "/api/v1", inURL: true, auth: bearer, envelope: plainEnvelope}
}
