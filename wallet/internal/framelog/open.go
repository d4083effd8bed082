package framelog

import (
	"bytes"
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
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
	cfg.Calls = cfg.Calls.OrSystem()
	// The same file under another name is the same file: compaction puts a new one
	// in the place of what the name leads to.
	path, err := realPath(cfg.Path)
	if err != nil {
		return nil, err
	}
	cfg.Path = path
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s is a folder", path) // before a lock is left there
	}
	lock, err := lockFile(cfg.Path + ".lock")
	if err != nil {
		return nil, err
	}
	l := &Log{cfg: cfg, lock: lock, head: &head{}, disk: make(chan struct{}, 1)}
	if err := l.load(); err != nil {
		l.close()
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
	if err := lockHandle(l.file, l.cfg.Path); err != nil {
		return err
	}
	return l.present()
}

func (l *Log) present() error {
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
	if l.head, err = readHead(l.cfg.Calls, l.cfg.Path+".head", os.O_RDWR); err != nil {
		return err
	}
	var found Content
	if l.file, err = l.cfg.Calls.Open(l.cfg.Path, os.O_RDWR); err == nil {
		if err = l.own(); err == nil {
			found, err = l.cfg.read(l.file, l.head)
		}
	} else if errors.Is(err, os.ErrNotExist) {
		err = l.head.admits(nil, Place{}, true)
	}
	if err != nil {
		return err
	}
	l.old, l.id, l.end, l.base = found.old, found.base.ID, found.end, found.began
	if l.id == nil { // new, or of the old format
		l.id = make([]byte, hashSize)
		rand.Read(l.id)
		l.end.Hash = l.id
	}
	l.last = &batch{full: true, done: make(chan struct{}), end: l.end}
	close(l.last.done)
	if found.base.ID == nil && l.old == "" {
		next, err := l.begin(base{ID: l.id, Hash: l.id}, nil, nil)
		if err == nil {
			old := l.file
			if err = l.install(next, next.Size); old != nil {
				old.Close()
			}
		}
		if err != nil {
			return err
		}
	}
	if found.Torn > 0 {
		if err := l.file.Truncate(l.end.Size); err != nil {
			return err
		}
	}
	at := l.end
	if found.Old {
		at = Place{} // until it was replaced
	}
	return l.head.begin(l.cfg.Calls, l.id, at)
}

// base is the first frame of a file. It is as long in each, so that it can be written
// last.
type base struct {
	ID       []byte          `json:"id"`       // of the log, drawn when it began
	Frames   uint64          `json:"frames"`   // written before those that follow
	Hash     []byte          `json:"hash"`     // of the last of them, which the next has
	Kept     Place           `json:"kept"`     // the end of what Replace's caller appended
	Snapshot int             `json:"snapshot"` // frames after that
	State    json.RawMessage `json:"state,omitempty"`
}

const baseSize = 1 << 10

// Content describes a log's file.
type Content struct {
	Size   int64 // of the file in bytes
	Frames uint64
	Torn   int64 // of a frame at the end that a crash cut short, or that is being written
	Old    bool  // it is of the old format

	old   string
	base  base
	began int64
	end   Place
}

// Read replays a log that another process may have open, and changes nothing. The caller
// closes its file, which is nil after an error.
func Read(cfg Config) (found Content, file File, err error) {
	cfg.Calls = cfg.Calls.OrSystem()
	if cfg.Path, err = realPath(cfg.Path); err != nil {
		return found, nil, err
	}
	head, err := readHead(cfg.Calls, cfg.Path+".head", os.O_RDONLY) // first: the log goes ahead of it
	if err != nil {
		return found, nil, err
	}
	if head.file != nil {
		defer head.file.Close()
	}
	if file, err = cfg.Calls.Open(cfg.Path, os.O_RDONLY); err != nil {
		return found, nil, err
	}
	if found, err = cfg.read(file, head); err != nil {
		file.Close()
		return found, nil, err
	}
	return found, file, nil
}

func (cfg Config) read(file File, head *head) (found Content, err error) {
	info, err := file.Stat()
	if err != nil {
		return found, err
	}
	found.Size = info.Size()
	first := make([]byte, 1<<10)
	n, err := file.ReadAt(first, 0)
	if err != nil && err != io.EOF {
		return found, err
	}
	line, _, whole := bytes.Cut(first[:n], []byte("\n"))
	if !whole {
		if !strings.HasPrefix(cfg.Header, string(bytes.TrimRight(line, "\x00"))) {
			return found, fmt.Errorf("%w: %s is another kind of file", ErrCorrupt, cfg.Path)
		}
		return found, head.admits(nil, Place{}, true) // its creation may have been cut short
	}
	if found.old, err = cfg.Accept(string(line)); err != nil {
		return found, err
	}
	found.Old = found.old != ""
	line = append(line, '\n')
	s := Scan(file, cfg.Path, Place{Size: int64(len(line)), Hash: hashOf(line)}, found.Size)
	if found.Old {
		s.header = oldHeader
	} else if s, err = cfg.readBase(file, s, &found); err != nil {
		return found, err
	}
	return found, cfg.readRest(s, &found, head)
}

// readBase returns the scanner of what follows the base and its snapshot.
func (cfg Config) readBase(file File, s *Scanner, found *Content) (*Scanner, error) {
	kept := Kept{File: file, Name: cfg.Path, From: s.Place}
	content, err := s.Whole()
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(content, &found.base); err != nil || found.base.Kept.Size > found.Size {
		return nil, s.Damage(fmt.Sprint("what is behind the first frame is missing: ", err))
	}
	kept.From.Size, kept.To, kept.State = s.Size, found.base.Kept, found.base.State
	if cfg.Base != nil && kept.State != nil {
		if err := cfg.Base(kept); err != nil {
			return nil, err
		}
	}
	s = Scan(file, cfg.Path, Place{Size: kept.To.Size, Hash: s.Hash}, found.Size)
	for range found.base.Snapshot {
		content, err := s.Whole()
		if err == nil {
			err = cfg.each(s, content)
		}
		if err != nil {
			return nil, err
		}
	}
	found.began, found.Frames = s.Size, 1+kept.To.Frames+uint64(found.base.Snapshot)-found.base.Frames
	s.Frames, s.Hash = found.base.Frames, found.base.Hash
	return s, nil
}

func (cfg Config) readRest(s *Scanner, found *Content, head *head) error {
	for {
		if err := head.admits(found.base.ID, s.Place, false); err != nil {
			return err
		}
		content, err := s.Next()
		if err == errTorn || err == io.EOF {
			found.end, found.Torn = s.Place, found.Size-s.Size
			found.Frames += s.Frames
			return head.admits(found.base.ID, s.Place, true)
		}
		if err == nil {
			err = cfg.each(s, content)
		}
		if err != nil {
			return err
		}
	}
}

// each replays the payloads of a frame.
func (cfg Config) each(s *Scanner, payloads []byte) error {
	for len(payloads) > 0 {
		n, size := binary.Uvarint(payloads)
		if size <= 0 || n > uint64(len(payloads)-size) {
			return s.Damage(fmt.Sprintf("a payload of %d bytes in %d", n, len(payloads)))
		}
		if err := cfg.Replay(payloads[size : size+int(n)]); err != nil {
			return err
		}
		payloads = payloads[size+int(n):]
	}
	return nil
}
