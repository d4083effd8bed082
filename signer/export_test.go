package signer

import (
	"context"
	"net"

	"github.com/walletfi/walletfi-go/internal/visitors"
)

// Routes are the methods and paths that the signer serves.
func (s *Signer) Routes() (all []string) {
	for _, r := range s.routes() {
		all = append(all, r.Method+" "+r.Path)
	}
	return all
}

// MaxConnections is how many connections a user may hold open.
const MaxConnections = visitors.Most

// Counted is a listener like ServeUnix has, on which everybody is called who.
func Counted(l net.Listener, who string) net.Listener {
	return visitors.Listen(l, func(int) (string, bool) { return who, true })
}

// From is the context of a request on a connection of such a listener.
func From(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, peerKey{}, c)
}

// Link is the hash of an entry of the log that follows on another one.
func Link(before string, e *Entry) string { return link(before, e) }
