package store

import (
	"context"
	"time"
)

// Event is a webhook's delivery that concerns a user.
type Event struct {
	ID       string    `json:"id"`
	UserID   string    `json:"-"`
	Received time.Time `json:"received"`
	Title    string    `json:"title"`
	Detail   string    `json:"detail"`
}

// AddEvent keeps an event. One that is there already is not added again.
func (d *DB) AddEvent(ctx context.Context, e Event) error {
	_, err := d.sql.ExecContext(ctx, `INSERT INTO events (id, user_id, received, title, detail) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (id) DO NOTHING`, e.ID, e.UserID, e.Received.UnixMilli(), e.Title, e.Detail)
	return err
}

// Events lists a user's events, the newest first.
func (d *DB) Events(ctx context.Context, userID string, most int) (all []Event, err error) {
	rows, err := d.sql.QueryContext(ctx, `SELECT id, received, title, detail FROM events
		WHERE user_id = $1 ORDER BY received DESC, id LIMIT $2`, userID, most)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		e := Event{UserID: userID}
		var received int64
		if err := rows.Scan(&e.ID, &received, &e.Title, &e.Detail); err != nil {
			return nil, err
		}
		e.Received = time.UnixMilli(received)
		all = append(all, e)
	}
	return all, rows.Err()
}
