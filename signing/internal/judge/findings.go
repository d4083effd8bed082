package judge

import (
	"slices"

	"github.com/walletfi/walletfi-go/internal/txwire"
	"github.com/walletfi/walletfi-go/signing/internal/caps"
	"github.com/walletfi/walletfi-go/signing/internal/program"
	"github.com/walletfi/walletfi-go/signing/internal/rule"
)

// Findings is the result of a case. It is valid until the case is closed.
type Findings struct {
	Owner        Key
	Service      string
	Transactions []Transaction
	Leaves       []Movement
	Stays        []Movement
	Reaches      []Reach
	Notes        []Note
	Arrives      []caps.Limit    // what a simulation saw arriving
	Brings       []caps.Limit    // what arrives by transfers of others, by the bytes
	Exposed      []caps.Limit    // of those, what a pinned program could take again
	Left         []caps.Limit    // what the executed transactions took
	Simulated    bool            // every transaction was simulated
	Unresolved   bool            // accounts in lookup tables stayed unknown
	BlockHeight  uint64          // 0 if it was not given
	LastValid    uint64          // as the service says, 0 if it does not
	Untold       bool            // what a pinned program calls in turn is not known, whose outcome is
	Unproven     bool            // the bytes do not prove that what the intent expects arrives
	Decimals     []Decimals      // that instructions name
	Blind        []Blind         // not judged on an outcome, and allowed
	Refusals     []*rule.Refusal // the first of each rule

	Slot uint64 // of the first simulation, 0 if it is not told

	simulations int
	judged      int // of these, on the state that the earlier transactions leave
	refused     int // with those of a rule that has one already
	ours        []Key
}

// Decimals are those that an instruction names of a mint.
type Decimals struct {
	Transaction int
	Mint        Key
	Decimals    uint8
}

// Blind is a transaction that was not judged on a simulated outcome, and why.
type Blind struct {
	Transaction int
	Why         string
}

// Transaction holds the findings of one transaction of the set.
type Transaction struct {
	Version            txwire.Version
	FeePayer           Key
	BaseFee, Priority  uint64
	SignedBy           []Key
	AwaitsSignaturesOf []Key
	Named              []Key // other signers that policy or intent name, who have not signed
	JudgedBy           Evidence
}

// Evidence says by what a transaction was judged.
type Evidence uint8

// The kinds of evidence.
const (
	ByBytes Evidence = iota
	BySimulation
	ByExecution
	ByBytesUntilItsTurn
)

// judgedBy notes by what the transaction is judged.
func (c *checker) judgedBy(blind string) {
	t := &c.findings.Transactions[c.index]
	switch {
	case c.executed():
		t.JudgedBy = ByExecution
	case blind == Later:
		t.JudgedBy = ByBytesUntilItsTurn
	case c.seen != nil:
		t.JudgedBy = BySimulation
	}
}

// Movement is value that leaves an account of the owner's.
type Movement struct {
	rule.Site
	Rule   string
	Mint   Key
	Amount uint64
	To     Key
	Wallet Key         // that To is an associated account of, zero if unknown
	Hidden bool        // To is in a lookup table and unknown
	As     caps.Bucket // 0 if it was not counted
}

// Reach is a call of a pinned program and what of ours it may write.
type Reach struct {
	Transaction, Instruction int
	Program                  Key
	Unknown                  int
	Grade                    Grade // of the pins that let it through
	Roles                    Role  // of the accounts that it may write, where a pin names them
	Signed                   bool  // by us
	Unshown                  int   // writable accounts of which it is not known whose they are
	Within                   []Key // programs that the call gives our key, in calls of its own
	Positions                []Key // accounts of programs that it may write and whose data has the owner's key
	may                      Role
	order                    int  // of the call among the transaction's
	unsought                 bool // it may write more accounts than whose owner is looked for
	from, to                 int  // in Findings.ours
}

// Ours returns the accounts of ours that the call may write.
func (f *Findings) Ours(r *Reach) []Key { return f.ours[r.from:r.to] }

// The kinds of notes, as package signing publishes them.
const (
	NoteMemo       = "memo"
	NoteApproval   = "approval"
	NoteMint       = "mint"
	NoteNonce      = "nonce"
	NoteSignatures = "signatures"
	NoteClose      = "close"
	NoteRevoke     = "revoke"
	NoteZero       = "zero"
	NoteSimulation = "simulation"
	NoteFrozen     = "frozen"
	NotePermission = "permission"
)

// Note is worth knowing and costs nothing.
type Note struct {
	Transaction, Instruction int
	Kind                     string
	Account, To              Key
	Text                     string
	Amount                   uint64 // of an approval
}

// maxRefusals bounds what is collected: a set with so many is judged no
// further.
const maxRefusals = 64

// refuse keeps the first refusal of each rule and ignores nil.
func (f *Findings) refuse(r *rule.Refusal) {
	if r != nil {
		f.add(r)
	}
}

func (f *Findings) add(r *rule.Refusal) {
	f.refused++
	if !slices.ContainsFunc(f.Refusals, func(has *rule.Refusal) bool { return has.Rule == r.Rule }) {
		f.Refusals = append(f.Refusals, r)
	}
}

func (f *Findings) full() bool { return f.refused >= maxRefusals }

// NetworkFee is the sum of the owner's base and priority fees, in lamports.
func (f *Findings) NetworkFee() uint64 {
	var total uint64
	for i := range f.Transactions {
		if t := &f.Transactions[i]; t.FeePayer == f.Owner {
			total = caps.Add(total, caps.Add(t.BaseFee, t.Priority))
		}
	}
	return total
}

func (f *Findings) reset() {
	empty(&f.Transactions)
	empty(&f.Leaves)
	empty(&f.Stays)
	empty(&f.Reaches)
	empty(&f.Notes)
	empty(&f.Arrives)
	empty(&f.Brings)
	empty(&f.Exposed)
	empty(&f.Left)
	empty(&f.Decimals)
	empty(&f.Refusals)
	empty(&f.Blind)
	empty(&f.ours)
	f.Service, f.Simulated, f.Unresolved, f.Unproven, f.Untold = "", false, false, false, false
	f.simulations, f.judged, f.refused, f.Slot = 0, 0, 0, 0
}

// opening adds the transaction to the findings and to the ledger.
func (c *checker) opening() {
	c.findings.Transactions = append(c.findings.Transactions, Transaction{Version: c.tx.Version, FeePayer: *c.tx.Key(0)})
	if c.tx.LookupCount > 0 && c.accounts.Loaded == nil {
		c.findings.Unresolved = true
	}
	c.ledger.begins = append(c.ledger.begins, len(c.ledger.items))
}

// signer adds another signer, which has signed or signs late.
func (c *checker) signer(k Key, late bool) {
	t := &c.findings.Transactions[c.index]
	if late {
		t.AwaitsSignaturesOf = append(t.AwaitsSignaturesOf, k)
	} else {
		t.SignedBy = append(t.SignedBy, k)
	}
}

// leaves adds an outgoing amount of an asset and returns its place.
func (f *Findings) leaves(at rule.Site, asset Key, out outgoing) int {
	m := movement(at, out.rule, asset, out.amount, out.to)
	if out.wallet != nil {
		m.Wallet = *out.wallet
	}
	f.Leaves = append(f.Leaves, m)
	return len(f.Leaves) - 1
}

// burns adds a burn that has no cap.
func (f *Findings) burns(at rule.Site, out outgoing) {
	f.Leaves[f.leaves(at, out.mint, out)].As = caps.Burn
}

func (f *Findings) stays(at rule.Site, mint Key, amount uint64, to *Key) {
	f.Stays = append(f.Stays, movement(at, "", program.Asset(mint), amount, to))
}

func movement(at rule.Site, rule string, mint Key, amount uint64, to *Key) Movement {
	m := Movement{Site: at, Rule: rule, Mint: mint, Amount: amount, Hidden: to == nil}
	if to != nil {
		m.To = *to
	}
	return m
}

// note adds a note about two accounts, either of which may be nil.
func (c *checker) note(o *operation, kind string, about, to *Key, text string) {
	n := Note{Transaction: c.index, Instruction: o.instruction, Kind: kind, Text: text}
	if about != nil {
		n.Account = *about
	}
	if to != nil {
		n.To = *to
	}
	c.findings.Notes = append(c.findings.Notes, n)
}
