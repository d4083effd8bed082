package store

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"time"
)

// Session is a user's sign-in on one browser.
type Session struct {
	UserID string
	CSRF   string // a form must send it back
}

// StartSession signs a user in and returns what the browser's cookie holds. The
// database has only a hash of it, so that a copy of the database signs nobody in.
func (d *DB) StartSession(ctx context.Context, userID string, lifetime time.Duration) (cookie string, err error) {
	cookie = rand.Text()
	_, err = d.sql.ExecContext(ctx, `INSERT INTO sessions (id, user_id, csrf, expires) VALUES ($1, $2, $3, $4)`,
		hash(cookie), userID, rand.Text(), time.Now().Add(lifetime).UnixMilli())
	return cookie, err
}

// Session returns the session of a cookie if it has not expired.
func (d *DB) Session(ctx context.Context, cookie string) (s Session, err error) {
	err = d.sql.QueryRowContext(ctx, `SELECT user_id, csrf FROM sessions WHERE id = $1 AND expires > $2`,
		hash(cookie), time.Now().UnixMilli()).Scan(&s.UserID, &s.CSRF)
	return s, notFound(err)
}

// EndSession signs out, and forgets the sessions that have expired.
func (d *DB) EndSession(ctx context.Context, cookie string) error {
	_, err := d.sql.ExecContext(ctx, `DELETE FROM sessions WHERE id = $1 OR expires <= $2`,
		hash(cookie), time.Now().UnixMilli())
	return err
}

func hash(cookie string) string {
	sum := sha256.Sum256([]byte(cookie))
	return hex.EncodeToString(sum[:])
}
