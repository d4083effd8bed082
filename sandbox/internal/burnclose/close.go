package burnclose

import (
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

func (b *Service) close(c *kit.Call, in closeRequest) any {
	j := b.planClose(c, in)
	return b.transaction(c, j)
}

func (b *Service) closeInstructions(c *kit.Call, in closeRequest) any {
	j := b.planClose(c, in)
	return b.bare(c, j)
}

func (b *Service) previewClose(c *kit.Call, in closeRequest) any {
	j := b.planClose(c, in)
	return j.preview(c.Shape(2))
}
