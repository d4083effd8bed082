package paid

import (
	"context"
	"errors"
	"iter"
	"os"
	"sync"
	"time"

	"github.com/walletfi/walletfi-go/wallet"
)

// open gives a process the machine's journal, and what releases it.
func (m *machine) open(p *proc) (wallet.Journal, func(), error) {
	if m.keyless {
		return m.memory, func() {}, nil // a wallet takes no other journal without keys
	}
	if m.file == "" {
		return journal{m.memory, p}, func() {}, nil
	}
	under, err := wallet.OpenFileJournal(m.file)
	if err != nil && !errors.Is(err, wallet.ErrJournalInUse) {
		under, err = m.mend(err)
	}
	if err != nil {
		return nil, nil, err
	}
	f := &file{FileJournal: under, name: m.file, p: p}
	return journal{f, p}, f.release, nil
}

// mend is what an operator does about a journal that does not open. It may
// ask for that only if more was torn than a crash can tear.
func (m *machine) mend(err error) (*wallet.FileJournal, error) {
	m.mu.Lock()
	cut := m.cut
	m.cut = false
	m.mu.Unlock()
	if !cut {
		m.s.court.lost("journal", "the journal of machine %d does not open: %v", m.id, err)
	}
	m.s.diary.add("the operator of machine %d hears that %v", m.id, err)
	if errors.Is(err, wallet.ErrJournalRolledBack) {
		if err := os.Remove(m.file + ".head"); err != nil {
			return nil, err
		}
	}
	under, err := wallet.OpenFileJournal(m.file)
	if err != nil && !errors.Is(err, wallet.ErrJournalInUse) {
		m.s.court.lost("journal", "the journal of machine %d cannot be mended: %v", m.id, err)
		m.file += "+" // so that the run comes to an end
	}
	return under, err
}

// file is a journal in a file. A write under which its process dies may be
// torn: only a part of it is in the file afterwards.
type file struct {
	*wallet.FileJournal
	name string
	p    *proc

	mu      sync.Mutex
	before  snapshot // of before the last write
	writes  int
	unheard int // the write whose end its caller has not heard of yet, 0 if there is none
	heardOf int // the last write that somebody may have read
}

// snapshot is what of a journal a torn write puts back.
type snapshot struct {
	info os.FileInfo
	head []byte
}

func (f *file) snapshot() (s snapshot) {
	s.info, _ = os.Stat(f.name)               // nil if there is none
	s.head, _ = os.ReadFile(f.name + ".head") // nil if there is none
	return s
}

// store stores an entry and returns the number of the write.
func (f *file) store(ctx context.Context, was uint64, e wallet.Entry) (n int, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.before = f.snapshot()
	f.writes++
	return f.writes, f.Store(ctx, was, e)
}

// hold brackets the moment in which write n is done and its caller has not
// heard of it.
func (f *file) hold(n int, moment func()) {
	set := func(n int) {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.unheard = n
	}
	set(n)
	moment()
	set(0)
}

// Load and List tell others of the last write: from then on somebody has heard of it.
func (f *file) Load(ctx context.Context, key string) (wallet.Entry, error) {
	e, err := f.FileJournal.Load(ctx, key)
	f.heard()
	return e, err
}

func (f *file) List(ctx context.Context, q wallet.Query) iter.Seq2[wallet.Entry, error] {
	defer f.heard()
	return f.FileJournal.List(ctx, q)
}

func (f *file) heard() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.heardOf = f.writes
}

// release is what the system does to a file whose process has died. The last
// write is torn at times, if nobody has heard of it: as by a crash in the
// middle of it, or so that the file beside it knows of it and the journal does
// not.
func (f *file) release() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.Close() //nolint:errcheck // as the system does it
	d, after := f.p.dice.of("torn"), f.snapshot()
	heard := f.unheard != f.writes || f.heardOf == f.writes
	if heard || !os.SameFile(f.before.info, after.info) || after.info.Size() <= f.before.info.Size() ||
		!d.of("is").chance(f.p.s.plan.Shares.Torn) {
		return
	}
	from, size := f.before.info.Size(), after.info.Size()-f.before.info.Size()
	kept := int64(d.of("kept").int(0, int(size)-1))
	if os.Truncate(f.name, from+kept) != nil {
		return
	}
	f.p.s.diary.add("the last write of %s is torn: %d of %d bytes", f.p.name, kept, size)
	if f.before.head != nil && d.of("crash").chance(0.8) {
		os.WriteFile(f.name+".head", f.before.head, 0o600) //nolint:errcheck // in a folder of the test
		return
	}
	f.p.m.mu.Lock()
	defer f.p.m.mu.Unlock()
	f.p.m.cut = true
}

// beside are the files beside a journal that may be moved away.
var beside = []string{".lock", ".head"}

// intrude moves what lies beside the journal away, the lock among it, and
// starts another process on the same file. If the journal lets it in, callers
// come to it too.
func (m *machine) intrude() {
	for i := range 4 {
		d := m.dice.of("intrude", i)
		timer := time.NewTimer(d.of("after").long(100*time.Millisecond, 10*time.Minute))
		select {
		case <-timer.C:
		case <-m.s.over:
			timer.Stop()
			return
		}
		for _, suffix := range beside {
			m.s.diary.add("%s is moved away: %v", suffix, os.Rename(m.file+suffix, m.file+suffix+".moved"))
		}
		if m.resting() {
			return
		}
		if p := m.boot(1, i); p != nil {
			m.serve(1, p)
		}
	}
}
