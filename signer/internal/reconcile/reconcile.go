// Package reconcile holds a signer's log, the ledger and a wallet's journal against each other.
package reconcile

import (
	"fmt"
	"slices"
	"time"

	"github.com/walletfi/walletfi-go/signer/internal/messageid"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// Message is a message that the log has.
type Message struct {
	ID, Client, Owner, Signature string // Owner is the name
	At                           time.Time
	State                        string // landed, failed or dead, empty while it is open
}

// Executed is a transaction of an owner's that the ledger has finalized.
type Executed struct {
	Signature string // by which the ledger knows it
	Own       string // the owner's
	Owner     signing.PublicKey
	Message   []byte
	Slot      uint64
	At        time.Time // of its block
	Failed    bool
}

// Books are what is held against each other.
type Books struct {
	Log      *Log
	Open     map[string]string // why a message is not proven landed or dead, by its ID
	Chain    []Executed        // of the owners' keys, in slots that begin before Since
	Payments []wallet.Entry    // of the owners
	// Since and Until bound when a message was signed and a payment was made that is looked at.
	Since, Until time.Time
}

// Report says what was compared, and in words what differs.
type Report struct {
	Landed, Signed, Payments int
	Open                     []string // what is still open, and why: no differences
	Differences              []string
}

// Compare holds the books against each other.
func (b *Books) Compare() Report {
	c := comparison{Books: b, byID: map[string]*Executed{}}
	for i := range b.Chain {
		c.executed(&b.Chain[i])
	}
	for _, m := range b.Log.Messages {
		if b.within(m.At) {
			c.signed(m)
		}
	}
	for i := range b.Payments {
		if p := &b.Payments[i]; b.within(madeAt(p)) && settled(p.State) {
			c.payment(p)
		}
	}
	return c.out
}

func (b *Books) within(at time.Time) bool { return !at.Before(b.Since) && at.Before(b.Until) }

func madeAt(p *wallet.Entry) time.Time {
	if p.SignedAt.IsZero() {
		return p.Since
	}
	return p.SignedAt
}

func settled(s wallet.KeyState) bool {
	return slices.Contains([]wallet.KeyState{
		wallet.KeyConfirmed, wallet.KeyFailed, wallet.KeyExpired, wallet.KeyReleased,
	}, s)
}

type comparison struct {
	*Books
	out  Report
	byID map[string]*Executed // what the ledger has, by the log's message
}

func (c *comparison) differs(format string, args ...any) {
	c.out.Differences = append(c.out.Differences, fmt.Sprintf(format, args...))
}

// executed looks for a transaction of the ledger in the log.
func (c *comparison) executed(x *Executed) {
	m := c.Log.of(x)
	if m == nil && x.At.Before(c.Log.has(x.Owner.String())) {
		return // the key was elsewhere then
	}
	c.out.Landed++
	if m == nil {
		c.differs("chain: %s of owner %s, in slot %d, is not in the log", x.Signature, x.Owner, x.Slot)
		return
	}
	c.byID[m.ID] = x
	is := "landed"
	if x.Failed {
		is = "failed"
	}
	_, open := c.Open[m.ID]
	switch {
	case m.State == is || m.State == "" && open && !m.At.Before(c.Until):
	case m.State == "":
		c.differs("log: message %.12s has no end, and %s %s in slot %d", m.ID, x.Signature, is, x.Slot)
	default:
		c.differs("log: message %.12s is %s, and %s %s in slot %d", m.ID, m.State, x.Signature, is, x.Slot)
	}
}

// signed looks for the end of a message of the log.
func (c *comparison) signed(m *Message) {
	c.out.Signed++
	why, open := c.Open[m.ID]
	switch executed := c.byID[m.ID] != nil; {
	case m.State == "" && open && !executed:
		c.out.Open = append(c.out.Open, fmt.Sprintf("open: message %.12s of owner %q: %s", m.ID, m.Owner, why))
	case m.State == "" && !open && !executed:
		c.differs("log: message %.12s of owner %q has no end, and is not open", m.ID, m.Owner)
	case (m.State == "landed" || m.State == "failed") && !executed:
		c.differs("log: message %.12s is %s, and no node lists it", m.ID, m.State)
	}
}

// payment looks for each step of a settled payment in the log and on chain.
func (c *comparison) payment(p *wallet.Entry) {
	c.out.Payments++
	for i := range p.Steps {
		s := &p.Steps[i]
		says := map[wallet.KeyState]string{wallet.KeyConfirmed: "landed", wallet.KeyFailed: "failed"}[s.State]
		if s.Own == "" && says == "" { // nothing of it was signed
			continue
		}
		m := c.Log.bySignature(s.Own, s.Signature)
		if m == nil {
			c.differs("journal: payment %q: transaction %d, %s, is not in the log", p.Key, i+1, s.Own)
			continue
		}
		is := ""
		if x := c.byID[m.ID]; x != nil && x.Failed {
			is = "failed"
		} else if x != nil {
			is = "landed"
		}
		if says != is {
			if is == "" {
				is = "not there"
			}
			c.differs("journal: payment %q: transaction %d, %s, is %s, and on chain it is %s", p.Key, i+1, s.Own, s.State, is)
		}
	}
}

// of finds the message of a transaction: by the owner's signature or, as a signer may have been killed
// before it wrote that, by what is signed.
func (l *Log) of(x *Executed) *Message {
	if m := l.bySignature(x.Own); m != nil {
		return m
	}
	for client := range l.clients {
		if m := l.byID[messageid.Of(client, x.Owner, x.Message)]; m != nil {
			return m
		}
	}
	return nil
}
