package wallet

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
)

// ErrShort means that an order is confirmed and, where that comes later, filled, and that
// less has arrived than its intent's Receive. It comes with the whole Placed, and each
// later Place of the key returns it again. The order is paid: ErrShort is never a reason to
// pay again, under this key or another. What a node does not show is not short.
var ErrShort = errors.New("less has arrived than was asked for")

// Shortfall is a mint of which less arrived than an order asked for.
type Shortfall struct {
	Mint    string          `json:"mint"`
	Asked   walletfi.Amount `json:"asked"`
	Arrived walletfi.Amount `json:"arrived"` // at most: costs that cannot be told apart are added back
}

// holdToFloor ends an order that is carried out with ErrShort, if less has arrived than it
// asked for.
func (p *placing) holdToFloor(ctx context.Context, e Entry) error {
	p.placed.Short = slices.Clone(e.Short)
	if p.placed.Short == nil {
		if p.placed.Short = p.placed.shortfalls(); p.placed.Short != nil {
			p.record(ctx, func(next *Entry) { next.Short = slices.Clone(p.placed.Short) })
		}
	}
	if p.placed.Short == nil {
		return nil
	}
	p.stage = StageEffects
	var each []string
	for _, s := range p.placed.Short {
		each = append(each, fmt.Sprintf("%d of %s, not %d", s.Arrived, s.Mint, s.Asked))
	}
	return p.failed(fmt.Errorf("%w: %s", ErrShort, strings.Join(each, "; ")))
}

// shortfalls compares what the effects show with the intent. What goes to others, or comes
// after the last transaction that is known, is not seen in them.
func (p *Placed) shortfalls() (all []Shortfall) {
	if len(p.Intent.OutputTo) > 0 || p.Intent.ReceiveAfter != nil && !p.FilledLater {
		return nil
	}
	for _, asked := range sum(p.Intent.Receive) {
		gained, lost, known := p.Net(p.Intent.Owner, asked.Mint)
		costs := p.costs(asked.Mint)
		arrived := plus(gained, costs-min(lost, costs)) // gained or lost is 0
		if known && arrived < asked.Amount {
			all = append(all, Shortfall{Mint: asked.Mint, Asked: asked.Amount, Arrived: arrived})
		}
	}
	return all
}

// costs is the most of a mint that the order took besides: what it may spend, and of SOL
// its fees, tips and rent.
func (p *Placed) costs(mint string) (most walletfi.Amount) {
	for _, a := range slices.Concat(p.Intent.Spend, p.Intent.ServiceFee) {
		if a.Mint == mint {
			most = plus(most, a.Amount)
		}
	}
	if mint != walletfi.NativeMint {
		return most
	}
	rent := walletfi.Amount(signing.DefaultMaxRentLamports)
	if own := p.Intent.MaxRentLamports; own != nil {
		rent = *own
	}
	most = plus(plus(most, rent), plus(p.Intent.TipLamports, p.Intent.MaxForeignRentLamports))
	for _, step := range p.steps() {
		if e := step.Effects; e != nil && e.FeePayer == p.Intent.Owner {
			most = plus(most, e.Fee)
		}
	}
	return most
}

// plus is a and b together, or the most that an amount holds.
func plus(a, b walletfi.Amount) walletfi.Amount {
	if a+b < a {
		return math.MaxUint64
	}
	return a + b
}
