package rpcnode

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/observing"
	"github.com/walletfi/walletfi-go/internal/pause"
	"github.com/walletfi/walletfi-go/internal/running"
	"github.com/walletfi/walletfi-go/internal/wsconn"
	"github.com/walletfi/walletfi-go/observe"
)

var _ walletfi.Watcher = (*Watcher)(nil)

// WatcherConfig configures a Watcher.
type WatcherConfig struct {
	// URL is the node's JSON-RPC address, as in Config.
	URL walletfi.Secret
	// SocketURL is the address of the node's WebSocket, wss, or ws where
	// AllowHTTP allows it. Empty derives it from URL as other Solana clients do:
	// the same address, and the next port if URL names one.
	SocketURL walletfi.Secret
	// AllowHTTP names hosts that may be spoken to without TLS.
	AllowHTTP []string
	// Header is added to the handshake, for nodes that take a key in one.
	Header map[string]walletfi.Secret
	// HTTPClient makes the connections, by its Transport: an *http.Transport lends
	// its proxy, dialler and TLS settings, any other round tripper gets the
	// handshake as a request. Nil means the environment's proxy, or
	// http.DefaultTransport if the program replaced that, as a test by gock.
	HTTPClient *http.Client
	// Dial makes the connections in place of HTTPClient, which then lends its TLS
	// settings only. Nil means HTTPClient.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)
	// Commitment is how settled a transaction must be for a hint. Empty means
	// walletfi.CommitmentConfirmed.
	Commitment walletfi.Commitment
	// OnGap is told of each stretch of time whose notifications may be lost, when
	// the new connection is up. It must not block. Nil is told nothing.
	OnGap func(Gap)
	// Observer is told when there is a connection and when not, and of gaps; never
	// of the URL. Nil costs nothing.
	Observer observe.Observer
}

// Gap is a stretch of time in which notifications may have been lost. Whatever
// is watched then is hinted at, so that a gap costs a question and no
// transaction.
type Gap struct {
	From, To time.Time
	Reason   string // why the connection was lost
}

// Bounds of a Watcher.
const (
	// slotsMissing is how long a node may tell no new slot, once it has told one,
	// before the connection counts as dead: it may answer pings and nothing else.
	slotsMissing = 15 * time.Second
	// refusedPause is how long a node that refuses for good is left alone.
	refusedPause = time.Minute
	// subscribedLate is how long a subscription may take before the transaction
	// may have been executed without a notification.
	subscribedLate = time.Second
)

// Watcher says when it is worth asking a node for a transaction's status, by
// signatureSubscribe on the node's WebSocket. It keeps one connection: it finds
// out when that is dead, by pings and by slotSubscribe, reconnects after a random
// wait, and subscribes again to what is still watched.
//
// A notification is a hint: it starts a question and proves nothing. After a gap,
// and if a node takes long to subscribe, everything that is watched is hinted at.
type Watcher struct {
	cfg    WatcherConfig
	socket wsconn.Config
	stop   context.CancelFunc
	group  running.Group

	mu      sync.Mutex // may be taken while a connection's lock is held, not the other way round
	conn    *wsconn.Conn
	subs    subscriptions
	quiet   *time.Timer // ends a connection on which no more slots come
	slot    uint64
	heard   time.Time // when the last message came
	missing *Gap      // between two Conns, open until a message comes on the second
	err     error
}

// NewWatcher checks cfg and connects in the background until Close.
func NewWatcher(cfg WatcherConfig) (*Watcher, error) {
	if cfg.Commitment == "" {
		cfg.Commitment = walletfi.CommitmentConfirmed
	}
	w := &Watcher{cfg: cfg, subs: subscriptions{commitment: cfg.Commitment, watches: map[string]*watch{}}}
	if err := check.Config(cfg, checkCommitment(cfg.Commitment), checkHeader(cfg.Header), w.address()); err != nil {
		return nil, err
	}
	if err := w.renew(); err != nil {
		return nil, check.Config(cfg, &walletfi.ValidationError{Field: "socketURL", Problem: problemOf(err)})
	}
	var ctx context.Context
	ctx, w.stop = context.WithCancel(context.Background())
	w.group.Go(func() { w.run(ctx) })
	return w, nil
}

// address says where the WebSocket is and how it is dialled.
func (w *Watcher) address() error {
	w.socket = wsconn.Config{URL: w.cfg.SocketURL.Reveal(), AllowHTTP: w.cfg.AllowHTTP, Resubscribe: w.resubscribe,
		Dial: w.cfg.Dial, Observer: w.cfg.Observer, Service: service}
	if w.socket.URL == "" {
		if err := checkURL(w.cfg.URL.Reveal(), w.cfg.AllowHTTP); err != nil {
			return err
		}
		w.socket.URL = socketURL(w.cfg.URL.Reveal())
	}
	header := http.Header{}
	for name, value := range w.cfg.Header {
		header.Set(name, value.Reveal())
	}
	w.socket.Header = func(context.Context) (http.Header, error) { return header.Clone(), nil }
	if w.cfg.HTTPClient != nil {
		w.socket.Transport = w.cfg.HTTPClient.Transport
	}
	return nil
}

// socketURL is where a node's WebSocket is by convention: at the next port if
// the address names one, else at the same address.
func socketURL(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address // it was checked
	}
	u.Scheme = strings.Replace(u.Scheme, "http", "ws", 1)
	if port, err := strconv.Atoi(u.Port()); err == nil {
		u.Host = net.JoinHostPort(u.Hostname(), strconv.Itoa(port+1))
	}
	return u.String()
}

func problemOf(err error) string {
	if invalid, ok := errors.AsType[*walletfi.ValidationError](err); ok {
		return invalid.Problem
	}
	return err.Error()
}

// renew makes a connection in place of one that has ended.
func (w *Watcher) renew() error {
	conn, err := wsconn.New(w.socket, (*watcherHandler)(w))
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.conn = conn
	return nil
}

// run keeps a connection. A Conn that was refused for good is replaced after a
// while, one on which no slots come at once.
func (w *Watcher) run(ctx context.Context) {
	for {
		live, cancel := context.WithCancel(ctx)
		w.mu.Lock()
		w.quiet = time.AfterFunc(slotsMissing, cancel)
		w.quiet.Stop() // until the node has told a slot
		conn, quiet := w.conn, w.quiet
		w.mu.Unlock()
		err := conn.Run(live)
		stalled := live.Err() != nil
		quiet.Stop()
		cancel()
		if ctx.Err() != nil {
			return
		}
		wait := refusedPause
		if stalled {
			wait, err = 0, fmt.Errorf("%w: no new slot for %v", walletfi.ErrUnavailable, slotsMissing)
		}
		if w.lost(err); stalled {
			observing.Tell(ctx, w.cfg.Observer, observe.FeedDisconnected{Service: service, Err: err})
		}
		if pause.For(ctx, wait) != nil || w.renew() != nil {
			return
		}
	}
}

// lost notes why there is no connection, and from when on messages are missing.
func (w *Watcher) lost(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.err = err
	if w.missing == nil && !w.heard.IsZero() {
		w.missing = &Gap{From: w.heard, Reason: err.Error()}
	}
}

// Watch calls changed, which must not block, when signature, base58, may have
// reached the watcher's commitment, until stop is called. It may be called after
// stop if that is called meanwhile. For text that is no signature, changed is never called.
func (w *Watcher) Watch(signature string, changed func()) (stop func()) {
	w.update(func(s *subscriptions) [][]byte { return s.add(signature, &changed) })
	return func() {
		w.update(func(s *subscriptions) [][]byte { return s.remove(signature, &changed) })
	}
}

// update changes what is subscribed to and sends what change returns.
func (w *Watcher) update(change func(*subscriptions) [][]byte) {
	w.mu.Lock()
	conn := w.conn
	w.mu.Unlock()
	conn.Update(func(uint64) [][]byte {
		w.mu.Lock()
		defer w.mu.Unlock()
		return change(&w.subs)
	})
}

// resubscribe subscribes to all that is watched on a new connection.
func (w *Watcher) resubscribe() [][]byte {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.subs.resume()
}

// Slot is the newest slot that the node told, 0 before the first.
func (w *Watcher) Slot() uint64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.slot
}

// Err says why there is no connection, nil if there is one.
func (w *Watcher) Err() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

// Close ends the connection and waits for it. Nothing is hinted at after it.
func (w *Watcher) Close() error {
	w.stop()
	w.group.Wait()
	return nil
}
