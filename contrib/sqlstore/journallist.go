package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"iter"
	"math"
	"strings"

	"github.com/walletfi/walletfi-go/wallet"
)

const listPage = 200

// List implements [wallet.Journal]. It reads a page at a time and holds nothing
// of the database while it yields: what is stored meanwhile may be in it.
func (j *Journal) List(ctx context.Context, q wallet.Query) iter.Seq2[wallet.Entry, error] {
	return func(yield func(wallet.Entry, error) bool) {
		err := storable("intent", q.Intent, maxKey)
		for _, signature := range q.Signatures {
			err = errors.Join(err, storable("signature", signature, maxKey))
		}
		if err != nil {
			yield(wallet.Entry{}, err)
			return
		}
		where, args := conditions(q)
		if len(q.Signatures) > 0 {
			keys, err := j.keysOf(ctx, q.Signatures)
			if err != nil {
				yield(wallet.Entry{}, err)
				return
			}
			if len(keys) == 0 {
				return
			}
			where, args = where+"key IN "+list(len(keys))+" AND ", append(args, keys...)
		}
		since, key := int64(math.MinInt64), ""
		for {
			page, err := j.page(ctx, where, append(args[:len(args):len(args)], since, since, key))
			if err != nil {
				yield(wallet.Entry{}, err)
				return
			}
			for _, r := range page {
				e, err := r.read()
				if err != nil {
					yield(wallet.Entry{}, j.store.failed(err))
					return
				}
				if q.Selects(e) && !yield(e, nil) {
					return
				}
			}
			if len(page) < listPage {
				return
			}
			since, key = page[len(page)-1].since, page[len(page)-1].key
		}
	}
}

// conditions is the part of WHERE that q asks for.
func conditions(q wallet.Query) (where string, args []any) {
	if q.Open {
		where += "open = true AND "
	}
	if q.Intent != "" {
		where, args = where+"intent = ? AND ", append(args, q.Intent)
	}
	return where, args
}

func (j *Journal) page(ctx context.Context, where string, args []any) (all []record, err error) {
	err = j.store.query(ctx, "SELECT "+rowColumns+" FROM walletfi_entries WHERE "+where+
		"(since > ? OR since = ? AND key > ?) ORDER BY since, key LIMIT 200", args, func(rows *sql.Rows) error {
		var r record
		if err := rows.Scan(r.columns()...); err != nil {
			return err
		}
		all = append(all, r)
		return nil
	})
	return all, err
}

// keysOf returns the keys that have, or have had, one of the signatures. It is a
// question of its own, so that no planner thinks of reading all entries instead.
func (j *Journal) keysOf(ctx context.Context, signatures []string) (keys []any, err error) {
	var args []any
	for _, signature := range signatures {
		args = append(args, signature)
	}
	ask := "SELECT DISTINCT key FROM walletfi_signatures WHERE signature IN " + list(len(args))
	err = j.store.query(ctx, ask, args, func(rows *sql.Rows) error {
		var key string
		err := rows.Scan(&key)
		keys = append(keys, key)
		return err
	})
	return keys, err
}

// list is the text of n parameters.
func list(n int) string { return "(" + strings.TrimSuffix(strings.Repeat("?, ", n), ", ") + ")" }
