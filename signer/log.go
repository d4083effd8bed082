package signer

import (
	"bufio"
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Entry is one entry of the log. Its hash covers the hash of the entry before, so that none
// can be changed, left out or moved; its signature is the log key's over the hash.
type Entry struct {
	Seq       int64           `json:"seq"` // from 1
	At        time.Time       `json:"at"`
	Kind      string          `json:"kind"` // see docs/signer.md
	Client    string          `json:"client"`
	Body      json.RawMessage `json:"body"`
	Hash      string          `json:"hash"`
	Signature string          `json:"signature"`
}

// link is the hash of an entry that follows on one with hash before. Each part is preceded
// by its length, so that no two entries are written the same.
func link(before string, e *Entry) string {
	h := sha256.New()
	for _, part := range []string{
		before, strconv.FormatInt(e.Seq, 10), strconv.FormatInt(e.At.UnixNano(), 10), e.Kind, e.Client, string(e.Body),
	} {
		fmt.Fprintf(h, "%d:%s,", len(part), part)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// head is the newest entry of the log.
type head struct {
	seq  int64
	hash string
}

// then is the head after an entry, which must follow on this one and be signed by the log key.
func (h head) then(e *Entry, logKey ed25519.PublicKey) (head, error) {
	signature, _ := hex.DecodeString(e.Signature)
	switch {
	case e.Seq != h.seq+1:
		return h, fmt.Errorf("%w: entry %d follows on entry %d", ErrAltered, e.Seq, h.seq)
	case e.Hash != link(h.hash, e):
		return h, fmt.Errorf("%w: entry %d was changed, or does not follow on the one before", ErrAltered, e.Seq)
	case !ed25519.Verify(logKey, []byte(e.Hash), signature):
		return h, fmt.Errorf("%w: entry %d is not signed by the log key", ErrAltered, e.Seq)
	}
	return head{e.Seq, e.Hash}, nil
}

// append adds an entry to the log. The signer's head is moved by the caller, once the
// transaction is committed.
func (s *Signer) append(ctx context.Context, tx *sql.Tx, after head, kind, client string, body any) (head, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return after, err
	}
	e := Entry{Seq: after.seq + 1, At: s.time(), Kind: kind, Client: client, Body: text}
	e.Hash = link(after.hash, &e)
	e.Signature = hex.EncodeToString(ed25519.Sign(s.logKey, []byte(e.Hash)))
	_, err = tx.ExecContext(ctx, "INSERT INTO log VALUES (?, ?, ?, ?, ?, ?, ?)",
		e.Seq, e.At.UnixNano(), e.Kind, e.Client, string(e.Body), e.Hash, e.Signature)
	s.written = append(s.written, e)
	return head{e.Seq, e.Hash}, err
}

// Each reads the log in order. It ends at the first error of f.
func (s *Signer) Each(ctx context.Context, f func(Entry) error) error {
	return each(ctx, s.db, 0, math.MaxInt64, f)
}

// each reads what comes after an entry, so many entries at most.
func each(ctx context.Context, q querier, after, most int64, f func(Entry) error) error {
	return rows(ctx, q, func(scan func(...any) error) error {
		var e Entry
		var at int64
		var body string
		if err := scan(&e.Seq, &at, &e.Kind, &e.Client, &body, &e.Hash, &e.Signature); err != nil {
			return err
		}
		e.At, e.Body = time.Unix(0, at).UTC(), json.RawMessage(body)
		return f(e)
	}, "SELECT seq, at, kind, client, body, hash, signature FROM log WHERE seq > ? ORDER BY seq LIMIT ?", after, most)
}

// ErrAltered is answered to by an audit that finds the log or the store changed, cut,
// reordered, or older than its anchor.
var ErrAltered = errors.New("signer: the log is not as it was written")

// errOlder is the error of a log that was cut, or of which an earlier copy was restored.
var errOlder = fmt.Errorf("%w: it is older than its anchor", ErrAltered)

// errOther is the error of a log with another entry than the one of its anchor. One that signers share has
// it if another signer went on with an earlier copy.
var errOther = fmt.Errorf("%w", ErrAltered)

// Audit checks the log of a store that no signer has open, and returns how many entries it
// has. Every entry must follow on the one before and be signed by the log key, every debit
// be that of an entry, and the newest entry be as new as the anchor says. The error answers
// to ErrAltered if something is not as it was written.
func Audit(ctx context.Context, store, anchor string, logKey ed25519.PublicKey) (entries int64, err error) {
	if _, err := os.Stat(store); err != nil {
		return 0, err
	}
	db, err := openStore(ctx, store)
	if err != nil {
		return 0, err
	}
	defer db.Close()
	last, err := audit(ctx, db, anchor, logKey)
	return last.seq, err
}

// AuditShared is Audit for a database that signers share, see Config.Shared, also while they use it.
// The anchor is that of one of them.
func AuditShared(ctx context.Context, db *sql.DB, anchor string, logKey ed25519.PublicKey) (entries int64, err error) {
	tx, err := snapshot(ctx, db, true)
	if err != nil {
		return 0, err
	}
	last, err := audit(ctx, tx, anchor, logKey)
	return last.seq, errors.Join(err, tx.Rollback())
}

func audit(ctx context.Context, db querier, anchor string, logKey ed25519.PublicKey) (last head, err error) {
	at, err := readAnchor(anchor)
	if err != nil {
		return head{}, err
	}
	anchored := at == head{}
	told := &replay{messages: map[string]*kept{}, mode: ModeOpen, frozen: map[string]bool{}, people: newPeople(logKey)}
	err = each(ctx, db, math.MinInt64, math.MaxInt64, func(e Entry) (err error) {
		if last, err = last.then(&e, logKey); err != nil {
			return err
		}
		anchored = anchored || last == at
		return told.take(e)
	})
	switch {
	case err != nil:
		return last, err
	case !anchored && last.seq < at.seq:
		return last, fmt.Errorf("%w: it ends at entry %d, the anchor is of entry %d", errOlder, last.seq, at.seq)
	case !anchored:
		return last, fmt.Errorf("%w: entry %d is not the one of the anchor", errOther, at.seq)
	}
	return last, told.holds(ctx, db)
}

// readAnchor reads the last whole line of the file of anchors: a sequence number and a hash.
func readAnchor(path string) (head, error) {
	file, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return head{}, nil
	}
	if err != nil {
		return head{}, fmt.Errorf("signer: the anchor: %w", err)
	}
	defer file.Close()
	var last head
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		seq, hash, ok := strings.Cut(lines.Text(), " ")
		n, err := strconv.ParseInt(seq, 10, 64)
		if ok && err == nil && len(hash) == 2*sha256.Size {
			last = head{n, hash}
		}
	}
	return last, lines.Err()
}

// drop writes the newest entry to the anchor's file. It is not waited for to be durable: an
// anchor that is older than the store is well. The file is begun again when it is large.
func (s *Signer) drop(h head) error {
	line := strconv.FormatInt(h.seq, 10) + " " + h.hash + "\n"
	if s.anchored += int64(len(line)); s.anchored > 1<<20 || s.anchorFile == nil {
		next, err := os.CreateTemp(filepath.Dir(s.anchor), ".anchor")
		if err != nil {
			return err
		}
		_, err = next.WriteString(line)
		if err == nil {
			err = os.Rename(next.Name(), s.anchor)
		}
		if err != nil {
			return errors.Join(err, next.Close(), os.Remove(next.Name()))
		}
		if s.anchorFile != nil {
			_ = s.anchorFile.Close() // it is unlinked
		}
		s.anchorFile, s.anchored = next, int64(len(line))
		return nil
	}
	_, err := s.anchorFile.WriteString(line)
	return err
}
