package signing

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing/internal/caps"
)

// Report is read by a person before approving: it says what leaves, what stays,
// which programs may reach what, what it costs, and what could not be seen. It marshals
// to JSON of a stable form, prints as text ([Report.Text], and [Report.String] with
// smallest units) and logs as a group.
type Report struct {
	Owner        PublicKey           `json:"owner"`
	Intent       walletfi.Intent     `json:"intent"` // what was asked for
	Service      string              `json:"service,omitempty"`
	Transactions []TransactionReport `json:"transactions"`
	Leaves       []Movement          `json:"leaves,omitempty"`    // what the owner parts with
	Stays        []Movement          `json:"stays,omitempty"`     // what moves among the owner's accounts
	Reaches      []Reach             `json:"reaches,omitempty"`   // what pinned programs may write
	Holds        []Holding           `json:"holds,omitempty"`     // what was in the accounts that they may write
	Notes        []Note              `json:"notes,omitempty"`     // memos, approvals, mints, nonces
	Brings       []walletfi.Asset    `json:"brings,omitempty"`    // what others transfer to the owner, by the bytes
	Exposed      []walletfi.Asset    `json:"exposed,omitempty"`   // of those, what a pinned program could take again
	Left         []walletfi.Asset    `json:"left,omitempty"`      // what executed steps took, fees and rent included
	Arrives      []walletfi.Asset    `json:"arrives,omitempty"`   // what a simulation saw arriving, over the set
	Simulated    bool                `json:"simulated,omitempty"` // whether all were judged on an outcome
	Slot         uint64              `json:"slot,omitempty"`      // of the first simulation, 0 if it does not say
	Blind        []Blind             `json:"blind,omitempty"`     // those that were not, and Policy.AllowBlind let pass
	Tokens       []ReportToken       `json:"tokens,omitempty"`    // what is known of the tokens named above
	Refusal      *GuardError         `json:"refusal,omitempty"`   // why the guard refused, nil if it did not
	Also         []*GuardError       `json:"also,omitempty"`      // further reasons, the first of each other rule

	// Unresolved says that accounts in lookup tables stayed unknown.
	Unresolved bool `json:"unresolved,omitempty"`
	// Unproven says that the bytes do not prove that what the intent expects
	// arrives.
	Unproven bool `json:"unproven,omitempty"`
	// Untold says that no simulation told what some pinned program calls in turn, although it
	// showed what becomes of the accounts.
	Untold bool `json:"untold,omitempty"`
	// BlockHeight is the height that the check was made at, 0 if it was not given.
	BlockHeight uint64 `json:"blockHeight,omitempty"`
	// LastValidBlockHeight is the height after which, as the service says, the
	// transactions cannot land; 0 if it does not say. Nothing in the bytes proves
	// it: do not build the transactions again because it has passed.
	LastValidBlockHeight uint64 `json:"lastValidBlockHeight,omitempty"`

	txs              []*Transaction // as long as one may have to be signed
	texts            []string       // afterwards, what they were decoded from
	digest, messages string
	guard            *Guard
	before           []func(context.Context, *Report) error // are asked before the signer, once
	blockhash        string                                 // that the service named
	passing          int                                    // of Tokens, the last, that only Holds names
}

// Blind is a transaction that was not judged on a simulated outcome.
type Blind struct {
	Transaction int    `json:"transaction"`
	Why         string `json:"why"`
}

// TransactionReport is one transaction of the set.
type TransactionReport struct {
	Version            string          `json:"version"`
	FeePayer           PublicKey       `json:"feePayer"`
	BaseFeeLamports    walletfi.Amount `json:"baseFeeLamports"`
	PriorityLamports   walletfi.Amount `json:"priorityFeeLamports"`
	SignedBy           []PublicKey     `json:"signedBy,omitempty"`           // others, who signed already
	AwaitsSignaturesOf []PublicKey     `json:"awaitsSignaturesOf,omitempty"` // others that neither policy nor intent names
	// Named are others that policy or intent names and whose signature the transaction still needs.
	Named    []PublicKey `json:"named,omitempty"`
	JudgedBy JudgedBy    `json:"judgedBy,omitempty"`
}

// JudgedBy says by what a transaction was judged besides its bytes.
type JudgedBy string

// The ways to judge.
const (
	ByBytes             JudgedBy = ""           // by nothing else
	BySimulation        JudgedBy = "simulation" // by what a simulation showed of it
	ByExecution         JudgedBy = "execution"  // it is executed, and what it changed counts
	ByBytesUntilItsTurn JudgedBy = "later"      // by nothing else yet: it is judged again before it is signed
)

var evidence = [...]JudgedBy{ByBytes, BySimulation, ByExecution, ByBytesUntilItsTurn}

// judgedBy are the numbers, from 1, of the transactions that were judged so.
func (r *Report) judgedBy(ways ...JudgedBy) (numbers []int) {
	for i := range r.Transactions {
		if slices.Contains(ways, r.Transactions[i].JudgedBy) {
			numbers = append(numbers, i+1)
		}
	}
	return numbers
}

// unsimulated are the numbers of those that call pinned programs and were judged by bytes alone.
func (r *Report) unsimulated() []int {
	return slices.DeleteFunc(r.judgedBy(ByBytes, ByBytesUntilItsTurn), func(n int) bool {
		return !slices.ContainsFunc(r.Reaches, func(reach Reach) bool { return reach.Transaction == n-1 })
	})
}

// Counts says what an outgoing amount was counted as.
type Counts string

// What an amount counts as.
const (
	CountsAsSpend Counts = "spend"
	CountsAsTip   Counts = "tip"
	CountsAsFee   Counts = "service fee"
	CountsAsRent  Counts = "rent"
	// CountsAsForeignRent is rent of another wallet's token account.
	CountsAsForeignRent Counts = "rent for another wallet"
	CountsAsBurn        Counts = "burn"
)

// Movement is value that leaves an account of the owner's.
type Movement struct {
	Transaction int             `json:"transaction"`
	Instruction int             `json:"instruction"`
	Simulated   bool            `json:"simulated,omitempty"` // within a program's call
	Rule        Rule            `json:"rule"`                // the row of the table that it passed under
	Mint        PublicKey       `json:"mint"`                // NativeMint for SOL, wrapped or not
	Amount      walletfi.Amount `json:"amount"`              // smallest units
	To          PublicKey       `json:"to"`                  // recipient, delegate or new account
	Wallet      PublicKey       `json:"wallet,omitzero"`     // the wallet whose associated account To is, if it is known
	Hidden      bool            `json:"hidden,omitempty"`    // To is in a lookup table and unknown
	CountsAs    Counts          `json:"countsAs,omitempty"`
}

// Reach is a call of a pinned program and what of ours it may write: it can do
// with those accounts whatever their owner can, and the bytes do not say what.
type Reach struct {
	Transaction int         `json:"transaction"`
	Instruction int         `json:"instruction"`
	Program     PublicKey   `json:"program"`
	Ours        []PublicKey `json:"ours,omitempty"`
	Unknown     int         `json:"unknown,omitempty"` // writable accounts in lookup tables
	Unshown     int         `json:"unshown,omitempty"` // other writable accounts: it was not shown whose they are
	Within      []PublicKey `json:"within,omitempty"`  // programs that the call passes our key on to, simulated
	Grade       PinGrade    `json:"grade,omitempty"`   // how closely the program is pinned
	Roles       []Role      `json:"roles,omitempty"`   // of Ours, where a pin names accounts
	Calls       string      `json:"calls,omitempty"`   // the instruction's name, as an IDL file of [Policy.IDLs] says
	// Positions are accounts of programs that the call may write and that have the owner's key in
	// their data, as a simulation or an [AccountReader] showed them: what they keep is the owner's,
	// as a rule.
	Positions []PublicKey `json:"positions,omitempty"`
	// Unsigned says that the owner's signature is not among what the call is given, so that
	// it may take only what an approval or a program of its own lets it take.
	Unsigned bool `json:"unsigned,omitempty"`
}

// NoteKind is the subject of a note.
type NoteKind string

// The kinds of notes.
const (
	NoteMemo       NoteKind = "memo"       // Text is the memo, as the transaction carries it
	NoteApproval   NoteKind = "approval"   // To may take from Account after the transaction, too
	NoteMint       NoteKind = "mint"       // Account becomes a mint
	NoteNonce      NoteKind = "nonce"      // the signature stays good until the nonce Account is used
	NoteSignatures NoteKind = "signatures" // a precompile verifies signatures that the transaction carries
	NoteClose      NoteKind = "close"      // Account's lamports go to To; Text is "as asked" if the request named it
	NoteRevoke     NoteKind = "revoke"     // nothing may take from Account any more
	NoteZero       NoteKind = "zero"       // a transfer of nothing to To: harmless, or bait to have the address copied
	NoteFrozen     NoteKind = "frozen"     // Account is new, and its token's issuer has to thaw it first
	NotePermission NoteKind = "permission" // To may take what comes into Account, by an approval from before
	NoteSimulation NoteKind = "simulation" // the transaction was not simulated; Text says why
)

// Note is something worth knowing that costs nothing.
type Note struct {
	Transaction int             `json:"transaction"`
	Instruction int             `json:"instruction"`
	Kind        NoteKind        `json:"kind"`
	Account     PublicKey       `json:"account,omitzero"`
	To          PublicKey       `json:"to,omitzero"`
	Amount      walletfi.Amount `json:"amount,omitzero"` // of an approval, smallest units
	Text        string          `json:"text,omitempty"`
}

// NetworkFeeLamports is the sum of the owner's base and priority fees.
func (r *Report) NetworkFeeLamports() walletfi.Amount {
	var total walletfi.Amount
	for _, t := range r.Transactions {
		if t.FeePayer == r.Owner {
			total = caps.Add(total, caps.Add(t.BaseFeeLamports, t.PriorityLamports))
		}
	}
	return total
}

// RentCaps returns how many lamports the set may pay as rent, as the intent says or else the guard's policy: for
// accounts of the owner's, and for token accounts of other wallets. Of a report that was read from JSON, the
// policy's caps are the defaults.
func (r *Report) RentCaps() (own, others walletfi.Amount) {
	var p Policy
	if r.guard != nil {
		p = r.guard.policy
	}
	own = walletfi.Amount(capOr(p.MaxRentLamports, DefaultMaxRentLamports))
	if r.Intent.MaxRentLamports != nil {
		own = *r.Intent.MaxRentLamports
	}
	return own, max(p.ForeignRentLamports, r.Intent.MaxForeignRentLamports)
}

// Total adds up what leaves of a mint and counts as a kind.
func (r *Report) Total(mint PublicKey, as Counts) walletfi.Amount {
	var total walletfi.Amount
	for _, m := range r.Leaves {
		if m.Mint == mint && m.CountsAs == as {
			total = caps.Add(total, m.Amount)
		}
	}
	return total
}

// Unseen says what the check could not see, in words.
func (r *Report) Unseen() []string {
	unseen := r.unseenInside()
	if end := r.until(); end != "" {
		unseen = append(unseen, "until when this can be executed: "+end)
	}
	return unseen
}

// unseenInside says what is not known of what the transactions do.
func (r *Report) unseenInside() []string {
	var unseen []string
	simulated, those := len(r.judgedBy(BySimulation, ByExecution)) > 0, r.unsimulated()
	switch {
	case len(those) == 0:
	case !simulated:
		unseen = append(unseen, "what the pinned programs do with the accounts they reach: nothing was simulated")
	case len(those) == 1:
		unseen = append(unseen, fmt.Sprintf("what the pinned programs of transaction %d do with the accounts they reach: "+
			"it was not simulated", those[0]))
	default:
		unseen = append(unseen, fmt.Sprintf("what the pinned programs of %s do with the accounts they reach: "+
			"those were not simulated", transactionsOf(those)))
	}
	if r.Unproven && !r.Simulated {
		why := "nothing was simulated"
		if simulated {
			why = "not every transaction was simulated"
		}
		unseen = append(unseen, "whether what the intent expects arrives: the bytes do not prove it, and "+why)
	}
	if r.Untold {
		unseen = append(unseen, "what the pinned programs call in turn: no simulation told it")
	}
	if r.Unresolved {
		unseen = append(unseen, "which accounts the lookup tables load: no resolver resolved them")
	}
	return unseen
}

// transactionsOf names transactions.
func transactionsOf(numbers []int) string {
	if len(numbers) == 1 {
		return fmt.Sprintf("transaction %d", numbers[0])
	}
	last := len(numbers) - 1
	before := strings.ReplaceAll(strings.Trim(fmt.Sprint(numbers[:last]), "[]"), " ", ", ")
	return fmt.Sprintf("transactions %s and %d", before, numbers[last])
}

const serviceSays = ". The service says so: if that is wrong, it can be executed later, too"

// until says until when the transactions can be executed, "" if they have no end. The height is the
// service's, and no more than an estimate of the time: 150 blocks are a minute, and more if some fail.
func (r *Report) until() string {
	if slices.ContainsFunc(r.Notes, func(n Note) bool { return n.Kind == NoteNonce }) {
		return "" // the note says that they do not end
	}
	switch last := r.LastValidBlockHeight; {
	case last == 0:
		return "usually 1 to 2 minutes after you sign, which is not certain; no last block height was given"
	case r.BlockHeight == 0 || last <= r.BlockHeight:
		return fmt.Sprintf("block height %d"+serviceSays, last)
	default:
		return fmt.Sprintf("block height %d, about %s from this check"+serviceSays, last,
			plural(int((last-r.BlockHeight+149)/150), "minute"))
	}
}

// ReportVersion is the version of the report's JSON form. Members may be added
// to a version, and none is changed or removed.
const ReportVersion = 1

// reportJSON is the JSON form: the report, its version, and its digests.
type reportJSON struct {
	Version  int    `json:"version"`
	Digest   string `json:"digest,omitempty"`
	Messages string `json:"messages,omitempty"`
	*plainReport
}

type plainReport Report

// odd reports what no guard reports. A word with an end of a line in it would write lines of the text.
func (r *plainReport) odd() bool {
	breaks := func(word string) bool { return strings.ContainsFunc(word, unicode.IsControl) }
	if slices.ContainsFunc(r.Transactions, func(t TransactionReport) bool { return breaks(t.Version) }) ||
		slices.ContainsFunc(r.Blind, func(b Blind) bool { return breaks(b.Why) }) ||
		slices.ContainsFunc(r.Leaves, func(m Movement) bool { return breaks(string(m.CountsAs)) }) {
		return true
	}
	return slices.Contains(r.Also, nil) ||
		slices.ContainsFunc(slices.Concat(r.Leaves, r.Stays), func(m Movement) bool { return m.Transaction < 0 }) ||
		slices.ContainsFunc(r.Reaches, func(reach Reach) bool { return reach.Transaction < 0 })
}

// MarshalJSON writes the report with its version and its digest.
func (r Report) MarshalJSON() ([]byte, error) {
	return json.Marshal(reportJSON{ReportVersion, r.Digest(), r.MessagesDigest(), (*plainReport)(&r)})
}

// UnmarshalJSON reads what MarshalJSON wrote. Another version is an error.
func (r *Report) UnmarshalJSON(b []byte) error {
	read := reportJSON{plainReport: new(plainReport)}
	if err := json.Unmarshal(b, &read); err != nil {
		return err
	}
	if read.Version != ReportVersion {
		return fmt.Errorf("signing: a report of version %d, not %d", read.Version, ReportVersion)
	}
	if read.odd() {
		return errors.New("signing: a report of no transaction, or with a refusal that says nothing")
	}
	*r = Report(*read.plainReport)
	r.digest, r.messages = read.Digest, read.Messages
	return nil
}
