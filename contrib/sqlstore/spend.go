package sqlstore

import (
	"context"
	"database/sql"
	"errors"

	"github.com/walletfi/walletfi-go/socialsearch"
)

// SpendStore is a [socialsearch.SpendStore] in a database. What a process that died
// had reserved stays counted, in a row of walletfi_reservations that says since when.
type SpendStore struct {
	store *Store
	name  string
}

// Spend returns the spend store of a name, such as that of the key that is billed.
// Meters that share a budget use the same name.
func (s *Store) Spend(name string) *SpendStore { return &SpendStore{s, name} }

var _ socialsearch.SpendStore = (*SpendStore)(nil)

// Reserve implements [socialsearch.SpendStore].
func (s *SpendStore) Reserve(
	ctx context.Context, id string, most, budget socialsearch.Cost,
) (r socialsearch.Reservation, err error) {
	err = s.change(ctx, id, func(ctx context.Context, tx transaction, was socialsearch.MeterState) error {
		if r.State, r.Reserved = was.After(most, budget); !r.Reserved {
			return nil
		}
		own, _, err := s.reserved(ctx, tx, id)
		if err != nil {
			return err
		}
		sum, _ := socialsearch.MeterState{Reserved: own}.After(most, 0) // which does not wrap
		if _, err := tx.exec(ctx, `INSERT INTO walletfi_reservations (name, id, reserved, since) VALUES (?, ?, ?, NOW())
			ON CONFLICT (name, id) DO UPDATE SET reserved = excluded.reserved`, s.name, id, int64(sum.Reserved)); err != nil {
			return err
		}
		return s.set(ctx, tx, r.State)
	})
	r.Reserved = r.Reserved && err == nil
	return r, err
}

// Settle implements [socialsearch.SpendStore].
func (s *SpendStore) Settle(
	ctx context.Context, id string, cost socialsearch.Cost,
) (now socialsearch.MeterState, err error) {
	err = s.change(ctx, id, func(ctx context.Context, tx transaction, was socialsearch.MeterState) error {
		now = was
		own, found, err := s.reserved(ctx, tx, id)
		if err != nil || !found {
			return err
		}
		if _, err := tx.exec(ctx, "DELETE FROM walletfi_reservations WHERE name = ? AND id = ?", s.name, id); err != nil {
			return err
		}
		now = was.Settled(own, cost)
		return s.set(ctx, tx, now)
	})
	return now, err
}

// State implements [socialsearch.SpendStore].
func (s *SpendStore) State(ctx context.Context) (socialsearch.MeterState, error) {
	if err := storable("name", s.name, maxKey); err != nil {
		return socialsearch.MeterState{}, err
	}
	var spent, reserved int64
	err := s.store.row(ctx, "SELECT spent, reserved FROM walletfi_spend WHERE name = ?", []any{s.name}, &spent, &reserved)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return socialsearch.MeterState{}, err
	}
	return socialsearch.MeterState{Spent: socialsearch.Cost(spent), Reserved: socialsearch.Cost(reserved)}, nil
}

// change runs one change of the state, with its row locked.
func (s *SpendStore) change(
	ctx context.Context, id string, change func(context.Context, transaction, socialsearch.MeterState) error,
) error {
	if err := errors.Join(storable("name", s.name, maxKey), storable("id", id, maxKey)); err != nil {
		return err
	}
	return s.store.write(ctx, func(ctx context.Context, tx transaction) error {
		const begin = "INSERT INTO walletfi_spend (name, spent, reserved) VALUES (?, 0, 0) ON CONFLICT (name) DO NOTHING"
		if _, err := tx.exec(ctx, begin, s.name); err != nil {
			return err
		}
		var spent, reserved int64
		const read = "SELECT spent, reserved FROM walletfi_spend WHERE name = ? FOR UPDATE"
		if err := tx.row(ctx, read, []any{s.name}, &spent, &reserved); err != nil {
			return err
		}
		return change(
			ctx, tx, socialsearch.MeterState{Spent: socialsearch.Cost(spent), Reserved: socialsearch.Cost(reserved)},
		)
	})
}

// reserved returns the amount that is reserved under id.
func (s *SpendStore) reserved(
	ctx context.Context, tx transaction, id string,
) (own socialsearch.Cost, found bool, err error) {
	var n int64
	err = tx.row(ctx, "SELECT reserved FROM walletfi_reservations WHERE name = ? AND id = ?", []any{s.name, id}, &n)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, false, nil
	}
	return socialsearch.Cost(n), err == nil, err
}

func (s *SpendStore) set(ctx context.Context, tx transaction, now socialsearch.MeterState) error {
	_, err := tx.exec(
		ctx, "UPDATE walletfi_spend SET spent = ?, reserved = ? WHERE name = ?", int64(now.Spent), int64(now.Reserved),
		s.name,
	)
	return err
}
