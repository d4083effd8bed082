package bearer

import (
	"context"
	"fmt"
	"net/url"
	"sync"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/places"
)

// mostRenewals bounds the renewals of tokens that go on at once for one host, of
// all clients of the process. Each takes a connection of its own.
const mostRenewals = 64

var renewals = places.New(mostRenewals)

// errCrowded is the error of a renewal that had no turn.
var errCrowded = fmt.Errorf("%w: %d renewals of other clients are under way", walletfi.ErrUnavailable, mostRenewals)

// Room is where the renewals of all clients of one host wait for their turn. Nil has
// no bound.
type Room struct{ *places.Room }

// RenewalsOf returns the room of the host of a base URL, which New checks.
func RenewalsOf(baseURL string) *Room {
	base, err := url.Parse(baseURL)
	if err != nil {
		return nil
	}
	return &Room{renewals.Room(base.Host)}
}

// start runs f in a goroutine of its own, with false if there was no place within wait.
func (r *Room) start(wait time.Duration, f func(placed bool)) {
	if r == nil {
		go f(true)
		return
	}
	r.Start(wait, f)
}

// place is a renewal's in its room. It is safe for concurrent use.
type place struct {
	room *Room
	mu   sync.Mutex
	held bool
}

// leave gives the place back, if it is held.
func (p *place) leave() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.held && p.room != nil {
		p.room.Leave()
	}
	p.held = false
}

// enter takes a place again.
func (p *place) enter(ctx context.Context) error {
	if p.room == nil {
		return ctx.Err()
	}
	if err := p.room.Enter(ctx, false, 0); err != nil {
		return err
	}
	p.mu.Lock()
	p.held = true
	p.mu.Unlock()
	if ctx.Err() != nil { // what leaves it then may have looked before
		p.leave()
	}
	return ctx.Err()
}
