package paid

import (
	"path/filepath"
	"sync"
	"time"

	"github.com/walletfi/walletfi-go/e2e/world"
	"github.com/walletfi/walletfi-go/wallet"

	"github.com/walletfi/walletfi-go"
)

// machine holds a journal, over which processes live one after another, or two
// at a time.
type machine struct {
	s         *stage
	id        int
	dice      dice
	keys      []*key
	endpoints []*world.Endpoint // what its wallets ask; several are asked as a pool
	second    *world.Endpoint   // of the second door
	memory    *wallet.MemoryJournal
	file      string // of the journal, if it is one
	cut       bool   // the file was torn as no crash can tear it

	commitment    walletfi.Commitment // of the wallets
	reads         walletfi.Commitment // of the nodes' clients
	skipPreflight bool
	maxRetries    *uint
	sponsored     bool
	keyless       bool
	doors         bool
	effects       bool
	sluggish      bool // the journal takes its time
	locks         bool // the journal's lock is moved away at times
	slots         int  // how many processes at a time

	mu      sync.Mutex
	procs   [2]*proc
	changed chan struct{} // closed when procs changes
	settled []call
	running sync.WaitGroup
	callers sync.WaitGroup
	idle    chan struct{} // closed when no caller has come for a while
}

// newMachine draws a machine.
func (s *stage) newMachine(id int) *machine {
	m := &machine{
		s: s, id: id, dice: s.dice.of("machine", id), slots: 1,
		memory: wallet.NewMemoryJournal(), changed: make(chan struct{}), idle: make(chan struct{}),
	}
	d, shares := m.dice, s.plan.Shares
	all := s.addresses()
	m.endpoints = all
	if !s.plan.Panel {
		m.endpoints = []*world.Endpoint{pick(d.of("endpoint"), all...)}
	}
	m.second = pick(d.of("second"), all...)
	m.sponsored = d.of("sponsored").chance(shares.Sponsors)
	m.keyless = d.of("keyless").chance(shares.Keyless)
	m.doors = d.of("doors").chance(shares.Doors) && !m.sponsored
	m.effects = d.of("effects").chance(shares.Effects)
	m.sluggish = d.of("sluggish").chance(shares.Sluggish)
	m.skipPreflight = d.of("preflight").chance(0.6)
	if d.of("retries").chance(0.5) {
		m.maxRetries = new(uint)
	}
	switch x := d.of("commitment").float(); {
	case x < shares.Processed:
		m.commitment = walletfi.CommitmentProcessed
	case x < shares.Processed+shares.Finalized:
		m.commitment = walletfi.CommitmentFinalized
	}
	if d.of("reads").chance(shares.Processed) {
		m.reads = walletfi.CommitmentProcessed
	}
	if d.of("two").chance(shares.Two) {
		m.slots = 2
	}
	if s.plan.Dir != "" && d.of("file").chance(shares.Files) {
		m.file = filepath.Join(s.plan.Dir, "journal", string(rune('a'+id%26))+string(rune('a'+id/26%26)))
		m.slots = 1
		m.locks = d.of("locks").chance(shares.Locks)
	}
	return m
}

// live runs the processes of a slot, one after another, until the stage is
// over.
func (m *machine) live(slot int) {
	for n := 0; ; n++ {
		p := m.boot(slot, n)
		if p != nil {
			m.serve(slot, p)
		}
		down := m.dice.of("down", slot, n).long(m.s.plan.DownMin, m.s.plan.Down)
		if m.s.calm() {
			down = time.Second
		}
		timer := time.NewTimer(down)
		select {
		case <-timer.C:
		case <-m.s.over:
			timer.Stop()
			return
		}
		if m.resting() {
			<-m.s.woken
		}
	}
}

// lull is how long a machine goes on when its last caller has left. Then its
// processes are closed until the end: what they follow without hope costs as
// much as all the rest.
const lull = 3 * time.Minute

// retire lets the machine rest when its callers have left.
func (m *machine) retire() {
	m.callers.Wait()
	timer := time.NewTimer(lull)
	defer timer.Stop()
	select {
	case <-timer.C:
		close(m.idle)
	case <-m.s.woken:
	}
}

// resting reports whether the machine has no work before the end.
func (m *machine) resting() bool {
	select {
	case <-m.s.woken:
		return false
	default:
	}
	select {
	case <-m.idle:
		return true
	default:
		return false
	}
}

// serve keeps a process in a slot until it is gone, or has nothing to do.
func (m *machine) serve(slot int, p *proc) {
	m.set(slot, p)
	idle := m.idle
	select {
	case <-m.s.woken:
		idle = nil
	default:
	}
	select {
	case <-p.gone:
	case <-idle:
		p.close()
	case <-m.s.over:
		p.close()
	}
	<-p.buried
	m.set(slot, nil)
}

func (m *machine) set(slot int, p *proc) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.procs[slot] = p
	close(m.changed)
	m.changed = make(chan struct{})
}

// proc waits for the process in a slot, which on most machines is the one that
// there is.
func (m *machine) proc(slot int) *proc {
	for {
		m.mu.Lock()
		p, changed := m.procs[slot], m.changed
		if p == nil && m.slots == 1 {
			p = m.procs[1-slot]
		}
		m.mu.Unlock()
		if p != nil && p.alive() {
			return p
		}
		<-changed
	}
}

// alive reports whether the process takes calls.
func (p *proc) alive() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.ended.IsZero()
}

// settles are the times in which a Settle ran on the machine.
func (m *machine) settles() []call {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.settled
}
