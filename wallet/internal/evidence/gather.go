package evidence

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/walletfi/walletfi-go/internal/atwork"
	"github.com/walletfi/walletfi-go/internal/running"
)

// Bounds of a question to several nodes.
const (
	nodePatience = time.Second     // for a node that answered the last time
	askTimeout   = 5 * time.Second // for any node
	maxUnder     = 2               // questions that a node which is away may hold up
)

// calls are questions under way. Some may have been given up by those who asked.
type calls struct {
	ctx    context.Context
	cancel context.CancelFunc

	mu     sync.Mutex
	closed bool
	group  running.Group
}

// Close ends the questions under way.
func (c *calls) Close() {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.cancel()
	c.group.Wait()
}

// reply is one node's answer.
type reply[T any] struct {
	value  T
	err    error
	prompt bool // the node was not away
}

// gather asks all nodes at once and returns the answers, at least one. It waits
// for the nodes that answered the last time, no longer than nodePatience, and
// for the others only until there is a quorum.
func gather[T any](ctx context.Context, p *members, ask func(context.Context, *witness) (T, error)) ([]T, error) {
	replies := make(chan reply[T], len(p.nodes))
	waiting, prompt := 0, 0
	for _, w := range p.nodes {
		away, ok := p.begin(w)
		if !ok {
			continue
		}
		waiting++
		if !away {
			prompt++
		}
		go func() {
			defer p.group.Done()
			ctx, cancel := context.WithTimeout(atwork.Keep(p.ctx, ctx), askTimeout)
			defer cancel()
			value, err := ask(ctx, w)
			p.end(w, err)
			replies <- reply[T]{value, err, !away}
		}()
	}
	patience := time.NewTimer(nodePatience)
	defer patience.Stop()
	var answers []T
	var failure error
	late := false
	for waiting > 0 && (prompt > 0 && !late || len(answers) < p.quorum) {
		select {
		case r := <-replies:
			waiting--
			if r.prompt {
				prompt--
			}
			if r.err != nil {
				failure = r.err
				continue
			}
			answers = append(answers, r.value)
		case <-patience.C:
			late = true
			p.leave()
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	if len(answers) == 0 {
		return nil, errors.Join(errNoAgreement, failure)
	}
	return answers, nil
}

// begin counts a question to w, unless w is away and holds enough of them.
func (p *members) begin(w *witness) (away, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed || w.away && w.under >= maxUnder {
		return false, false
	}
	p.group.Add()
	w.under++
	return w.away, true
}

// end notes that w has answered, or has not.
func (p *members) end(w *witness, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	w.under--
	w.away = errors.Is(err, context.DeadlineExceeded)
}

// leave takes those that have not answered for away.
func (p *members) leave() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, w := range p.nodes {
		w.away = w.away || w.under > 0
	}
}
