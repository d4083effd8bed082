package predictmeta

import (
	"context"
	"errors"
	"iter"
	"net/http"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/running"
	"github.com/walletfi/walletfi-go/internal/wsconn"
)

// Stream is a subscription to the feed. It keeps one WebSocket connected:
//
//   - It gives up a connection that delivers nothing, not even answers to pings,
//     within two ping intervals, or no whole message within four.
//   - It reconnects after a random wait, until the service refuses for good: with
//     any 4xx except 408, 425 and 429, or with a Retry-After longer than
//     MaxRetryAfter in [walletfi.RetryPolicy].
//   - A new connection subscribes to exactly what is subscribed to by then.
//   - It announces what may have been missed: a [Gap] for the time without a
//     connection, a [Dropped] for a consumer that was too slow. It delivers
//     everything else that the service sent, in the service's order.
//
// A [Connected] says when the feed can be used, the first time too, and a
// [Disconnected] when it cannot: they alternate, so that a program may act on the
// one and stop on the other.
//
// The feed has neither sequence numbers nor acknowledgements nor snapshots.
// Whether an update of an order book is a difference is not documented: [Client.Books]
// merges them as you say. BookOnSubscribe in [StreamRequest] fetches the book of each
// subscription at its beginning and after a gap; see [BookRefresh].
//
// A Stream is safe for concurrent use.
type Stream struct {
	client *Client
	conn   *wsconn.Conn
	queue  *feedQueue
	wanted *subscriptions // under conn's lock
	books  *bookRefresher // nil without BookOnSubscribe and RefreshBooks
	cancel context.CancelFunc
	group  running.Group
	lag    feedLag
}

// Stream subscribes to the feed. It checks the request and returns at once. The
// connection is made in the background; [Stream.Recv] reports what becomes of it.
// The stream ends with ctx, or with [Stream.Close].
//
// The connections are those of HTTPClient in [Config]: an *http.Transport lends its
// proxy, dialler and TLS settings; any other round tripper gets the handshake as a
// request, so that one that lets nothing through, such as gock's, keeps the feed from
// the network too: the stream then ends with an error that names it. Dial in
// [StreamRequest] goes past it. Timeout in Config bounds a handshake.
//
// GET /ws, upgraded. The handshake carries the key, if there is one.
func (c *Client) Stream(ctx context.Context, req StreamRequest) (*Stream, error) {
	c = c.made()
	if err := req.problem(); err != nil {
		return nil, err
	}
	cfg, err := c.connection(req)
	if err != nil {
		return nil, err
	}
	req = req.withDefaults()
	s := &Stream{
		client: c, lag: feedLag{observer: c.cfg.Observer, began: time.Now()},
		queue:  newFeedQueue(req.QueueLen, req.QueueBytes, req.slow()),
		wanted: &subscriptions{c.feed, map[Subscription][]byte{}},
	}
	if err := s.wanted.problem(); err != nil {
		return nil, err
	}
	initial, _ := s.wanted.add(req.Subscriptions)
	cfg.Resubscribe = s.wanted.messages
	handler := newFeedHandler(s, req.KeepRaw)
	cfg.BeforeRead = handler.flush
	if s.conn, err = wsconn.New(cfg, handler); err != nil {
		return nil, streamProblem(err)
	}
	ctx, s.cancel = context.WithCancel(ctx)
	if req.RefreshBooks || req.BookOnSubscribe {
		s.books = &bookRefresher{
			stream: s, ctx: ctx, request: OrderBookRequest{Depth: req.RefreshDepth},
			onNew: req.BookOnSubscribe, new: map[string]uint64{},
		}
		s.books.subscribed(initial, 0)
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
	s.queue.finish(s.client.streamError(err), false)
}

// Recv waits for the next event, no longer than ctx lasts. After the stream has
// ended it returns why: [ErrStreamClosed], the error of Stream's ctx, or, after the
// last event, the service's final refusal.
func (s *Stream) Recv(ctx context.Context) (FeedEvent, error) {
	event, err := s.queue.take(ctx)
	if err == nil && s.lag.observer != nil {
		s.lag.tell(ctx, s.queue)
	}
	return event, err
}

// Events iterates over the events as [Stream.Recv] returns them. It ends with
// [Stream.Close]; any other end of the stream is its last element. Leaving the loop
// does not close the stream.
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

// Subscribe subscribes to a channel of one or more tickers, at once if there is a
// connection, else with the next one. It does not repeat a subscription.
func (s *Stream) Subscribe(channel Channel, tickers ...string) error {
	return s.update(channel, tickers, func(wanted []Subscription, mark uint64) [][]byte {
		added, messages := s.wanted.add(wanted)
		s.books.subscribed(added, mark)
		return messages
	})
}

// Unsubscribe ends a subscription, also for later connections. Messages that are
// under way or in the queue still arrive. An order book that is due or being fetched
// is given up.
func (s *Stream) Unsubscribe(channel Channel, tickers ...string) error {
	return s.update(channel, tickers, func(unwanted []Subscription, _ uint64) [][]byte {
		s.books.unsubscribed(unwanted)
		return s.wanted.remove(unwanted)
	})
}

func (s *Stream) update(
	channel Channel, tickers []string, change func(about []Subscription, mark uint64) [][]byte,
) error {
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
	s.conn.Update(func(mark uint64) [][]byte { return change(changed, mark) })
	return nil
}

// Subscriptions returns all subscriptions, sorted.
func (s *Stream) Subscriptions() (all []Subscription) {
	s.conn.Update(func(uint64) [][]byte {
		all = s.wanted.sorted()
		return nil
	})
	return all
}

// Close ends the stream, waits for its goroutines, and discards the events that
// were not received. It returns nil, also when called again.
func (s *Stream) Close() error {
	s.queue.finish(ErrStreamClosed, true)
	s.cancel()
	s.group.Wait()
	return nil
}

// streamError turns what ended a connection into an error of package walletfi.
func (c *Client) streamError(err error) error {
	refused, ok := errors.AsType[*wsconn.HandshakeError](err)
	if !ok {
		return &walletfi.TransportError{
			Service:  "predictmeta",
			Op:       "Stream",
			Method:   http.MethodGet,
			Path:     "/ws",
			Attempts: 1,
			Kind:     walletfi.ErrUnavailable,
			Cause:    err,
		}
	}
	e := &walletfi.ResponseError{
		Service: "predictmeta", Op: "Stream", Method: http.MethodGet, Path: "/ws", Attempts: 1,
		StatusCode: refused.StatusCode, RetryAfter: refused.RetryAfter, Body: refused.Body, Kind: refused.Kind,
	}
	if refused.RetryAfter > 0 {
		e.ResetAt = c.t.Now().Add(refused.RetryAfter)
	}
	return e
}
