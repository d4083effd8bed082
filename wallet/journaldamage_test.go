package wallet_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/wallet"
)

// framesOf stores n entries and returns the file's first bytes and the frame of each.
func framesOf(t *testing.T, path string, n int) (first []byte, frames [][]byte) {
	t.Helper()
	j := openJournal(t, path)
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	first = content
	for i := range n {
		before := len(content)
		e := wallet.Entry{Schema: wallet.Schema, Key: fmt.Sprint("key ", i), Version: 1, State: wallet.KeySent}
		require.NoError(t, j.Store(t.Context(), 0, e))
		content, err = os.ReadFile(path)
		require.NoError(t, err)
		frames = append(frames, content[before:])
	}
	require.NoError(t, j.Close())
	return first, frames
}

// reopened is the error of opening the journal with other frames.
func reopened(t *testing.T, path string, first []byte, frames ...[]byte) error {
	t.Helper()
	content := slices.Concat(append([][]byte{first}, frames...)...)
	require.NoError(t, os.WriteFile(path, content, 0o600))
	j, err := wallet.OpenFileJournal(path)
	if err == nil {
		require.NoError(t, j.Close())
		return nil
	}
	left, readErr := os.ReadFile(path)
	require.NoError(t, readErr)
	require.Equal(t, string(content), string(left), "a file that is refused is left as it was")
	return err
}

// TestFramesThatWereMoved: frames that were cut out, swapped, repeated or put in at
// another place are damage, each of them whole and with the right checksum.
func TestFramesThatWereMoved(t *testing.T) {
	const n = 30
	path := filepath.Join(t.TempDir(), "journal")
	first, frames := framesOf(t, path, n)
	known, err := os.ReadFile(path + ".head")
	require.NoError(t, err)
	unseen := 0
	damaged := func(what string, changed [][]byte) {
		for _, head := range []bool{true, false} {
			if !head {
				require.NoError(t, os.Remove(path+".head"))
			}
			err := reopened(t, path, first, changed...)
			if !errors.Is(err, wallet.ErrJournalDamaged) {
				unseen++
				t.Log("unseen:", what, head, err)
				continue
			}
			check, err := wallet.VerifyFileJournal(path)
			require.ErrorIs(t, err, wallet.ErrJournalDamaged)
			require.Equal(t, path, check.Damage.File)
			require.Contains(t, check.Damage.Problem, "does not follow the one before it")
			require.GreaterOrEqual(t, check.Damage.At, int64(len(first)))
		}
		require.NoError(t, os.WriteFile(path+".head", known, 0o600))
	}
	for i := range n - 1 {
		for _, k := range []int{i + 1, i + 2, n - 1} {
			if k = min(k, n-1); k > i {
				damaged(fmt.Sprintf("cut %d to %d", i, k), slices.Delete(slices.Clone(frames), i, k))
			}
		}
		swapped := slices.Clone(frames)
		swapped[i], swapped[i+1] = swapped[i+1], swapped[i]
		damaged(fmt.Sprintf("swap %d and %d", i, i+1), swapped)
		damaged(fmt.Sprintf("repeat %d", i), slices.Insert(slices.Clone(frames), i, frames[i]))
		damaged(fmt.Sprintf("repeat %d at the end", i), append(slices.Clone(frames), frames[i]))
	}
	reversed := slices.Clone(frames)
	slices.Reverse(reversed)
	damaged("reversed", reversed)
	require.Zero(t, unseen)
	require.NoError(t, reopened(t, path, first, frames...))
}

// TestOlderCopyPutBack: a copy of the journal from before, whole in itself, is refused
// until an operator takes it.
func TestOlderCopyPutBack(t *testing.T) {
	const n = 10
	path := filepath.Join(t.TempDir(), "journal")
	first, frames := framesOf(t, path, n)
	known, err := os.ReadFile(path + ".head")
	require.NoError(t, err)
	for i := range n {
		err := reopened(t, path, first, frames[:i]...)
		require.ErrorIs(t, err, wallet.ErrJournalRolledBack, "%d of %d entries", i, n)
		require.ErrorContains(t, err, fmt.Sprintf("it has %d of %d frames", i, n))
		require.ErrorContains(t, err, "remove "+path+".head")
		require.NotErrorIs(t, err, wallet.ErrJournalDamaged)
		check, err := wallet.VerifyFileJournal(path)
		require.ErrorIs(t, err, wallet.ErrJournalRolledBack)
		require.Nil(t, check.Damage)
		require.Equal(t, i, check.Entries)
		require.NoError(t, os.Remove(path+".head"))
		require.NoError(t, reopened(t, path, first, frames[:i]...), "as the operator wants it")
		require.NoError(t, os.WriteFile(path+".head", known, 0o600))
	}
	require.NoError(t, reopened(t, path, first, frames...))
}

// TestAnotherJournalInItsPlace: one of the same length, one that went another way from a
// copy on, an empty file, none, and one of schema 1.
func TestAnotherJournalInItsPlace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	first, frames := framesOf(t, path, 6)
	otherPath := filepath.Join(t.TempDir(), "other")
	otherFirst, other := framesOf(t, otherPath, 6)
	forked := filepath.Join(t.TempDir(), "forked")
	require.NoError(t, os.WriteFile(forked, slices.Concat(first, frames[0], frames[1]), 0o600))
	j := openJournal(t, forked)
	for i := range 6 {
		e := wallet.Entry{Schema: wallet.Schema, Key: fmt.Sprint("another ", i), Version: 1, State: wallet.KeySent}
		require.NoError(t, j.Store(t.Context(), 0, e))
	}
	require.NoError(t, j.Close())
	fork, err := os.ReadFile(forked)
	require.NoError(t, err)
	schema1, err := os.ReadFile(filepath.Join("testdata", "schema1.journal"))
	require.NoError(t, err)
	for what, content := range map[string][]byte{
		"another":               slices.Concat(append([][]byte{otherFirst}, other...)...),
		"a fork of it":          fork,
		"nothing":               {},
		"one that is beginning": []byte("walletfi jour"),
		"one of schema 1":       schema1,
	} {
		require.ErrorIs(t, reopened(t, path, content), wallet.ErrJournalRolledBack, what)
	}
	require.NoError(t, os.Remove(path))
	_, err = wallet.OpenFileJournal(path)
	require.ErrorIs(t, err, wallet.ErrJournalRolledBack, "it was removed")
	require.NoFileExists(t, path)
	require.NoError(t, os.Remove(path+".head"))
	openJournal(t, path)
}

// TestHead: a journal that is ahead of its head, as after a power cut, is opened; so is
// one whose head was torn at any byte while it was written.
func TestHead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	first, frames := framesOf(t, path, 5)
	known, err := os.ReadFile(path + ".head")
	require.NoError(t, err)
	var heads [][]byte
	for i := range len(frames) + 1 {
		require.NoError(t, os.RemoveAll(path+".head"))
		require.NoError(t, reopened(t, path, first, frames[:i]...))
		head, err := os.ReadFile(path + ".head")
		require.NoError(t, err)
		heads = append(heads, head)
	}
	for i, head := range heads {
		require.NoError(t, os.WriteFile(path+".head", head, 0o600))
		require.NoError(t, reopened(t, path, first, frames...), "it knows %d of 5 frames", i)
	}
	for turn := range 2 { // the lines of frames 4 and 5
		for at := range 96 {
			torn := slices.Clone(known)
			copy(torn[turn*4096+at:], "\x00\x00\x00")
			require.NoError(t, os.WriteFile(path+".head", torn, 0o600))
			require.NoError(t, reopened(t, path, first, frames...))
			require.NoError(t, os.WriteFile(path+".head", torn, 0o600))
			require.ErrorIs(t, reopened(t, path, first, frames[:3]...), wallet.ErrJournalRolledBack)
		}
	}
	require.NoError(t, os.WriteFile(path+".head", slices.Repeat([]byte("x"), 5000), 0o600))
	require.ErrorIs(t, reopened(t, path, first, frames...), wallet.ErrJournalDamaged)
}
