// Package wsconn keeps one WebSocket connected: it finds out when the
// connection is dead, dials again, sends what is still wanted, and says which
// stretch of time may have been missed.
//
// It knows nothing of the messages. predictmeta builds its feed on it.
package wsconn

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/observing"
	"github.com/walletfi/walletfi-go/internal/peer"
	"github.com/walletfi/walletfi-go/observe"
)

// Handler gets what happens, in order, from the goroutine of Conn.Run. It may
// take its time: a connection is not taken for dead while it works.
type Handler interface {
	// Message gets a text or binary message. The bytes are valid until it
	// returns.
	Message(message []byte)
	// Gap says what may have been missed. It comes before Up of the new
	// connection. If messages arrived before the service had taken all of
	// Config.Resubscribe, a second one comes before Reached, for the time in
	// between.
	Gap(gap Gap)
	// Up says that a connection can be used: it answered a ping that was sent
	// after the messages of Config.Resubscribe, or a message arrived. It comes
	// once for each such connection, before the first message.
	Up()
	// Reached says that the service has taken what Update sent or changed up to
	// this mark: it answered a ping that was sent later. It comes after Up. If the
	// service sends messages but answers no ping, Reached comes after two ping
	// intervals at most, with the next message.
	Reached(mark uint64)
	// Down says that there is no connection, why, and when the next is tried.
	// It comes after each failed attempt too.
	Down(err error, retryIn time.Duration)
}

// Gap is a stretch of time in which the service may have sent what did not
// arrive.
type Gap struct {
	// From is a time before which everything that was sent has arrived: when
	// the last ping that was answered went out, since answers keep their place
	// among the messages. Without one it is when the lost connection was dialled.
	From time.Time
	// To is when the new connection answered the first ping after the messages of
	// Config.Resubscribe, or delivered its first message if that was earlier.
	To time.Time
	// Reason says why the connection was lost, credentials masked.
	Reason string
}

// Conn is one WebSocket that comes back.
type Conn struct {
	cfg     Config
	url     string
	handler Handler
	started atomic.Bool

	mu   sync.Mutex
	live *session // nil while there is no connection
	mark uint64   // of the last Update that had messages

	// Of Run's goroutine alone.
	ctx        context.Context // Run's, for the observer
	buffer     []byte
	gap        *Gap       // open until a connection can deliver messages again
	secrets    []string   // of the address
	mask       *peer.Mask // of the address and of the last handshake's credentials
	compress   bool       // offered until the service gets it wrong
	everOnline bool
	direct     bool // the round tripper keeps connections for itself
	keptOut    bool // the round tripper sent nothing, at the last attempt
}

// New checks cfg. Nothing is dialled before Run.
func New(cfg Config, handler Handler) (*Conn, error) {
	target, err := endpoint(cfg.URL, cfg.AllowHTTP)
	if err != nil {
		return nil, err
	}
	if cfg, err = cfg.withDefaults(); err != nil {
		return nil, err
	}
	c := &Conn{
		cfg:      cfg,
		url:      target.String(),
		handler:  handler,
		compress: cfg.Compression,
		secrets:  peer.URLSecrets(target),
	}
	c.mask = peer.NewMask(c.secrets)
	return c, nil
}

// tellGap notifies the handler and the observer.
func (c *Conn) tellGap(gap Gap) {
	c.handler.Gap(gap)
	observing.Tell(c.ctx, c.cfg.Observer, observe.FeedGap{Service: c.cfg.Service, From: gap.From, To: gap.To})
}

// Update changes what is wanted and sends what change returns, if there is a
// connection. change runs under the same lock as Config.Resubscribe, so that
// each change reaches each connection exactly once: at once, or with the
// resubscription. It must not call Update, and the messages that it returns
// must not be changed later. If there are any, mark is passed to Handler.Reached
// once the service has taken them; the marks rise, from 1.
//
// It neither waits for the network nor fails: a connection that does not take
// the messages is replaced, and the next one gets what is wanted then.
func (c *Conn) Update(change func(mark uint64) [][]byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	messages := change(c.mark + 1)
	if len(messages) == 0 {
		return
	}
	c.mark++
	if c.live != nil {
		c.live.enqueue(messages)
	}
}

// attach makes s the connection that Update writes to, and queues what is
// wanted by now.
func (c *Conn) attach(s *session) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.live = s
	if c.cfg.Resubscribe != nil {
		s.queue = c.cfg.Resubscribe()
		s.resubscribed = len(s.queue) > 0
	}
}

func (c *Conn) detach() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.live = nil
}

// final reports whether dialling again would change nothing. A name that does
// not exist is not final after a first connection: more likely, the machine is
// offline. Nor is a round tripper that lets nothing through.
func (c *Conn) final(err error) bool {
	var handshake *HandshakeError
	if errors.As(err, &handshake) {
		return handshake.final
	}
	return errors.Is(err, walletfi.ErrUnauthorized) || errors.Is(err, walletfi.ErrForbidden) ||
		errors.Is(err, walletfi.ErrInvalidRequest) || peer.Untrusted(err) ||
		!c.everOnline && (c.keptOut || peer.UnknownHost(err))
}
