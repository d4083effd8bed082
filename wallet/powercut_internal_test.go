package wallet

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/wallet/internal/framelog"
)

var everyPowerCut = flag.Bool("powercuts", false, "TestPowerCut: all that a crash may leave, not a fifth of it")

// recorder notes each call that changes files, and what was acknowledged between them.
type recorder struct {
	framelog.Calls
	mu    sync.Mutex
	files int
	trace []traced
}

// traced is one call: exactly one of its parts is set.
type traced struct {
	create, remove   string
	file             int // of create, write, cut and sync
	write            []byte
	at               int64
	cut              bool // to the size at
	sync, syncFolder bool
	from, to         string
	link             bool
	acked            *Entry
}

func (r *recorder) note(one traced) {
	r.mu.Lock()
	defer r.mu.Unlock()
	one.write = append([]byte(nil), one.write...)
	r.trace = append(r.trace, one)
}

type recordedFile struct {
	framelog.File
	r  *recorder
	id int
}

func (r *recorder) calls(ids map[string]int) framelog.Calls {
	c := r.Calls
	c.Open = func(path string, flag int) (framelog.File, error) {
		_, missing := os.Stat(path)
		file, err := r.Calls.Open(path, flag)
		if err != nil {
			return nil, err
		}
		name := filepath.Base(path)
		r.mu.Lock()
		if _, known := ids[name]; missing != nil || !known {
			r.files++
			ids[name] = r.files
		}
		id := ids[name]
		r.mu.Unlock()
		if missing != nil {
			r.note(traced{create: name, file: id})
		}
		return recordedFile{file, r, id}, nil
	}
	c.Rename = func(from, to string) error {
		err := r.Calls.Rename(from, to)
		if err == nil {
			r.mu.Lock()
			ids[filepath.Base(to)] = ids[filepath.Base(from)]
			delete(ids, filepath.Base(from))
			r.mu.Unlock()
			r.note(traced{from: filepath.Base(from), to: filepath.Base(to)})
		}
		return err
	}
	c.Link = func(from, to string) error {
		err := r.Calls.Link(from, to)
		if err == nil {
			r.note(traced{from: filepath.Base(from), to: filepath.Base(to), link: true})
		}
		return err
	}
	c.Remove = func(path string) error {
		err := r.Calls.Remove(path)
		if err == nil {
			r.note(traced{remove: filepath.Base(path)})
		}
		return err
	}
	c.SyncFolder = func(path string) error {
		r.note(traced{syncFolder: true})
		return r.Calls.SyncFolder(path)
	}
	return c
}

func (f recordedFile) WriteAt(b []byte, at int64) (int, error) {
	n, err := f.File.WriteAt(b, at)
	f.r.note(traced{file: f.id, write: b, at: at})
	return n, err
}

func (f recordedFile) Sync() error {
	err := f.File.Sync()
	f.r.note(traced{file: f.id, sync: true})
	return err
}

func (f recordedFile) Truncate(size int64) error {
	err := f.File.Truncate(size)
	f.r.note(traced{file: f.id, cut: true, at: size})
	return err
}

// disk holds the remains of the files of a trace.
type disk struct {
	names         map[string]int
	files         map[int][]byte
	durableNames  map[string]int
	durable       map[int][]byte
	pendingWrites map[int][]traced
}

// left replays a trace on a disk. keep decides of each write that was not synced whether
// it is there after the crash.
func left(trace []traced, initial map[string][]byte) *disk {
	d := &disk{map[string]int{}, map[int][]byte{}, map[string]int{}, map[int][]byte{}, map[int][]traced{}}
	id := -1
	for name, content := range initial {
		d.names[name], d.files[id], d.durable[id] = id, content, content
		id--
	}
	d.durableNames = maps.Clone(d.names)
	for _, one := range trace {
		switch {
		case one.create != "":
			d.names[one.create], d.files[one.file] = one.file, nil
		case one.remove != "":
			delete(d.names, one.remove)
		case one.link:
			d.names[one.to] = d.names[one.from]
		case one.to != "":
			d.names[one.to] = d.names[one.from]
			delete(d.names, one.from)
		case one.syncFolder:
			d.durableNames = maps.Clone(d.names)
		case one.sync:
			d.durable[one.file], d.pendingWrites[one.file] = d.files[one.file], nil
		case one.write != nil || one.cut:
			d.files[one.file] = changed(d.files[one.file], one)
			d.pendingWrites[one.file] = append(d.pendingWrites[one.file], one)
		}
	}
	return d
}

func changed(content []byte, one traced) []byte {
	if one.cut {
		size := min(int(one.at), len(content))
		return append(content[:size:size], make([]byte, int(one.at)-size)...)
	}
	next := append([]byte(nil), content...)
	if end := int(one.at) + len(one.write); end > len(next) {
		next = append(next, make([]byte, end-len(next))...)
	}
	copy(next[one.at:], one.write)
	return next
}

// lose drops what was not synced: all of it, or what chance wants, also half of a write.
func (d *disk) lose(random *rand.Rand) {
	names := d.durableNames
	if random != nil && random.IntN(2) == 0 {
		names = d.names
	}
	d.names = names
	for id := range d.files {
		content := d.durable[id]
		for _, one := range d.pendingWrites[id] {
			if random == nil || random.IntN(2) == 0 {
				continue
			}
			if half := len(one.write); half > 600 && random.IntN(2) == 0 {
				one.write = append([]byte(nil), one.write...)
				clear(one.write[random.IntN(half):])
			}
			content = changed(content, one)
		}
		d.files[id] = content
	}
}

// TestPowerCut ends a process between any two of the calls that change files, or the
// machine, which loses what was not synced, and opens what is left: what Store returned for
// is there. It is checked before it is opened, and takes entries afterwards.
func TestPowerCut(t *testing.T) {
	schema1, err := os.ReadFile(filepath.Join("testdata", "schema1.journal"))
	require.NoError(t, err)
	for name, initial := range map[string]map[string][]byte{"new": nil, "of schema 1": {"journal": schema1}} {
		t.Run(name, func(t *testing.T) {
			trace := busy(t, initial)
			t.Logf("%d calls", len(trace))
			random := rand.New(rand.NewPCG(1, 2))
			for at := range len(trace) + 1 {
				acked := map[string]Entry{}
				for _, one := range trace[:at] {
					if one.acked != nil {
						acked[one.acked.Key] = *one.acked
					}
				}
				if at > 0 && trace[at-1].acked != nil {
					continue // as before
				}
				for how := range 3 {
					if (at+how)%5 != 0 && !*everyPowerCut {
						continue
					}
					d := left(trace[:at], initial)
					switch how {
					case 1:
						d.lose(nil)
					case 2:
						d.lose(random)
					}
					recovered(t, d, acked, initial != nil, fmt.Sprintf("call %d of %d, %d", at, len(trace), how))
				}
			}
		})
	}
}

// busy is a journal's work: entries of four writers that are stored, settled, changed when
// they are settled, dropped and pruned, over several compactions.
func busy(t *testing.T, initial map[string][]byte) []traced {
	t.Helper()
	folder, ids := t.TempDir(), map[string]int{}
	id := -1
	for name, content := range initial {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), content, 0o600))
		ids[name] = id
		id--
	}
	r := &recorder{Calls: framelog.Calls{}.OrSystem()}
	for round := range uint64(2) {
		j, err := openFileJournal(framelog.Config{Path: filepath.Join(folder, "journal"), CompactAt: 4000, Calls: r.calls(ids)})
		require.NoError(t, err)
		var all sync.WaitGroup
		for w := range 4 {
			all.Go(func() {
				for k := range 3 {
					key, version := fmt.Sprint("key ", w, k), uint64(0)
					if e, err := j.Load(t.Context(), key); err == nil {
						version = e.Version
					}
					for step, state := range []KeyState{KeySent, KeyConfirmed, KeyClaimed, KeyExpired} {
						next := max(version, 100*round) + 1 // also of a key that was pruned
						e := Entry{Schema: Schema, Key: key, Version: next, State: state, Since: time.Unix(int64(k), 0).UTC()}
						e.Steps = []EntryStep{{State: state, Own: key, Transaction: walletfi.Base64Transaction(strings.Repeat("A", 100*(step%2)))}}
						if err := j.Store(t.Context(), version, e); err != nil {
							t.Error(err)
						}
						version = next
						r.note(traced{acked: &e})
					}
				}
			})
		}
		all.Wait()
		require.NoError(t, j.Prune(t.Context(), time.Unix(0, 1)))
		require.NoError(t, j.Close())
	}
	return r.trace
}

// hasty is a file whose syncs take no time.
type hasty struct{ framelog.File }

func (hasty) Sync() error { return nil }

func hastyFiles(path string) framelog.Config {
	calls := framelog.Calls{}.OrSystem()
	open := calls.Open
	calls.Open = func(path string, flag int) (framelog.File, error) {
		file, err := open(path, flag)
		if err != nil {
			return nil, err
		}
		return hasty{file}, nil
	}
	calls.SyncFolder = func(string) error { return nil }
	return framelog.Config{Path: path, Calls: calls}
}

// recovered opens what is left on a disk.
func recovered(t *testing.T, d *disk, acked map[string]Entry, old bool, when string) {
	t.Helper()
	folder := t.TempDir()
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "journal")
	for name, id := range d.names {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), d.files[id], 0o600))
	}
	if _, err := VerifyFileJournal(path); !os.IsNotExist(err) {
		require.NotErrorIs(t, err, ErrJournalRolledBack, when)
		if len(d.files[d.names["journal"]]) > 0 {
			require.NoError(t, err, when)
		}
	}
	files := hastyFiles(path)
	for range 2 {
		j, err := openFileJournal(files)
		require.NoError(t, err, when)
		for key, want := range acked {
			got, err := j.Load(t.Context(), key)
			require.NoError(t, err, when)
			if want.Since.Unix() == 0 && got.Version == 0 {
				continue // pruned
			}
			require.GreaterOrEqual(t, got.Version, want.Version, "%s: %s", when, key)
		}
		if old {
			e, err := j.Load(t.Context(), "key:paid")
			require.NoError(t, err)
			require.True(t, e.Spent(), when)
		}
		e := Entry{Schema: Schema, Key: "after", Version: 1, State: KeySent, Since: time.Unix(9, 0).UTC()}
		if _, again := acked["after"]; !again {
			require.NoError(t, j.Store(t.Context(), 0, e), when)
			acked = maps.Clone(acked)
			acked["after"] = e
		}
		require.NoError(t, j.Close())
	}
}
