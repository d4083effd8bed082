package sqlstore

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/walletfi/walletfi-go/wallet"
)

// Journal is a [wallet.Journal] in a database.
type Journal struct{ store *Store }

// Journal returns the wallet's journal. All journals of a database are the same.
func (s *Store) Journal() *Journal { return &Journal{s} }

var _ wallet.Journal = (*Journal)(nil)

// Load implements [wallet.Journal].
func (j *Journal) Load(ctx context.Context, key string) (wallet.Entry, error) {
	if err := storable("key", key, maxKey); err != nil {
		return wallet.Entry{}, err
	}
	var r record
	err := j.store.row(ctx, "SELECT "+rowColumns+" FROM walletfi_entries WHERE key = ?", []any{key}, r.columns()...)
	if errors.Is(err, sql.ErrNoRows) {
		return wallet.Entry{}, nil
	}
	if err != nil {
		return wallet.Entry{}, err
	}
	e, err := r.read()
	return e, j.store.failed(err)
}

// Store implements [wallet.Journal]. An entry that is Droppable is dropped. An
// error of the database is not ErrFenced.
func (j *Journal) Store(ctx context.Context, was uint64, e wallet.Entry) error {
	if err := errors.Join(storable("key", e.Key, maxKey), storable("intent", e.Intent, maxKey)); err != nil {
		return err
	}
	text, err := json.Marshal(e)
	if err != nil {
		return err
	}
	return j.store.write(ctx, func(ctx context.Context, tx transaction) error {
		changed, err := put(ctx, tx, was, e, text)
		if err == nil && changed == 0 {
			return fmt.Errorf("%w: key %q is not at version %d", wallet.ErrFenced, e.Key, was)
		}
		return err
	})
}

// put makes the one conditional write on which all depends, and returns how many
// rows it changed.
func put(ctx context.Context, tx transaction, was uint64, e wallet.Entry, text []byte) (changed int64, err error) {
	version, since, open := int64(e.Version), e.Since.UnixMicro(), !e.State.Settled()
	sum := sumOf(e.Key, version, since, text)
	switch {
	case was == 0:
		changed, err = tx.exec(ctx, `INSERT INTO walletfi_entries (version, state, open, intent, since, entry, sum, key)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO NOTHING`,
			version, string(e.State), open, e.Intent, since, string(text), sum, e.Key)
	case e.Droppable():
		changed, err = tx.exec(ctx, "DELETE FROM walletfi_entries WHERE key = ? AND version = ?", e.Key, int64(was))
		if err == nil && changed > 0 {
			_, err = tx.exec(ctx, "DELETE FROM walletfi_signatures WHERE key = ?", e.Key)
		}
		return changed, err
	default:
		changed, err = tx.exec(ctx, `UPDATE walletfi_entries
			SET version = ?, state = ?, open = ?, intent = ?, since = ?, entry = ?, sum = ?
			WHERE key = ? AND version = ?`,
			version, string(e.State), open, e.Intent, since, string(text), sum, e.Key, int64(was))
	}
	if err != nil || changed == 0 {
		return changed, err
	}
	return changed, index(ctx, tx, e)
}

// index records the signatures and hashes of an entry, by which List finds its key. Those
// that it had earlier stay: List looks at the entry itself.
func index(ctx context.Context, tx transaction, e wallet.Entry) error {
	var all []string
	for _, s := range e.Steps {
		all = append(all, s.Own, s.Signature, s.Hash)
	}
	slices.Sort(all)
	all = slices.DeleteFunc(slices.Compact(all), func(s string) bool { return s == "" })
	if len(all) == 0 {
		return nil
	}
	var args []any
	for _, signature := range all {
		if err := storable("signature", signature, maxKey); err != nil {
			return err
		}
		args = append(args, signature, e.Key)
	}
	_, err := tx.exec(ctx, "INSERT INTO walletfi_signatures (signature, key) VALUES "+
		strings.TrimSuffix(strings.Repeat("(?, ?), ", len(all)), ", ")+" ON CONFLICT DO NOTHING", args...)
	return err
}

// maxKey is longer than what the wallet makes, and short enough for any index.
const maxKey = 1024

// storable refuses what not every database keeps as it is.
func storable(field, text string, most int) error {
	switch {
	case len(text) > most:
		return invalid(field, fmt.Sprintf("must have at most %d bytes", most))
	case !utf8.ValidString(text) || strings.Contains(text, "\x00"):
		return invalid(field, "must be UTF-8 without a zero byte")
	}
	return nil
}

// record is a row of walletfi_entries.
type record struct {
	key            string
	version, since int64
	state, intent  string
	open           bool
	entry, sum     []byte
}

const rowColumns = "key, version, since, state, intent, open, entry, sum"

func (r *record) columns() []any {
	return []any{&r.key, &r.version, &r.since, &r.state, &r.intent, &r.open, &r.entry, &r.sum}
}

// read returns the entry, if it is the one that was stored in this row. The sum has not all
// columns in it: the others must be what the entry says, so that rows of every version of
// this package are held against damage in each column.
func (r *record) read() (e wallet.Entry, err error) {
	if !bytes.Equal(r.sum, sumOf(r.key, r.version, r.since, r.entry)) {
		return e, fmt.Errorf("%w: the entry of key %q is not what was stored", ErrDamaged, r.key)
	}
	if err := json.Unmarshal(r.entry, &e); err != nil {
		return e, fmt.Errorf("%w: the entry of key %q: %w", ErrDamaged, r.key, err)
	}
	var state wallet.KeyState
	_ = state.UnmarshalText([]byte(r.state)) // an earlier version wrote "in doubt"
	if state != e.State || r.intent != e.Intent || r.open == e.State.Settled() {
		return e, fmt.Errorf("%w: the row of key %q does not say what its entry says", ErrDamaged, r.key)
	}
	return e, nil
}

// settledStates are those of wallet.KeyState.Settled, for SQL.
const settledStates = "('confirmed', 'failed', 'expired', 'released')"

// checkOpen looks for an entry that a list of the open ones would leave out, as the column by
// which it finds them is damaged.
func (s *Store) checkOpen(ctx context.Context) error {
	var key string
	err := s.row(
		ctx, "SELECT key FROM walletfi_entries WHERE open <> true AND state NOT IN "+settledStates+" LIMIT 1", nil, &key,
	)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err == nil {
		err = fmt.Errorf("%w: the row of key %q does not say what its entry says", ErrDamaged, key)
	}
	return err
}

// sumOf is over what must go together.
func sumOf(key string, version, since int64, entry []byte) []byte {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %d %d %s", key, version, since, entry))
	return sum[:]
}
