package store

import "context"

// Key is a user's private key, sealed, that this database still holds: see package keyring.
type Key struct {
	UserID, Address, Sealed string
}

// Keys lists the keys.
func (d *DB) Keys(ctx context.Context) (all []Key, err error) {
	rows, err := d.sql.QueryContext(ctx, `SELECT user_id, address, sealed FROM keys ORDER BY user_id`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var k Key
		if err := rows.Scan(&k.UserID, &k.Address, &k.Sealed); err != nil {
			return nil, err
		}
		all = append(all, k)
	}
	return all, rows.Err()
}

// ForgetKey deletes a user's key.
func (d *DB) ForgetKey(ctx context.Context, userID string) error {
	_, err := d.sql.ExecContext(ctx, `DELETE FROM keys WHERE user_id = $1`, userID)
	return err
}

// Compact has the database's files keep nothing that was deleted.
func (d *DB) Compact(ctx context.Context) error {
	_, err := d.sql.ExecContext(ctx, `VACUUM`)
	return err
}
