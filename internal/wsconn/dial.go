package wsconn

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/gorilla/websocket"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/connections"
	"github.com/walletfi/walletfi-go/internal/peer"
)

const (
	readBuffer  = 64 << 10
	writeBuffer = 4 << 10
	// maxHandshake bounds what is read until the handshake is over; net/http's
	// reader of responses does not.
	maxHandshake = 256 << 10
)

// wire is the connection beneath TLS. It counts reads as signs of life.
type wire struct {
	net.Conn
	beats     atomic.Uint32
	handshake int  // bytes that the handshake may still read
	over      bool // the handshake is
	before    func()
}

var errLongHandshake = errors.New("the handshake's answer is too long")

func (w *wire) Read(p []byte) (int, error) {
	switch {
	case !w.over && w.handshake < 0:
		return 0, errLongHandshake // again: net/http's reader can lose the first error
	case w.over && w.before != nil:
		w.before()
	}
	n, err := w.Conn.Read(p)
	if n > 0 {
		w.beats.Add(1)
	}
	if !w.over {
		w.handshake -= n
	}
	return n, err
}

// dial makes one connection.
func (c *Conn) dial(ctx context.Context) (*websocket.Conn, *wire, error) {
	header, err := c.header(ctx)
	if err != nil {
		return nil, nil, err
	}
	var w *wire
	dialler := c.dialler()
	// gorilla heeds the context's deadline, but not its cancel, once it waits
	// for the answer.
	var stop func() bool
	tap := func(dial dialFunc) dialFunc {
		if dial == nil {
			return nil
		}
		return func(dialCtx context.Context, network, addr string) (net.Conn, error) {
			conn, err := dial(dialCtx, network, addr)
			if err != nil {
				return nil, err
			}
			w = &wire{Conn: conn, handshake: maxHandshake, before: c.cfg.BeforeRead}
			stop = context.AfterFunc(ctx, func() { conn.Close() })
			return w, nil
		}
	}
	dialler.NetDialContext, dialler.NetDialTLSContext = tap(dialler.NetDialContext), tap(dialler.NetDialTLSContext)
	ws, answer, err := dialler.DialContext(ctx, c.url, header)
	if stop != nil {
		stop()
	}
	if err != nil {
		if w != nil && w.handshake < 0 {
			err = errLongHandshake
		}
		if errors.Is(err, errNoStream) && !c.direct && ctx.Err() == nil {
			if _, kept := errors.AsType[*keptOut](err); !kept {
				c.direct = true
				return c.dial(ctx)
			}
		}
		_, c.keptOut = errors.AsType[*keptOut](err)
		return nil, nil, c.handshakeError(ctx, answer, err)
	}
	w.over = true
	return ws, w, nil
}

type dialFunc = func(ctx context.Context, network, addr string) (net.Conn, error)

// dialler takes over what Config says of dialling and TLS. A round tripper that is not
// net/http's dials itself, unless it keeps the connections that it makes.
func (c *Conn) dialler() *websocket.Dialer {
	d := &websocket.Dialer{
		Proxy:             http.ProxyFromEnvironment,
		NetDialContext:    new(net.Dialer).DialContext,
		HandshakeTimeout:  c.cfg.HandshakeTimeout,
		ReadBufferSize:    readBuffer,
		WriteBufferSize:   writeBuffer,
		EnableCompression: c.compress,
		TLSClientConfig:   &tls.Config{MinVersion: tls.VersionTLS12},
	}
	rt := c.cfg.roundTripper()
	t, ok := rt.(*http.Transport)
	switch {
	case ok:
		t = t.Clone() // reading its settings is a race with its first request
		d.Proxy, d.NetDialTLSContext = t.Proxy, t.DialTLSContext
		if t.DialContext != nil {
			d.NetDialContext = t.DialContext
		}
		if t.TLSClientConfig != nil {
			d.TLSClientConfig = t.TLSClientConfig
			d.TLSClientConfig.NextProtos = nil // HTTP/2 has no such handshake
		}
	case rt != nil && !c.direct && c.cfg.Dial == nil:
		d.Proxy, d.NetDialContext, d.NetDialTLSContext = nil, tunnelled(rt, "http"), tunnelled(rt, "https")
	}
	if c.cfg.Dial != nil {
		d.Proxy, d.NetDialContext, d.NetDialTLSContext = nil, c.cfg.Dial, nil
	}
	return d
}

// roundTripper makes the connections, nil for this package's own dialler. A
// program that replaced http.DefaultTransport means this connection too.
func (c *Config) roundTripper() http.RoundTripper {
	if c.Transport != nil {
		return c.Transport
	}
	return connections.Replacement()
}

// header asks for the handshake's headers and remembers what of them must not
// be shown.
func (c *Conn) header(ctx context.Context) (http.Header, error) {
	if c.cfg.Header == nil {
		return nil, nil
	}
	header, err := c.cfg.Header(ctx)
	if err != nil {
		return nil, err
	}
	secrets := slices.Clone(c.secrets)
	for _, name := range slices.Sorted(maps.Keys(header)) {
		switch http.CanonicalHeaderKey(name) {
		case "Upgrade", "Connection", "Host", "Sec-Websocket-Key", "Sec-Websocket-Version",
			"Sec-Websocket-Extensions", "Sec-Websocket-Protocol":
			return nil, &walletfi.ValidationError{
				Field:   "header",
				Problem: http.CanonicalHeaderKey(name) + " is set by the handshake itself",
			}
		}
		if !peer.ValidHeader(name, header[name]...) {
			return nil, &walletfi.ValidationError{
				Field:   "header",
				Problem: "name or value holds a character that no header can carry",
			}
		}
		for _, value := range header[name] {
			// "Bearer x" is masked as a whole and as x.
			secrets = append(secrets, value, value[strings.LastIndexByte(value, ' ')+1:])
		}
	}
	c.mask = peer.NewMask(secrets)
	return header, nil
}

// showable masks err, and cuts it if it quotes the service at length: net/http
// quotes headers that it cannot read.
func (c *Conn) showable(err error) error {
	const enough = 300
	if err = c.mask.Error(err); len(err.Error()) > enough {
		return errors.New(peer.OneLine(err.Error()))
	}
	return err
}

// handshakeError says what a failed attempt came to.
func (c *Conn) handshakeError(ctx context.Context, answer *http.Response, err error) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case answer == nil:
		return fmt.Errorf("%w: dial: %w", walletfi.ErrUnavailable, c.showable(ownDeadline(err)))
	case answer.StatusCode == http.StatusSwitchingProtocols:
		c.compress = false // gorilla cannot keep a compression context
		return fmt.Errorf("%w: handshake: %w", walletfi.ErrUnavailable, c.showable(err))
	}
	return newHandshakeError(answer, c.mask, c.cfg)
}
