package sqlstore_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/contrib/sqlstore"
	"github.com/walletfi/walletfi-go/sandbox"
)

var (
	crashes = flag.Int("crash", 20, "kills of TestCrash on each database")
	within  = flag.Duration("within", 20*time.Second, "the longest that a recovery of TestCrash may take")
)

// crashSteps is more than the steps of one payment.
const crashSteps = 26

// TestCrash has two processes pay under one key, and kills one of them with
// SIGKILL at each step of claim, sign, send and confirm. The other must confirm the
// payment, and the ledger of the sandbox must have it once.
func TestCrash(t *testing.T) {
	onEach(t, func(t *testing.T, e engine) {
		t.Parallel()
		e.open(t) // the tables are there: each process checks them, none makes them
		box, err := sandbox.Start(sandbox.Config{NoLimits: true})
		require.NoError(t, err)
		t.Cleanup(box.Close)
		c := &court{box: box, engine: e}
		var workers sync.WaitGroup
		for range 4 {
			workers.Go(func() {
				for round := c.next(); round >= 0; round = c.next() {
					c.try(t, round)
				}
			})
		}
		workers.Wait()
		fmt.Printf("%s: kills=%d twice=%d lost=%d steps=%d slowest recovery=%v\n", e.dialect, c.kills, c.twice, c.lost, len(c.steps), c.slowest.Round(time.Millisecond))
		t.Log(c.steps)
		require.GreaterOrEqual(t, c.kills, *crashes)
		require.Zero(t, c.twice)
		require.Zero(t, c.lost)
		require.LessOrEqual(t, c.slowest, *within)
		require.Greater(t, len(c.steps), min(*crashes, crashSteps)/3, "kills at different steps")
	})
}

// court runs rounds and judges them by the ledger.
type court struct {
	box    *sandbox.Sandbox
	engine engine

	mu                         sync.Mutex
	rounds, kills, twice, lost int
	steps                      map[string]int // in which the process was killed
	slowest                    time.Duration
}

// next returns the number of a round, -1 when there were enough kills.
func (c *court) next() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.kills >= *crashes || c.rounds > 3**crashes+crashSteps {
		return -1
	}
	c.rounds++
	return c.rounds - 1
}

// try runs one round: the victim dies at a step, the heir pays too. In every other
// round the heir begins when the victim is dead.
func (c *court) try(t *testing.T, round int) {
	shop := solana.NewWallet().PublicKey()
	task := payTask{
		RPC: c.box.URL(sandbox.RPC), Owner: c.box.Wallet(), Shop: shop.String(),
		Key: fmt.Sprintf("round %d", round), Path: c.engine.config.Path, URL: c.engine.config.URL.Reveal(),
	}
	victim := task
	victim.Lamports, victim.Kill = 1_000_000, 1+round%crashSteps
	heir := task
	heir.Lamports = 1_000_001

	var death time.Time
	var step string
	var both sync.WaitGroup
	dead := make(chan struct{})
	both.Go(func() {
		defer close(dead)
		out, killed := victim.run(t)
		if killed {
			death, step = time.Now(), lastStep(out)
		}
	})
	if round%2 == 0 {
		<-dead
	}
	out, killed := heir.run(t)
	end := time.Now()
	both.Wait()

	c.mu.Lock()
	defer c.mu.Unlock()
	if killed || !strings.Contains(out, "confirmed") {
		c.lost++
		t.Errorf("round %d: the heir of a process that died %s did not confirm:\n%s", round, step, out)
	}
	switch paid := c.box.Ledger().Balance(shop.String()); paid {
	case victim.Lamports, heir.Lamports:
	case 0:
		c.lost++
		t.Errorf("round %d, death %s: confirmed, and the ledger has nothing", round, step)
	default:
		c.twice++
		t.Errorf("round %d, death %s: the ledger has %d lamports", round, step, paid)
	}
	if step == "" {
		return
	}
	c.kills++
	if c.steps == nil {
		c.steps = map[string]int{}
	}
	c.steps[step]++
	c.slowest = max(c.slowest, end.Sub(death))
}

func lastStep(out string) string {
	lines := strings.Split(strings.TrimSpace(out), "\n")
	return lines[len(lines)-1]
}

const payVariable = "WALLETFI_SQLSTORE_PAY"

// payTask tells a process what to do.
type payTask struct {
	Path, URL, RPC, Shop, Key string
	Owner                     []byte
	Lamports                  uint64
	Kill                      int  // the step at which it dies, 0 for none
	Suspend                   bool // it is suspended in place of dying
}

func (p payTask) config() sqlstore.Config {
	return engineConfig(p.Path, p.URL)
}

// run runs the task in a process of its own, and returns what it printed.
func (p payTask) run(t *testing.T) (out string, killed bool) {
	task, err := json.Marshal(p)
	if err != nil {
		t.Error(err)
		return "", false
	}
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestPayingProcess$")
	child.Env = append(os.Environ(), payVariable+"="+string(task))
	var all bytes.Buffer
	child.Stdout, child.Stderr = &all, &all
	err = child.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == -1 {
		return all.String(), true
	}
	if err != nil {
		t.Errorf("the process: %v\n%s", err, all.String())
	}
	return all.String(), false
}
