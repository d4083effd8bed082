package sandbox

// newWebhooks makes the webhooks service's side.
func newWebhooks(s *Sandbox) *service {
	return &service{name: Webhooks, auth: bearer, envelope: plainEnvelope}
}
