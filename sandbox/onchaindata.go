package sandbox

// newOnchainData makes the onchaindata service's side.
func newOnchainData(s *Sandbox) *service {
	return &service{name: OnchainData, prefix: "/api/v3/onchain", inURL: true, hosts: []string{"pro"}, sharedHosts: true,
		auth: auth{required, []string{"X-Demo-Api-Key"}}, hostAuth: map[string]auth{"pro": {required, []string{"X-Pro-Api-Key"}}}, envelope: plainEnvelope}
}
