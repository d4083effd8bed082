package webhooks

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/observe"
	"golang.org/x/sync/singleflight"
)

// Handler handles one delivery. If it returns an error or panics, the service
// delivers again. It must obey ctx, which ends after HandlerTimeout in
// [ReceiverConfig] and not when the service hangs up.
type Handler func(ctx context.Context, d *Delivery) error

// ReceiverConfig configures a [Receiver].
type ReceiverConfig struct {
	// Verifier verifies the signatures. Required. Its clock is also the
	// receiver's.
	Verifier Verifier
	// Handler is called once per delivery. Required.
	Handler Handler

	// Seen remembers which deliveries were handled. Nil means in memory.
	Seen Seen
	// Key says what a duplicate is: two deliveries with the same key are handled
	// once. An empty key means that of [Delivery.Key], which takes the whole body
	// into account: set Key if the service repeats an event with another body. It
	// runs before the delivery is handled and must not change it. Nil means
	// Delivery.Key.
	Key func(d *Delivery) string
	// Remember is how long Seen remembers a delivery after the verifier's window.
	// 0 means one hour.
	Remember time.Duration
	// HandlerTimeout bounds a call of Handler or DeadLetter. 0 means 25 seconds:
	// the service waits 30.
	HandlerTimeout time.Duration

	// MaxFailures is how often a delivery may fail before it goes to DeadLetter.
	// The count is in memory and starts over with the process. 0 means 4: after
	// five failures the service marks the webhook failed, and every later event is
	// lost. With an Inbox it is how often a delivery may fail before it is dead; the
	// count is the inbox's, and 0 means 16, which is about five hours.
	MaxFailures int
	// DeadLetter receives a delivery that keeps failing, with its last error. If
	// it succeeds, the receiver answers 200. If DeadLetter is nil, the receiver
	// answers every failure with 500. Required with a Queue.
	DeadLetter func(ctx context.Context, d *Delivery, cause error) error

	// Queue is the length of a queue. With a queue the receiver answers 200 when a
	// delivery is in the queue, 503 if the queue is full, and handles it
	// afterwards; the deliveries in the queue are lost if the process dies. 0
	// means that the receiver handles a delivery before it answers.
	Queue int
	// Inbox stores deliveries. With an inbox the receiver answers 200 when a
	// delivery is stored, 503 if it is not, and handles it afterwards. The inbox
	// keeps dead letters: Queue and DeadLetter must not be set. If Seen is nil, a
	// delivery is handled again when the process restarted and the service repeats
	// it. Nil means no inbox.
	Inbox Inbox
	// Workers is how many deliveries of the queue or the inbox are handled at a
	// time. 0 means 4.
	Workers int
	// RetryWait is the pause before a worker retries a delivery. It doubles up to
	// a minute, with an Inbox up to an hour. 0 means one second.
	RetryWait time.Duration

	// Deployment has a vendor's header names and the words and forms of its JSON.
	// Raw in Delivery, and err of a ledger transaction, stay as they came. Nil
	// differs in nothing.
	Deployment *deployment.Deployment
	// Lenient names members of deliveries that may be missing, repeated, out of range or of
	// another form although a caller acts on them, as DecodeErr names them: "LedgerMeta.fee".
	// It is for a vendor that differs from the documentation. Waived in [Delivery] has those
	// that were let through, and the Observer is notified the first time, by [observe.Drift].
	// Empty lets none through.
	Lenient []string
	// Logger gets a line for each delivery that was refused or failed, without
	// header or body. Nil disables logging.
	Logger *slog.Logger
	// Observer is notified of each delivery: verified, refused, handled, retried, dead.
	// Nil costs nothing.
	Observer observe.Observer
}

// Receiver is an [http.Handler] for the destination of a webhook. It answers
//
//   - 200 if the delivery was handled, now or before, or is in the queue or the
//     inbox;
//   - 400 if the body cannot be read, 413 if it is too large;
//   - 401 if the signature is not the service's;
//   - 405 to any method except POST;
//   - 500 if the handler failed;
//   - 503 if the queue is full, or the delivery is not in the inbox.
//
// It does not limit how slowly a body may come: set ReadTimeout in [http.Server].
type Receiver struct {
	cfg        ReceiverConfig
	spoken     vocabulary
	flight     singleflight.Group
	unfinished unfinished
	queue      *queue
	isPrivate  bool // no other process, store or person is told which delivery it is
}

// NewReceiver checks cfg and returns a receiver. If it has a queue or an inbox,
// close it with [Receiver.Close].
func NewReceiver(cfg ReceiverConfig) (*Receiver, error) {
	if err := cfg.problem(); err != nil {
		return nil, err
	}
	spoken, err := vocabularyOf(cfg.Deployment, cfg.Lenient, cfg.Observer)
	if err != nil {
		return nil, err
	}
	r := &Receiver{cfg: cfg.withDefaults(), spoken: spoken}
	r.isPrivate = cfg.Seen == nil && cfg.Inbox == nil && cfg.Key == nil && cfg.Observer == nil
	if cfg.Queue > 0 {
		r.queue = newQueue(r, r.cfg.Queue, r.cfg.Workers)
	}
	if cfg.Inbox != nil {
		if err := r.startInbox(); err != nil {
			return nil, err
		}
	}
	return r, nil
}

func (c *ReceiverConfig) problem() error {
	return check.Config(*c,
		c.Verifier.check(),
		check.That(c.Handler != nil, "handler", "is required"),
		check.NotNegative("queue", c.Queue),
		check.NotNegative("workers", c.Workers),
		check.NotNegative("maxFailures", c.MaxFailures),
		check.NotNegative("handlerTimeout", c.HandlerTimeout),
		check.NotNegative("remember", c.Remember),
		check.NotNegative("retryWait", c.RetryWait),
		check.That(c.Inbox == nil || c.Queue <= 0 && c.DeadLetter == nil, "inbox",
			"excludes a queue and a dead-letter function: it keeps deliveries and dead letters itself"),
		check.That(c.Inbox != nil || c.Queue <= 0 || c.DeadLetter != nil, "deadLetter",
			"is required with a queue: the service does not repeat a delivery that was answered with 200"),
	)
}

func (c ReceiverConfig) withDefaults() ReceiverConfig {
	c.Verifier = c.Verifier.own()
	if c.Seen == nil {
		c.Seen = &MemorySeen{Now: c.Verifier.Now}
	}
	c.Remember = cmp.Or(c.Remember, time.Hour)
	c.HandlerTimeout = cmp.Or(c.HandlerTimeout, 25*time.Second)
	if c.Inbox != nil {
		c.MaxFailures = cmp.Or(c.MaxFailures, 16)
	}
	c.MaxFailures = cmp.Or(c.MaxFailures, 4)
	c.Workers = cmp.Or(c.Workers, 4)
	c.RetryWait = cmp.Or(c.RetryWait, time.Second)
	return c
}

// ServeHTTP receives one delivery.
func (r *Receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	if req.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		r.refuse(w, req, http.StatusMethodNotAllowed, errMethod)
		return
	}
	body, err := r.verified(w, req)
	if err != nil {
		r.log(req.Context(), "refused", &Delivery{}, err)
		r.refuse(w, req, refusalStatus(err), err)
		return
	}
	// Duplicates wait for this work: it must not end when the service hangs up.
	ctx := context.WithoutCancel(req.Context())
	d := r.spoken.read(ctx, body)
	r.identify(d)
	r.tellVerified(ctx, d)
	if d.DecodeErr != nil {
		r.log(ctx, "not understood", d, d.DecodeErr)
	}
	w.WriteHeader(r.accept(ctx, d))
}

// identify gives a delivery the key and the name by which duplicates are told.
func (r *Receiver) identify(d *Delivery) {
	if r.cfg.Key != nil {
		if key := r.cfg.Key(d); key != "" {
			d.id = identified(key)
		}
	}
	if r.isPrivate {
		d.name = d.id.name()
		return
	}
	d.name = d.Key()
}

// accept handles a delivery, or puts it into the queue or the inbox, and returns
// the HTTP status for the answer.
func (r *Receiver) accept(ctx context.Context, d *Delivery) int {
	handle := r.handleOnce
	switch {
	case r.queue != nil:
		handle = r.queue.put
	case r.cfg.Inbox != nil:
		handle = r.store
	}
	err := handle(ctx, d)
	if err == nil {
		return http.StatusOK
	}
	r.log(ctx, "not handled", d, err)
	r.tellRetried(ctx, d, 0, err)
	return failureStatus(err)
}

// verified reads, decompresses and verifies the body.
func (r *Receiver) verified(w http.ResponseWriter, req *http.Request) ([]byte, error) {
	v := &r.cfg.Verifier
	body, err := plainBody(w, req, v.maxBody())
	if err != nil {
		return nil, err
	}
	return inScratch(func(dst []byte) ([]byte, error) {
		return v.verify(dst, req.Header, r.spoken.names, body, req.ContentLength)
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

func (r *Receiver) log(ctx context.Context, what string, d *Delivery, err error) {
	if r.cfg.Logger != nil {
		r.cfg.Logger.LogAttrs(ctx, slog.LevelWarn, "webhook delivery "+what, slog.String("delivery", d.Key()),
			slog.String("error", err.Error()))
	}
}

// Close closes the queue and waits until it is empty. If ctx ends first, the error
// says how many deliveries are left; they go to DeadLetter while the process
// lives. Of an inbox Close waits for the handlers that run; what is stored is left
// to the next process. Without either Close does nothing: Shutdown of [http.Server]
// waits for the handlers. Call Shutdown first.
func (r *Receiver) Close(ctx context.Context) error {
	if r.cfg.Inbox != nil {
		return r.cfg.Inbox.Stop(ctx)
	}
	if r.queue == nil {
		return nil
	}
	return r.queue.close(ctx)
}
