// Package framelog is an append-only file of frames for one process. A frame is
// on disk when Append returns. The frame that a crash cut short is dropped when
// the file is opened again; any other damage is an error.
package framelog

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"sync"
)

// Config is what a Log is made of.
type Config struct {
	// Path is the file. Path + ".lock" holds the lock.
	Path string
	// Header is the file's first line, without its end.
	Header string
	// Accept judges the first line of an existing file. Nil accepts Header only.
	Accept func(header string) error
	// Replay gets the payload of each frame in the order of writing.
	Replay func(payload []byte) error
	// Snapshot calls add with payloads that replace the whole file. It runs
	// while a frame is written. Nil disables compaction.
	Snapshot func(add func(payload []byte) error) error
	// CompactAt is the size in bytes from which the file is compacted, if it has
	// doubled since the last time. 0 means 1 MiB.
	CompactAt int64

	// settled makes the new name of a file durable: syncFolder, or a test's.
	settled func(path string) error
}

// Log is an open file. It is safe for concurrent use.
type Log struct {
	cfg  Config
	lock *os.File

	mu      sync.Mutex
	waiting *batch        // not yet being written
	writing chan struct{} // closed when the caller of Append that writes is done; nil if none writes
	broken  error         // why nothing more is taken
	failed  error         // why what was taken is not written: unlike broken, not for Close

	disk sync.Mutex // of what follows
	file *os.File
	size int64
	base int64 // size after the last compaction
}

// batch is what goes to disk with one write and one sync: one frame. A crash
// loses it whole or not at all.
type batch struct {
	payloads []byte // each with its length before it
	done     chan struct{}
	err      error
}

// frameHeader is a frame's length, the length's checksum and the payloads'.
const frameHeader = 12

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// ErrClosed is the error of an Append after Close.
var ErrClosed = errors.New("the log is closed")

// Append writes payload and returns once it is on disk.
func (l *Log) Append(payload []byte) error {
	written, err := l.Queue(payload)
	if err != nil {
		return err
	}
	return written()
}

// Queue gives payload its place in the file. The caller must call written, which
// returns once it is on disk. Payloads of concurrent callers share a write.
func (l *Log) Queue(payload []byte) (written func() error, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.broken != nil {
		return nil, l.broken
	}
	if l.waiting == nil {
		l.waiting = &batch{done: make(chan struct{})}
	}
	mine := l.waiting
	mine.payloads = binary.AppendUvarint(mine.payloads, uint64(len(payload)))
	mine.payloads = append(mine.payloads, payload...)
	return func() error { return l.wait(mine) }, nil
}

// wait writes what is queued unless another caller does.
func (l *Log) wait(mine *batch) error {
	l.mu.Lock()
	lead := l.writing == nil && l.waiting == mine
	if lead {
		l.writing = make(chan struct{})
	}
	l.mu.Unlock()
	if lead {
		l.lead()
	}
	<-mine.done
	return mine.err
}

// lead writes batches until none waits.
func (l *Log) lead() {
	for {
		l.mu.Lock()
		b := l.waiting
		l.waiting = nil
		if b == nil {
			close(l.writing)
			l.writing = nil
			l.mu.Unlock()
			return
		}
		l.mu.Unlock()
		if b.err = l.write(b.payloads); b.err != nil {
			l.fail(b.err)
		}
		close(b.done)
	}
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

func (l *Log) write(payloads []byte) error {
	l.disk.Lock()
	defer l.disk.Unlock()
	l.mu.Lock()
	failed := l.failed
	l.mu.Unlock()
	if failed != nil {
		return failed
	}
	frame := frameOf(payloads)
	if _, err := l.file.Write(frame); err != nil {
		return err
	}
	if err := l.file.Sync(); err != nil {
		return err
	}
	l.size += int64(len(frame))
	if l.cfg.Snapshot == nil || l.size < max(l.cfg.CompactAt, 2*l.base) {
		return nil
	}
	fatal, err := l.compact()
	if fatal {
		return err
	}
	if err != nil {
		l.base = l.size // the frame is on disk; it is tried again when the file has doubled
	}
	return nil
}

func frameOf(payloads []byte) []byte {
	frame := make([]byte, frameHeader, frameHeader+len(payloads))
	binary.LittleEndian.PutUint32(frame, uint32(len(payloads)))
	binary.LittleEndian.PutUint32(frame[4:], crc32.Checksum(frame[:4], castagnoli))
	binary.LittleEndian.PutUint32(frame[8:], crc32.Checksum(payloads, castagnoli))
	return append(frame, payloads...)
}

// Compact replaces the file by a snapshot.
func (l *Log) Compact() error {
	l.disk.Lock()
	defer l.disk.Unlock()
	l.mu.Lock()
	broken := l.broken // not before the disk is free: until then the log may be closed
	l.mu.Unlock()
	if broken != nil {
		return broken
	}
	fatal, err := l.compact()
	if fatal {
		l.fail(err)
	}
	return err
}

// compact writes what counts to a new file and puts it in the old one's place.
// If it fails the old one is still good, unless fatal: then it is not known
// which of the two a crash would leave.
func (l *Log) compact() (fatal bool, err error) {
	next := l.cfg.Path + ".new"
	file, err := os.OpenFile(next, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return false, err
	}
	if err = lockHandle(file); err != nil {
		file.Close()
		return false, err
	}
	size, err := l.snapshot(file)
	if err == nil {
		err = file.Sync()
	}
	if err == nil {
		err = os.Rename(next, l.cfg.Path)
	}
	if err != nil {
		file.Close()
		os.Remove(next)
		return false, err
	}
	l.file.Close()
	l.file, l.size, l.base = file, size, size
	err = l.cfg.settled(l.cfg.Path)
	return err != nil, err
}

func (l *Log) snapshot(file *os.File) (size int64, err error) {
	n, err := file.WriteString(l.cfg.Header + "\n")
	if err != nil {
		return 0, err
	}
	size = int64(n)
	err = l.cfg.Snapshot(func(payload []byte) error {
		frame := frameOf(append(binary.AppendUvarint(nil, uint64(len(payload))), payload...))
		size += int64(len(frame))
		_, err := file.Write(frame)
		return err
	})
	return size, err
}

// Close waits for the writes under way and gives the lock back.
func (l *Log) Close() error {
	l.mu.Lock()
	if errors.Is(l.broken, ErrClosed) {
		l.mu.Unlock()
		return nil
	}
	l.broken = ErrClosed
	writing := l.writing
	l.mu.Unlock()
	if writing != nil {
		<-writing
	}
	l.disk.Lock()
	defer l.disk.Unlock()
	return errors.Join(l.file.Close(), l.lock.Close())
}

func syncFolder(path string) error {
	folder, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer folder.Close()
	return syncDir(folder)
}
