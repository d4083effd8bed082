package framelog

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
)

// ErrLocked means that another process, or this one, has the file open.
var ErrLocked = errors.New("the log is in use")

// ErrCorrupt means that the file is damaged before its last frame.
var ErrCorrupt = errors.New("the log is corrupt")

// Open opens or creates the file, replays it and takes its lock.
func Open(cfg Config) (*Log, error) {
	if cfg.CompactAt == 0 {
		cfg.CompactAt = 1 << 20
	}
	if cfg.settled == nil {
		cfg.settled = syncFolder
	}
	// The same file under another name is the same file: compaction puts a new one
	// in the place of what the name leads to.
	path, err := realPath(cfg.Path)
	if err != nil {
		return nil, err
	}
	cfg.Path = path
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s is a folder", path) // before a lock is left beside it
	}
	lock, err := lockFile(cfg.Path + ".lock")
	if err != nil {
		return nil, err
	}
	l := &Log{cfg: cfg, lock: lock}
	if err := l.load(); err != nil {
		if l.file != nil {
			l.file.Close()
		}
		lock.Close()
		return nil, err
	}
	return l, nil
}

// realPath follows links. The file itself may be missing.
func realPath(path string) (string, error) {
	real, err := filepath.EvalSymlinks(path)
	if !errors.Is(err, os.ErrNotExist) {
		return real, err
	}
	folder, err := filepath.EvalSymlinks(filepath.Dir(path))
	return filepath.Join(folder, filepath.Base(path)), err
}

// own locks the file too, in case its lock was removed or it has two names, and
// reports whether it is still the one of that name.
func (l *Log) own() error {
	if err := lockHandle(l.file); err != nil {
		return err
	}
	opened, err := l.file.Stat()
	if err != nil {
		return err
	}
	named, err := os.Stat(l.cfg.Path)
	if err == nil && !os.SameFile(opened, named) {
		err = fmt.Errorf("%w: %s was replaced", ErrLocked, l.cfg.Path)
	}
	return err
}

func (l *Log) load() (err error) {
	if l.file, err = os.OpenFile(l.cfg.Path, os.O_RDWR|os.O_CREATE, 0o600); err != nil {
		return err
	}
	if err := l.own(); err != nil {
		return err
	}
	content, err := io.ReadAll(l.file)
	if err != nil {
		return err
	}
	line, rest, whole := bytes.Cut(content, []byte("\n"))
	if !whole {
		return l.begin(line)
	}
	if err := l.accept(string(line)); err != nil {
		return err
	}
	good, err := l.replay(rest)
	if err != nil {
		return err
	}
	l.size = int64(len(line) + 1 + good)
	if err := l.file.Truncate(l.size); err != nil {
		return err
	}
	_, err = l.file.Seek(l.size, io.SeekStart)
	return err
}

// begin writes the first line of a new file, or of one whose creation a crash
// cut short.
func (l *Log) begin(partial []byte) error {
	if !bytes.HasPrefix([]byte(l.cfg.Header), bytes.TrimRight(partial, "\x00")) {
		return fmt.Errorf("%w: %s is another kind of file", ErrCorrupt, l.cfg.Path)
	}
	if err := l.file.Truncate(0); err != nil {
		return err
	}
	if _, err := l.file.WriteAt([]byte(l.cfg.Header+"\n"), 0); err != nil {
		return err
	}
	l.size = int64(len(l.cfg.Header) + 1)
	if _, err := l.file.Seek(l.size, io.SeekStart); err != nil {
		return err
	}
	if err := l.file.Sync(); err != nil {
		return err
	}
	return l.cfg.settled(l.cfg.Path)
}

func (l *Log) accept(header string) error {
	if l.cfg.Accept != nil {
		return l.cfg.Accept(header)
	}
	if header != l.cfg.Header {
		return fmt.Errorf("%w: the file begins with %q, not with %q", ErrCorrupt, header, l.cfg.Header)
	}
	return nil
}

// replay returns how many bytes are whole frames. What follows must be the
// frame that a crash cut short: one that reaches beyond the file's end, or that
// has zeros where the disk was not written. Text has none.
func (l *Log) replay(b []byte) (good int, err error) {
	for good < len(b) {
		rest := b[good:]
		payloads, torn, err := firstFrame(rest)
		if torn {
			return good, nil
		}
		if err != nil {
			return 0, fmt.Errorf("%w: frame at byte %d of the body: %w", ErrCorrupt, good, err)
		}
		if err := l.each(payloads); err != nil {
			return 0, err
		}
		good += frameHeader + len(payloads)
	}
	return good, nil
}

func firstFrame(rest []byte) (payloads []byte, torn bool, err error) {
	if len(rest) < frameHeader || zeros(rest) {
		return nil, true, nil
	}
	if crc32.Checksum(rest[:4], castagnoli) != binary.LittleEndian.Uint32(rest[4:]) {
		return nil, zeros(rest[frameHeader:]), errors.New("the length's checksum differs")
	}
	end := frameHeader + int(binary.LittleEndian.Uint32(rest))
	if end > len(rest) {
		return nil, true, nil
	}
	payloads = rest[frameHeader:end]
	if crc32.Checksum(payloads, castagnoli) != binary.LittleEndian.Uint32(rest[8:]) {
		return nil, zeros(rest[end:]) && bytes.IndexByte(payloads, 0) >= 0, errors.New("the checksum differs")
	}
	return payloads, false, nil
}

func zeros(b []byte) bool { return len(bytes.TrimLeft(b, "\x00")) == 0 }

func (l *Log) each(payloads []byte) error {
	for len(payloads) > 0 {
		n, size := binary.Uvarint(payloads)
		if size <= 0 || n > uint64(len(payloads)-size) {
			return fmt.Errorf("%w: a payload of %d bytes in %d", ErrCorrupt, n, len(payloads))
		}
		if err := l.cfg.Replay(payloads[size : size+int(n)]); err != nil {
			return err
		}
		payloads = payloads[size+int(n):]
	}
	return nil
}
