package transport

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/drift"
	"github.com/walletfi/walletfi-go/internal/observing"
	"github.com/walletfi/walletfi-go/internal/wire"
	"github.com/walletfi/walletfi-go/observe"
)

// Lenience lets the breaches of members through that a configuration names. It notifies the
// observer of each the first time, and of those of members that decide nothing. A nil Lenience
// lets none through.
type Lenience struct {
	service  string
	members  map[string]bool
	observer observe.Observer
	watch    *drift.Watch // nil if nothing is observed
}

// NewLenience checks the names of the members. It returns nil if there are none, and
// nothing is observed.
func NewLenience(service string, members []string, o observe.Observer) (*Lenience, error) {
	if len(members) == 0 && o == nil {
		return nil, nil
	}
	l := &Lenience{service: service, members: map[string]bool{}, observer: o}
	for _, member := range members {
		if before, after, ok := strings.Cut(member, "."); !ok || before == "" || after == "" {
			return nil, &walletfi.ValidationError{Field: "lenient", Problem: fmt.Sprintf("%.40q is no Type.member", member)}
		}
		l.members[member] = true
	}
	if o != nil {
		l.watch = drift.NewWatch(service)
	}
	return l, nil
}

// Waiving returns what lets breaches through of what comes outside of a call, nil if none
// are.
func (l *Lenience) Waiving(ctx context.Context, op, path string) func(wire.Breach) bool {
	if l == nil {
		return nil
	}
	return func(b wire.Breach) bool { return l.waive(ctx, op, http.MethodGet, path, b) }
}

// Waiving is that of the client's options.
func (c *Client) Waiving(ctx context.Context, op, path string) func(wire.Breach) bool {
	if c == nil {
		return nil
	}
	return c.lenience.Waiving(ctx, op, path)
}

func (l *Lenience) waive(ctx context.Context, op, method, path string, b wire.Breach) bool {
	if l == nil || !b.Free && !l.members[b.Name()] {
		return false
	}
	if l.watch != nil {
		l.watch.Let(method+" "+path, b, func(member, fault string) {
			observing.Tell(ctx, l.observer, observe.Drift{
				Service: l.service, Op: op, Route: path, Member: member, Fault: fault,
			})
		})
	}
	return !b.Free
}
