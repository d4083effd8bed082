package sandbox

// newPredictMeta makes the predictmeta service's side.
func newPredictMeta(s *Sandbox) *service {
	return &service{name: PredictMeta, hosts: []string{"ws"}, auth: optionalAPIKey, envelope: plainEnvelope}
}
