package webhooks

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/transport"
	"golang.org/x/sync/singleflight"
)

// Handler handles one delivery. Its error makes the service deliver again.
type Handler func(ctx context.Context, d *Delivery) error

// ReceiverConfig is what a Receiver is made of.
type ReceiverConfig struct {
	// Verifier tells the service's deliveries from anybody else's. Required.
	Verifier Verifier
	// Handler is run once a delivery. Required.
	Handler Handler

	// Seen remembers what was handled. Nil means in memory.
	Seen Seen
	// Remember is how long it is remembered beyond the verifier's window. 0
	// means one hour.
	Remember time.Duration
	// HandlerTimeout bounds the handler. 0 means 25 seconds: the service waits
	// 30.
	HandlerTimeout time.Duration

	// MaxFailures is how often a delivery's handler may fail before the delivery
	// goes to DeadLetter. 0 means 4: after five the service marks the webhook
	// failed, and every later event is lost.
	MaxFailures int
	// DeadLetter takes a delivery whose handler keeps failing, with its last
	// error. Once it succeeded the service is told 200. Nil means that the
	// service is told of the failure each time.
	DeadLetter func(ctx context.Context, d *Delivery, cause error) error

	// Queue makes the receiver answer 200 once a delivery stands in a queue of
	// this length, and handle it afterwards; a full queue is answered 503. What
	// stands in the queue is lost if the process dies. 0 means to handle before
	// answering.
	Queue int
	// Workers empty the queue. 0 means 4.
	Workers int

	// Vocabulary translates a live deployment's JSON keys; Delivery.Body stays
	// as it came.
	Vocabulary walletfi.Vocabulary
	// Logger gets a line for each delivery that was not handled. Nil means none.
	Logger *slog.Logger
}

// Receiver is an http.Handler for the destination of a webhook. It answers 200
// to what was handled (or queued, or handled before), 401 to what the service
// did not sign, 413 to a body that is too large, 400 to one that cannot be
// read, 405 to any method but POST, 503 where the queue is full and 500 where
// the handler failed.
type Receiver struct {
	cfg      ReceiverConfig
	words    transport.Vocabulary
	flight   singleflight.Group
	failures failures
	queue    *queue
}

// NewReceiver checks cfg and returns a receiver. Close it where it has a queue.
func NewReceiver(cfg ReceiverConfig) (*Receiver, error) {
	if err := cfg.Verifier.check(); err != nil {
		return nil, err
	}
	if cfg.Handler == nil {
		return nil, &walletfi.ValidationError{Field: "handler", Problem: "is required"}
	}
	if cfg.Queue < 0 || cfg.Workers < 0 || cfg.MaxFailures < 0 || cfg.HandlerTimeout < 0 || cfg.Remember < 0 {
		return nil, &walletfi.ValidationError{Field: "receiver", Problem: "no bound may be negative"}
	}
	words, err := transport.NewVocabulary(cfg.Vocabulary)
	if err != nil {
		return nil, err
	}
	if cfg.Seen == nil {
		cfg.Seen = &MemorySeen{}
	}
	cfg.Remember = orDefault(cfg.Remember, time.Hour)
	cfg.HandlerTimeout = orDefault(cfg.HandlerTimeout, 25*time.Second)
	if cfg.MaxFailures == 0 {
		cfg.MaxFailures = 4
	}
	if cfg.Workers == 0 {
		cfg.Workers = 4
	}
	r := &Receiver{cfg: cfg, words: words}
	if cfg.Queue > 0 {
		r.queue = newQueue(r, cfg.Queue, cfg.Workers)
	}
	return r, nil
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
		w.WriteHeader(statusOf(err))
		return
	}
	d := newDelivery(body, r.words.ToNeutral(body))
	if r.queue != nil {
		err = r.queue.put(req.Context(), d)
	} else {
		err = r.handleOnce(req.Context(), d)
	}
	if err != nil {
		r.log(req.Context(), "not handled", d.key, err)
	}
	w.WriteHeader(statusOf(err))
}

// verified reads the body, decompressed, under the verifier.
func (r *Receiver) verified(w http.ResponseWriter, req *http.Request) ([]byte, error) {
	limit := orDefault(r.cfg.Verifier.MaxBody, DefaultMaxBody)
	var body io.Reader = http.MaxBytesReader(w, req.Body, limit+1)
	if req.Header.Get("Content-Encoding") == "gzip" {
		unzipped, err := gzip.NewReader(body)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrBody, err)
		}
		body = unzipped
	}
	read, err := r.cfg.Verifier.Verify(req.Header, body)
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return nil, ErrTooLarge
	}
	return read, err
}

var errQueueFull = errors.New("webhooks: the queue is full")

func statusOf(err error) int {
	switch {
	case err == nil:
		return http.StatusOK
	case errors.Is(err, ErrSignature), errors.Is(err, ErrHeaders), errors.Is(err, ErrTimestamp):
		return http.StatusUnauthorized
	case errors.Is(err, ErrTooLarge):
		return http.StatusRequestEntityTooLarge
	case errors.Is(err, ErrBody):
		return http.StatusBadRequest
	case errors.Is(err, errQueueFull):
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}

// log never shows a header or a body.
func (r *Receiver) log(ctx context.Context, what, key string, err error) {
	if r.cfg.Logger != nil {
		r.cfg.Logger.LogAttrs(ctx, slog.LevelWarn, "webhook delivery "+what, slog.String("delivery", key), slog.String("error", err.Error()))
	}
}

// Close stops taking deliveries into the queue and waits, as long as ctx
// allows, until it is empty. Without a queue it does nothing.
func (r *Receiver) Close(ctx context.Context) error {
	if r.queue == nil {
		return nil
	}
	return r.queue.close(ctx)
}
