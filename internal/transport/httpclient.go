package transport

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/walletfi/walletfi-go/internal/connections"
	"github.com/walletfi/walletfi-go/internal/places"
)

// mostRequests bounds the requests that are under way to one host over transports of
// ours, of all clients of the process, and with them its connections. Options names
// it. A bound of net/http's own would count the wait as part of the attempt, and over
// HTTP/2 let requests wait for a connection when streams are free.
const mostRequests = 256

var requests = places.New(mostRequests)

// crowdedError says that an attempt had no turn within its timeout.
type crowdedError time.Duration

func (d crowdedError) Error() string {
	const format = "no free connection within %v: %d requests to the host are under way"
	return fmt.Sprintf(format, time.Duration(d), mostRequests)
}
func (crowdedError) Timeout() bool { return true }

// enter waits for the turn of an attempt, and returns the room that it must leave, nil
// if the transport is not ours. An attempt has a place only from sending to the last
// byte of the answer, and waits for nothing else meanwhile: a call that needs a new
// token has none.
func (x *exchange) enter(ctx context.Context, over http.RoundTripper, limit time.Duration) (*places.Room, error) {
	if over != connections.Shared() && over != connections.Fresh() {
		return nil, nil
	}
	room := x.client.room
	err := room.Enter(ctx, x.settings.Urgent, limit)
	if err == places.ErrFull {
		err = crowdedError(limit)
	}
	return room, err
}

// roundTripper picks the transport of an attempt: the caller's, the one that the
// program made http.DefaultTransport, or ours. It picks again at each attempt,
// since test doubles come and go.
func (c *Client) roundTripper(effect Effect) http.RoundTripper {
	if c.own != nil {
		return c.own
	}
	if other := connections.Replacement(); other != nil {
		return other
	}
	if effect == Create {
		return connections.Fresh()
	}
	return connections.Shared()
}
