package sqlstore

import (
	"cmp"
	"log/slog"
	"regexp"
	"time"
)

// InboxConfig configures an [Inbox]. The zero value is good.
type InboxConfig struct {
	// Queue is the inbox's name. Receivers of one database that handle deliveries
	// differently need inboxes of different names; processes that share one use the
	// same. Lower-case letters and digits, with single - and _ between them. Empty
	// means webhooks.
	Queue string
	// Schema is the PostgreSQL schema in which river has its tables. It is created
	// if it is not there. It must not be that of a river of the program's own: each
	// gives up the jobs of the other. Empty means walletfi_river. SQLite has no
	// schemas: a program with a river of its own needs a file of its own.
	Schema string
	// KeepHandled is how long a handled delivery stays, with its body, before it is
	// deleted. A repeated delivery is recognised meanwhile. 0 means 24 hours.
	KeepHandled time.Duration
	// KeepDead is how long a dead delivery stays before it is deleted. 0 means 30
	// days, less than 0 for ever.
	KeepDead time.Duration
	// Poll is how often a process looks for deliveries that another one stored, or
	// whose wait is over, if it does not hear of them. 0 means 500 ms.
	Poll time.Duration
	// Conns bounds the connections to PostgreSQL, which are not those of the Store.
	// 0 means 8.
	Conns int
	// Logger gets river's lines. Nil disables them.
	Logger *slog.Logger
}

// queueName matches the names that river takes.
var queueName = regexp.MustCompile(`^[a-z0-9]+([_-][a-z0-9]+)*$`)

func (c InboxConfig) withDefaults() InboxConfig {
	c.Queue = cmp.Or(c.Queue, "webhooks")
	c.Schema = cmp.Or(c.Schema, "walletfi_river")
	c.KeepHandled = cmp.Or(c.KeepHandled, 24*time.Hour)
	c.KeepDead = cmp.Or(c.KeepDead, 30*24*time.Hour)
	c.Poll = cmp.Or(c.Poll, 500*time.Millisecond)
	c.Conns = cmp.Or(c.Conns, defaultMaxConns)
	c.Logger = cmp.Or(c.Logger, slog.New(slog.DiscardHandler))
	return c
}

func (c InboxConfig) problem() error {
	switch {
	case c.Queue != "" && !queueName.MatchString(c.Queue):
		return invalid("queue", "must be lower-case letters and digits, with single - and _ between them")
	case c.KeepHandled < 0:
		return invalid("keepHandled", "must not be negative")
	case c.Poll < 0:
		return invalid("poll", "must not be negative")
	case c.Conns < 0:
		return invalid("conns", "must not be negative")
	}
	return nil
}
