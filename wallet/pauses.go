package wallet

import (
	"sync"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/clock"
)

// Bounds of the pauses between questions that take many calls and are in vain.
const (
	firstDear = 15 * time.Second
	lastDear  = 5 * time.Minute
	mostDear  = 4096
)

// pauses are what one node was asked in vain, and when it may be asked again.
type pauses struct {
	clock walletfi.Clock

	mu   sync.Mutex
	held map[string]vain
}

// vain is a question that brought nothing, and when it is asked again.
type vain struct {
	next time.Time
	wait time.Duration
	err  error
}

// ask asks a question by its name, unless that was in vain not long ago: then the error is
// that of the last time.
func (p *pauses) ask(name string, question func() error) error {
	now := clock.Now(p.clock)
	p.mu.Lock()
	was := p.held[name]
	p.mu.Unlock()
	if now.Before(was.next) && was.next.Sub(now) <= lastDear { // or the clock was set back
		return was.err
	}
	err := question()
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.held, name)
	if err == nil {
		return nil
	}
	if p.held == nil || len(p.held) >= mostDear {
		p.held = map[string]vain{}
	}
	wait := min(max(2*was.wait, firstDear), lastDear)
	p.held[name] = vain{clock.Now(p.clock).Add(wait), wait, err}
	return err
}
