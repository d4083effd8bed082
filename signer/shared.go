package signer

import (
	"context"
	"crypto/ed25519"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"sync"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/clock"
)

// A transaction that writes to a shared store holds one row from its beginning, whoever the owner is:
// payees and templates have ceilings over all owners, and the log is one chain. Each statement after it
// sees what the writer before has committed.
const holdStore = "SELECT value FROM meta WHERE name = 'time' FOR UPDATE"

// askServer reads the database's clock, in nanoseconds, and which copy of the store this is: one on another
// server, on another timeline after a replica was promoted, or in other tables after a dump was restored.
const askServer = `SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000000000 AS BIGINT),
	(SELECT system_identifier FROM pg_control_system()) || '/' ||
	left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) || '/' ||
	(SELECT oid FROM pg_database WHERE datname = current_database()) || '/' || CAST(CAST('log' AS regclass) AS oid)`

// moved is why a signer freezes that finds its store in another place. It is in the log.
const moved = "the store is on another server or timeline, or was restored: what was written last may be missing"

// server is the database of a shared store.
type server struct {
	serverClock
	away      error     // why it could not be held the last time, nil if it could
	awaySince time.Time // by the process's clock
	ends      int       // how many ends of messages other signers have written
	endedSlot uint64    // the newest block that they saw one in
}

// serverClock is the database's clock, carried on by the process's since it was read.
type serverClock struct {
	process walletfi.Clock

	mu      sync.Mutex
	was     time.Time // the database's
	reading time.Time // the process's then
}

// Now is the database's time.
func (c *serverClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.was.Add(walletfi.Now(c.process).Sub(c.reading))
}

// AfterFunc waits by the process's clock.
func (c *serverClock) AfterFunc(d time.Duration, f func()) (stop func() bool) {
	return clock.AfterFunc(c.process, d, f)
}

// ask reads the clock, and returns which copy of the store this is.
func (c *serverClock) ask(ctx context.Context, q querier) (place string, err error) {
	var ns int64
	if err := q.QueryRowContext(ctx, askServer).Scan(&ns, &place); err != nil {
		return "", err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.was, c.reading = time.Unix(0, ns), walletfi.Now(c.process) // afterwards: it is never ahead
	return place, nil
}

// hold begins a transaction. Of a shared store it waits until no other signer writes, and takes in what
// they have written. It says where the store is if that is another place than before.
func (s *Signer) hold(ctx context.Context) (tx *sql.Tx, place string, err error) {
	if s.server == nil {
		tx, err = s.db.BeginTx(ctx, nil)
		return tx, "", err
	}
	now := func() time.Time { return walletfi.Now(s.server.process) }
	if s.server.away != nil && now().Sub(s.server.awaySince) < awayFor { // who waits behind it need not wait as long
		return nil, "", s.server.away
	}
	tx, err = s.db.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelReadCommitted})
	if err == nil {
		if place, err = s.held(ctx, tx); err != nil {
			err = errors.Join(err, tx.Rollback())
		}
	}
	s.server.away, s.server.awaySince = err, now()
	return tx, place, err
}

// awayFor is for how long a database is not asked again that did not answer.
const awayFor = time.Second

func (s *Signer) held(ctx context.Context, tx *sql.Tx) (place string, err error) {
	var latest string
	if err := tx.QueryRowContext(ctx, holdStore).Scan(&latest); err != nil {
		return "", err
	}
	ns, err := strconv.ParseInt(latest, 10, 64)
	if err != nil {
		return "", fmt.Errorf("%w: its time: %w", ErrAltered, err)
	}
	if err := s.catchUp(ctx, tx); err != nil {
		return "", err
	}
	is, err := s.server.ask(ctx, tx)
	if err != nil {
		return "", err
	}
	s.keeper.Reach(time.Unix(0, ns))
	if was, err := getMeta(ctx, tx, "place"); err != nil || was == is {
		return "", err
	}
	return is, nil
}

// move notes where the store is now, and freezes it as one that was restored, unless it is new.
func (s *Signer) move(ctx context.Context, tx *sql.Tx, after head, place string) (head, error) {
	if err := setMeta(ctx, tx, "place", place); err != nil || after == (head{}) {
		return after, err
	}
	s.freezes.Add(1)
	return s.restore(ctx, tx, after, moved)
}

// catchUp takes in the entries that other signers have written since the head. A store that does not have
// the head is not the one that it was: it is frozen, and the signer does nothing more until it is opened again,
// and then finds it older than its anchor.
func (s *Signer) catchUp(ctx context.Context, q querier) error {
	found := s.head == head{}
	err := each(ctx, q, s.head.seq-1, math.MaxInt64, func(e Entry) error {
		if !found {
			if found = e.Seq == s.head.seq && e.Hash == s.head.hash; !found {
				return errOlder
			}
			return nil
		}
		next, err := s.head.then(&e, s.logKey.Public().(ed25519.PublicKey))
		if err == nil {
			err = s.recall(ctx, e)
		}
		if err == nil {
			err = s.noteEnd(e)
		}
		if err == nil {
			s.head = next
		}
		return err
	})
	if err == nil && !found {
		err = errOlder
	}
	if errors.Is(err, ErrAltered) {
		s.broken = fmt.Errorf("signer: open it again: %w", err)
	}
	return err
}

// warn freezes a store that lacks what this signer knows to have been in it: the others may not have seen that.
func (s *Signer) warn(ctx context.Context) error {
	tx, err := s.db.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelReadCommitted})
	if err != nil {
		return err
	}
	var latest string
	var newest head
	err = tx.QueryRowContext(ctx, holdStore).Scan(&latest)
	if err == nil {
		query := "SELECT seq, hash FROM log ORDER BY seq DESC LIMIT 1"
		err = tx.QueryRowContext(ctx, query).Scan(&newest.seq, &newest.hash)
	}
	if err == nil {
		_, err = s.restore(ctx, tx, newest, moved)
		s.written = nil
	}
	if err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

// noteEnd notes the ends of messages that others have seen.
func (s *Signer) noteEnd(e Entry) error {
	if e.Kind != "end" {
		return nil
	}
	var body endEntry
	err := json.Unmarshal(e.Body, &body)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.server.ends++
	s.server.endedSlot = max(s.server.endedSlot, body.Slot)
	return err
}

// othersEnded returns how many ends of messages others have written, and the newest block that they saw one in.
func (s *Signer) othersEnded() (ends int, slot uint64) {
	if s.server == nil {
		return 0, 0
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.server.ends, s.server.endedSlot
}

// follow takes in what other signers have written, and moves the anchor.
func (s *Signer) follow(ctx context.Context) error {
	if s.server == nil {
		return nil
	}
	return s.write(ctx, func(_ context.Context, _ *sql.Tx, after head) (head, error) { return after, nil })
}

// snapshot begins a transaction in which the store does not change.
func snapshot(ctx context.Context, db *sql.DB, shared bool) (*sql.Tx, error) {
	if !shared {
		return db.BeginTx(ctx, nil)
	}
	return db.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
}
