package store

import (
	"context"
	"database/sql"
	"errors"
)

// User is someone who may sign in.
type User struct {
	ID       string
	Name     string
	Password string // its bcrypt hash
	Address  string // of the user's wallet, base58
}

// AddUser adds a user whose name is not taken.
func (d *DB) AddUser(ctx context.Context, u User) error {
	_, err := d.sql.ExecContext(ctx, `INSERT INTO users (id, name, password, address) VALUES ($1, $2, $3, $4)`,
		u.ID, u.Name, u.Password, u.Address)
	return err
}

// UserByName looks a user up.
func (d *DB) UserByName(ctx context.Context, name string) (User, error) {
	return d.user(ctx, `SELECT id, name, password, address FROM users WHERE name = $1`, name)
}

// User looks a user up by id.
func (d *DB) User(ctx context.Context, id string) (User, error) {
	return d.user(ctx, `SELECT id, name, password, address FROM users WHERE id = $1`, id)
}

func (d *DB) user(ctx context.Context, query string, argument any) (u User, err error) {
	err = d.sql.QueryRowContext(ctx, query, argument).Scan(&u.ID, &u.Name, &u.Password, &u.Address)
	return u, notFound(err)
}

// Users lists all users.
func (d *DB) Users(ctx context.Context) (all []User, err error) {
	rows, err := d.sql.QueryContext(ctx, `SELECT id, name, password, address FROM users ORDER BY name`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var u User
		if err := rows.Scan(&u.ID, &u.Name, &u.Password, &u.Address); err != nil {
			return nil, err
		}
		all = append(all, u)
	}
	return all, rows.Err()
}

func notFound(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return ErrNotFound
	}
	return err
}
