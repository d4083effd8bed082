package predictmeta

import (
	"cmp"
	"context"
	"errors"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/internal/wsconn"
)

// StreamRequest configures a [Stream]. The zero value is valid: it delivers nothing
// until [Stream.Subscribe] is called.
type StreamRequest struct {
	Subscriptions []Subscription

	Slow SlowPolicy // empty means DropOldest
	// SlowChannels are the policies of single channels, such as KeepLatest for
	// ChannelMarket. A channel that is not named has Slow.
	SlowChannels map[Channel]SlowPolicy
	QueueLen     int // events that wait for the consumer; 0 means 4,096
	QueueBytes   int // of the messages of these events; 0 means 16 MiB

	// BookOnSubscribe fetches the order book of every new subscription to
	// ChannelOrderBook once the service has taken it, and does what RefreshBooks
	// does. The feed itself sends changes only.
	BookOnSubscribe bool
	// RefreshBooks fetches the order book of every ticker of ChannelOrderBook
	// after a [Gap].
	//
	// Books are fetched one after the other under the client's rate limit, which is
	// low without a key. Each comes as a [BookRefresh], but for those that are
	// unsubscribed, or fetched again because of another gap, in the meantime.
	RefreshBooks bool
	RefreshDepth *int // levels per side of both; nil means DefaultOrderBookDepth

	KeepRaw     bool // fills Raw of every update
	Compression bool // offers permessage-deflate, which saves bandwidth and costs time

	// PingInterval is the time between two pings; a dead connection is found
	// within two of it. 0 means 15 seconds; at least 10 milliseconds.
	PingInterval time.Duration
	// MaxMessageBytes bounds a message, before and after decompression. A longer
	// message ends the connection. 0 means 1 MiB.
	MaxMessageBytes int
	// MinBackoff bounds the wait before the first reconnection; the bound
	// doubles up to MaxBackoff, and each wait is drawn evenly below it. 0 means
	// 250 ms and 30 seconds.
	MinBackoff, MaxBackoff time.Duration
	// Dial makes the connections in place of HTTPClient in [Config], which then
	// lends its TLS settings only, and no proxy is used. Nil means HTTPClient.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)
}

func (r StreamRequest) withDefaults() StreamRequest {
	if r.QueueLen == 0 {
		r.QueueLen = 4096
	}
	if r.QueueBytes == 0 {
		r.QueueBytes = 16 << 20
	}
	return r
}

func (r StreamRequest) problem() error {
	return check.All(
		check.Each("subscriptions", r.Subscriptions, func(_ string, s Subscription) error { return s.problem() }),
		check.OptionalOneOf("slow", r.Slow, DropOldest, KeepLatest),
		r.slowProblem(),
		check.NotNegative("queueLen", r.QueueLen),
		check.NotNegative("queueBytes", r.QueueBytes),
		check.NotNegativeOf("refreshDepth", r.RefreshDepth),
		check.NotNegative("maxMessageBytes", r.MaxMessageBytes),
		check.That(r.PingInterval >= 0, "pingInterval", "must not be negative"),
		check.That(r.MinBackoff >= 0, "minBackoff", "must not be negative"),
		check.That(r.MaxBackoff >= 0, "maxBackoff", "must not be negative"),
	)
}

// connection returns the connection's settings, from the request and the client's
// options.
func (c *Client) connection(req StreamRequest) (wsconn.Config, error) {
	cfg := wsconn.Config{
		AllowHTTP:        c.cfg.AllowHTTP,
		Header:           c.handshakeHeader,
		HandshakeTimeout: c.cfg.Timeout,
		PingEvery:        req.PingInterval,
		ReadLimit:        req.MaxMessageBytes,
		Compression:      req.Compression,
		ConfirmUpdates:   req.BookOnSubscribe,
		MinBackoff:       req.MinBackoff, MaxBackoff: req.MaxBackoff,
		MaxRetryAfter: c.cfg.Retry.MaxRetryAfter,
		Clock:         c.cfg.Clock,
		Dial:          req.Dial,
		Observer:      c.cfg.Observer, Service: "predictmeta",
	}
	var err error
	if cfg.URL, err = c.feedURL(); err != nil {
		return cfg, err
	}
	if own := c.cfg.HTTPClient; own != nil {
		cfg.Transport = own.Transport
	}
	return cfg, nil
}

// WSURL returns the base URL of the feed, without the path: that of the Config, or else that
// of its Deployment. It is empty if neither has one; [Client.Stream] then fails.
func (c *Client) WSURL() string {
	c = c.made()
	return cmp.Or(c.cfg.WebSocketURL, c.t.Dialect().URL("webSocketURL"))
}

// feedURL is the whole address of the feed, with the credential if a deployment has
// it in the query.
func (c *Client) feedURL() (string, error) {
	text := c.WSURL()
	if text == "" {
		return "", &walletfi.ValidationError{Field: "webSocketURL", Problem: "is required for a stream"}
	}
	base, err := url.Parse(text)
	if err != nil {
		return "", &walletfi.ValidationError{Field: "webSocketURL", Problem: "is not an absolute URL"}
	}
	if c.feed == nil {
		return base.JoinPath("ws").String(), nil
	}
	target, err := c.feed.Target(nil, nil, nil, nil)
	if err != nil {
		return "", err
	}
	if target.Path != "/" {
		base = base.JoinPath(target.Path)
	}
	for name, values := range c.credential(http.Header{}) {
		target.Query[name] = values
	}
	if base.RawQuery == "" {
		base.RawQuery = target.Query.Encode()
	}
	return base.String(), nil
}

func (c *Client) handshakeHeader(context.Context) (http.Header, error) {
	header := http.Header{"User-Agent": {transport.UserAgent(c.cfg.Options)}}
	if d := c.t.Dialect(); d != nil {
		d.Rename(header)
		c.feed.AddHeaders(header)
	}
	c.credential(header)
	return header, nil
}

// credential sets the credential in header, and returns what of it goes into the
// query.
func (c *Client) credential(header http.Header) url.Values {
	own := http.Header{}
	if !c.cfg.APIKey.IsZero() {
		own.Set(keyHeader, c.cfg.APIKey.Reveal())
	}
	if d := c.t.Dialect(); d != nil {
		return d.Authorise(header, own, "")
	}
	for name, values := range own {
		header[name] = values
	}
	return nil
}

// streamFields are this package's names of the fields that wsconn checks.
var streamFields = map[string]string{"URL": "webSocketURL", "PingEvery": "pingInterval"}

func streamProblem(err error) error {
	if v, ok := errors.AsType[*walletfi.ValidationError](err); ok && streamFields[v.Field] != "" {
		return &walletfi.ValidationError{Field: streamFields[v.Field], Problem: v.Problem}
	}
	return err
}
