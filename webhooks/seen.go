package webhooks

import (
	"context"
	"errors"
	"time"
)

// Seen remembers which deliveries were handled; in a database, across restarts
// too. A delivery is committed after its handler succeeded: if the process dies
// between the two, the delivery is handled again. A Seen must be safe for
// concurrent use. Each call has ten seconds. Package seentest tests any Seen.
//
// A handler whose effect is a write to a database is run exactly once if effect
// and mark are one transaction. Such a Seen has a further method, named CommitTx
// in contrib/sqlstore, which the handler calls. It
//
//   - stores [Delivery.Key] until [Delivery.RememberUntil] within the handler's
//     transaction;
//   - fails with an error that answers to [ErrSeen] if the key is committed, also
//     by another process meanwhile, so that the handler rolls back;
//   - calls [Delivery.Marked] otherwise, so that the receiver does not commit a
//     second time.
type Seen interface {
	// Seen reports whether key was committed.
	Seen(ctx context.Context, key string) (bool, error)
	// Commit remembers key at least until the given time. It must not return
	// before the key is stored durably. A key is text of any length, and may be
	// committed again.
	Commit(ctx context.Context, key string, until time.Time) error
}

// ErrSeen means that a delivery was committed before. A [Handler] that returns it
// has succeeded: the delivery was handled by another process.
var ErrSeen = errors.New("webhooks: the delivery was handled before")

// RememberUntil is how long Seen must remember the delivery. It is zero in a
// delivery that did not come from a [Receiver].
func (d *Delivery) RememberUntil() time.Time { return d.until }

// Marked tells the receiver that the handler's own transaction commits the
// delivery to Seen. If the handler then succeeds, the receiver asks Seen whether
// the key is there, instead of committing it: a handler that forgot to commit its
// transaction has failed. Only an implementation of Seen calls it, before the
// handler returns.
func (d *Delivery) Marked() { d.marked = true }

// IsMarked reports whether Marked was called since the handler was.
func (d *Delivery) IsMarked() bool { return d.marked }
