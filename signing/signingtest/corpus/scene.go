package corpus

import (
	"crypto/ed25519"
	"encoding/base64"
	"maps"
	"slices"

	"github.com/mr-tron/base58"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// ins shortens what every table is made of.
type ins = txbuild.Instruction

// scene is a case before it has a format.
type scene struct {
	txs       []transaction // the last one is the case, what comes before makes it a set
	intent    walletfi.Intent
	policy    Policy
	named     Key // blockhash that the service names next to the transactions
	lastValid uint64
	height    uint64
	nonce     *Nonce
}

// transaction is one of a scene's.
type transaction struct {
	txbuild.Transaction
	signedBy   []Key // who has signed already
	tamper     func(txbuild.Format, []byte) []byte
	encode     func([]byte) walletfi.EncodedTransaction // nil means base64
	simulation *Simulation
	leads      bool            // comes first in a set
	needs      *txbuild.Format // that a set's transactions have to have; nil means any
}

// last is the transaction that the case is about.
func (s *scene) last() *transaction { return &s.txs[len(s.txs)-1] }

// clone keeps what a spoiler does to a scene from the others.
func (s *scene) clone() *scene {
	c := *s
	c.intent = s.intent.Clone()
	c.txs = slices.Clone(s.txs)
	for i := range c.txs {
		t := &c.txs[i]
		t.Instructions = slices.Clone(t.Instructions)
		for j := range t.Instructions {
			t.Instructions[j].Accounts = slices.Clone(t.Instructions[j].Accounts)
			t.Instructions[j].Data = slices.Clone(t.Instructions[j].Data)
		}
		t.Tables, t.signedBy, t.Signers = slices.Clone(t.Tables), slices.Clone(t.signedBy), slices.Clone(t.Signers)
	}
	c.policy.Pins = maps.Clone(s.policy.Pins)
	c.policy.Tables = maps.Clone(s.policy.Tables)
	return &c
}

// render writes a scene's transactions.
func (k *cast) render(name string, format Format, s *scene) Case {
	f := map[Format]txbuild.Format{Legacy: txbuild.Legacy, V0: txbuild.V0, V1: txbuild.V1}[format]
	if format == Set {
		f = innerFormat(name)
		if s.last().needs != nil {
			f = *s.last().needs
		}
		if len(s.txs) == 1 {
			s.txs = k.opened(s)
		}
	}
	c := Case{Name: name + "/" + string(format), Format: format, Policy: s.policy, BlockHeight: s.height, Nonce: s.nonce}
	c.Unsigned = walletfi.Unsigned{Intent: s.intent, LastValidBlockHeight: s.lastValid}
	if s.named != (Key{}) {
		c.Unsigned.Blockhash = base58.Encode(s.named[:])
	}
	simulated := slices.ContainsFunc(s.txs, func(t transaction) bool { return t.simulation != nil })
	for _, t := range s.txs {
		c.Unsigned.Transactions = append(c.Unsigned.Transactions, k.write(f, t))
		for _, table := range t.Tables {
			if c.Lookups == nil {
				c.Lookups = map[Key][]Key{}
			}
			c.Lookups[table.Address] = table.Holds
		}
		if simulated && t.simulation == nil {
			t.simulation = &Simulation{}
		}
		if simulated {
			c.Policy.Simulations = append(c.Policy.Simulations, *t.simulation)
		}
	}
	return c
}

// opened makes a set of a scene with one transaction: an honest transaction
// comes first, or second if the attack has to lead.
func (k *cast) opened(s *scene) []transaction {
	opening := transaction{Transaction: k.build(txbuild.UnitLimit(20_000), txbuild.Memo("prepared"))}
	opening.Payer, opening.Blockhash = s.txs[0].Payer, s.txs[0].Blockhash
	opening.Signers = []Key{k.owner}
	if s.nonce != nil || s.txs[0].Payer == k.thief || s.txs[0].tamper != nil || s.txs[0].Blockhash == (Key{}) {
		opening.Payer, opening.Blockhash = k.owner, k.blockhash
	}
	if s.named != (Key{}) && s.nonce == nil {
		opening.Blockhash = s.named
	}
	if s.txs[0].leads {
		return []transaction{s.txs[0], opening}
	}
	return []transaction{opening, s.txs[0]}
}

func (k *cast) write(f txbuild.Format, t transaction) walletfi.EncodedTransaction {
	t.Format = f
	var privates []ed25519.PrivateKey
	for _, signer := range t.signedBy {
		privates = append(privates, k.privates[signer])
	}
	raw := t.SignBy(privates...)
	if t.tamper != nil {
		raw = t.tamper(f, raw)
	}
	if t.encode != nil {
		return t.encode(raw)
	}
	return base64Of(raw)
}

func base64Of(raw []byte) walletfi.Base64Transaction {
	return walletfi.Base64Transaction(base64.StdEncoding.EncodeToString(raw))
}

func base58Of(raw []byte) walletfi.EncodedTransaction {
	return walletfi.Base58Transaction(base58.Encode(raw))
}
