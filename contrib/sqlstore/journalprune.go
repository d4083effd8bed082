package sqlstore

import (
	"context"
	"errors"
	"math"
	"time"
)

// Prune drops the settled entries that were last claimed before a time, with their
// signatures. Their keys can be used again and would pay again: prune what no caller
// will ask for any more. What is open stays, and so does an order that the service still
// has to fill. It goes on after an entry that is damaged, and then returns ErrDamaged.
func (j *Journal) Prune(ctx context.Context, before time.Time) error {
	var damaged error
	since, key := int64(math.MinInt64), ""
	for {
		args := []any{before.UnixMicro(), since, since, key}
		page, err := j.page(ctx, "open = false AND since < ? AND ", args)
		if err != nil || len(page) == 0 {
			return errors.Join(err, damaged)
		}
		var old []record
		for _, r := range page {
			e, err := r.read()
			if err != nil {
				damaged = j.store.failed(err)
			} else if e.Prunable(before) {
				old = append(old, r)
			}
		}
		if err := j.drop(ctx, old); err != nil {
			return errors.Join(err, damaged)
		}
		since, key = page[len(page)-1].since, page[len(page)-1].key
	}
}

// drop deletes entries that have not changed since they were read.
func (j *Journal) drop(ctx context.Context, all []record) error {
	if len(all) == 0 {
		return nil
	}
	return j.store.write(ctx, func(ctx context.Context, tx transaction) error {
		for _, r := range all {
			changed, err := tx.exec(ctx, "DELETE FROM walletfi_entries WHERE key = ? AND version = ?", r.key, r.version)
			if err == nil && changed > 0 {
				_, err = tx.exec(ctx, "DELETE FROM walletfi_signatures WHERE key = ?", r.key)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}
