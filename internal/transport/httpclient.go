package transport

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/walletfi/walletfi-go/internal/places"
)

// shared is the process's transport. net/http's default keeps two idle
// connections a host, which makes a trading bot with many calls in flight
// shake hands again for most of them.
var shared = sync.OnceValue(func() *http.Transport { return tuned() })

// fresh never reuses a connection: an idle one that the server is about to
// close makes a Create's outcome unknown.
var fresh = sync.OnceValue(func() *http.Transport {
	t := tuned()
	t.DisableKeepAlives = true
	t.TLSNextProto = map[string]func(string, *tls.Conn) http.RoundTripper{}
	return t
})

var dialer = &net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}

func tuned() *http.Transport {
	return &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         dialer.DialContext,
		ForceAttemptHTTP2:   true,
		TLSHandshakeTimeout: 10 * time.Second,
		TLSClientConfig: &tls.Config{
			MinVersion: tls.VersionTLS12, ClientSessionCache: tls.NewLRUClientSessionCache(64),
		},
		MaxIdleConns:           512,
		MaxIdleConnsPerHost:    128,
		IdleConnTimeout:        90 * time.Second,
		ExpectContinueTimeout:  time.Second,
		MaxResponseHeaderBytes: 1 << 20,
		// A connection whose peer vanished is found out by a ping, not by the
		// timeouts of every request that is sent over it.
		HTTP2:          &http.HTTP2Config{SendPingTimeout: 15 * time.Second, PingTimeout: 5 * time.Second},
		ReadBufferSize: 16 << 10,
	}
}

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
	if over != shared() && over != fresh() {
		return nil, nil
	}
	room := x.client.room
	err := room.Enter(ctx, x.settings.Urgent, limit)
	if err == places.ErrFull {
		err = crowdedError(limit)
	}
	return room, err
}

// standard is http.DefaultTransport as the program found it, nil if a package
// that was initialised earlier had replaced it by another type.
var standard, _ = http.DefaultTransport.(*http.Transport)

// roundTripper picks the transport of an attempt: the caller's, the one that the
// program made http.DefaultTransport, or ours. It picks again at each attempt,
// since test doubles come and go.
func (c *Client) roundTripper(effect Effect) http.RoundTripper {
	if c.own != nil {
		return c.own
	}
	if t, ok := http.DefaultTransport.(*http.Transport); !ok || t != standard {
		return http.DefaultTransport
	}
	if effect == Create {
		return fresh()
	}
	return shared()
}
