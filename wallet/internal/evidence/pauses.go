package evidence

import (
	"sync"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/clock"
)

// Bounds of the pauses between questions that take many calls and are in vain.
const (
	firstDear = 15 * time.Second
	nextDear  = time.Minute
	lastDear  = 5 * time.Minute // after longDear
	longDear  = 3 * time.Hour   // by then an archive that lags has it
	mostDear  = 4096
)

// pauses are what one node was asked in vain, and when it may be asked again.
type pauses struct {
	clock walletfi.Clock

	mu   sync.Mutex
	held map[string]vain
}

// vain is a question that was in vain, and when it is asked again.
type vain struct {
	since, next time.Time
	wait        time.Duration
	err         error
}

// due returns nil if a question may be asked by its name, else the error of the last time.
func (p *pauses) due(name string) error {
	now := clock.Now(p.clock)
	p.mu.Lock()
	defer p.mu.Unlock()
	was := p.held[name]
	if now.Before(was.next) && was.next.Sub(now) <= lastDear { // or the clock was set back
		return was.err
	}
	return nil
}

// asked takes in what a question came to.
func (p *pauses) asked(name string, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := clock.Now(p.clock)
	was, before := p.held[name]
	delete(p.held, name)
	if err == nil {
		return
	}
	if !before {
		was.since = now
	}
	if p.held == nil || len(p.held) >= mostDear {
		p.held = map[string]vain{}
	}
	longest := nextDear
	if now.Sub(was.since) > longDear {
		longest = lastDear
	}
	wait := min(max(2*was.wait, firstDear), longest)
	p.held[name] = vain{was.since, now.Add(wait), wait, err}
}
