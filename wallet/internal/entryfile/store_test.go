package entryfile

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/wallet/internal/framelog"
)

// line is a record of the tests: its text is "key version state", and "many" in place of
// hashes of its own lets all such keys collide.
func line(key string, version uint64, state string) *Record {
	r, err := parse(fmt.Appendf(nil, "%s %d %s", key, version, state))
	if err != nil {
		panic(err)
	}
	return r
}

func parse(text []byte) (*Record, error) {
	r := &Record{Text: text}
	var state string
	if _, err := fmt.Sscanf(string(text), "%s %d %s", &r.Key, &r.Version, &state); err != nil {
		return nil, fmt.Errorf("%w: %w", framelog.ErrCorrupt, err)
	}
	r.Open, r.Gone, r.Since = state == "open", state == "gone", time.Unix(int64(r.Version), 0)
	r.Hashes = Hashes(r.Key, "name")
	if strings.HasPrefix(r.Key, "many") {
		r.Hashes = []uint64{hashOf("many"), hashOf("many")}
	}
	return r, nil
}

func opened(t *testing.T, path string) *Store {
	t.Helper()
	s, err := Open(configOf(path))
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

func configOf(path string) Config {
	return Config{Parse: parse, Config: framelog.Config{
		Path: path, Header: "records 2", Accept: func(header string) (old string, err error) {
			if header == "records 1" {
				old = ".old"
			}
			return old, nil
		},
	}}
}

func put(t *testing.T, s *Store, was uint64, r *Record) {
	t.Helper()
	now, err := s.Put(was, r)
	require.NoError(t, err)
	require.Equal(t, was, now)
}

// TestIndex: against a map, with hashes of which many are next to each other or equal.
func TestIndex(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	x, model := &index{}, map[uint64][]int64{}
	hashes := []uint64{0, 1, 1 << 27, 1 << 28, 1<<28 + 1, 1 << 51, 1 << 52, 1<<52 - 1, 1<<64 - 1, 0xabcdef0123456789}
	same := func(hash uint64) uint64 { return hash >> 28 } // of which no more is kept
	for range 5000 {
		hash, place := hashes[random.IntN(len(hashes))], random.Int64N(50)<<30
		if slices.Contains(model[same(hash)], place) {
			x.remove(hash, place)
			model[same(hash)] = slices.DeleteFunc(model[same(hash)], func(p int64) bool { return p == place })
		} else {
			x.insert(hash, place)
			model[same(hash)] = append(model[same(hash)], place)
		}
		x.remove(hash, 1<<39)
		for _, hash := range hashes {
			want := slices.Sorted(slices.Values(model[same(hash)]))
			require.Equal(t, want, x.find(hash))
			for _, place := range want {
				require.True(t, x.has(hash, place))
			}
			require.False(t, x.has(hash, 7))
		}
	}
	n := 0
	for _, places := range model {
		n += len(places)
	}
	require.Len(t, x.places(), n)
	require.True(t, slices.IsSorted(x.places()))
}

// TestKeysWithOneHash: they are told apart by what is read.
func TestKeysWithOneHash(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	s := opened(t, path)
	for i := range 5 {
		// A lookup asks by hashOf(key): the records of these are at that of another.
		put(t, s, 0, line(fmt.Sprint("many", i), uint64(i+1), "settled"))
		put(t, s, 0, line(fmt.Sprint("k", i), uint64(i+1), "settled"))
	}
	require.NoError(t, s.Prune(nil))
	require.Len(t, s.cold.keys.find(hashOf("many")), 5)
	for i := range 5 {
		r, err := s.cold.match(s.cfg, fmt.Sprint("many", i), s.cold.keys.find(hashOf("many")))
		require.NoError(t, err)
		require.Equal(t, uint64(i+1), r.Version)
	}
	r, err := s.cold.match(s.cfg, "many9", s.cold.keys.find(hashOf("many")))
	require.NoError(t, err)
	require.Nil(t, r)
}

// TestCloseEndsACompaction: it does not wait for a large file to be written.
func TestCloseEndsACompaction(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	s := opened(t, path)
	for i := range 50 {
		put(t, s, 0, line(fmt.Sprint("k", i), 1, "settled"))
	}
	require.NoError(t, s.Prune(nil))
	closed := make(chan error, 1)
	looked := 0
	err := s.Prune(func(*Record) bool {
		if looked++; looked == 10 {
			go func() { closed <- s.Close() }()
			<-s.ctx.Done()
		}
		return false
	})
	require.ErrorIs(t, err, context.Canceled)
	require.NoError(t, <-closed)
	require.Equal(t, 10, looked)
	require.NoFileExists(t, path+".new")
	require.ErrorIs(t, s.Prune(nil), framelog.ErrClosed)
	_, err = s.Get("k1")
	require.ErrorIs(t, err, os.ErrClosed, "not that there is none")
	s = opened(t, path)
	for i := range 50 {
		r, err := s.Get(fmt.Sprint("k", i))
		require.NoError(t, err)
		require.NotNil(t, r)
	}
}

// TestChangesBesideACompaction: at each record that a compaction copies, all kinds of
// changes are made. It holds what was put last, then and when it is opened again.
func TestChangesBesideACompaction(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	s := opened(t, path)
	random := rand.New(rand.NewPCG(1, 2))
	model := map[string]*Record{}
	change := func(r *Record) {
		was := uint64(0)
		if old := model[r.Key]; old != nil {
			was = old.Version
		}
		put(t, s, was, r)
		if model[r.Key] = r; r.Gone {
			delete(model, r.Key)
		}
	}
	version := uint64(0)
	some := func() {
		version++
		state := []string{"open", "settled", "gone"}[random.IntN(3)]
		change(line(fmt.Sprint("k", random.IntN(40)), version, state))
	}
	for range 40 {
		some()
	}
	same := func() {
		t.Helper()
		for i := range 40 {
			key := fmt.Sprint("k", i)
			got, err := s.Get(key)
			require.NoError(t, err)
			require.Equal(t, model[key] == nil, got == nil, key)
			if got != nil {
				require.Equal(t, string(model[key].Text), string(got.Text))
			}
		}
		seen := 0
		for r, err := range s.List(false, []string{"name"}) {
			require.NoError(t, err)
			require.Equal(t, string(model[r.Key].Text), string(r.Text))
			seen++
		}
		require.Len(t, model, seen)
	}
	for round := range 30 {
		require.NoError(t, s.Prune(func(*Record) bool {
			some()
			same()
			return false
		}))
		same()
		if round%5 == 0 {
			require.NoError(t, s.Close())
			_, err := Verify(configOf(path))
			require.NoError(t, err)
			s = opened(t, path)
			same()
		}
	}
}

// TestPruneDropsWhatHasNotChanged: a record that was claimed again while the file was
// written stays, be it from the file or from memory.
func TestPruneDropsWhatHasNotChanged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	s := opened(t, path)
	put(t, s, 0, line("kept", 1, "settled"))
	put(t, s, 0, line("changed", 1, "settled"))
	require.NoError(t, s.Prune(nil))
	put(t, s, 0, line("late", 1, "settled"))
	put(t, s, 0, line("changed_late", 1, "settled"))
	require.NoError(t, s.Prune(func(r *Record) bool {
		if strings.HasPrefix(r.Key, "changed") {
			now, err := s.Put(1, line(r.Key, 2, "settled"))
			require.NoError(t, err)
			require.Equal(t, uint64(1), now)
		}
		return true
	}))
	for range 2 {
		for key, want := range map[string]bool{"kept": false, "changed": true, "late": false} {
			r, err := s.Get(key)
			require.NoError(t, err)
			require.Equal(t, want, r != nil, key)
		}
		require.NoError(t, s.Close())
		s = opened(t, path)
	}
}

// TestMemoryOfWhatWasSettled: with few records on disk, at most 1,000 of them are in
// memory, whatever the log's size.
func TestMemoryOfWhatWasSettled(t *testing.T) {
	s := opened(t, filepath.Join(t.TempDir(), "file"))
	var all sync.WaitGroup
	for w := range 32 {
		all.Go(func() {
			for i := w; i < 1500; i += 32 {
				if _, err := s.Put(0, line(fmt.Sprint("k", i), 1, "settled")); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	require.False(t, s.log.Due(), "it is small")
	require.Eventually(t, func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.cold.records >= 1000 && len(s.hot) <= 500 && s.settled == len(s.hot)
	}, time.Minute, time.Millisecond)
}

// TestDamageIsNoAbsence: a record that cannot be read is an error of its lookups, and of
// a Put, and the file of each record is told.
func TestDamageIsNoAbsence(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	s := opened(t, path)
	put(t, s, 0, line("k", 1, "settled"))
	put(t, s, 0, line("other", 1, "settled"))
	require.NoError(t, s.Prune(nil))
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = file.WriteAt([]byte("X"), int64(bytes.Index(content, []byte("k 1 settled"))))
	require.NoError(t, errors.Join(err, file.Close()))
	_, err = s.Get("k")
	require.ErrorIs(t, err, framelog.ErrCorrupt)
	_, err = s.Put(0, line("k", 1, "open"))
	require.ErrorIs(t, err, framelog.ErrCorrupt)
	require.ErrorIs(t, s.Prune(nil), framelog.ErrCorrupt)
	put(t, s, 1, line("other", 2, "open"))
	failed := false
	for _, err := range s.List(false, nil) {
		failed = failed || errors.Is(err, framelog.ErrCorrupt)
	}
	require.True(t, failed)
}

// oldFile is a file of the old format, whose frames have no hash.
func oldFile(records ...string) []byte {
	text, castagnoli := []byte("records 1\n"), crc32.MakeTable(crc32.Castagnoli)
	for _, r := range records {
		content := append([]byte{byte(len(r))}, r...)
		size := binary.LittleEndian.AppendUint32(nil, uint32(len(content)))
		text = append(text, size...)
		text = binary.LittleEndian.AppendUint32(text, crc32.Checksum(size, castagnoli))
		text = binary.LittleEndian.AppendUint32(text, crc32.Checksum(content, castagnoli))
		text = append(text, content...)
	}
	return text
}

// TestStepUp: a file of the old format is one of the new format when it is open, or stays as it is.
func TestStepUp(t *testing.T) {
	path := filepath.Join(t.TempDir(), "records")
	old := oldFile("a 1 open", "b 2 settled", "a 2 settled", "c 1 open")
	require.NoError(t, os.WriteFile(path, old, 0o600))

	cfg := configOf(path)
	cfg.Calls = cfg.Calls.OrSystem()
	full := errors.New("the disk is full")
	cfg.Calls.Rename = func(string, string) error { return full }
	s, err := Open(cfg)
	require.ErrorIs(t, err, full)
	require.Nil(t, s)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(old), string(text))

	damaged := bytes.Replace(old, []byte("b 2"), []byte("b 3"), 1)
	require.NoError(t, os.WriteFile(path+"2", damaged, 0o600))
	_, err = Open(configOf(path + "2"))
	require.ErrorIs(t, err, framelog.ErrCorrupt)

	wrong := configOf(path)
	wrong.Accept = func(string) (string, error) { return "", full }
	_, err = Open(wrong)
	require.ErrorIs(t, err, full)

	for range 2 {
		s = opened(t, path)
		require.Equal(t, []int{1, 0}, []int{len(s.hot), s.settled}, "what is settled is on disk alone")
		for key, want := range map[string]uint64{"a": 2, "b": 2, "c": 1} {
			r, err := s.Get(key)
			require.NoError(t, err)
			require.Equal(t, want, r.Version, key)
		}
		require.NoError(t, s.Close())
		text, err = os.ReadFile(path)
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(string(text), "records 2\n"))
	}
	text, err = os.ReadFile(path + ".old")
	require.NoError(t, err)
	require.Equal(t, string(old), string(text))
}

// TestIndexThatIsNotDescribed: what is kept without a place for its index is damage, not an empty file.
func TestIndexThatIsNotDescribed(t *testing.T) {
	_, err := openKept(framelog.Kept{State: []byte("{")})
	require.ErrorIs(t, err, framelog.ErrCorrupt)
}
