package wallet

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/wallet/internal/framelog"
)

var manySettled = flag.Int("settled", 0, "payments of TestManySettled; its times are held against their bounds")

// timed notes how long the syncs of the journal take that writers wait for. If free is
// set, each of those takes a millisecond and does nothing: the rest of what a Store takes is
// its own.
type timed struct {
	framelog.File
	disk *timedDisk
	live atomic.Bool
}

type timedDisk struct {
	framelog.Calls
	free    atomic.Bool
	longest atomic.Int64
	next    *timed // that is being written
}

func (f *timed) Sync() error {
	if f.live.Load() && f.disk.free.Load() {
		time.Sleep(time.Millisecond)
		return nil
	}
	begun := time.Now()
	err := f.File.Sync()
	if f.live.Load() {
		longer(&f.disk.longest, time.Since(begun))
	}
	return err
}

func (d *timedDisk) calls() framelog.Calls {
	c := d.Calls
	c.Open = func(path string, flag int) (framelog.File, error) {
		file, err := d.Open(path, flag)
		if err != nil {
			return nil, err
		}
		one := &timed{File: file, disk: d}
		if strings.HasSuffix(path, ".new") {
			d.next = one
		} else {
			one.live.Store(true)
		}
		return one, nil
	}
	c.Rename = func(from, to string) error {
		d.next.live.Store(true)
		return d.Calls.Rename(from, to)
	}
	return c
}

func longer(longest *atomic.Int64, d time.Duration) {
	for was := longest.Load(); int64(d) > was && !longest.CompareAndSwap(was, int64(d)); was = longest.Load() {
	}
}

func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// storeAll stores payments as settled ones, many at a time.
func storeAll(t *testing.T, j *FileJournal, from, to int) {
	var all sync.WaitGroup
	const writers = 256
	for w := range writers {
		all.Go(func() {
			for n := from + w; n < to && !t.Failed(); n += writers {
				if err := j.Store(t.Context(), 0, paid(n, 1, KeyConfirmed)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
}

// TestManySettled: of settled payments less than 100 bytes each are in memory, whether
// they were stored or read, and none is looked for long. Writers go on beside a
// compaction.
//
//	go test ./wallet -run ManySettled -settled 1000000 -v -timeout 30m
func TestManySettled(t *testing.T) {
	n := max(*manySettled, 20_000)
	disk := &timedDisk{Calls: framelog.Calls{}.OrSystem()}
	files := framelog.Config{Path: filepath.Join(t.TempDir(), "journal"), Calls: disk.calls()}
	disk.free.Store(true)
	before := heap()
	j, err := openFileJournal(files)
	require.NoError(t, err)
	begun := time.Now()
	storeAll(t, j, 0, n)
	t.Logf("%d stored in %v", n, time.Since(begun))
	begun = time.Now()
	require.NoError(t, j.Prune(t.Context(), time.Time{}))
	t.Logf("compacted in %v", time.Since(begun))
	each := float64(heap()-before) / float64(n)
	t.Logf("%.1f bytes each in memory after they were stored", each)
	require.Less(t, each, 100.0)
	require.NoError(t, j.Close())

	before = heap()
	begun = time.Now()
	j, err = openFileJournal(files)
	require.NoError(t, err)
	defer j.Close()
	opened := time.Since(begun)
	each = float64(heap()-before) / float64(n)
	t.Logf("opened in %v, %.1f bytes each, file of %d MB", opened, each, sizeOf(t, files.Path)>>20)
	require.Less(t, each, 100.0)
	lookedUp(t, j, n)
	listed(t, j, n)

	begun = time.Now()
	check, err := VerifyFileJournal(files.Path)
	require.NoError(t, err)
	require.Equal(t, n, check.Entries)
	t.Logf("verified in %v: %+v", time.Since(begun), check)

	if *manySettled == 0 {
		return // what the writers wait for is held to its bound in framelog, in bytes
	}
	require.Less(t, opened, 3*time.Second)
	most := besideACompaction(t, j, n)
	t.Logf("longest Store without syncs: %v", most)
	require.Less(t, most, 50*time.Millisecond)
	disk.free.Store(false)
	t.Logf("longest Store with syncs: %v, longest sync %v", besideACompaction(t, j, n), time.Duration(disk.longest.Load()))
}

// lookedUp loads payments, and lists them by signature and intent.
func lookedUp(t *testing.T, j *FileJournal, n int) {
	var load, list, open time.Duration
	const times = 1000
	for range times {
		want := paid(rand.IntN(n), 1, KeyConfirmed)
		begun := time.Now()
		e, err := j.Load(t.Context(), want.Key)
		load += time.Since(begun)
		require.NoError(t, err)
		require.Equal(t, want, e)
		for _, q := range []Query{{Signatures: []string{"none", want.Steps[1].Own}}, {Intent: want.Intent}} {
			begun = time.Now()
			for e, err := range j.List(t.Context(), q) {
				require.NoError(t, err)
				require.Equal(t, want.Key, e.Key)
			}
			list += time.Since(begun)
		}
		begun = time.Now()
		for e := range j.List(t.Context(), Query{Open: true}) {
			require.Fail(t, "open", e.Key)
		}
		open += time.Since(begun)
	}
	t.Logf("Load %v, List by name %v, List of open ones %v", load/times, list/times/2, open/times)
}

// listed reads all in order, without having them in memory.
func listed(t *testing.T, j *FileJournal, n int) {
	begun, before, seen := time.Now(), heap(), 0
	for e, err := range j.List(context.Background(), Query{}) {
		if err != nil || e.Since.Unix() != int64(seen) {
			require.FailNow(t, "not the next", "%v is of %v, %v", seen, e.Since, err)
		}
		if seen++; seen == n/2 {
			require.Less(t, float64(heap()-before)/float64(n), 60.0)
		}
	}
	require.Equal(t, n, seen)
	t.Logf("all listed in %v", time.Since(begun))
}

// besideACompaction is the longest Store of 16 writers while the file is rewritten.
func besideACompaction(t *testing.T, j *FileJournal, n int) time.Duration {
	var longest, stored atomic.Int64
	var all sync.WaitGroup
	done := make(chan struct{})
	key := rand.Uint64()
	for w := range 16 {
		all.Go(func() {
			for k := 0; ; k++ {
				select {
				case <-done:
					return
				default:
				}
				for version, state := range []KeyState{KeySent, KeyConfirmed} {
					e := paid(n+k, uint64(version)+1, state)
					e.Key = fmt.Sprint(key, w, k)
					begun := time.Now()
					err := j.Store(t.Context(), uint64(version), e)
					longer(&longest, time.Since(begun))
					if err != nil {
						t.Error(err)
						return
					}
					stored.Add(1)
				}
			}
		})
	}
	begun := time.Now()
	require.NoError(t, j.Prune(t.Context(), time.Time{}))
	close(done)
	all.Wait()
	t.Logf("%d stored beside a compaction of %v", stored.Load(), time.Since(begun))
	return time.Duration(longest.Load())
}
