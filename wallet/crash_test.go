package wallet_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/pause"
	"github.com/walletfi/walletfi-go/internal/race"
	"github.com/walletfi/walletfi-go/wallet"
)

var crashes = flag.Int("crash", map[bool]int{false: 50, true: 20}[race.Enabled], "kills of TestCrash")

// TestCrash kills a process at every step of an Execute, and again while the
// next process mends what the first left. The ledger, which is a file, counts.
func TestCrash(t *testing.T) {
	kills, twice, lost := 0, 0, 0
	for round := 0; kills < *crashes; round++ {
		dir := t.TempDir()
		// The first process dies at one step, the next one at another, sooner.
		first, second := 1+round%24, (round/24)%8
		for run, at := range []int{first, second, 0} {
			if run == 1 && at == 0 {
				continue
			}
			killed := runChild(t, dir, run, at, round)
			if killed {
				kills++
			} else if run < 2 {
				break // it came to its end before
			}
		}
		switch n := len(onLedger(t, dir)); {
		case n > 1:
			twice++
			t.Errorf("round %d: %d transactions executed for one key", round, n)
		case n == 0:
			lost++
			t.Errorf("round %d: the payment is confirmed and did not execute", round)
		}
	}
	fmt.Printf("kills=%d twice=%d lost=%d\n", kills, twice, lost)
}

// runChild runs the payment in a process of its own, and reports whether that
// was killed.
func runChild(t *testing.T, dir string, run, at, round int) (killed bool) {
	t.Helper()
	child := exec.Command(os.Args[0], "-test.run=^TestChild$", "-test.v")
	child.Env = append(os.Environ(), "WALLET_DIR="+dir, fmt.Sprintf("WALLET_RUN=%d", run), fmt.Sprintf("WALLET_KILL=%d", at), fmt.Sprintf("WALLET_MODE=%d", round%3))
	out, err := child.CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == -1 {
		return true
	}
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), "PASS")
	return false
}

// TestChild is the process of TestCrash: it pays once under a fixed key, and dies
// at the step that it is told. What it builds is new in every process.
func TestChild(t *testing.T) {
	dir := os.Getenv("WALLET_DIR")
	if dir == "" {
		return // TestCrash runs it in processes of their own
	}
	run, _ := strconv.Atoi(os.Getenv("WALLET_RUN"))
	mode, _ := strconv.Atoi(os.Getenv("WALLET_MODE"))
	at, _ := strconv.Atoi(os.Getenv("WALLET_KILL"))
	k := &killer{at: int64(at)}
	file, err := wallet.OpenFileJournal(filepath.Join(dir, "journal"))
	require.NoError(t, err)
	defer file.Close()
	sea := &fileLedger{killer: k, dir: dir, mode: mode}
	r := newRigWith(t, func(c *wallet.Config) {
		c.Journal, c.Submitter, c.Confirmer = deadlyJournal{file, k}, sea, sea
		c.PollEvery, c.ResendEvery, c.Lease = 2*time.Millisecond, 4*time.Millisecond, 30*time.Millisecond
	})
	defer r.wallet.Close()
	u := r.pay(t, 1)
	u.Transactions[0] = r.transfer(t, 1, byte(100+run))
	for {
		result, err := r.wallet.Execute(soon(t), u, wallet.ExecuteOptions{Key: "the payment"})
		if err == nil {
			require.True(t, result.Confirmed())
			require.Contains(t, onLedger(t, dir), result.Signatures()[0])
			return
		}
		require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown)
		pause.For(t.Context(), 5*time.Millisecond)
	}
}

// killer ends the process at its at-th step.
type killer struct{ at, steps int64 }

func (k *killer) step() {
	if atomic.AddInt64(&k.steps, 1) == k.at {
		self, err := os.FindProcess(os.Getpid())
		if err == nil {
			err = self.Kill()
		}
		if err != nil {
			panic(err)
		}
		select {} // until the signal arrives
	}
}

// deadlyJournal has a step before and after each write.
type deadlyJournal struct {
	wallet.Journal
	*killer
}

func (j deadlyJournal) Store(ctx context.Context, was uint64, e wallet.Entry) error {
	j.step()
	defer j.step()
	return j.Journal.Store(ctx, was, e)
}

func (j deadlyJournal) Load(ctx context.Context, key string) (wallet.Entry, error) {
	j.step()
	return j.Journal.Load(ctx, key)
}

func (j deadlyJournal) List(ctx context.Context, q wallet.Query) iter.Seq2[wallet.Entry, error] {
	return j.Journal.List(ctx, q)
}

// fileLedger executes what reaches its file.
type fileLedger struct {
	*killer
	dir  string
	mode int // 1: answers are lost; 2: the first send is lost
	sent atomic.Int64
}

func (l *fileLedger) Submit(_ context.Context, tx walletfi.Signed) (string, error) {
	l.step()
	defer l.step()
	if n := l.sent.Add(1); l.mode == 2 && n == 1 {
		return "", errLost
	}
	file, err := os.OpenFile(filepath.Join(l.dir, "ledger"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return "", err
	}
	defer file.Close()
	if _, err := file.WriteString(tx.Signature + "\n"); err != nil {
		return "", err
	}
	if l.mode == 1 {
		return "", errLost
	}
	return tx.Signature, nil
}

func (l *fileLedger) SignatureStatus(_ context.Context, signature string) (walletfi.SignatureStatus, error) {
	l.step()
	content, err := os.ReadFile(filepath.Join(l.dir, "ledger"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return notFound, err
	}
	if strings.Contains(string(content), signature+"\n") {
		return found, nil
	}
	return notFound, nil
}

// onLedger lists the transactions that executed, each once.
func onLedger(t *testing.T, dir string) map[string]bool {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(dir, "ledger"))
	if !errors.Is(err, os.ErrNotExist) {
		require.NoError(t, err)
	}
	all := map[string]bool{}
	for line := range strings.Lines(string(content)) {
		all[strings.TrimSpace(line)] = true
	}
	return all
}
