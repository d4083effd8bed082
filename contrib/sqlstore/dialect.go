package sqlstore

import (
	"context"
	"database/sql"
	"strconv"
	"strings"

	"github.com/pressly/goose/v3"
)

// dialect holds the differences between the databases.
type dialect struct {
	name  Dialect
	goose goose.Dialect
	// numbered says that parameters are $1, $2 in place of ?.
	numbered bool
	// now is the clock, in milliseconds since 1970: the server's, or that of the
	// machine on which all processes run.
	now string
	// forUpdate ends a SELECT whose row the transaction is going to change.
	forUpdate string
	// oneWriter says that the database lets one transaction write at a time.
	oneWriter bool
	isolation sql.IsolationLevel
	// check holds the database to what the store needs of it.
	check func(ctx context.Context, db *sql.DB) error
	// checkSettings holds a database that the program opened to what keeps a commit.
	checkSettings func(ctx context.Context, db *sql.DB) error
}

var dialects = map[Dialect]dialect{
	SQLite: {
		name: SQLite, goose: goose.DialectSQLite3, now: "CAST(unixepoch('subsec') * 1000 AS INTEGER)",
		oneWriter: true, check: checkSQLite, checkSettings: checkSQLiteSettings,
	},
	PostgreSQL: {
		name: PostgreSQL, goose: goose.DialectPostgres, numbered: true,
		now: "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)", forUpdate: " FOR UPDATE",
		// Each statement sees what was committed before it; the conditions of the
		// statements do the rest.
		isolation: sql.LevelReadCommitted, check: checkPostgreSQL, checkSettings: checkPostgreSQLSettings,
	},
}

// sql returns a statement in the dialect: ? is a parameter, NOW() the clock in
// milliseconds, FOR UPDATE the lock of a row that is about to change.
func (d dialect) sql(statement string) string {
	statement = strings.ReplaceAll(statement, "NOW()", d.now)
	statement = strings.ReplaceAll(statement, " FOR UPDATE", d.forUpdate)
	if !d.numbered {
		return statement
	}
	var b strings.Builder
	n := 0
	for _, r := range statement {
		if r != '?' {
			b.WriteRune(r)
			continue
		}
		n++
		b.WriteByte('$')
		b.WriteString(strconv.Itoa(n))
	}
	return b.String()
}
