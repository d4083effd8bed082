package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// State is how far a payment has come.
type State string

// The states of a payment.
const (
	Review    State = "review"    // it waits for the user's approval
	Refused   State = "refused"   // the guard refuses it
	Expired   State = "expired"   // it cannot execute any more
	Executing State = "executing" // approved: it is signed, sent and followed
	Waiting   State = "waiting"   // approved, and the signer's approvers were asked
	Confirmed State = "confirmed"
	Failed    State = "failed"   // executed with an error: only the fee was paid
	NotSent   State = "not_sent" // approved, but certainly not sent
)

// Payment is something that a user asked for: a swap, a deposit, a burn. What is
// kept of it survives a restart at any moment.
type Payment struct {
	ID      string
	UserID  string
	Created time.Time
	Title   string
	Request json.RawMessage // to build it again
	// Unsigned holds what the service built, the exact bytes that the user sees.
	Unsigned walletfi.Unsigned
	Report   *signing.Report // the guard's; has the refusal too
	Digest   string          // of the report: an approval must name it
	FeeLevel uint64          // microlamports per compute unit, the market's when it was built
	State    State
	Problem  string // why it was not confirmed
	// Result is the wallet's, nil until the execution ended.
	Result *wallet.Result
	// ReplacedBy is the payment that was built in place of this one.
	ReplacedBy string
}

const paymentColumns = `id, user_id, created, title, request, unsigned, report, digest, fee_level,
	state, problem, result, replaced_by`

// AddPayment keeps a new payment.
func (d *DB) AddPayment(ctx context.Context, p Payment) error { return addPayment(ctx, d.sql, p) }

// execer is a database or a transaction.
type execer interface {
	ExecContext(ctx context.Context, query string, arguments ...any) (sql.Result, error)
}

func addPayment(ctx context.Context, in execer, p Payment) error {
	unsigned, err := json.Marshal(p.Unsigned)
	if err != nil {
		return err
	}
	report, err := json.Marshal(p.Report)
	if err != nil {
		return err
	}
	_, err = in.ExecContext(ctx, `INSERT INTO payments (`+paymentColumns+`)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, '', '')`,
		p.ID, p.UserID, p.Created.UnixMilli(), p.Title, string(p.Request), string(unsigned), string(report),
		p.Digest, int64(p.FeeLevel), p.State, p.Problem)
	return err
}

// Payment returns a payment of a user.
func (d *DB) Payment(ctx context.Context, userID, id string) (Payment, error) {
	row := d.sql.QueryRowContext(ctx, `SELECT `+paymentColumns+` FROM payments WHERE id = $1 AND user_id = $2`, id, userID)
	p, err := scanPayment(row)
	return p, notFound(err)
}

// Payments lists a user's payments, the newest first.
func (d *DB) Payments(ctx context.Context, userID string, most int) ([]Payment, error) {
	return d.payments(ctx,
		`SELECT `+paymentColumns+` FROM payments WHERE user_id = $1 ORDER BY created DESC, id LIMIT $2`, userID, most)
}

// Unfinished lists the payments of all users that were approved and have not
// ended, the oldest first: what a restart goes on with.
func (d *DB) Unfinished(ctx context.Context) ([]Payment, error) {
	return d.payments(ctx, `SELECT `+paymentColumns+` FROM payments WHERE state IN ($1, $2) ORDER BY created`,
		Executing, Waiting)
}

func (d *DB) payments(ctx context.Context, query string, arguments ...any) (all []Payment, err error) {
	rows, err := d.sql.QueryContext(ctx, query, arguments...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		p, err := scanPayment(rows)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, rows.Err()
}

// MovePayment takes a payment from one state to another. It reports false, and
// changes nothing, if the payment is not in the first state: of two requests that
// approve the same payment, one moves it.
func (d *DB) MovePayment(ctx context.Context, id string, from, to State) (moved bool, err error) {
	done, err := d.sql.ExecContext(ctx, `UPDATE payments SET state = $1 WHERE id = $2 AND state = $3`, to, id, from)
	if err != nil {
		return false, err
	}
	n, err := done.RowsAffected()
	return n == 1, err
}

// AwaitPayment has a payment that executes wait for the signer's approvers, with a request that
// names what they were asked for.
func (d *DB) AwaitPayment(ctx context.Context, id string, request json.RawMessage) error {
	_, err := d.sql.ExecContext(ctx, `UPDATE payments SET state = $1, request = $2 WHERE id = $3 AND state = $4`,
		Waiting, string(request), id, Executing)
	return err
}

// ReplacePayment marks a payment as expired, and keeps another in its place. It reports
// false, and changes nothing, if the payment is not in the state from any more: of two
// requests that replace a payment, one does, and there is one new payment to approve.
func (d *DB) ReplacePayment(
	ctx context.Context, id string, from State, problem string, by Payment,
) (replaced bool, err error) {
	tx, err := d.sql.BeginTx(ctx, nil)
	if err != nil {
		return false, err
	}
	defer tx.Rollback() // changes nothing after Commit
	done, err := tx.ExecContext(ctx,
		`UPDATE payments SET state = $1, replaced_by = $2, problem = $3 WHERE id = $4 AND state = $5`,
		Expired, by.ID, problem, id, from)
	if err != nil {
		return false, err
	}
	if n, err := done.RowsAffected(); err != nil || n == 0 {
		return false, err
	}
	if err := addPayment(ctx, tx, by); err != nil {
		return false, err
	}
	return true, tx.Commit()
}

// FinishPayment keeps the end of a payment that was approved.
func (d *DB) FinishPayment(ctx context.Context, id string, state State, problem string, result *wallet.Result) error {
	text := []byte{}
	if result != nil {
		var err error
		if text, err = json.Marshal(result); err != nil {
			return err
		}
	}
	_, err := d.sql.ExecContext(ctx,
		`UPDATE payments SET state = $1, problem = $2, result = $3 WHERE id = $4 AND state IN ($5, $6)`,
		state, problem, string(text), id, Executing, Waiting)
	return err
}

// scanPayment reads the columns of paymentColumns from a row.
func scanPayment(row interface{ Scan(...any) error }) (p Payment, err error) {
	var created, feeLevel int64
	var request, unsigned, report, result string
	if err := row.Scan(&p.ID, &p.UserID, &created, &p.Title, &request, &unsigned, &report, &p.Digest, &feeLevel,
		&p.State, &p.Problem, &result, &p.ReplacedBy); err != nil {
		return p, err
	}
	p.Created, p.FeeLevel, p.Request = time.UnixMilli(created), uint64(feeLevel), json.RawMessage(request)
	if err := json.Unmarshal([]byte(unsigned), &p.Unsigned); err != nil {
		return p, err
	}
	if err := json.Unmarshal([]byte(report), &p.Report); err != nil {
		return p, err
	}
	if result != "" {
		return p, json.Unmarshal([]byte(result), &p.Result)
	}
	return p, nil
}
