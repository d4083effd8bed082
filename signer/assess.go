package signer

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/spendwindow"
	"github.com/walletfi/walletfi-go/signer/internal/messageid"
	"github.com/walletfi/walletfi-go/signing"
)

// Codes of refusals, as signing.SetRefusal has them. A refusal of the guard has the code
// "guard." and the guard's rule.
const (
	CodeRequest   = "request"             // the request is not well formed
	CodeClient    = "client"              // the client may not ask for this owner or service
	CodeRate      = "client.rate"         // the client asks too often
	CodeNodes     = "nodes"               // too few of the signer's nodes answered
	CodeBlockhash = "blockhash"           // they do not know the blockhash
	CodeNonce     = "nonce"               // the durable nonce is not as the transaction needs it
	CodeReach     = "exposure.unknown"    // it is not known what a program may write
	CodeExposure  = "exposure"            // more may be written than the policy exposes
	CodeBusy      = "live"                // another transaction of these accounts can still land
	CodeStranger  = "permission"          // another's approval or authority over an account of ours
	CodeUpgraded  = "upgraded"            // a pinned program is not the one that was deployed then
	CodePin       = "pin"                 // a change of the policy has lately added the pin of a called program
	CodeApproval  = "approval"            // more leaves than does without a grant, or the grant does not allow it
	CodePayee     = "payee"               // something goes to whom the policy does not list
	CodeCeiling   = "ceiling.transaction" // one transaction takes more than its ceiling
	CodeWindow    = "ceiling.window"      // more would leave within a window than its ceiling
	CodeShare     = "ceiling.share"       // the client's share of a window is used up
	CodeFrozen    = "frozen"              // the signer is frozen, or exits
	CodePolicy    = "policy"              // the store was written under another policy
	CodeStore     = "store"               // the store could not be written
	CodeFull      = "store.full"          // the disk has no room, or takes no writes: nothing is signed until it does
	CodeBackend   = "backend"             // the key gave no valid signature; what was counted stays counted
	CodeEnded     = "ended"               // the message is dead, or has landed
)

// Debit says how much one message takes of a mint.
type Debit struct {
	Mint Mint `json:"mint"`
	// Payee is the payee whose ceilings this counts under, "template:" and its name for the sum
	// of a template, empty for the owner's.
	Payee  string `json:"payee,omitempty"`
	Amount int64  `json:"amount,string"`
	// Cost is the part of Amount that is gone even if the transaction fails.
	Cost int64 `json:"cost,string,omitzero"`
	// Exposure is how much of the mint unproven code may write.
	Exposure int64 `json:"exposure,string,omitzero"`
}

// Grade says what the debits of a message rest on.
type Grade string

// The grades.
const (
	GradeBytes      Grade = "bytes"      // the bytes prove them
	GradeSimulation Grade = "simulation" // most nodes' simulations showed them
	GradeBlind      Grade = "blind"      // not all of what the programs do was shown
)

// rank orders the grades: the worse is the greater.
func (g Grade) rank() int { return slices.Index([]Grade{GradeBytes, GradeSimulation, GradeBlind}, g) }

// Message is one transaction of a request, as the signer judged it.
type Message struct {
	// ID is the debit's identity: the hash of client, owner and message. Under whatever key
	// the same message is asked for, it counts once.
	ID     string  `json:"id"`
	Grade  Grade   `json:"grade"`
	Debits []Debit `json:"debits"`
	// Trade is set if the message counts as turnover and loss.
	Trade *Trade `json:"trade,omitempty"`

	tx        *signing.Transaction
	ours      []string // accounts that programs may write
	evidence  *walletfi.Evidence
	fees      Fees
	calls     []Pin
	paid      []string // the addresses of the policy that it pays
	trade     *Trade   // what it trades, if the bytes prove that
	taken     bool     // a node has shown what it takes
	pins      []string // the pins by which it calls, as Service.calls has them
	rescues   bool     // everything goes to rescue addresses
	exists    bool     // it was signed for before
	signature signing.Signature
}

// idOf is the identity of a message of a client. That of a second owner who signs it too is
// another one, and counts what leaves once more.
func idOf(client string, owner signing.PublicKey, message []byte) string {
	return messageid.Of(client, owner, message)
}

// refuse makes a refusal.
func refuse(code, format string, args ...any) *signing.SetRefusal {
	return &signing.SetRefusal{Code: code, Text: fmt.Sprintf(format, args...)}
}

// waits is a refusal of what may be signed later.
func waits(code, format string, args ...any) *signing.SetRefusal {
	r := refuse(code, format, args...)
	r.Waits = true
	return r
}

// narrowed cuts an intent down to the policy's lists.
func (p *Policy) narrowed(in walletfi.Intent) walletfi.Intent {
	in = in.Clone()
	in.Delegates = nil    // what is approved outlasts its transaction
	in.ReceiveAfter = nil // what arrives raises no ceiling
	o := p.owner(in.Owner)
	in.Receive = slices.DeleteFunc(in.Receive, func(a walletfi.Asset) bool { // whose accounts a pin may name "received"
		return o == nil || len(ceiling(o.Ceilings, Mint(a.Mint)).Windows) == 0 && !p.ReportOnly
	})
	for i := range in.Receive {
		in.Receive[i].Amount = 0 // a transaction of a set, sent alone, need not make all of it arrive
	}
	listed := func(all []signing.PublicKey) func(string) bool {
		return func(text string) bool {
			return !slices.ContainsFunc(all, func(k signing.PublicKey) bool { return k.String() == text })
		}
	}
	in.CoSigners = slices.DeleteFunc(in.CoSigners, listed(p.CoSigners))
	in.FeeTo = slices.DeleteFunc(in.FeeTo, listed(p.FeeReceivers))
	in.OutputTo = slices.DeleteFunc(in.OutputTo, func(text string) bool { return p.payee(text) == nil })
	if in.Sponsor != "" && listed(p.Sponsors)(in.Sponsor) {
		in.Sponsor = ""
	}
	network := walletfi.Amount(p.Fees.Network)
	if in.MaxNetworkFeeLamports != nil {
		network = min(network, *in.MaxNetworkFeeLamports)
	}
	rent := walletfi.Amount(p.Fees.Rent)
	if in.MaxRentLamports != nil {
		rent = min(rent, *in.MaxRentLamports)
	}
	in.MaxNetworkFeeLamports, in.MaxRentLamports = &network, &rent
	in.TipLamports = min(in.TipLamports, walletfi.Amount(p.Fees.Tip))
	in.MaxForeignRentLamports = min(in.MaxForeignRentLamports, walletfi.Amount(p.Fees.ForeignRent))
	return in
}

func (p *Policy) payee(address string) *Payee {
	return first(p.Payees, func(x Payee) bool { return x.Address.String() == address })
}

// guard is the guard of an owner, which knows the keys of all.
func (s *Signer) guard(o *Owner) *signing.Guard {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p := s.Policy(); s.guardsOf != p {
		s.guards, s.guardsOf = map[signing.PublicKey]*signing.Guard{}, p
	}
	if s.guards[o.Key] == nil {
		s.guards[o.Key] = signing.NewGuard(s.guardsOf.guardOf(o))
	}
	return s.guards[o.Key]
}

// keyOf is the key of an owner, nil if there is none.
func (s *Signer) keyOf(owner signing.PublicKey) signing.Signer {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.keys[owner]
}

// guardOf is the guard's policy for an owner.
func (p *Policy) guardOf(o *Owner) signing.Policy {
	out := signing.Policy{
		TypedPins: map[string][]signing.Pin{}, Sponsors: p.Sponsors, CoSigners: p.CoSigners,
	}
	for other := range p.byKey {
		if other != o.Key.String() {
			out.Keys = append(out.Keys, signing.MustPublicKey(other))
		}
	}
	for _, a := range o.Accounts {
		out.Accounts = append(out.Accounts, signing.OwnAccount{
			Address: a.Address, Mint: signing.MustPublicKey(string(a.Mint)),
		})
	}
	for _, s := range p.Services {
		pins := []signing.Pin{}
		for _, pin := range s.Pins {
			pins = append(pins, signing.Pin{Program: pin.Program, Instructions: pin.discriminators(), MayWrite: pin.MayWrite})
		}
		out.TypedPins[s.Name] = pins
		if s.Blind {
			out.AllowBlind = append(out.AllowBlind, s.Name)
		}
	}
	return out
}

// discriminators are the pin's instructions, nil for any. ParsePolicy has checked the text.
func (p Pin) discriminators() (all []signing.Discriminator) {
	for _, text := range p.Instructions {
		b, _ := hex.DecodeString(text)
		all = append(all, b)
	}
	if p.Instructions != nil && all == nil {
		return []signing.Discriminator{}
	}
	return all
}

// recorder is a simulator that keeps what it was shown.
type recorder struct {
	node Node

	mu    sync.Mutex
	shown []shown
}

type shown struct {
	accounts []signing.PublicKey
	out      *signing.Simulation
}

// Simulate asks the node.
func (r *recorder) Simulate(ctx context.Context, q signing.SimulationRequest) (*signing.Simulation, error) {
	out, err := r.node.Simulate(ctx, q)
	if err == nil && out != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.shown = append(r.shown, shown{slices.Clone(q.Accounts), out})
	}
	return out, err
}

// assess judges one transaction as if it were sent alone, by each node, and takes the
// greatest of what they showed. What fails so waits if it comes later in its set: once those
// before it have landed it may pass.
func (s *Signer) assess(
	ctx context.Context, q *request, tx *signing.Transaction, later bool,
) (*Message, error) {
	o := q.owner
	m := &Message{ID: idOf(q.client.Name, o.Key, tx.Message()), tx: tx, Grade: GradeBytes, rescues: true}
	alone := walletfi.Unsigned{
		Transactions: []walletfi.EncodedTransaction{tx.Base64()}, Intent: q.intent,
		LastValidBlockHeight: q.Unsigned.LastValidBlockHeight,
	}
	account, durable := nonceOf(tx)
	durable = durable && slices.Contains(o.Nonces, account)
	var opts []signing.Option
	var err error
	if durable {
		opts = append(opts, signing.WithNonce(signing.Nonce{Account: account, Value: tx.Blockhash()}))
		alone.LastValidBlockHeight = 0
		m.evidence, err = s.holding(ctx, account, tx.Blockhash())
	} else if m.evidence, err = s.witnessed(ctx, tx.Blockhash().String()); err != nil {
		err = waits(CodeBlockhash, "the blockhash is not known to be valid: %v", err)
	}
	if err != nil {
		return nil, err
	}
	p, guard := s.Policy(), s.guard(o)
	if q.asked != nil {
		p, guard = q.asked, signing.NewGuard(q.asked.guardOf(o))
	}
	answers := ask(ctx, s, func(ctx context.Context, n Node) (*Message, error) {
		return p.byNode(ctx, guard, o, n, alone, opts...)
	})
	good, err := judged(answers, later)
	if err != nil {
		return nil, err
	}
	for _, a := range good {
		m.take(a.value)
	}
	m.paid = union(m.paid, q.intent.OutputTo) // a program pays them, which no movement shows
	if err := s.tooEarly(q, m); err != nil {
		return nil, err
	}
	if durable && m.Grade != GradeBytes {
		return nil, refuse(CodeNonce, "what a simulation shows does not hold until a durable nonce is advanced")
	}
	s.trades(ctx, q, m)
	if o.template != "" {
		for _, d := range m.Debits {
			if d.Payee == "" {
				m.Debits = append(m.Debits, Debit{Mint: d.Mint, Payee: ofTemplate + o.template, Amount: d.Amount, Cost: d.Cost})
			}
		}
	}
	return m, nil
}

// judged are the answers of the nodes, none of which may refuse.
func judged(answers []answer[*Message], later bool) ([]answer[*Message], error) {
	for _, a := range answers {
		if refusal, ok := errors.AsType[*signing.SetRefusal](a.err); ok {
			return nil, refusal
		}
		if refusal, ok := errors.AsType[*signing.GuardError](a.err); ok {
			r := refuse("guard."+string(refusal.Rule), "%v", refusal)
			r.Waits = later && (refusal.Rule == signing.RuleSimulationFailed || refusal.Rule == signing.RuleBlind)
			return nil, r
		}
	}
	good, err := answered(answers)
	if err != nil {
		return nil, waits(CodeNodes, "%v", err)
	}
	return good, nil
}

// take raises what m counts to what a node showed: what is gone whatever becomes of the transaction, and what
// it moves besides, each for itself, as a landed failure and a grant tell them apart.
func (m *Message) take(by *Message) {
	if by.Grade.rank() > m.Grade.rank() {
		m.Grade = by.Grade
	}
	m.rescues = m.rescues && by.rescues
	m.fees, m.calls = m.fees.orMore(by.fees), append(m.calls, by.calls...)
	if m.trade = m.trade.least(by.trade); !m.taken {
		m.trade, m.taken = by.trade, true
	}
	m.paid, m.pins = union(m.paid, by.paid), union(m.pins, by.pins)
	for _, account := range by.ours {
		if !slices.Contains(m.ours, account) {
			m.ours = append(m.ours, account)
		}
	}
	for _, d := range by.Debits {
		has := first(m.Debits, func(x Debit) bool { return x.Mint == d.Mint && x.Payee == d.Payee })
		if has == nil {
			m.Debits = append(m.Debits, d)
			continue
		}
		moved := max(has.Amount-has.Cost, d.Amount-d.Cost)
		has.Cost = max(has.Cost, d.Cost)
		has.Amount = most(spendwindow.Add(uint64(moved), uint64(has.Cost)))
		has.Exposure = max(has.Exposure, d.Exposure)
	}
}

// byNode judges one transaction by one node. A refusal of the guard for lack of an answer is
// the node's.
func (p *Policy) byNode(
	ctx context.Context, guard *signing.Guard, o *Owner, n Node, alone walletfi.Unsigned, opts ...signing.Option,
) (*Message, error) {
	simulated := &recorder{node: n}
	txs, report, err := guard.WithNode(simulated, n).CheckSet(ctx, alone, opts...)
	if err != nil {
		return nil, err
	}
	accounts, err := txs[0].AllAccounts(ctx, n)
	if err != nil {
		return nil, err
	}
	if err := p.strangers(ctx, o, txs[0], accounts, n); err != nil {
		return nil, err
	}
	if err := p.upgraded(ctx, report, n); err != nil {
		return nil, err
	}
	meter := &meter{policy: p, owner: o, report: report, tx: txs[0], accounts: accounts, taken: map[Mint]*taken{}}
	if refusal := meter.run(simulated.shown); refusal != nil {
		return nil, refusal
	}
	return meter.message(), nil
}
