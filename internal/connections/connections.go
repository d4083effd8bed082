// Package connections holds the transports that all clients of a process share.
package connections

import (
	"crypto/tls"
	"net"
	"net/http"
	"sync"
	"time"
)

// Shared is the process's transport. net/http's default keeps two idle
// connections a host, which makes a trading bot with many calls in flight
// shake hands again for most of them.
var Shared = sync.OnceValue(Tuned)

// Fresh never reuses a connection: an idle one that the server is about to
// close makes a Create's outcome unknown.
var Fresh = sync.OnceValue(func() *http.Transport {
	t := Tuned()
	t.DisableKeepAlives = true
	t.TLSNextProto = map[string]func(string, *tls.Conn) http.RoundTripper{}
	return t
})

var dialer = &net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}

// Tuned returns a transport of its own.
func Tuned() *http.Transport {
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

// standard is http.DefaultTransport as the program found it, nil if a package
// that was initialised earlier had replaced it by another type.
var standard, _ = http.DefaultTransport.(*http.Transport)

// Replacement returns http.DefaultTransport if the program replaced it, as gock does, nil
// if it left that alone. It is to be asked at each request: test doubles come and go.
func Replacement() http.RoundTripper {
	if t, ok := http.DefaultTransport.(*http.Transport); ok && t == standard {
		return nil
	}
	return http.DefaultTransport
}
