package linear

import (
	"context"
	"database/sql/driver"
	"errors"
	"math/rand/v2"
	"strings"
	"sync"
)

// errCut is a connection that broke. What was asked for may have been done.
var errCut = errors.New("the connection was cut")

// lossy opens connections that now and then are cut, before a write or after it.
type lossy struct {
	driver.Connector
	mu   sync.Mutex
	rng  *rand.Rand
	calm bool
	cuts int
}

// cut decides what happens to a write.
func (l *lossy) cut() (before, after bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.calm || l.cuts == 0 {
		return false, false
	}
	switch l.rng.IntN(24) {
	case 0:
		before = true
	case 1, 2:
		after = true
	default:
		return false, false
	}
	l.cuts--
	return before, after
}

// around carries a write out under these circumstances.
func (l *lossy) around(write func() error) error {
	before, after := l.cut()
	if before {
		return errCut
	}
	err := write()
	if after && err == nil {
		return errCut
	}
	return err
}

func (l *lossy) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := l.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &lossyConn{Conn: conn, lossy: l}, nil
}

// lossyConn has the methods of an SQLite connection that package sql looks for.
type lossyConn struct {
	driver.Conn
	lossy *lossy
}

func (c *lossyConn) BeginTx(ctx context.Context, opts driver.TxOptions) (driver.Tx, error) {
	tx, err := c.Conn.(driver.ConnBeginTx).BeginTx(ctx, opts)
	if err != nil {
		return nil, err
	}
	return lossyTx{tx, c.lossy}, nil
}

func (c *lossyConn) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	return c.Conn.(driver.ConnPrepareContext).PrepareContext(ctx, query)
}

func (c *lossyConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	return c.Conn.(driver.QueryerContext).QueryContext(ctx, query, args)
}

func (c *lossyConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	var result driver.Result
	write := func() (err error) {
		result, err = c.Conn.(driver.ExecerContext).ExecContext(ctx, query, args)
		return err
	}
	around := c.lossy.around
	if word, _, _ := strings.Cut(strings.TrimSpace(query), " "); strings.EqualFold(word, "PRAGMA") {
		around = func(write func() error) error { return write() } // it writes nothing
	}
	err := around(write)
	return result, err
}

func (c *lossyConn) Ping(ctx context.Context) error { return c.Conn.(driver.Pinger).Ping(ctx) }

func (c *lossyConn) ResetSession(ctx context.Context) error {
	return c.Conn.(driver.SessionResetter).ResetSession(ctx)
}

func (c *lossyConn) IsValid() bool { return c.Conn.(driver.Validator).IsValid() }

// lossyTx is a transaction of which the answer to COMMIT may be lost.
type lossyTx struct {
	driver.Tx
	lossy *lossy
}

func (t lossyTx) Commit() error {
	before, after := t.lossy.cut()
	if before { // the server rolls back what a broken connection began
		return errors.Join(errCut, t.Tx.Rollback())
	}
	err := t.Tx.Commit()
	if after && err == nil {
		return errCut
	}
	return err
}
