package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// fileStore is a webhooks.Seen in an append-only file, with one line per
// delivery. Each line is on the disk before Commit returns. Only one process
// may use the file at a time.
type fileStore struct {
	path string

	mu     sync.Mutex
	file   *os.File
	size   int64 // of the complete lines
	until  map[string]time.Time
	sweep  int // number of keys at which the file is rewritten
	broken error
}

type fileRecord struct {
	Key   string    `json:"key"`
	Until time.Time `json:"until"`
}

// openFileStore reads the file, if it exists, and rewrites it without the
// expired lines. If a crash cut off the last line, that line was never
// committed and is dropped.
func openFileStore(path string) (*fileStore, error) {
	s := &fileStore{path: path, until: map[string]time.Time{}}
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	whole := text[:bytes.LastIndexByte(text, '\n')+1]
	number := 0
	for line := range bytes.Lines(whole) {
		number++
		var r fileRecord
		if err := json.Unmarshal(line, &r); err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", path, number, err)
		}
		s.until[r.Key] = r.Until
	}
	return s, s.rewrite()
}

// Seen reports whether key was committed and has not expired.
func (s *fileStore) Seen(_ context.Context, key string) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	until, ok := s.until[key]
	return ok && time.Now().Before(until), nil
}

// Commit writes key to the disk.
func (s *fileStore) Commit(_ context.Context, key string, until time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.broken != nil {
		return s.broken
	}
	if len(s.until) >= s.sweep {
		if err := s.rewrite(); err != nil {
			return err
		}
	}
	line, err := json.Marshal(fileRecord{key, until})
	if err != nil {
		return err
	}
	if err := s.append(append(line, '\n')); err != nil {
		return err
	}
	s.until[key] = until
	return nil
}

// append leaves only complete lines in the file, even if writing fails: a line
// after half a line would spoil both. If that fails too, the store is closed.
func (s *fileStore) append(line []byte) error {
	_, err := s.file.Write(line)
	if err == nil {
		err = s.file.Sync()
	}
	if err != nil {
		if cut := s.file.Truncate(s.size); cut != nil {
			s.broken = errors.Join(err, cut)
		}
		return err
	}
	s.size += int64(len(line))
	return nil
}

// rewrite replaces the file by one without the expired lines. After a crash one
// of the two files is there, complete.
func (s *fileStore) rewrite() error {
	var text bytes.Buffer
	now := time.Now()
	for key, until := range s.until {
		if !now.Before(until) {
			delete(s.until, key)
			continue
		}
		if err := json.NewEncoder(&text).Encode(fileRecord{key, until}); err != nil {
			return err
		}
	}
	file, err := replaceFile(s.path, text.Bytes())
	if err != nil {
		return err
	}
	if s.file != nil {
		s.file.Close() // all of it is on the disk
	}
	s.file, s.size, s.sweep = file, int64(text.Len()), max(1024, 2*len(s.until))
	return nil
}

// replaceFile returns the new file, open for appending.
func replaceFile(path string, text []byte) (file *os.File, err error) {
	file, err = os.OpenFile(path+".new", os.O_WRONLY|os.O_CREATE|os.O_TRUNC|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	if _, err = file.Write(text); err == nil {
		err = file.Sync()
	}
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err == nil {
		err = syncFolder(filepath.Dir(path))
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// syncFolder makes a rename durable.
func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	defer folder.Close()
	return folder.Sync()
}

// Close closes the file.
func (s *fileStore) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.file.Close()
}
