package sqlstore

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"github.com/walletfi/walletfi-go/webhooks"
)

// Inbox is a [webhooks.Inbox] in a database. Its queue is river's, in tables of
// river's: a delivery is a job, a dead one a discarded job. What can look at river's
// tables can look at the inbox.
type Inbox struct {
	store *Store
	cfg   InboxConfig
	// newClient makes a client of the queue. Without queues in its configuration it
	// inserts and lists only.
	newClient func(*river.Config) (client, error)

	mu     sync.Mutex
	client client // that works, once there is one
	work   *webhooks.InboxWork
	gaveUp atomic.Bool // Stop ended the handlers' contexts
}

// client is the part of a river.Client that an inbox uses. The type of that one depends on the driver.
type client interface {
	Start(ctx context.Context) error
	Stop(ctx context.Context) error
	StopAndCancel(ctx context.Context) error
	Insert(ctx context.Context, args river.JobArgs, opts *river.InsertOpts) (*rivertype.JobInsertResult, error)
	JobGet(ctx context.Context, id int64) (*rivertype.JobRow, error)
	JobList(ctx context.Context, params *river.JobListParams) (*river.JobListResult, error)
	JobRetry(ctx context.Context, id int64) (*rivertype.JobRow, error)
}

var _ webhooks.Inbox = (*Inbox)(nil)

var errStarted = errors.New("sqlstore: the inbox was started before")

// attemptsUnstarted is how often a delivery may fail that was stored before Start.
const attemptsUnstarted = 16

// OpenInbox opens an inbox, and creates or updates river's tables. Several processes
// may open it at once. Close in [Store] closes it.
func (s *Store) OpenInbox(ctx context.Context, cfg InboxConfig) (*Inbox, error) {
	if err := cfg.problem(); err != nil {
		return nil, err
	}
	i := &Inbox{store: s, cfg: cfg.withDefaults()}
	err := i.open(ctx)
	if err == nil {
		i.client, err = i.newClient(i.config())
	}
	return i, s.failed(err)
}

// config is the client's that inserts and lists.
func (i *Inbox) config() *river.Config {
	c := &river.Config{Logger: i.cfg.Logger}
	if i.store.dialect.name == PostgreSQL {
		c.Schema = i.cfg.Schema
	}
	return c
}

// Start implements [webhooks.Inbox]. A delivery whose process died is handled again
// when a quarter of a minute has passed beyond the handler's time, and up to
// another minute later.
func (i *Inbox) Start(work webhooks.InboxWork) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.work != nil {
		return errStarted
	}
	workers := river.NewWorkers()
	if err := river.AddWorkerSafely(workers, &worker{inbox: i, work: work}); err != nil {
		return err
	}
	cfg := i.config()
	cfg.Workers = workers
	cfg.Queues = map[string]river.QueueConfig{i.cfg.Queue: {MaxWorkers: work.Workers}}
	cfg.JobTimeout = work.Timeout
	cfg.RescueStuckJobsAfter = work.Timeout + 15*time.Second
	cfg.FetchPollInterval, cfg.FetchCooldown = i.cfg.Poll, min(i.cfg.Poll, 5*time.Millisecond)
	cfg.CompletedJobRetentionPeriod = i.cfg.KeepHandled
	cfg.DiscardedJobRetentionPeriod = max(i.cfg.KeepDead, -1)
	client, err := i.newClient(cfg)
	if err != nil {
		return i.store.failed(err)
	}
	if err := client.Start(context.Background()); err != nil {
		return i.store.failed(err)
	}
	i.client, i.work = client, &work
	return nil
}

// Put implements [webhooks.Inbox]. The commit is on disk when it returns.
func (i *Inbox) Put(ctx context.Context, d webhooks.StoredDelivery) error {
	client, work := i.now()
	attempts := attemptsUnstarted
	if work != nil {
		attempts = work.Attempts
	}
	ctx, cancel := i.store.bounded(ctx)
	defer cancel()
	_, err := client.Insert(ctx, argsOf(d), &river.InsertOpts{
		MaxAttempts: attempts, Queue: i.cfg.Queue,
		UniqueOpts: river.UniqueOpts{ByArgs: true, ByQueue: true, ByState: rivertype.JobStates()},
	})
	if err == nil {
		err = i.store.file.check()
	}
	return i.store.failed(because(ctx, err))
}

func (i *Inbox) now() (client, *webhooks.InboxWork) {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.client, i.work
}

// Stop implements [webhooks.Inbox]. A delivery whose handler Stop gave up on is
// handled by the next process; that is no failure.
func (i *Inbox) Stop(ctx context.Context) error {
	client, work := i.now()
	if work == nil {
		return nil
	}
	err := client.Stop(ctx)
	if err == nil {
		return nil
	}
	i.gaveUp.Store(true)
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	_ = client.StopAndCancel(ended) // it ends the handlers' contexts, and does not wait
	return i.store.failed(err)
}
