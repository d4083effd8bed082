package webhooks

import (
	"context"
	"errors"
	"iter"
	"time"
)

// Inbox stores deliveries that are handled after they were answered. The receiver
// answers 200 once Put has returned. Each is then handled at least once, by any of
// the processes that share the inbox, and again after a failure until it is dead:
// until then it waits longer each time. A dead delivery is kept, to be read and
// handled again. The order is not kept.
//
// [MemoryInbox] loses what it has when the process ends. contrib/sqlstore has one
// in SQLite and PostgreSQL. Package inboxtest tests any Inbox. All methods are safe
// for concurrent use.
type Inbox interface {
	// Start begins to hand deliveries to work, also those that an earlier process
	// left. A [Receiver] calls it once.
	Start(work InboxWork) error
	// Put stores d. It must not return nil before d is stored as durably as the
	// inbox stores anything. It returns nil, and stores nothing, if it has d.Key
	// already: waiting, being handled or dead. It may also remember keys that were
	// handled.
	Put(ctx context.Context, d StoredDelivery) error
	// Stop ends the work. It waits for the handlers that run. If ctx ends first, it
	// ends their contexts, and returns an error without waiting for longer. What is
	// left is handled by the next process, if the inbox is durable.
	Stop(ctx context.Context) error

	// Dead yields the dead deliveries, the one that died first at the beginning.
	Dead(ctx context.Context) iter.Seq2[DeadDelivery, error]
	// GetDead returns a dead delivery, or ErrNotDead.
	GetDead(ctx context.Context, id string) (DeadDelivery, error)
	// RetryDead has a dead delivery handled once more, at once. If that fails, it
	// is dead again. It returns ErrNotDead if there is none of this ID.
	RetryDead(ctx context.Context, id string) error
}

// InboxWork is how an [Inbox] handles deliveries.
type InboxWork struct {
	// Handle handles a delivery, which has failed as often as stated. The inbox
	// forgets it if Handle returns nil.
	Handle func(ctx context.Context, d StoredDelivery, failures int) error
	// Workers is how many deliveries a process handles at a time.
	Workers int
	// Timeout bounds a call of Handle, whose context ends then.
	Timeout time.Duration
	// Attempts is how often Handle may fail, or the process may die in it, before
	// the delivery is dead.
	Attempts int
	// Wait is the pause after so many failures.
	Wait func(failures int) time.Duration
}

// StoredDelivery is a delivery as an [Inbox] stores it.
type StoredDelivery struct {
	Key        string    // any bytes, of any length
	Body       []byte    // as it came; any bytes
	ReceivedAt time.Time // an inbox keeps it to the microsecond
}

// DeadDelivery is one that failed too often.
type DeadDelivery struct {
	StoredDelivery
	ID       string // the inbox's own
	Attempts int    // how often it was tried
	Cause    string // the last error
	DiedAt   time.Time
}

// ErrNotDead means that an [Inbox] has no dead delivery of an ID.
var ErrNotDead = errors.New("webhooks: no such dead delivery")
