package wallet_test

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/wallet"
)

// TestJournalOfKilledProcesses: processes that do nothing but store, and compact all the
// time, are killed one after another. What each was told is stored is there for the next.
// Meanwhile no other process gets the journal, and it is verified as it is.
func TestJournalOfKilledProcesses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	told := map[string]uint64{}
	for round := range max(6, *crashes/8) {
		child := exec.Command(os.Args[0], "-test.run=^TestStoringChild$")
		child.Env = append(os.Environ(), "WALLET_STORING="+path, fmt.Sprint("WALLET_RUN=", round))
		out, err := child.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, child.Start())
		lines := bufio.NewScanner(out)
		var kill *time.Timer
		for lines.Scan() {
			var key string
			var version uint64
			if n, _ := fmt.Sscanf(lines.Text(), "told %s %d", &key, &version); n != 2 {
				require.NotContains(t, lines.Text(), "FAIL")
				continue
			}
			told[key] = max(told[key], version)
			if kill == nil {
				_, err := wallet.OpenFileJournal(path)
				require.ErrorIs(t, err, wallet.ErrJournalInUse)
				_, err = wallet.VerifyFileJournal(path)
				require.NoError(t, err)
				kill = time.AfterFunc(time.Duration(rand.IntN(300))*time.Millisecond, func() { _ = child.Process.Kill() })
			}
		}
		require.Error(t, child.Wait(), "it was killed")
		j := openJournal(t, path)
		for key, version := range told {
			e, err := j.Load(t.Context(), key)
			require.NoError(t, err)
			require.GreaterOrEqual(t, e.Version, version, key)
		}
		require.NoError(t, j.Close())
	}
	require.Greater(t, len(told), 20)
}

// TestStoringChild is the process of TestJournalOfKilledProcesses.
func TestStoringChild(t *testing.T) {
	path := os.Getenv("WALLET_STORING")
	if path == "" {
		return
	}
	j, err := wallet.OpenFileJournal(path)
	require.NoError(t, err)
	var all sync.WaitGroup
	for w := range 4 {
		all.Go(func() {
			for n := 0; ; n++ {
				key := fmt.Sprintf("%s/%d/%d", os.Getenv("WALLET_RUN"), w, n)
				for version := range uint64(3) {
					e := wallet.Entry{Schema: wallet.Schema, Key: key, Version: version + 1, State: wallet.KeySent}
					e.Steps = []wallet.EntryStep{{State: wallet.KeySent, Own: key, Transaction: walletfi.Base64Transaction(strings.Repeat("A", 30_000))}}
					if version == 2 {
						e.State, e.Steps = wallet.KeyConfirmed, nil
					}
					if err := j.Store(t.Context(), version, e); err != nil {
						fmt.Println("FAIL", err)
						return
					}
					_, _ = fmt.Fprintln(os.Stdout, "told", key, version+1)
				}
			}
		})
	}
	go func() {
		for {
			if err := j.Prune(t.Context(), time.Time{}); err != nil {
				fmt.Println("FAIL", err)
			}
		}
	}()
	all.Wait()
}
