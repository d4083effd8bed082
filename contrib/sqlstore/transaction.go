package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// write runs change in a transaction. If it returns an error of the commit, what
// change did may be in the database.
func (s *Store) write(ctx context.Context, change func(ctx context.Context, tx transaction) error) error {
	ctx, cancel := s.bounded(ctx)
	defer cancel()
	if s.writer != nil {
		select {
		case s.writer <- struct{}{}:
			defer func() { <-s.writer }()
		case <-ctx.Done():
			return s.failed(fmt.Errorf("waiting for other writers: %w", context.Cause(ctx)))
		}
	}
	if err := s.file.check(); err != nil {
		return s.failed(err)
	}
	tx, err := s.db.BeginTx(ctx, &sql.TxOptions{Isolation: s.dialect.isolation})
	if err != nil {
		return s.failed(because(ctx, err))
	}
	if err := change(ctx, transaction{tx, s.dialect}); err != nil {
		_ = tx.Rollback() // SQLite may have done it by itself; a lost connection has
		return s.failed(because(ctx, err))
	}
	if err := tx.Commit(); err != nil {
		return s.failed(because(ctx, err))
	}
	return s.failed(s.file.check())
}

// bounded ends what takes longer than the store's timeout, with ErrBusy.
func (s *Store) bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, s.timeout, fmt.Errorf("%w: no answer within %v", ErrBusy, s.timeout))
}

// because adds why ctx ended to the error of what it ended.
func because(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); err != nil && errors.Is(cause, ErrBusy) && !errors.Is(err, ErrBusy) {
		return fmt.Errorf("%w: %w", cause, ownDeadline(err))
	}
	return err
}

// ownDeadline keeps the store's deadline from looking like the caller's.
func ownDeadline(err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return errors.New(err.Error())
	}
	return err
}

// transaction is one whose statements are written as dialect.sql reads them.
type transaction struct {
	*sql.Tx
	dialect dialect
}

// exec runs a statement and returns how many rows it changed.
func (t transaction) exec(ctx context.Context, statement string, args ...any) (int64, error) {
	result, err := t.ExecContext(ctx, t.dialect.sql(statement), args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// row reads one row into dest. It returns sql.ErrNoRows if there is none.
func (t transaction) row(ctx context.Context, statement string, args []any, dest ...any) error {
	return t.QueryRowContext(ctx, t.dialect.sql(statement), args...).Scan(dest...)
}

// row reads one row into dest. It returns sql.ErrNoRows if there is none.
func (s *Store) row(ctx context.Context, statement string, args []any, dest ...any) error {
	ctx, cancel := s.bounded(ctx)
	defer cancel()
	if err := s.file.check(); err != nil {
		return s.failed(err)
	}
	err := s.db.QueryRowContext(ctx, s.dialect.sql(statement), args...).Scan(dest...)
	if errors.Is(err, sql.ErrNoRows) {
		return err
	}
	return s.failed(because(ctx, err))
}

// query reads all rows, each with scan, and closes them before it returns, so
// that no connection is held.
func (s *Store) query(ctx context.Context, statement string, args []any, scan func(*sql.Rows) error) (err error) {
	ctx, cancel := s.bounded(ctx)
	defer cancel()
	if err := s.file.check(); err != nil {
		return s.failed(err)
	}
	rows, err := s.db.QueryContext(ctx, s.dialect.sql(statement), args...)
	if err != nil {
		return s.failed(because(ctx, err))
	}
	defer func() { err = s.failed(because(ctx, errors.Join(err, rows.Close()))) }()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}
