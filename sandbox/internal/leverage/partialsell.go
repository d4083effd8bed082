package leverage

import (
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

type partialSellRequest struct {
	splitRequest
	Slippage *uint64 `body:"slippageBps" max:"10000"`
}

// partialSell builds the split and the closing of the share, which can be
// executed only after it.
func (l *Service) partialSell(c *kit.Call, in partialSellRequest) (any, error) {
	p, err := l.mine(c, in.Position, in.User)
	if err != nil {
		return nil, err
	}
	order, share, rest, err := l.splitting(p, in.Ratio)
	if err != nil {
		return nil, err
	}
	splitting, err := l.place(order)
	if err != nil {
		return nil, err
	}
	b, _ := l.current(p).portion(in.Ratio)
	closing, err := l.place(l.closing(share, b, in.Slippage, 0))
	if err != nil {
		return nil, err
	}
	return map[string]any{
		"splitTransaction": splitting.Base58(), "closeTransaction": closing.Base58(),
		"newPositionAddresses": []string{share.address, rest.address},
	}, nil
}
