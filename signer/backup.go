package signer

import (
	"context"
	"crypto/ed25519"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/spendwindow"
)

// copyMade is the name under which a copy says when it was made.
const copyMade = "copy"

// Backup returns a copy of the store as it is, while the signer serves: other requests wait for as long
// as it is written. It has no key in it but those that were imported, encrypted as the log has them. A
// signer that opens a copy freezes, and counts every window as used up until its length has passed: see
// Open. Close removes the copy, of which there is one at a time, next to the store.
func (s *Signer) Backup(ctx context.Context) (io.ReadSeekCloser, error) {
	if s.server != nil {
		return nil, refuse(CodeRequest, "a store that signers share is copied by its database's own tools")
	}
	s.copying.Lock()
	c, err := s.copyTo(ctx, s.copy)
	if err != nil {
		s.copying.Unlock()
		return nil, errors.Join(fmt.Errorf("signer: the copy of the store: %w", err), gone(s.copy))
	}
	return c, nil
}

// gone removes a copy that may not be there, with what a process that was killed has left next to it.
func gone(path string) (err error) {
	for _, left := range []string{path, path + "-wal", path + "-shm"} {
		if failed := os.Remove(left); !errors.Is(failed, os.ErrNotExist) {
			err = errors.Join(err, failed)
		}
	}
	return err
}

// copied is an open copy.
type copied struct {
	*os.File
	s *Signer
}

// Close removes the copy.
func (c *copied) Close() error {
	defer c.s.copying.Unlock()
	return errors.Join(c.File.Close(), gone(c.Name()))
}

func (s *Signer) copyTo(ctx context.Context, path string) (*copied, error) {
	if err := gone(path); err != nil { // of a process that was killed
		return nil, err
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if _, err := s.db.ExecContext(ctx, "VACUUM INTO ?", path); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	if err := mark(ctx, path, walletfi.Now(s.clock)); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &copied{file, s}, nil
}

// mark has a copy say that it is one.
func mark(ctx context.Context, path string, now time.Time) error {
	db, err := openStore(ctx, path)
	if err != nil {
		return err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err == nil {
		err = setMeta(ctx, tx, copyMade, now.UTC().Format(time.RFC3339Nano))
		if err == nil {
			err = tx.Commit()
		} else {
			err = errors.Join(err, tx.Rollback())
		}
	}
	return errors.Join(err, db.Close())
}

// serveBackup answers a copy.
func (s *Signer) serveBackup(ctx context.Context, _ peer, _ []byte) (any, error) {
	c, err := s.Backup(ctx)
	if err != nil {
		return nil, err
	}
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		defer c.Close()
		size, err := c.Seek(0, io.SeekEnd)
		if err == nil {
			_, err = c.Seek(0, io.SeekStart)
		}
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(backupTimeout))
		w.Header().Set("Content-Type", "application/vnd.sqlite3")
		w.Header().Set("Content-Length", strconv.FormatInt(size, 10)) // by which a cut copy shows
		_, _ = io.Copy(w, c)
	}), nil
}

// backupTimeout bounds how long a copy may take to be read.
const backupTimeout = 10 * time.Minute

// Copied says what a copy of a store has.
type Copied struct {
	Entries int64  // of the log
	Hash    string // of the newest of them
	Policy  string // the fingerprint of the policy in force
}

// CheckCopy audits a copy that Signer.Backup has made, as Audit does a store.
// Its newest entry must be the one that the file anchor has; an empty path holds it against none.
func CheckCopy(ctx context.Context, path, anchor string, logKey ed25519.PublicKey) (c Copied, err error) {
	if _, err := os.Stat(path); err != nil {
		return c, err
	}
	db, err := openStore(ctx, path)
	if err != nil {
		return c, err
	}
	defer db.Close()
	return checkCopy(ctx, db, anchor, logKey)
}

func checkCopy(ctx context.Context, db *sql.DB, anchor string, logKey ed25519.PublicKey) (c Copied, err error) {
	made, err := isCopy(ctx, db)
	if err == nil && !made {
		err = fmt.Errorf("%w: it is no copy that a signer has made", ErrAltered)
	}
	if err != nil {
		return c, err
	}
	last, err := audit(ctx, db, anchor, logKey)
	if err != nil {
		return c, err
	}
	c = Copied{Entries: last.seq, Hash: last.hash}
	c.Policy, err = getMeta(ctx, db, "policy")
	return c, err
}

// Restoration says which copy is to be restored.
type Restoration struct {
	From   string            // the copy, which stays
	Anchor string            // the file that was made with the copy; empty holds the copy against none
	Store  string            // where the store was: there must be none, nor what is left of one
	LogKey ed25519.PublicKey // by which the log is signed
}

// Restore audits a copy, as CheckCopy does, and puts it where a store was. The signer's own anchor stays as
// it is. The signer that opens the store freezes.
func Restore(ctx context.Context, r Restoration) (c Copied, err error) {
	if _, err := os.Stat(r.Anchor); r.Anchor != "" && err != nil {
		return c, err
	}
	for _, left := range []string{r.Store, r.Store + "-wal", r.Store + "-shm"} {
		if _, err := os.Lstat(left); !errors.Is(err, os.ErrNotExist) {
			return c, fmt.Errorf("signer: %s is there: move it away, with what is beside it", left)
		}
	}
	part := r.Store + ".restored"
	if err := errors.Join(gone(part), copyFile(r.From, part)); err != nil {
		return c, errors.Join(err, gone(part))
	}
	if c, err = CheckCopy(ctx, part, r.Anchor, r.LogKey); err != nil {
		return c, errors.Join(err, gone(part))
	}
	if err := os.Rename(part, r.Store); err != nil {
		return c, err
	}
	folder, err := os.Open(filepath.Dir(r.Store))
	if err != nil {
		return c, err
	}
	return c, errors.Join(folder.Sync(), folder.Close())
}

// copyFile writes a copy that survives a loss of power.
func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Sync(), out.Close())
}

// restored is why a signer freezes whose log is not the newest. It is in the log.
const restored = "the store is older than its anchor: a copy was restored"

// restoredMargin is for how long what was signed before a copy took the store's place may land yet.
const restoredMargin = 10 * time.Minute

// restoreEntry is the body of an entry of kind restore: what counts for what the copy does not have.
type restoreEntry struct {
	ID     string      `json:"id"`
	At     time.Time   `json:"at"` // from when on that ages
	Debits []lostDebit `json:"debits"`
}

// lostDebit is a debit of an owner by its key, or of a payee.
type lostDebit struct {
	Owner string `json:"owner,omitempty"`
	Debit
}

// lost are debits that fill every window of the policy, of these owners besides its own: what was signed
// since the copy was made may have used all of it up.
func (p *Policy) lost(made ...Owner) (all []lostDebit) {
	for _, o := range append(slices.Clip(p.Owners), made...) {
		all = append(all, filled(o.Key.String(), "", o.ceilings())...)
	}
	for _, t := range p.Templates {
		all = append(all, filled("", ofTemplate+t.Name, t.Sum)...)
	}
	for _, x := range p.Payees {
		all = append(all, filled("", x.Address.String(), x.Ceilings)...)
	}
	return all
}

// filled are debits that fill the windows of ceilings.
func filled(owner, payee string, ceilings []Ceiling) (all []lostDebit) {
	for _, c := range ceilings {
		d := lostDebit{Owner: owner, Debit: Debit{Mint: c.Mint, Payee: payee}}
		for _, w := range c.Windows {
			d.Amount = max(d.Amount, w.Most)
		}
		all = append(all, d)
	}
	return all
}

// allows is another policy's lost, for the owners that were made too.
func (p *Policy) allows(in *Policy) []lostDebit {
	var made []Owner
	for _, o := range p.Owners {
		if t := in.template(o.template); t != nil && in.owner(o.Key.String()) == nil {
			made = append(made, Owner{Key: o.Key, Ceilings: t.Ceilings})
		}
	}
	return in.lost(made...)
}

// isCopy reports a store that Signer.Backup has made.
func isCopy(ctx context.Context, q querier) (bool, error) {
	made, err := getMeta(ctx, q, copyMade)
	return made != "", err
}

// restore freezes a store that took the place of a newer one, and has each of its windows count as used
// up until its length has passed. What was approved allows nothing more.
func (s *Signer) restore(ctx context.Context, tx *sql.Tx, after head, why string) (head, error) {
	after, err := s.switchTo(ctx, tx, after, "signer", ModeFrozen, why)
	if err != nil {
		return after, err
	}
	s.voidApprovals(after.seq) // what was signed under them since may be missing
	now := s.keeper.Ages()     // by the copy's time, as no node was asked yet
	if is := walletfi.Now(s.clock).Add(spendwindow.Margin).UTC(); is.After(now) {
		now = is
	}
	if err := exec(ctx, tx, "DELETE FROM meta WHERE name = ?", copyMade); err != nil {
		return after, err
	}
	after, err = s.lose(ctx, tx, after, now.Add(restoredMargin), s.Policy().lost())
	if in := s.inForce.Load().policy; err == nil && in != nil && in.fingerprint != s.Policy().fingerprint {
		after, err = s.loseAgain(ctx, tx, after, s.Policy().allows(in)) // more may have been signed under it
	}
	return after, err
}

// lose has debits count that age from a time on.
func (s *Signer) lose(ctx context.Context, tx *sql.Tx, after head, at time.Time, debits []lostDebit) (head, error) {
	e := restoreEntry{ID: fmt.Sprintf("restored:%d", after.seq), At: at, Debits: debits}
	for _, d := range e.Debits {
		err := exec(ctx, tx, "INSERT INTO debit VALUES (?, ?, '', ?, ?, ?, 0, 0, ?)",
			e.ID, d.Owner, string(d.Mint), d.Payee, d.Amount, e.At.UnixNano())
		if err != nil {
			return after, err
		}
	}
	return s.append(ctx, tx, after, "restore", "signer", e)
}

// longestWindow is the most that a window may be long.
const longestWindow = 366 * 24 * time.Hour

// loseAgain has debits count, as far as they do not yet, of what a restore has not counted: a policy that came
// in force later, or an owner that was made later, may have been there before it too, for all that a copy says.
func (s *Signer) loseAgain(ctx context.Context, tx *sql.Tx, after head, debits []lostDebit) (head, error) {
	const ofRestores = "FROM debit WHERE id >= 'r'" // the other IDs are hexadecimal
	var last int64
	err := tx.QueryRowContext(ctx, "SELECT COALESCE(MAX(at), 0) "+ofRestores).Scan(&last)
	if err != nil || last == 0 || last < spendwindow.Since(s.time(), longestWindow).UnixNano() {
		return after, err
	}
	var left []lostDebit
	for _, d := range debits {
		var had int64
		err := tx.QueryRowContext(ctx, "SELECT COALESCE(SUM(amount), 0) "+ofRestores+
			" AND owner = ? AND payee = ? AND mint = ? AND at = ?", d.Owner, d.Payee, string(d.Mint), last).Scan(&had)
		if err != nil {
			return after, err
		}
		if d.Amount -= had; d.Amount > 0 {
			left = append(left, d)
		}
	}
	if left == nil {
		return after, nil
	}
	return s.lose(ctx, tx, after, time.Unix(0, last).UTC(), left)
}

// voidApprovals ends grants, and signatures of a change: it may have been made and taken back since.
func (s *Signer) voidApprovals(entry int64) {
	s.voidGrants()
	if in := *s.inForce.Load(); in.entry > 0 {
		in.entry = entry
		s.inForce.Store(&in)
	}
}

// isRestored reports that a freeze is that of a store which lacks something.
func isRestored(reason string) bool { return reason == restored || reason == moved }

// text has all that the store keeps of the entry's debits.
func (e *restoreEntry) text() (text string) {
	for i := range e.Debits {
		text += debitText(e.Debits[i].Owner, "", &e.Debits[i].Debit, e.At.UnixNano())
	}
	return text
}
