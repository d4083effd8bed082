package signer

import (
	"context"
	"encoding/hex"
	"errors"
	"time"

	"github.com/walletfi/walletfi-go/internal/proof"
)

// Used says how far one window of an owner's is used.
type Used struct {
	Owner  string    `json:"owner,omitempty"`
	Payee  string    `json:"payee,omitempty"` // whose ceiling it is, as in Debit, empty for the owner's
	Mint   Mint      `json:"mint"`
	Length string    `json:"length"`
	Most   int64     `json:"most,string"`
	Landed int64     `json:"landed,string"` // within the window
	Open   int64     `json:"open,string"`   // of what can still land
	Left   int64     `json:"left,string"`
	Frees  time.Time `json:"frees,omitzero"` // when the next part is free, absent if only proofs free more
	// Elsewhere says that the owner's key was in other hands before.
	Elsewhere bool `json:"elsewhere,omitzero"`
}

// OpenMessage is a signed message that can still land.
type OpenMessage struct {
	ID        string    `json:"id"`
	Owner     string    `json:"owner"` // its key, base58
	Client    string    `json:"client"`
	Signature string    `json:"signature,omitempty"`
	Made      time.Time `json:"made"`
	// Last is the height of the last block that may have it, absent of a durable nonce, until which is
	// advanced it is good. Until is about when that is, at 600 ms a block.
	Last  uint64    `json:"last,omitzero"`
	Until time.Time `json:"until,omitzero"`
	// Missing says what the nodes have yet to show before it counts as dead.
	Missing string `json:"missing,omitempty"`
}

// Ledger says of each window what is used, open and left.
func (s *Signer) Ledger(ctx context.Context) ([]Used, error) {
	var all []Used
	var failed error
	now := s.time()
	add := func(owner, payee string, ceilings []Ceiling, whose string, who string) {
		for _, c := range ceilings {
			for _, w := range c.Windows {
				length := time.Duration(w.Length)
				u := Used{Owner: owner, Payee: payee, Mint: c.Mint, Length: w.Length.String(), Most: w.Most}
				sum, err := spent(ctx, s.db, now, length, c.Mint, whose, who)
				frees, late := frees(ctx, s.db, now, length, 1, c.Mint, whose, who)
				query := "SELECT COALESCE(SUM(amount), 0) FROM debit WHERE mint = ? AND at = ? AND " + whose
				missed := s.db.QueryRowContext(ctx, query, string(c.Mint), forever, who).Scan(&u.Open)
				failed = errors.Join(failed, err, late, missed)
				u.Landed, u.Left, u.Frees = sum-u.Open, max(0, w.Most-sum), frees
				all = append(all, u)
			}
		}
	}
	policy := s.Policy()
	for _, o := range policy.Owners {
		from := len(all)
		add(o.Name, "", o.ceilings(), ofOwner, o.Key.String())
		for i := range all[from:] {
			all[from+i].Elsewhere = o.Elsewhere
		}
	}
	for _, t := range policy.Templates {
		add("", ofTemplate+t.Name, t.Sum, ofPayee, ofTemplate+t.Name)
	}
	for _, p := range policy.Payees {
		add("", p.Address.String(), p.Ceilings, ofPayee, p.Address.String())
	}
	if failed != nil {
		return nil, failed
	}
	return all, nil
}

// Live lists the signed messages that can still land, oldest first.
func (s *Signer) Live(ctx context.Context) (all []OpenMessage, err error) {
	open, err := s.lives(ctx)
	for _, l := range open {
		m := OpenMessage{ID: l.id, Owner: l.owner.String(), Client: l.client, Signature: l.ours, Made: l.made}
		_, m.Missing = s.dead(l)
		if _, durable := nonceOf(l.tx); !durable {
			m.Last, m.Until = s.landsUntil(l)
		}
		all = append(all, m)
	}
	return all, err
}

// landsUntil estimates when the last block is final that may have a message.
func (s *Signer) landsUntil(l *live) (last uint64, until time.Time) {
	const block = 600 * time.Millisecond
	s.mu.Lock()
	final := s.final
	s.mu.Unlock()
	last, known := proof.Last(&l.evidence, s.ids())
	if !known {
		return 0, until
	}
	return last, s.time().Add(time.Duration(max(last, final.Height)-final.Height) * block)
}

// Health says whether the signer can sign.
type Health struct {
	Mode    Mode      `json:"mode"`
	Policy  string    `json:"policy"`            // the fingerprint of the signer's policy
	InForce bool      `json:"inForce"`           // whether it is the store's
	Changed int64     `json:"changed"`           // the number of the entry by which the store's came in force
	Log     string    `json:"log"`               // the public key that signs the log, hexadecimal
	Entries int64     `json:"entries"`           // of the log
	Open    int       `json:"open"`              // messages that can still land
	Time    time.Time `json:"time"`              // the signer's
	Stopped string    `json:"stopped,omitempty"` // why the store takes nothing more
	Frozen  []string  `json:"frozen,omitempty"`  // keys of owners that are, see Signer.Settle
	// Elsewhere is how many owners there are whose key was in other hands before.
	Elsewhere int `json:"elsewhere,omitzero"`
	// Late says in words which hourly comparison of chain and log is overdue by 15 minutes, and why: a
	// stolen key would not show. Nothing is frozen for it.
	Late []string `json:"late,omitempty"`
}

// Health reads the signer's state.
func (s *Signer) Health(ctx context.Context) (h Health, err error) {
	s.deciding.Lock()
	h.Entries = s.head.seq
	switch {
	case s.broken != nil:
		h.Stopped = s.broken.Error()
	case s.stopped != nil:
		h.Stopped = s.stopped.Why
	}
	s.deciding.Unlock()
	h.Policy, h.Time, h.Late = s.Policy().fingerprint, s.time(), s.late()
	h.Changed, h.Log = s.inForce.Load().entry, hex.EncodeToString(s.logKey[len(s.logKey)/2:])
	if h.Mode, err = mode(ctx, s.db); err != nil {
		return h, err
	}
	stored, err := getMeta(ctx, s.db, "policy")
	if err != nil {
		return h, err
	}
	h.InForce = stored == h.Policy
	for _, o := range s.Policy().Owners {
		if o.Elsewhere {
			h.Elsewhere++
		}
	}
	h.Frozen, err = frozenOwners(ctx, s.db)
	return h, errors.Join(err, s.db.QueryRowContext(ctx, "SELECT COUNT(*) FROM signed WHERE state = 'open'").Scan(&h.Open))
}
