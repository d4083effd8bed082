package signer

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/spendwindow"
)

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

// lost are debits that fill every window of the policy: what was signed since the copy was made may
// have used all of it up.
func (p *Policy) lost() (all []lostDebit) {
	fill := func(owner, payee string, ceilings []Ceiling) {
		for _, c := range ceilings {
			d := lostDebit{Owner: owner, Debit: Debit{Mint: c.Mint, Payee: payee}}
			for _, w := range c.Windows {
				d.Amount = max(d.Amount, w.Most)
			}
			all = append(all, d)
		}
	}
	for _, o := range p.Owners {
		fill(o.Key.String(), "", o.Ceilings)
	}
	for _, t := range p.Templates {
		fill("", ofTemplate+t.Name, t.Sum)
	}
	for _, x := range p.Payees {
		fill("", x.Address.String(), x.Ceilings)
	}
	return all
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
	s.voidGrants()         // what was signed under them since may be missing
	now := s.keeper.Ages() // by the copy's time, as no node was asked yet
	if is := walletfi.Now(s.clock).Add(spendwindow.Margin).UTC(); is.After(now) {
		now = is
	}
	e := restoreEntry{ID: fmt.Sprintf("restored:%d", after.seq), At: now.Add(restoredMargin), Debits: s.Policy().lost()}
	for _, d := range e.Debits {
		err := exec(ctx, tx, "INSERT INTO debit VALUES (?, ?, '', ?, ?, ?, 0, 0, ?)",
			e.ID, d.Owner, string(d.Mint), d.Payee, d.Amount, e.At.UnixNano())
		if err != nil {
			return after, err
		}
	}
	if err := exec(ctx, tx, "DELETE FROM meta WHERE name = ?", copyMade); err != nil {
		return after, err
	}
	return s.append(ctx, tx, after, "restore", "signer", e)
}

// text has all that the store keeps of the entry's debits.
func (e *restoreEntry) text() (text string) {
	for i := range e.Debits {
		text += debitText(e.Debits[i].Owner, "", &e.Debits[i].Debit, e.At.UnixNano())
	}
	return text
}
