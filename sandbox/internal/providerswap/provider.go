package providerswap

// Providers returns the slugs of the ten providers of providerswap, in the
// order of their documented types: AMM, constant product, CLMM, AMM, dynamic
// liquidity, two bonding curves, stable, two AMMs.
func (p *Service) Providers() []string {
	p.Lock()
	defer p.Unlock()
	slugs := make([]string, 0, len(p.book.Venues))
	for _, v := range p.book.Venues {
		slugs = append(slugs, v.Slug)
	}
	return slugs
}
