package framelog

import (
	"io"
	"os"
	"path/filepath"
)

// File is an open file, as far as it is used.
type File interface {
	io.ReaderAt
	io.WriterAt
	io.Closer
	Sync() error
	Truncate(size int64) error
	Stat() (os.FileInfo, error)
	Fd() uintptr
}

// Calls are the system calls that change files: the zero value is the system's, any
// other a test's.
type Calls struct {
	Open         func(path string, flag int) (File, error)
	Rename, Link func(from, to string) error
	Remove       func(path string) error
	SyncFolder   func(path string) error // makes the name of the file at path durable
}

// OrSystem returns the calls of the system in place of none.
func (c Calls) OrSystem() Calls {
	if c.Open != nil {
		return c
	}
	open := func(path string, flag int) (File, error) {
		file, err := os.OpenFile(path, flag, 0o600)
		if err != nil {
			return nil, err
		}
		return file, nil
	}
	return Calls{open, os.Rename, os.Link, os.Remove, syncFolder}
}

func syncFolder(path string) error {
	folder, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer folder.Close()
	return syncDir(folder)
}

// Chain writes frames after a place of a file. A crash loses what was appended after
// the last sync, and may leave any of it.
type Chain struct {
	File
	Place
	buffer []byte
}

// Kept is a file of a caller of Replace, with what was appended to it.
type Kept struct {
	File
	Name     string
	From, To Place
	State    []byte
}

// syncEvery is how much is written between two syncs, so that the disk is never busy
// for long with what no writer waits for.
const syncEvery = 1 << 20

// Append writes a frame.
func (c *Chain) Append(content []byte) error { return c.buffered(c.add(content)) }

// copy writes what is not hashed again.
func (c *Chain) copy(b []byte) error {
	c.Size += int64(len(b))
	return c.buffered(b)
}

func (c *Chain) buffered(b []byte) error {
	if c.buffer = append(c.buffer, b...); len(c.buffer) < syncEvery {
		return nil
	}
	return c.sync()
}

// sync returns once all that was appended is on disk.
func (c *Chain) sync() error {
	if len(c.buffer) == 0 {
		return nil
	}
	if _, err := c.File.WriteAt(c.buffer, c.Size-int64(len(c.buffer))); err != nil {
		return err
	}
	c.buffer = c.buffer[:0]
	return c.File.Sync()
}
