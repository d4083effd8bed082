package webhooks

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"
)

// maxInboxWait is the longest pause between two tries of a delivery in the inbox.
const maxInboxWait = time.Hour

// errNotStored means that the inbox does not have a delivery.
var errNotStored = errors.New("webhooks: the delivery was not stored")

// startInbox starts to handle the deliveries in the inbox.
func (r *Receiver) startInbox() error {
	err := r.cfg.Inbox.Start(InboxWork{
		Handle:   r.handleStored,
		Workers:  r.cfg.Workers,
		Timeout:  r.cfg.HandlerTimeout + 2*storeTimeout, // asks Seen before, and commits after
		Attempts: r.cfg.MaxFailures,
		Wait:     r.inboxWait,
	})
	if err != nil {
		return fmt.Errorf("webhooks: starting the inbox: %w", err)
	}
	return nil
}

// inboxWait doubles with each failure.
func (r *Receiver) inboxWait(failures int) time.Duration {
	wait := r.cfg.RetryWait
	for n := 1; n < failures && wait < maxInboxWait; n++ {
		wait *= 2
	}
	return min(wait, max(maxInboxWait, r.cfg.RetryWait))
}

// store puts a delivery into the inbox, unless it was handled before.
func (r *Receiver) store(ctx context.Context, d *Delivery) error {
	seen, err := r.seen(ctx, d)
	if err != nil {
		return errors.Join(errNotStored, err)
	}
	if seen {
		r.tellDuplicate(ctx, d)
		return nil
	}
	stored := StoredDelivery{Key: d.Key(), Body: d.Raw, ReceivedAt: r.cfg.Verifier.now()}
	err = r.call(ctx, storeTimeout, "inbox", func(ctx context.Context) error { return r.cfg.Inbox.Put(ctx, stored) })
	if err != nil {
		return errors.Join(errNotStored, err)
	}
	return nil
}

// handleStored handles a delivery from the inbox, unless it was handled before.
func (r *Receiver) handleStored(ctx context.Context, s StoredDelivery, failures int) error {
	d := r.spoken.read(ctx, s.Body)
	d.id, d.name = identified(s.Key), s.Key
	err := r.once(d, func() error { return r.handle(ctx, d) })
	if err == nil {
		return nil
	}
	r.log(ctx, "not handled", d, err)
	if failures++; failures >= r.cfg.MaxFailures {
		r.tellDead(ctx, d, err, nil)
	} else {
		r.tellFailed(ctx, d, failures, r.inboxWait(failures), err)
	}
	return err
}

// failureStatus is the answer's status for a delivery that the service must
// repeat.
func failureStatus(err error) int {
	if errors.Is(err, errQueueFull) || errors.Is(err, errNotStored) {
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}
