package takeover

import (
	"crypto/ed25519"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/walletfi/walletfi-go/signing"
)

const (
	slotTime = 400 * time.Millisecond
	finality = 32
	age      = 151 // blocks after its own in which a blockhash is good
	firstly  = 10_000
)

// An account is one on the ledger. Its data is never changed in place.
type account struct {
	lamports uint64
	owner    key
	data     []byte
}

// An execution is one of a transaction, with the accounts before and after it.
type execution struct {
	signature     signing.Signature
	slot          uint64
	err           string
	p             *parsed
	fee           uint64
	before, after map[key]account
}

// A chain is a ledger of one truth. Its time moves only by advance. It does not know the signer.
type chain struct {
	mu       sync.Mutex
	seed     uint64
	slot     uint64
	accounts map[key]account
	tables   map[key][]key
	hashes   map[key]uint64 // slots of the blockhashes that were given out
	done     map[signing.Signature]*execution
	order    []*execution
	tell     func(*execution) // the court
	turned   bool             // the programs of strangers take all that they may write
	undying  bool             // it executes at any age
	began    time.Time
	skew     time.Duration // how far the clock of the signer's machine is off
	timers   []*timer
}

type timer struct {
	at time.Time
	f  func()
}

func newChain(seed uint64) *chain {
	return &chain{
		seed: seed, slot: firstly, accounts: map[key]account{}, tables: map[key][]key{}, hashes: map[key]uint64{},
		done: map[signing.Signature]*execution{}, began: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
	}
}

// block is the slot's block: each 19th slot has none, and the one before counts.
func block(slot uint64) uint64 {
	if slot%19 == 0 {
		return slot - 1
	}
	return slot
}

func height(slot uint64) uint64 { return slot - slot/19 }

func (c *chain) hashOf(slot uint64) key {
	return named("block", fmt.Sprint(c.seed), fmt.Sprint(block(slot)))
}

// recent is a blockhash that is good, ago slots old.
func (c *chain) recent(ago uint64) key {
	c.mu.Lock()
	defer c.mu.Unlock()
	k := c.hashOf(c.slot - ago)
	c.hashes[k] = block(c.slot - ago)
	return k
}

// good reports whether a transaction on a blockhash may be in the slot's block.
func (c *chain) good(hash key, slot uint64) bool {
	at, known := c.hashes[hash]
	return known && at < slot && height(slot)-height(at) <= age
}

// time is when a slot's block was made.
func (c *chain) time(slot uint64) time.Time {
	return c.began.Add(time.Duration(slot-firstly) * slotTime)
}

// Now is the time of the signer's machine.
func (c *chain) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.time(c.slot).Add(c.skew)
}

// AfterFunc makes chain a walletfi.Clock. Who waits for less than a second gets it at once.
func (c *chain) AfterFunc(d time.Duration, f func()) (stop func() bool) {
	if d < time.Second {
		c.advance(max(d, 0), 0)
		go f()
		return func() bool { return false }
	}
	at := c.Now().Add(d)
	c.mu.Lock()
	defer c.mu.Unlock()
	t := &timer{at, f}
	c.timers = append(c.timers, t)
	return func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		i := slices.Index(c.timers, t)
		if i >= 0 {
			c.timers = slices.Delete(c.timers, i, i+1)
		}
		return i >= 0
	}
}

// advance lets time pass, and skew moves the machine's clock alone.
func (c *chain) advance(d, skew time.Duration) {
	c.mu.Lock()
	c.slot += uint64(d / slotTime)
	c.skew += skew
	now := c.time(c.slot).Add(c.skew)
	var due []*timer
	c.timers = slices.DeleteFunc(c.timers, func(t *timer) bool {
		if !t.at.After(now) {
			due = append(due, t)
		}
		return !t.at.After(now)
	})
	c.mu.Unlock()
	for _, t := range due {
		go t.f()
	}
}

func (c *chain) table(k key) ([]key, bool) {
	entries, ok := c.tables[k]
	return entries, ok
}

var errNotLanded = errors.New("not landed")

// send executes a signed transaction in the next slot, if it can still be executed.
func (c *chain) send(raw []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	p, err := parse(raw, c.table)
	if err != nil {
		return err
	}
	for i, s := range p.signatures {
		if !ed25519.Verify(p.metas[i].key[:], p.message, s[:]) {
			return errNotLanded
		}
	}
	if c.done[p.signatures[0]] != nil {
		return errNotLanded
	}
	c.slot++
	if c.slot%19 == 0 {
		c.slot++
	}
	e, err := c.execute(p, c.slot, c.accounts, false)
	if err != nil {
		return err
	}
	e.signature = p.signatures[0]
	c.done[e.signature] = e
	c.order = append(c.order, e)
	for k, a := range e.after {
		c.accounts[k] = a
	}
	c.tell(e)
	return nil
}

// execute runs a transaction on accounts, whole or not at all but for its fee. The error says
// that it cannot be in a block.
func (c *chain) execute(p *parsed, slot uint64, accounts map[key]account, simulated bool) (*execution, error) {
	nonce, durable := c.nonce(p, accounts)
	if !durable && !c.good(p.blockhash, slot) && (!c.undying || simulated) {
		return nil, errNotLanded
	}
	payer := p.metas[0].key
	e := &execution{slot: slot, p: p, fee: p.price()}
	if accounts[payer].lamports < e.fee || len(accounts[payer].data) > 0 {
		return nil, errNotLanded
	}
	run := &view{c: c, p: p, base: accounts, simulated: simulated, now: map[key]account{}}
	paid := accounts[payer]
	paid.lamports -= e.fee
	run.now[payer] = paid
	if durable {
		a := accounts[nonce]
		a.data = slices.Clone(a.data)
		next := c.hashOf(slot)
		copy(a.data[40:72], next[:])
		run.now[nonce] = a
	}
	first := maps.Clone(run.now)
	for i, call := range p.calls {
		run.outer = i
		if err := run.invoke(call); err != nil {
			e.err = fmt.Sprintf("instruction %d: %v", i, err)
			run.now = first
			run.inner = nil
			break
		}
	}
	e.after = run.now
	e.before = map[key]account{}
	for k := range run.now {
		e.before[k] = accounts[k]
	}
	p.inner = run.inner
	return e, nil
}

// nonce is the account whose value a transaction has for its blockhash.
func (c *chain) nonce(p *parsed, accounts map[key]account) (key, bool) {
	if len(p.calls) == 0 {
		return key{}, false
	}
	first := p.calls[0]
	if first.program != signing.SystemProgram || len(first.data) != 4 || first.data[0] != 4 || len(first.metas) < 3 {
		return key{}, false
	}
	k, by := first.metas[0].key, first.metas[2]
	a := accounts[k]
	ok := len(a.data) == 80 && a.owner == signing.SystemProgram && by.signer &&
		key(a.data[8:40]) == by.key && key(a.data[40:72]) == p.blockhash
	return k, ok
}

// price is the network fee, as the network counts it.
func (p *parsed) price() uint64 {
	fee := uint64(5000 * max(len(p.signatures), 1))
	if p.version == v1 {
		return fee + p.fee
	}
	var each, units uint64
	for _, c := range p.calls {
		switch c.program {
		case signing.SystemProgram, signing.ComputeBudgetProgram: // what is built in: SIMD-0170
			units += 3_000
		default:
			units += 200_000
		}
	}
	for _, c := range p.calls {
		if c.program != signing.ComputeBudgetProgram || len(c.data) == 0 {
			continue
		}
		switch {
		case c.data[0] == 2 && len(c.data) == 5:
			units = uint64(binary.LittleEndian.Uint32(c.data[1:]))
		case c.data[0] == 3 && len(c.data) == 9:
			each = binary.LittleEndian.Uint64(c.data[1:])
		}
	}
	return fee + (each*min(units, 1_400_000)+999_999)/1_000_000
}
