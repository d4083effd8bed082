package leverage

import "github.com/walletfi/walletfi-go/sandbox/internal/kit"

type partialSellRequest struct {
	splitRequest
	Slippage *uint64 `body:"slippageBps" max:"10000"`
}

// partialSell builds the split and the closing of the share, which can be
// executed only after it.
func (l *Service) partialSell(c *kit.Call, in partialSellRequest) any {
	p := l.mine(c, in.Position, in.User)
	order, share, rest := l.splitting(p, in.Ratio)
	splitting := l.place(order)
	b, _ := l.current(p).portion(in.Ratio)
	closing := l.place(l.closing(share, b, in.Slippage, 0))
	return map[string]any{
		"splitTransaction": splitting.Base58(), "closeTransaction": closing.Base58(),
		"newPositionAddresses": []string{share.address, rest.address},
	}
}
