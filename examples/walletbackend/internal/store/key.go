package store

import "context"

// AddKey keeps the sealed private key of a user's wallet.
func (d *DB) AddKey(ctx context.Context, userID, address, sealed string) error {
	_, err := d.sql.ExecContext(ctx, `INSERT INTO keys (user_id, address, sealed) VALUES ($1, $2, $3)`,
		userID, address, sealed)
	return err
}

// Key returns a user's sealed private key.
func (d *DB) Key(ctx context.Context, userID string) (sealed string, err error) {
	err = d.sql.QueryRowContext(ctx, `SELECT sealed FROM keys WHERE user_id = $1`, userID).Scan(&sealed)
	return sealed, notFound(err)
}
