package wsconn

import (
	"cmp"
	"context"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/clock"
	"github.com/walletfi/walletfi-go/internal/peer"
	"github.com/walletfi/walletfi-go/observe"
)

// Config is the address of a Conn and its limits.
type Config struct {
	// URL is the whole address, wss or https. ws and http are for loopback and
	// what AllowHTTP names.
	URL string
	// AllowHTTP names hosts that may be spoken to without TLS, as
	// walletfi.Options.AllowHTTP does.
	AllowHTTP []string
	// Header returns the headers of one handshake, credentials included. It is
	// asked at each, and may wait for a permit or a token. An error that answers
	// to ErrUnauthorized, ErrForbidden or ErrInvalidRequest ends Run; with any
	// other, it is asked again later. Nil means none.
	Header func(ctx context.Context) (http.Header, error)
	// Transport makes the connections: an *http.Transport lends its Proxy,
	// DialContext, DialTLSContext and TLSClientConfig, any other round tripper gets
	// the handshake as a request. Nil means the environment's proxy and TLS 1.2 or
	// later, or http.DefaultTransport if the program replaced that.
	Transport http.RoundTripper
	// Dial makes the connections in place of Transport, which then lends its TLS
	// settings only. Nil means Transport.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)
	// Observer is notified when there is a connection and when not, and of gaps, in the
	// name of Service. It may be nil.
	Observer observe.Observer
	Service  string
	// HandshakeTimeout bounds dialling and the handshake. 0 means 15 seconds.
	HandshakeTimeout time.Duration
	// PingEvery is the interval of pings. A connection that delivers nothing, not
	// even their answers, is given up before two of it have passed, and one that
	// keeps a message open without its end after four. 0 means 15 seconds; at least
	// 10 milliseconds.
	PingEvery time.Duration
	// ReadLimit bounds a message in bytes, compressed and after decompression.
	// A longer one costs the connection. 0 means 1 MiB.
	ReadLimit int
	// Compression offers permessage-deflate. It saves bandwidth and costs time.
	Compression bool
	// MinBackoff bounds the wait before the first reconnection; the bound
	// doubles up to MaxBackoff, the wait is drawn evenly below it, and a
	// connection that lasted longer than the bound resets it. 0 means 250 ms
	// and 30 seconds.
	MinBackoff, MaxBackoff time.Duration
	// MaxRetryAfter is the longest wait that a service may ask for at the
	// handshake; a longer one ends Run. 0 means 1 minute.
	MaxRetryAfter time.Duration
	// Resubscribe returns the messages that make a new connection deliver all
	// that is wanted. Nil means none.
	Resubscribe func() [][]byte
	// ConfirmUpdates sends a ping after what Update sends, so that Handler.Reached
	// comes after a round trip. Without it, the next ping has to do.
	ConfirmUpdates bool
	// BeforeRead is called from Run's goroutine before it asks the network for
	// more, which may take for ever: all messages that have arrived have been
	// handled. Nil means nothing is called.
	BeforeRead func()
	// Clock is that of Gap and of the wait for a reconnection. The rest is about a
	// network and stays in real time. Nil is real time.
	Clock walletfi.Clock
}

func (c Config) now() time.Time { return clock.Now(c.Clock) }

// minPing keeps a mistake in units from flooding the service with pings.
const minPing = 10 * time.Millisecond

func (c Config) withDefaults() (Config, error) {
	c.HandshakeTimeout = orDefault(c.HandshakeTimeout, 15*time.Second)
	c.PingEvery = orDefault(c.PingEvery, 15*time.Second)
	c.ReadLimit = orDefault(c.ReadLimit, 1<<20)
	c.MinBackoff = orDefault(c.MinBackoff, 250*time.Millisecond)
	c.MaxBackoff = max(orDefault(c.MaxBackoff, 30*time.Second), c.MinBackoff)
	c.MaxRetryAfter = orDefault(c.MaxRetryAfter, time.Minute)
	if c.PingEvery < minPing {
		return c, &walletfi.ValidationError{Field: "PingEvery", Problem: "must be at least " + minPing.String()}
	}
	return c, nil
}

// orDefault returns v if it is positive.
func orDefault[T int | time.Duration](v, standard T) T { return cmp.Or(max(v, 0), standard) }

// endpoint checks an address and returns it with the scheme that the dialler
// wants. Nothing of it is repeated in the error, since some are pasted with a
// key in them.
func endpoint(text string, allowHTTP []string) (*url.URL, error) {
	if len(text) > 2 && strings.EqualFold(text[:2], "ws") {
		text = "http" + text[2:] // wss for https, ws for http
	}
	u, problem := peer.Address(text, allowHTTP)
	if problem == "" && u.User != nil {
		problem = "must not have credentials"
	}
	if problem != "" {
		return nil, &walletfi.ValidationError{Field: "URL", Problem: strings.Replace(problem, "https", "wss or https", 1)}
	}
	u.Scheme = map[string]string{"https": "wss", "http": "ws"}[u.Scheme]
	return u, nil
}
