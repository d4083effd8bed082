package sqlstore_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox"
)

// TestSuspended suspends a process at a step with SIGSTOP, for longer than its
// lease. It goes on when another process has paid, and must not pay again.
func TestSuspended(t *testing.T) {
	onEach(t, func(t *testing.T, e engine) {
		t.Parallel()
		e.open(t)
		box, err := sandbox.Start(sandbox.Config{NoLimits: true})
		require.NoError(t, err)
		t.Cleanup(box.Close)
		rounds := max(*crashes/2, 1)
		var next, suspended atomic.Int64
		var workers sync.WaitGroup
		for range 4 {
			workers.Go(func() {
				for round := next.Add(1); round <= int64(rounds); round = next.Add(1) {
					if suspend(t, box, e, int(round)) {
						suspended.Add(1)
					}
				}
			})
		}
		workers.Wait()
		fmt.Printf("%s: suspended=%d of %d\n", e.dialect, suspended.Load(), rounds)
		require.Greater(t, suspended.Load(), int64(rounds/3))
	})
}

// suspend runs one round, and reports whether the first process was suspended.
func suspend(t *testing.T, box *sandbox.Sandbox, e engine, round int) bool {
	shop := solana.NewWallet().PublicKey()
	task := payTask{
		RPC: box.URL(sandbox.RPC), Owner: box.Wallet(), Shop: shop.String(), Lamports: 1_000_000,
		Key: fmt.Sprintf("suspended %d", round), Path: e.config.Path, URL: e.config.URL.Reveal(),
		Kill: 1 + (round-1)%crashSteps, Suspend: true,
	}
	text, err := json.Marshal(task)
	if !assert.NoError(t, err) {
		return false
	}
	first := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestPayingProcess$")
	first.Env = append(os.Environ(), payVariable+"="+string(text))
	out, err := first.StdoutPipe()
	if !assert.NoError(t, err) || !assert.NoError(t, first.Start()) {
		return false
	}
	lines := bufio.NewScanner(out)
	lines.Scan() // the step at which it was suspended, or what came of it
	step := lines.Text()
	second := task
	second.Kill, second.Lamports = 0, 1_000_001
	said, _ := second.run(t)
	assert.Contains(t, said, "confirmed")
	if !assert.NoError(t, first.Process.Signal(syscall.SIGCONT)) {
		return false
	}
	var rest strings.Builder
	for lines.Scan() {
		rest.WriteString(lines.Text() + "\n")
	}
	assert.NoError(t, first.Wait(), "round %d, suspended %s: %s", round, step, rest.String())
	paid := box.Ledger().Balance(shop.String())
	assert.Contains(t, []uint64{task.Lamports, second.Lamports}, paid, "round %d, suspended %s", round, step)
	return step != "confirmed"
}
