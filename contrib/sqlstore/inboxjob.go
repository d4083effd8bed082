package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"github.com/riverqueue/river"

	"github.com/walletfi/walletfi-go/webhooks"
)

// delivery is a job's arguments. Key and body are base64 in JSON: they may be of any
// bytes.
type delivery struct {
	Key        []byte `json:"key" river:"unique"`
	Body       []byte `json:"body"`
	ReceivedAt int64  `json:"receivedAt"` // in microseconds since 1970
}

// Kind implements [river.JobArgs].
func (delivery) Kind() string { return "walletfi_delivery" }

func argsOf(d webhooks.StoredDelivery) delivery {
	return delivery{[]byte(d.Key), d.Body, d.ReceivedAt.UnixMicro()}
}

func (d delivery) stored() webhooks.StoredDelivery {
	return webhooks.StoredDelivery{Key: string(d.Key), Body: d.Body, ReceivedAt: time.UnixMicro(d.ReceivedAt).UTC()}
}

// worker handles jobs.
type worker struct {
	river.WorkerDefaults[delivery]
	inbox *Inbox
	work  webhooks.InboxWork
}

// Work implements [river.Worker].
func (w *worker) Work(ctx context.Context, job *river.Job[delivery]) error {
	err := w.handle(ctx, job)
	switch {
	case err == nil:
		return nil
	case w.inbox.gaveUp.Load():
		return river.JobSnooze(0) // no attempt is counted
	}
	return plainText(err)
}

func (w *worker) handle(ctx context.Context, job *river.Job[delivery]) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the handler panicked: %v\n%s", p, debug.Stack())
		}
	}()
	return w.work.Handle(ctx, job.Args.stored(), job.Attempt-1)
}

// NextRetry implements [river.Worker].
func (w *worker) NextRetry(job *river.Job[delivery]) time.Time {
	return time.Now().Add(w.work.Wait(job.Attempt))
}

// maxCause is how much of an error's text is stored.
const maxCause = 4096

// plainText is an error whose text PostgreSQL takes: it refuses U+0000 in JSON.
func plainText(err error) error {
	text := err.Error()
	text = strings.ReplaceAll(text[:min(len(text), maxCause)], "\x00", "\uFFFD")
	return errors.New(strings.ToValidUTF8(text, "\uFFFD"))
}
