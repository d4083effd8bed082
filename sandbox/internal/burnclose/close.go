package burnclose

import (
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

func (b *Service) close(c *kit.Call, in closeRequest) (any, error) {
	j, err := b.planClose(c, in)
	if err != nil {
		return nil, err
	}
	return b.transaction(c, j)
}

func (b *Service) closeInstructions(c *kit.Call, in closeRequest) (any, error) {
	j, err := b.planClose(c, in)
	if err != nil {
		return nil, err
	}
	return b.bare(c, j)
}

func (b *Service) previewClose(c *kit.Call, in closeRequest) (any, error) {
	j, err := b.planClose(c, in)
	if err != nil {
		return nil, err
	}
	return j.preview(c.Shape(2)), nil
}
