package postgres

import (
	"context"
	"database/sql/driver"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5/stdlib"
)

// connector connects to a database that is asked in the signer's SQL.
type connector struct{ driver.Connector }

func (c *connector) Connect(ctx context.Context) (driver.Conn, error) {
	to, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return conn{to.(*stdlib.Conn)}, nil
}

// conn has parameters written as ?, and numbers in the place of booleans, as SQLite does.
type conn struct{ *stdlib.Conn }

func (c conn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	return c.Conn.ExecContext(ctx, numbered(query), args)
}

func (c conn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	return c.Conn.QueryContext(ctx, numbered(query), args)
}

func (c conn) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	return c.Conn.PrepareContext(ctx, numbered(query))
}

func (c conn) Prepare(query string) (driver.Stmt, error) { return c.Conn.Prepare(numbered(query)) }

// CheckNamedValue takes the values that every driver takes.
func (c conn) CheckNamedValue(v *driver.NamedValue) (err error) {
	v.Value, err = driver.DefaultParameterConverter.ConvertValue(v.Value)
	if is, ok := v.Value.(bool); ok {
		v.Value = int64(0)
		if is {
			v.Value = int64(1)
		}
	}
	return err
}

// numbered has each ? of a statement as $1, $2 and so on. No statement of the signer's has one in a text.
func numbered(query string) string {
	var out strings.Builder
	for n := 1; ; n++ {
		before, after, more := strings.Cut(query, "?")
		out.WriteString(before)
		if !more {
			return out.String()
		}
		out.WriteString("$" + strconv.Itoa(n))
		query = after
	}
}
