package signer_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/signer"
)

// small is a file system of few megabytes. fill leaves it so many free bytes, and room frees them.
func small(t *testing.T) (dir string, fill func(free int64), room func()) {
	dir = t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=4m"); err != nil {
		t.Skipf("no file system can be mounted here: %v", err)
	}
	t.Cleanup(func() { require.NoError(t, syscall.Unmount(dir, 0)) })
	filler := filepath.Join(dir, "filler")
	fill = func(free int64) {
		var has syscall.Statfs_t
		require.NoError(t, syscall.Statfs(dir, &has))
		size := int64(has.Bavail)*int64(has.Bsize) - free
		require.Positive(t, size)
		require.NoError(t, os.WriteFile(filler, make([]byte, size), 0o600))
	}
	return dir, fill, func() { require.NoError(t, os.Remove(filler)) }
}

// limited bounds the size of the process's files by what the store's log of writes has, and some
// bytes more: the system takes a write in part, and none after that.
func limited(t *testing.T) (dir string, fill func(free int64), room func()) {
	dir = t.TempDir()
	var was syscall.Rlimit
	require.NoError(t, syscall.Getrlimit(syscall.RLIMIT_FSIZE, &was))
	signal.Ignore(syscall.SIGXFSZ)
	room = func() { require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &was)) }
	t.Cleanup(room)
	fill = func(free int64) {
		info, err := os.Stat(filepath.Join(dir, "signer.db-wal"))
		require.NoError(t, err)
		limit := syscall.Rlimit{Cur: uint64(info.Size() + free), Max: was.Max}
		require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit))
	}
	return dir, fill, room
}

// inLimited says that this process is TestAFullDisk's own, whose files are limited.
const inLimited = "WALLETFI_LIMITED"

func onFull(t *testing.T, test func(t *testing.T, r *rig, fill func(free int64), room func())) {
	on := func(t *testing.T, full func(*testing.T) (string, func(int64), func())) {
		dir, fill, room := full(t)
		test(t, newRig(t, 2, func(cfg *signer.Config) {
			cfg.Store, cfg.Anchor = filepath.Join(dir, "signer.db"), filepath.Join(dir, "anchor")
		}), fill, room)
	}
	if os.Getenv(inLimited) != "" {
		on(t, limited)
		return
	}
	t.Run("a full disk", func(t *testing.T) { on(t, small) })
	t.Run("a limit of files' sizes", func(t *testing.T) {
		child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+strings.Split(t.Name(), "/")[0]+"$", "-test.v")
		child.Env = append(os.Environ(), inLimited+"=yes")
		out, err := child.CombinedOutput()
		require.NoError(t, err, "%s", out)
		require.Contains(t, string(out), "--- PASS: ")
	})
}

// TestAFullDisk: wherever within a write the room ends, signing stops and says so, what was counted
// counts once, and it goes on when there is room.
func TestAFullDisk(t *testing.T) {
	const part = sol / 100
	onFull(t, func(t *testing.T, r *rig, fill func(free int64), room func()) {
		left := r.left()
		for round := range int64(12) {
			fill(round * 2048)
			q := r.pay(payee, part-baseFee)
			var stopped bool
			for tries := 0; tries < 30 && !stopped; tries++ {
				q = r.pay(payee, part-baseFee)
				_, err := r.SignSet(t.Context(), "trader", q)
				stopped = err != nil
				if err == nil {
					left -= part
				}
			}
			require.True(t, stopped, "the disk was never full")
			counted := r.left()
			require.Contains(t, []int64{left, left - part}, counted, "what was not signed counts once, if at all")
			for range 3 {
				assert.True(t, r.refused("trader", q, signer.CodeFull).Waits)
				r.refused("trader", r.pay(payee, part-baseFee), signer.CodeFull)
			}
			require.Equal(t, counted, r.left(), "a refusal counts nothing")
			health, err := r.Health(t.Context())
			require.NoError(t, err)
			require.NotEmpty(t, health.Stopped)
			room()
			if round%2 == 0 {
				require.NoError(t, r.Settle(t.Context()))
				health, err = r.Health(t.Context())
				require.NoError(t, err)
				require.Empty(t, health.Stopped, "it finds the room by itself")
			}
			r.signed(q)
			left -= part
			require.Equal(t, left, r.left(), "what was counted and not signed is signed, and counts once")
			if round%3 == 0 {
				r.reopen()
				require.Equal(t, left, r.left())
			}
		}
		told := 0
		require.NoError(t, r.Each(t.Context(), func(e signer.Entry) error {
			if e.Kind != "full" {
				return nil
			}
			told++
			var body struct{ Since, Why string }
			require.NoError(t, json.Unmarshal(e.Body, &body))
			assert.NotEmpty(t, body.Since)
			assert.NotEmpty(t, body.Why)
			return nil
		}))
		assert.Equal(t, 12, told, "the log tells of each time")
		r.audited(t)
	})
}

// TestAFreezeOnAFullDisk: there is room for it, and the next process knows of it.
func TestAFreezeOnAFullDisk(t *testing.T) {
	dir, fill, room := small(t)
	r := newRig(t, 2, func(cfg *signer.Config) {
		cfg.Store, cfg.Anchor = filepath.Join(dir, "signer.db"), filepath.Join(dir, "anchor")
	})
	fill(0)
	for tries := 0; ; tries++ {
		require.Less(t, tries, 30)
		if _, err := r.SignSet(t.Context(), "trader", r.pay(payee, 1)); err != nil {
			require.ErrorContains(t, err, signer.CodeFull)
			break
		}
	}
	require.NoError(t, r.Freeze(t.Context(), "uid 0", signer.ModeFrozen, "drill"))
	r.refused("trader", r.pay(payee, 1), signer.CodeFull)
	room()
	r.refused("trader", r.pay(payee, 1), signer.CodeFrozen)
	r.reopen()
	r.refused("trader", r.pay(payee, 1), signer.CodeFrozen)
	require.NoError(t, r.Thaw(t.Context(), "uid 0", "over"))
	r.signed(r.pay(payee, 1))
}

// TestAFullDiskOfTheAnchor: what the anchor's disk does not take stops the signer too, and one
// request is all that counts unsigned.
func TestAFullDiskOfTheAnchor(t *testing.T) {
	dir, fill, room := small(t)
	r := newRig(t, 2, func(cfg *signer.Config) { cfg.Anchor = filepath.Join(dir, "anchor") })
	fill(0)
	left, tries := r.left(), 0
	for ; ; tries++ {
		require.Less(t, tries, 60)
		if _, err := r.SignSet(t.Context(), "trader", r.pay(payee, sol/100-baseFee)); err != nil {
			require.ErrorContains(t, err, signer.CodeFull)
			break
		}
	}
	for range 5 {
		r.refused("trader", r.pay(payee, sol/100-baseFee), signer.CodeFull)
	}
	assert.Equal(t, left-int64(tries+1)*sol/100, r.left())
	room()
	require.NoError(t, r.Settle(t.Context()))
	r.signed(r.pay(payee, 1))
	r.audited(t)
}

// TestAStoreThatIsReadOnly: it is not opened, and is as it was once it can be written.
func TestAStoreThatIsReadOnly(t *testing.T) {
	dir, _, _ := small(t)
	r := newRig(t, 2, func(cfg *signer.Config) {
		cfg.Store, cfg.Anchor = filepath.Join(dir, "signer.db"), filepath.Join(dir, "anchor")
	})
	r.signed(r.pay(payee, sol-baseFee))
	require.NoError(t, r.Signer.Close())
	mount := func(flags uintptr) {
		require.NoError(t, syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT|flags, ""))
	}
	mount(syscall.MS_RDONLY)
	_, err := signer.Open(t.Context(), r.cfg)
	require.ErrorIs(t, err, syscall.EROFS)
	mount(0)
	r.open()
	assert.Equal(t, int64(4*sol), r.left())
	r.signed(r.pay(payee, 1))
}

// audited ends the process, audits what it has left, and begins another one.
func (r *rig) audited(t *testing.T) {
	t.Helper()
	require.NoError(t, r.Signer.Close())
	_, err := signer.Audit(t.Context(), r.cfg.Store, r.cfg.Anchor, public)
	require.NoError(t, err)
	r.open()
}

// TestAFreezeThatFindsNoRoom: a theft that was found while the disk was full freezes its owner once
// there is room.
func TestAFreezeThatFindsNoRoom(t *testing.T) {
	dir, fill, room := small(t)
	r := newRig(t, 2, func(cfg *signer.Config) {
		cfg.Store, cfg.Anchor = filepath.Join(dir, "signer.db"), filepath.Join(dir, "anchor")
	})
	r.pass(10 * time.Minute)
	r.stolen()
	r.pass(55 * time.Minute)
	fill(0)
	for range 3 {
		require.Error(t, r.Settle(t.Context()))
		r.pass(time.Minute)
	}
	require.Empty(t, r.frozen())
	room()
	require.NoError(t, r.hour())
	require.Equal(t, []string{owner.String()}, r.frozen())
}
