package sqlstore

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
)

// databaseFile is the SQLite file that was opened. Whoever moves or deletes it while
// it is open does not stop SQLite: it goes on reading and writing what no path leads
// to, while another process finds an empty file, and pays what was paid.
type databaseFile struct {
	path string
	info os.FileInfo
}

// creating is held while a file is created: see createFile.
var creating sync.Mutex

// createFile creates the file at path if it is not there, for its owner alone; SQLite
// would create it for all to read. It does not open a file that exists: closing it
// would end all locks that this process has on it through other connections, and
// another process could then remove the write-ahead log that they write to.
func createFile(path string) (*databaseFile, error) {
	creating.Lock()
	defer creating.Unlock()
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		var file *os.File
		file, err = os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDONLY, 0o600)
		if err == nil {
			err = file.Close()
		}
		if err == nil || errors.Is(err, fs.ErrExist) {
			info, err = os.Stat(path)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("sqlstore: SQLite database: %w", err)
	}
	return &databaseFile{path, info}, nil
}

// check fails if path does not lead to the file any more. Nil has nothing to check.
func (f *databaseFile) check() error {
	if f == nil {
		return nil
	}
	info, err := os.Stat(f.path)
	switch {
	case err != nil:
		return fmt.Errorf("%w: its file is gone: %w", ErrDamaged, err)
	case !os.SameFile(f.info, info):
		return fmt.Errorf("%w: another file was put in its place while it was open", ErrDamaged)
	}
	return nil
}
