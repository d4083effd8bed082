package evidence

import (
	"context"
	"encoding/json"
	"errors"
	"sync"

	"github.com/walletfi/walletfi-go"
)

// Effects tells what transactions have changed, by what the nodes agree upon.
func (p *Panel) Effects() walletfi.EffectsReader { return panelEffects{p} }

// panelEffects holds the nodes of a panel against each other.
type panelEffects struct{ *Panel }

// Effects tells what is agreed upon.
// No node must tell the units: the most that any tells is enough for a compute limit.
func (p panelEffects) Effects(ctx context.Context, signature string) (*walletfi.Effects, error) {
	var mu sync.Mutex
	var units uint64
	told, err := gather(ctx, &p.members, func(ctx context.Context, w *witness) (string, error) {
		if w.effects == nil {
			return "", errors.ErrUnsupported
		}
		e, err := w.effects.Effects(ctx, signature)
		if e != nil {
			mu.Lock()
			defer mu.Unlock()
			other := *e // the reader's may be kept
			units, other.Units = max(units, e.Units), 0
			e = &other
		}
		text, _ := json.Marshal(e) // plain data: it cannot fail
		return string(text), err
	})
	if err != nil {
		return nil, err
	}
	agreed, err := p.most(told)
	if err != nil {
		return nil, err
	}
	e := new(walletfi.Effects)
	err = json.Unmarshal([]byte(agreed), e)
	mu.Lock()
	defer mu.Unlock()
	e.Units = units
	return e, err
}
