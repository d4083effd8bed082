package predictmeta

import (
	"context"
	"errors"
	"iter"
	"net/http"
	"sync"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/wsconn"
)

// Stream is a subscription to the feed. It keeps one WebSocket connected:
//
//   - A connection that brings nothing, not even answers to pings, is given up
//     within two ping intervals.
//   - A lost connection is made again, after a wait drawn at random, until the
//     service refuses it for good: with any 4xx but 408, 425 and 429, such as
//     401 and 403, or with a Retry-After beyond Options.Retry.MaxRetryAfter.
//   - A new connection asks for exactly what is wanted by then.
//   - What may have been missed is announced: a Gap for the time without a
//     connection, a Dropped for a consumer that was too slow. Everything else
//     that the service sent is delivered, in its order.
//
// The feed has neither sequence numbers nor acknowledgements, and no snapshot:
// whether an update of an order book is a difference is not documented, so it
// must never be merged into another. StreamRequest.RefreshBooks has the books
// fetched anew after a gap.
//
// Its methods may be called by several goroutines.
type Stream struct {
	client *Client
	conn   *wsconn.Conn
	queue  *feedQueue
	wanted *subscriptions // under conn's lock
	books  *bookRefresher // nil where none are asked for
	cancel context.CancelFunc
	group  sync.WaitGroup
}

// Stream subscribes to the feed. It checks the request and returns at once: the
// connection is made in the background, and what becomes of it is told by
// Recv. The stream ends with ctx, or with Close.
//
// Options.HTTPClient lends its proxy, dialler and TLS settings where its
// Transport is an *http.Transport; any other is a ValidationError, since no
// WebSocket can be dialled through it. Options.Timeout bounds a handshake.
//
// GET /ws, upgraded. The key goes along where there is one.
func (c *Client) Stream(ctx context.Context, req StreamRequest) (*Stream, error) {
	if err := req.problem(); err != nil {
		return nil, err
	}
	cfg, err := c.connection(req)
	if err != nil {
		return nil, err
	}
	req = req.withDefaults()
	s := &Stream{
		client: c,
		queue:  newFeedQueue(req.QueueLen, req.QueueBytes, req.Slow == KeepLatest),
		wanted: &subscriptions{c.words, map[Subscription][]byte{}},
	}
	s.wanted.add(req.Subscriptions)
	cfg.Resubscribe = s.wanted.messages
	handler := newFeedHandler(s, req.KeepRaw)
	cfg.BeforeRead = handler.flush
	if s.conn, err = wsconn.New(cfg, handler); err != nil {
		return nil, streamProblem(err)
	}
	ctx, s.cancel = context.WithCancel(ctx)
	if req.RefreshBooks {
		s.books = &bookRefresher{stream: s, ctx: ctx, request: OrderBookRequest{Depth: req.RefreshDepth}}
	}
	s.group.Go(func() { s.run(ctx) })
	return s, nil
}

func (s *Stream) run(ctx context.Context) {
	defer s.cancel()
	err := s.conn.Run(ctx)
	if ctx.Err() != nil {
		s.queue.finish(ctx.Err(), true)
		return
	}
	s.queue.finish(streamError(err), false)
}

// Recv waits for the next event, no longer than ctx lasts. After the stream has
// ended it returns why: ErrStreamClosed, the error of Stream's ctx, or, behind
// the last event, the service's final refusal.
func (s *Stream) Recv(ctx context.Context) (FeedEvent, error) { return s.queue.take(ctx) }

// Events iterates over the events as Recv returns them. It ends with Close; any
// other end of the stream is its last element. Leaving the loop ends nothing.
func (s *Stream) Events() iter.Seq2[FeedEvent, error] {
	return func(yield func(FeedEvent, error) bool) {
		for {
			event, err := s.Recv(context.Background())
			if errors.Is(err, ErrStreamClosed) || !yield(event, err) || err != nil {
				return
			}
		}
	}
}

// Subscribe asks for a channel of one or more tickers, at once where there is a
// connection, else with the next one. What is subscribed to already is not
// asked for again.
func (s *Stream) Subscribe(channel Channel, tickers ...string) error {
	return s.update(channel, tickers, s.wanted.add)
}

// Unsubscribe ends a subscription, which stays ended when the connection is
// made again. What is under way or in the queue still arrives.
func (s *Stream) Unsubscribe(channel Channel, tickers ...string) error {
	return s.update(channel, tickers, s.wanted.remove)
}

func (s *Stream) update(channel Channel, tickers []string, change func([]Subscription) [][]byte) error {
	if err := check.That(len(tickers) > 0, "ticker", "is required"); err != nil {
		return err
	}
	changed := make([]Subscription, len(tickers))
	for i, ticker := range tickers {
		changed[i] = Subscription{channel, ticker}
		if err := changed[i].problem(); err != nil {
			return err
		}
	}
	select {
	case <-s.queue.finished:
		return s.queue.err
	default:
	}
	s.conn.Update(func() [][]byte { return change(changed) })
	return nil
}

// Subscriptions returns what is subscribed to, sorted.
func (s *Stream) Subscriptions() (all []Subscription) {
	s.conn.Update(func() [][]byte {
		all = s.wanted.sorted()
		return nil
	})
	return all
}

// Close ends the stream and waits until nothing of it runs any more. What was
// not received is forgotten. It returns nil, also when called again.
func (s *Stream) Close() error {
	s.queue.finish(ErrStreamClosed, true)
	s.cancel()
	s.group.Wait()
	return nil
}

// streamError puts what ended a connection into the errors of every call.
func streamError(err error) error {
	refused, ok := errors.AsType[*wsconn.HandshakeError](err)
	if !ok {
		return &walletfi.TransportError{Service: "predictmeta", Op: "Stream", Method: http.MethodGet, Path: "/ws", Attempts: 1, Kind: walletfi.ErrUnavailable, Cause: err}
	}
	e := &walletfi.ResponseError{
		Service: "predictmeta", Op: "Stream", Method: http.MethodGet, Path: "/ws", Attempts: 1,
		StatusCode: refused.StatusCode, RetryAfter: refused.RetryAfter, Body: refused.Body, Kind: refused.Kind,
	}
	if refused.RetryAfter > 0 {
		e.ResetAt = time.Now().Add(refused.RetryAfter)
	}
	return e
}
