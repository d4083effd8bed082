// Package framelog is an append-only file of frames for one process. A frame has the hash
// of the one before it, so that none is cut out, moved or repeated unseen. The frame that a
// crash cut short is dropped when the file is opened again; any other damage is an error.
// The file is replaced by a shorter one while others write.
package framelog

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"
)

// Config configures a Log.
type Config struct {
	// Path is the file. Next to it are Path + ".lock", which holds the lock, and
	// Path + ".head", which says how much was written.
	Path string
	// Header is the file's first line, without its end.
	Header string
	// Accept judges the first line of an existing file. If that is of the old format,
	// the caller has to call Replace before anything else; the old file then stays at
	// Path + old.
	Accept func(header string) (old string, err error)
	// Base gets what the caller of the last Replace kept, if anything. Nil ignores it.
	Base func(Kept) error
	// Replay gets the payload of each frame in the order of writing.
	Replay func(payload []byte) error
	// CompactAt is by how many bytes the file has to grow until Due asks for a Replace,
	// and by an eighth at least. 0 means 1 MiB.
	CompactAt int64
	Calls     Calls
}

// Log is an open file. It is safe for concurrent use.
type Log struct {
	cfg  Config
	lock io.Closer
	head *head
	old  string // what is added to the name of a file of the old format
	id   []byte

	mu      sync.Mutex
	waiting []*batch // not yet being written
	last    *batch   // the newest: waiting, being written or written
	broken  error    // why nothing more is taken
	failed  error    // why what was taken is not written: unlike broken, not for Close
	end     Place    // of what is written
	base    int64    // the file's size after the last Replace

	disk chan struct{} // full while the file is written or replaced
	file File
}

// batch goes to disk with one write and one sync: it is one frame. A crash
// loses it whole or not at all.
type batch struct {
	payloads []byte // each with its length before it
	full     bool   // it takes no more
	done     chan struct{}
	end      Place // once it is done
	err      error
}

// ErrClosed is the error of a Queue after Close.
var ErrClosed = errors.New("the log is closed")

// Queue gives payload its place in the file. The caller must call written, which
// returns once it is on disk. Payloads of concurrent callers share a write.
func (l *Log) Queue(payload []byte) (written func() error, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.broken != nil {
		return nil, l.broken
	}
	if l.last.full {
		l.last = &batch{done: make(chan struct{})}
		l.waiting = append(l.waiting, l.last)
	}
	mine := l.last
	mine.payloads = appendPayload(mine.payloads, payload)
	return func() error { return l.wait(mine) }, nil
}

func appendPayload(b, payload []byte) []byte {
	return append(binary.AppendUvarint(b, uint64(len(payload))), payload...)
}

// Mark returns the place between what was queued before it and what is queued after,
// once the first is on disk.
func (l *Log) Mark() (place func() (Place, error)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	mine := l.last
	mine.full = true
	return func() (Place, error) {
		<-mine.done
		return mine.end, mine.err
	}
}

// Due reports whether the file has grown so much that it should be replaced.
func (l *Log) Due() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.broken == nil && l.end.Size-l.base >= max(l.cfg.CompactAt, l.base/8)
}

// Later puts off what is due until the file has grown again.
func (l *Log) Later() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.base = l.end.Size
}

// Err is why the log takes nothing more, nil if it does.
func (l *Log) Err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.broken
}

// wait returns once mine is on disk. Of the callers of a batch, the one that gets the disk
// writes it.
func (l *Log) wait(mine *batch) error {
	select {
	case <-mine.done:
	case l.disk <- struct{}{}:
		l.flush(mine)
		<-l.disk
	}
	return mine.err
}

// flush writes what waits, in order, up to a batch. The disk is held.
func (l *Log) flush(last *batch) {
	for b := l.next(last); b != nil; b = l.next(last) {
		if b.err = l.write(b); b.err != nil {
			l.fail(b.err)
		}
		close(b.done)
	}
}

// next is the batch that has waited longest, nil if last is written.
func (l *Log) next(last *batch) *batch {
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case <-last.done:
		return nil
	default:
	}
	b := l.waiting[0]
	b.full, l.waiting = true, l.waiting[1:]
	return b
}

// fail ends the log: after a failed write or sync, what is on disk is not known.
func (l *Log) fail(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.failed == nil {
		l.failed = fmt.Errorf("the log takes nothing more: %w", err)
	}
	if l.broken == nil {
		l.broken = l.failed
	}
}

func (l *Log) write(b *batch) error {
	l.mu.Lock()
	failed, end := l.failed, l.end
	l.mu.Unlock()
	if failed != nil {
		return failed
	}
	c := Chain{File: l.file, Place: end}
	if err := c.Append(b.payloads); err != nil {
		return err
	}
	if err := c.sync(); err != nil {
		return err
	}
	if err := l.present(); err != nil {
		return err // written to a file that nobody will find again
	}
	b.end, b.payloads = c.Place, nil
	l.mu.Lock()
	l.end = c.Place
	l.mu.Unlock()
	return l.head.write(c.Place)
}

// Close waits for the writes under way and gives the lock back.
func (l *Log) Close() error {
	l.mu.Lock()
	if errors.Is(l.broken, ErrClosed) {
		l.mu.Unlock()
		return nil
	}
	l.broken = ErrClosed
	last := l.last
	l.mu.Unlock()
	l.disk <- struct{}{}
	defer func() { <-l.disk }()
	l.flush(last)
	return errors.Join(l.head.file.Sync(), l.close())
}

// close closes what is open.
func (l *Log) close() (err error) {
	if l.file != nil {
		err = l.file.Close()
	}
	if l.head != nil && l.head.file != nil {
		err = errors.Join(err, l.head.file.Close())
	}
	return errors.Join(err, l.lock.Close())
}
