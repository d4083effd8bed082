package burnclose

import "github.com/walletfi/walletfi-go/sandbox/internal/kit"

func (b *Service) close(c *kit.Call, in closeRequest) any {
	return b.transaction(c, b.planClose(c, in))
}

func (b *Service) closeInstructions(c *kit.Call, in closeRequest) any {
	return b.bare(c, b.planClose(c, in))
}

func (b *Service) previewClose(c *kit.Call, in closeRequest) any {
	return b.planClose(c, in).preview(c.Shape(2))
}
