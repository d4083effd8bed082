package judge

import (
	"context"
	"fmt"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/txwire"
	"github.com/walletfi/walletfi-go/signing/internal/program"
	"github.com/walletfi/walletfi-go/signing/internal/rule"
)

// Key is an account's address.
type Key = txwire.Key

// Judge applies the rules under one policy. It is safe for concurrent use.
type Judge struct {
	Policy  Policy
	derived program.Derivations
}

// Policy is the caller's policy, as package signing documents it.
type Policy struct {
	Pins          map[string][]Key
	TypedPins     map[string][]Pin
	Learning      bool // find the roles of all accounts that pinned programs may write
	Accounts      []OwnAccount
	Keys          []Key
	Protected     []Key
	Sponsors      []Key
	CoSigners     []Key
	LateCoSigners int
	Delegates     []Key
	Mints         []Key
	AllowBlind    []string
}

// OwnAccount is an account of the caller's that no derivation finds.
type OwnAccount struct {
	Address Key
	Mint    Key // of a token account, zero if it is not one
}

// Circumstances are what is known besides the transactions and the intent.
type Circumstances struct {
	Blockhash            string // that the service named, base58; empty if unknown
	LastValidBlockHeight uint64 // that the service named; 0 if unknown
	BlockHeight          uint64 // the ledger's; 0 leaves the lifetime unchecked
	Nonce                *Nonce // that the caller opted in to
	Executed             int    // transactions of the set that are
	NetworkFee           uint64 // the policy's cap of a set, in lamports
	Rent                 uint64 // the policy's cap of a set, in lamports
	ForeignRent          uint64 // that the policy allows for other wallets\' accounts
}

// Nonce is a durable nonce account and its value.
type Nonce struct{ Account, Value Key }

// Node answers from the ledger.
type Node interface {
	// Load returns what the lookup tables of a transaction load: the writable
	// accounts of every table, then the read-only ones. Nil means unknown.
	Load(ctx context.Context, transaction int) ([]Key, error)
	// Read returns the states of accounts, in order: none if they could not be read, nil if it reads no accounts.
	Read(ctx context.Context, accounts []Key) ([]program.State, error)
	// TransferFee returns the fee of a Token-2022 mint, if it is known.
	TransferFee(ctx context.Context, mint Key) (fee TransferFee, known bool)
	// Simulate runs a transaction after those before it. Nil without a reason
	// means that there is no simulator. The reason says why it could not be run, or
	// not after them.
	Simulate(ctx context.Context, transaction int, accounts []Key) (s *Simulation, blind string, err error)
}

// Simulation is the predicted effect of a transaction.
type Simulation struct {
	Err           string
	Accounts      []Key           // nil for the requested ones
	Before, After []program.State // of the accounts, in order
	Inner         []Inner
	StatesOnly    bool // Inner is not told
	Slot          uint64
	Alone         bool // it is signed before those after it are judged
}

// Inner is an instruction that a program called.
type Inner struct {
	Outer    int
	Program  Key
	Accounts []Key
	Data     []byte
}

// Run judges what was added. The error is an intent that cannot be read, or a
// node that did not answer and nothing was refused until then. Refusals are
// among the findings.
func (c *Case) Run(ctx context.Context, intent *walletfi.Intent, node Node) error {
	if err := c.want.fill(&c.judge.Policy, intent, &c.About); err != nil {
		return err
	}
	c.begin()
	c.ledger.done = ctx.Done()
	if n := len(c.txs); n > c.want.transactions {
		at := rule.Site{Transaction: c.want.transactions, Instruction: rule.Envelope}
		c.Findings.refuse(at.Refuse(rule.Set, fmt.Sprintf("a set of at most %d transactions", c.want.transactions),
			fmt.Sprintf("%d transactions", n)))
		return nil
	}
	c.nameMints()
	for i := range c.txs {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := c.one(ctx, i, node); err != nil {
			if len(c.Findings.Refusals) > 0 {
				return nil
			}
			return err
		}
	}
	if err := ctx.Err(); err != nil {
		return err // the amounts may not have been matched to their end
	}
	c.settled()
	return nil
}

// nameMints learns which mints a set names: an account of ours that one transaction proves to be ours
// is ours in each. Those behind lookup tables are known to the transactions after it.
func (c *Case) nameMints() {
	for i := range c.txs {
		if len(c.txs) == 1 {
			return
		}
		c.checker.reset()
		c.checker.open(c, i)
		c.checker.each(func(ch *checker, o *operation) {
			ch.facts.learn(ch, o)
		})
		c.ledger.nameMints(c.checker.facts.mints)
	}
}

// one judges the transaction of an index, in the order of its steps.
func (c *Case) one(ctx context.Context, i int, node Node) error {
	ch := &c.checker
	ch.reset()
	ch.open(c, i)
	ch.ctx, ch.node = ctx, node
	last := i == len(c.txs)-1
	if node != nil {
		loaded, err := node.Load(ctx, i)
		if err != nil {
			return err
		}
		ch.accounts.Loaded = loaded
	}
	ch.opening()
	ch.envelope()
	outcome, blind, err := ch.simulate(ctx, node)
	if err != nil {
		return err
	}
	if blind == "" {
		ch.seen = outcome
	}
	ch.judgedBy(blind)
	ch.rules()
	c.ledger.nameMints(ch.facts.mints)
	c.ledger.nameMints(ch.simulatedFacts.mints)
	if err := ch.reaches(outcome, blind); err != nil {
		return err
	}
	ch.mayWrite()
	ch.unjudged(outcome, blind)
	ch.changes(outcome)
	c.ledger.settle(last)
	ch.outcome(outcome, last)
	if last {
		o := ch.whole()
		c.Findings.refuse(c.ledger.expected(&o))
	}
	return nil
}
