package webhooks

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/transport"
	"golang.org/x/sync/singleflight"
)

// Handler handles one delivery. Its error, or panic, makes the service deliver
// again. It must obey ctx, which ends after ReceiverConfig.HandlerTimeout and
// not when the service hangs up.
type Handler func(ctx context.Context, d *Delivery) error

// ReceiverConfig is what a Receiver is made of.
type ReceiverConfig struct {
	// Verifier tells the service's deliveries from anybody else's. Required.
	// Its clock is the receiver's.
	Verifier Verifier
	// Handler is run once a delivery. Required.
	Handler Handler

	// Seen remembers what was handled. Nil means in memory.
	Seen Seen
	// Remember is how long it is remembered beyond the verifier's window. 0
	// means one hour.
	Remember time.Duration
	// HandlerTimeout bounds the handler, and the dead-letter function. 0 means
	// 25 seconds: the service waits 30.
	HandlerTimeout time.Duration

	// MaxFailures is how often a delivery may fail before it goes to DeadLetter.
	// The count is in memory: a restart begins anew. 0 means 4: after five the
	// service marks the webhook failed, and every later event is lost.
	MaxFailures int
	// DeadLetter takes a delivery that keeps failing, with its last error. Once
	// it succeeded the service is told 200. Nil means that the service is told
	// of the failure each time. Required with a Queue.
	DeadLetter func(ctx context.Context, d *Delivery, cause error) error

	// Queue makes the receiver answer 200 once a delivery stands in a queue of
	// this length, and handle it afterwards; a full queue is answered 503. What
	// stands in the queue is lost if the process dies. 0 means to handle before
	// answering.
	Queue int
	// Workers empty the queue. 0 means 4.
	Workers int
	// RetryWait is the pause before a worker tries a failed delivery again. It
	// doubles up to a minute. 0 means one second.
	RetryWait time.Duration

	// Vocabulary translates a live deployment's header names and JSON;
	// Delivery.Body, and a ledger transaction's err, stay as they came.
	Vocabulary walletfi.Vocabulary
	// Logger gets a line for each delivery that was refused or failed, without
	// header or body. Nil means none.
	Logger *slog.Logger
}

// Receiver is an http.Handler for the destination of a webhook. It answers 200
// to what was handled (or queued, or handled before), 401 to what the service
// did not sign, 413 to a body that is too large, 400 to one that cannot be
// read, 405 to any method but POST, 503 where the queue is full and 500 where
// the handler failed.
//
// It does not bound how slowly a body may come: set http.Server.ReadTimeout.
type Receiver struct {
	cfg        ReceiverConfig
	words      transport.Vocabulary
	names      headerNames
	flight     singleflight.Group
	unfinished unfinished
	queue      *queue
}

// NewReceiver checks cfg and returns a receiver. Close it where it has a queue.
func NewReceiver(cfg ReceiverConfig) (*Receiver, error) {
	if err := cfg.problem(); err != nil {
		return nil, err
	}
	words, err := transport.NewVocabulary(cfg.Vocabulary)
	if err != nil {
		return nil, err
	}
	r := &Receiver{cfg: cfg.withDefaults(), words: words, names: liveNames(words)}
	if cfg.Queue > 0 {
		r.queue = newQueue(r, r.cfg.Queue, r.cfg.Workers)
	}
	return r, nil
}

func (c *ReceiverConfig) problem() error {
	if err := c.Verifier.check(); err != nil {
		return err
	}
	switch {
	case c.Handler == nil:
		return &walletfi.ValidationError{Field: "handler", Problem: "is required"}
	case min(c.Queue, c.Workers, c.MaxFailures) < 0 || min(c.HandlerTimeout, c.Remember, c.RetryWait) < 0:
		return &walletfi.ValidationError{Field: "receiver", Problem: "no bound may be negative"}
	case c.Queue > 0 && c.DeadLetter == nil:
		return &walletfi.ValidationError{Field: "deadLetter", Problem: "is required with a queue: what fails after the service was told 200 comes from nowhere again"}
	}
	return nil
}

func (c ReceiverConfig) withDefaults() ReceiverConfig {
	c.Verifier.Secrets = slices.Clone(c.Verifier.Secrets)
	if c.Seen == nil {
		c.Seen = &MemorySeen{Now: c.Verifier.Now}
	}
	c.Remember = cmp.Or(c.Remember, time.Hour)
	c.HandlerTimeout = cmp.Or(c.HandlerTimeout, 25*time.Second)
	c.MaxFailures = cmp.Or(c.MaxFailures, 4)
	c.Workers = cmp.Or(c.Workers, 4)
	c.RetryWait = cmp.Or(c.RetryWait, time.Second)
	return c
}

// ServeHTTP takes one delivery.
func (r *Receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	if req.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	body, err := r.verified(w, req)
	if err != nil {
		r.log(req.Context(), "refused", "", err)
		w.WriteHeader(refusalStatus(err))
		return
	}
	d := newDelivery(body, r.words.ToNeutral(body, "err"))
	// Who hangs up must not cut off work that duplicates wait for.
	ctx := context.WithoutCancel(req.Context())
	if d.DecodeErr != nil {
		r.log(ctx, "not understood", d.key, d.DecodeErr)
	}
	w.WriteHeader(r.take(ctx, d))
}

// take handles a delivery, or puts it into the queue, and returns the status
// that says so.
func (r *Receiver) take(ctx context.Context, d *Delivery) int {
	handle := r.handleOnce
	if r.queue != nil {
		handle = r.queue.put
	}
	err := handle(ctx, d)
	if err == nil {
		return http.StatusOK
	}
	r.log(ctx, "not handled", d.key, err)
	if errors.Is(err, errQueueFull) {
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}

// verified reads the body, decompressed, under the verifier.
func (r *Receiver) verified(w http.ResponseWriter, req *http.Request) ([]byte, error) {
	v := &r.cfg.Verifier
	body, err := plainBody(w, req, v.maxBody())
	if err != nil {
		return nil, err
	}
	return inScratch(func(dst []byte) ([]byte, error) {
		return v.verify(dst, req.Header, r.names, body, req.ContentLength)
	})
}

func refusalStatus(err error) int {
	switch {
	case errors.Is(err, ErrTooLarge):
		return http.StatusRequestEntityTooLarge
	case errors.Is(err, ErrBody):
		return http.StatusBadRequest
	}
	return http.StatusUnauthorized
}

func (r *Receiver) log(ctx context.Context, what, key string, err error) {
	if r.cfg.Logger != nil {
		r.cfg.Logger.LogAttrs(ctx, slog.LevelWarn, "webhook delivery "+what, slog.String("delivery", key), slog.String("error", err.Error()))
	}
}

// Close stops taking deliveries into the queue and waits until it is empty.
// Where ctx ends first, the error says how many are left: those go to
// DeadLetter while the process lives. Without a queue it does nothing;
// http.Server.Shutdown waits for the handlers then.
func (r *Receiver) Close(ctx context.Context) error {
	if r.queue == nil {
		return nil
	}
	return r.queue.close(ctx)
}
