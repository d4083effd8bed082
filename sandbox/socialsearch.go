package sandbox

// newSocialSearch makes the socialsearch service's side.
func newSocialSearch(s *Sandbox) *service {
	return &service{name: SocialSearch, auth: bearer, envelope: plainEnvelope}
}
