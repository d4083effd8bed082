package providerswap

// Providers does what sandbox.ProviderSwapHandle.Providers says.
func (p *Service) Providers() []string {
	p.Lock()
	defer p.Unlock()
	slugs := make([]string, 0, len(p.book.Venues))
	for _, v := range p.book.Venues {
		slugs = append(slugs, v.Slug)
	}
	return slugs
}
