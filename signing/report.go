package signing

import (
	"slices"

	"github.com/walletfi/walletfi-go"
)

// Report is what a person reads before approving: what leaves, what stays,
// who may reach what, what it costs, and what could not be seen. It marshals
// to JSON, prints as text (String) and logs as a group.
type Report struct {
	Owner        PublicKey           `json:"owner"`
	Service      string              `json:"service,omitempty"`
	Transactions []TransactionReport `json:"transactions"`
	Leaves       []Movement          `json:"leaves,omitempty"`    // what the owner parts with
	Stays        []Movement          `json:"stays,omitempty"`     // what moves among the owner's accounts
	Reaches      []Reach             `json:"reaches,omitempty"`   // what pinned programs may write
	Notes        []Note              `json:"notes,omitempty"`     // memos, approvals, mints, nonces
	Arrives      []walletfi.Asset    `json:"arrives,omitempty"`   // what a simulation saw arriving, over the set
	Simulated    bool                `json:"simulated,omitempty"` // whether every transaction was simulated
	Refusal      *GuardError         `json:"refusal,omitempty"`   // why the guard refused, nil where it did not

	simulations int
	unresolved  bool // accounts behind lookup tables stayed unknown
	unchecked   bool // nobody gave a block height
}

// TransactionReport is one transaction of the set.
type TransactionReport struct {
	Version            string      `json:"version"`
	FeePayer           PublicKey   `json:"feePayer"`
	BaseFeeLamports    uint64      `json:"baseFeeLamports"`
	PriorityLamports   uint64      `json:"priorityFeeLamports"`
	SignedBy           []PublicKey `json:"signedBy,omitempty"`           // others, who signed already
	AwaitsSignaturesOf []PublicKey `json:"awaitsSignaturesOf,omitempty"` // others, whom nobody named
}

// Counts says what an outgoing amount was counted as.
type Counts string

// What an amount counts as.
const (
	CountsAsSpend Counts = "spend"
	CountsAsTip   Counts = "tip"
	CountsAsFee   Counts = "service fee"
	CountsAsRent  Counts = "rent"
	CountsAsBurn  Counts = "burn"
)

// Movement is value that leaves an account of the owner's.
type Movement struct {
	Transaction int       `json:"transaction"`
	Instruction int       `json:"instruction"`
	Simulated   bool      `json:"simulated,omitempty"` // within a program's call
	Rule        Rule      `json:"rule"`                // the row of the table that it passed under
	Mint        PublicKey `json:"mint"`                // NativeMint for SOL, wrapped or not
	Amount      uint64    `json:"amount,string"`       // smallest units
	To          PublicKey `json:"to"`                  // recipient, delegate or new account
	Hidden      bool      `json:"hidden,omitempty"`    // To is behind a lookup table
	CountsAs    Counts    `json:"countsAs,omitempty"`
}

// Reach is a call of a pinned program and what of ours it may write: it can do
// with those accounts whatever their owner can, and the bytes do not say what.
type Reach struct {
	Transaction int         `json:"transaction"`
	Instruction int         `json:"instruction"`
	Program     PublicKey   `json:"program"`
	Ours        []PublicKey `json:"ours,omitempty"`
	Unknown     int         `json:"unknown,omitempty"` // writable accounts behind a lookup table
}

// NoteKind is what a note is about.
type NoteKind string

// The kinds of notes.
const (
	NoteMemo       NoteKind = "memo"       // Text is the memo, as the transaction carries it
	NoteApproval   NoteKind = "approval"   // To may take from Account after the transaction, too
	NoteMint       NoteKind = "mint"       // Account becomes a mint
	NoteNonce      NoteKind = "nonce"      // the signature stays good until the nonce Account is used
	NoteSignatures NoteKind = "signatures" // a precompile verifies signatures that the transaction carries
	NoteClose      NoteKind = "close"      // the lamports of Account go to To
	NoteSimulation NoteKind = "simulation" // the transaction could not be simulated by itself; Text says why
)

// Note is something worth knowing that costs nothing.
type Note struct {
	Transaction int       `json:"transaction"`
	Instruction int       `json:"instruction"`
	Kind        NoteKind  `json:"kind"`
	Account     PublicKey `json:"account,omitzero"`
	To          PublicKey `json:"to,omitzero"`
	Text        string    `json:"text,omitempty"`
}

func newReport(w *wanted) *Report {
	// Room for what an ordinary transaction reports, in one allocation.
	room := new(struct {
		Report
		transactions [1]TransactionReport
		leaves       [2]Movement
		stays        [1]Movement
		reaches      [1]Reach
		notes        [2]Note
	})
	r := &room.Report
	r.Owner, r.Service, r.unchecked = w.owner, w.service, w.height == 0
	r.Transactions, r.Leaves, r.Stays = room.transactions[:0], room.leaves[:0], room.stays[:0]
	r.Reaches, r.Notes = room.reaches[:0], room.notes[:0]
	return r
}

// refused is the report of a set that could not even be read.
func refused(err error) *Report {
	refusal, _ := err.(*GuardError)
	return &Report{Refusal: refusal}
}

func (r *Report) begin(c *checker) {
	r.Transactions = append(r.Transactions, TransactionReport{Version: c.tx.version.String(), FeePayer: c.tx.FeePayer()})
	if c.tx.lookupCount > 0 && c.loaded == nil {
		r.unresolved = true
	}
}

func (r *Report) fee(c *checker, base, priority uint64) {
	r.Transactions[c.index].BaseFeeLamports, r.Transactions[c.index].PriorityLamports = base, priority
}

func (r *Report) signer(c *checker, k PublicKey, late bool) {
	t := &r.Transactions[c.index]
	if late {
		t.AwaitsSignaturesOf = append(t.AwaitsSignaturesOf, k)
	} else {
		t.SignedBy = append(t.SignedBy, k)
	}
}

// leaves adds an outgoing amount and returns its place.
func (r *Report) leaves(item *outgoing) int {
	r.Leaves = append(r.Leaves, movement(item.site, item.rule, item.mint, item.amount, item.to))
	return len(r.Leaves) - 1
}

// burns adds a burn that has no cap.
func (r *Report) burns(at site, item outgoing) {
	m := movement(at, item.rule, item.mint, item.amount, item.to)
	m.CountsAs = CountsAsBurn
	r.Leaves = append(r.Leaves, m)
}

func (r *Report) stays(at site, mint PublicKey, amount uint64, to *PublicKey) {
	r.Stays = append(r.Stays, movement(at, "", assetOf(mint), amount, to))
}

func movement(at site, rule Rule, mint PublicKey, amount uint64, to *PublicKey) Movement {
	m := Movement{Transaction: at.transaction, Instruction: at.instruction, Simulated: at.simulated, Rule: rule, Mint: mint, Amount: amount, Hidden: to == nil}
	if to != nil {
		m.To = *to
	}
	return m
}

// note adds a note about an account and whom it concerns, either of which may
// be nil.
func (c *checker) note(o *operation, kind NoteKind, about, to *PublicKey, text string) {
	n := Note{Transaction: c.index, Instruction: o.instruction, Kind: kind, Text: text}
	if about != nil {
		n.Account = *about
	}
	if to != nil {
		n.To = *to
	}
	c.report.Notes = append(c.report.Notes, n)
}

// reach reports which accounts of ours a pinned program may write.
func (c *checker) reach(o *operation) {
	r := Reach{Transaction: c.index, Instruction: o.instruction, Program: o.program}
	for i := range o.count() {
		if !o.writes(i) {
			continue
		}
		k := o.at(i)
		switch {
		case k == nil:
			r.Unknown++
		case c.keeps(k, o.order) && !slices.Contains(r.Ours, *k):
			if r.Ours == nil {
				r.Ours = make([]PublicKey, 0, 4)
			}
			r.Ours = append(r.Ours, *k)
		}
	}
	c.report.Reaches = append(c.report.Reaches, r)
}

// settled says of each outgoing amount what it was counted as.
func (r *Report) settled(l *ledger) {
	for i := range l.items {
		r.Leaves[l.items[i].movement].CountsAs = l.items[i].as.counts()
	}
}

func (b bucket) counts() Counts {
	switch b {
	case asTip:
		return CountsAsTip
	case asFee:
		return CountsAsFee
	case asRent:
		return CountsAsRent
	case asBurn:
		return CountsAsBurn
	}
	return CountsAsSpend
}

// NetworkFeeLamports is what the owner pays in base and priority fees.
func (r *Report) NetworkFeeLamports() uint64 {
	var total uint64
	for _, t := range r.Transactions {
		if t.FeePayer == r.Owner {
			total = addSaturated(total, addSaturated(t.BaseFeeLamports, t.PriorityLamports))
		}
	}
	return total
}

// Total adds up what leaves of a mint and counts as a kind.
func (r *Report) Total(mint PublicKey, as Counts) uint64 {
	var total uint64
	for _, m := range r.Leaves {
		if m.Mint == mint && m.CountsAs == as {
			total = addSaturated(total, m.Amount)
		}
	}
	return total
}

// Unseen says what the check could not see, in words.
func (r *Report) Unseen() []string {
	var unseen []string
	if len(r.Reaches) > 0 && !r.Simulated {
		unseen = append(unseen, "what the pinned programs do with the accounts they reach, and what arrives: nothing was simulated")
	}
	if r.unresolved {
		unseen = append(unseen, "which accounts the lookup tables load: nobody resolved them")
	}
	if r.unchecked {
		unseen = append(unseen, "when the blockhash ends: no block height was given")
	}
	return unseen
}
