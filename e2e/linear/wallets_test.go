package linear

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/contrib/sqlstore"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// walletConfig is a wallet's whose lease is short.
func walletConfig(n *node, journal wallet.Journal) wallet.Config {
	return wallet.Config{
		Signer: owner, Guard: signing.NewGuard(signing.Policy{}),
		Submitter: n, Confirmer: n, Heights: n, Journal: journal,
		Lease: 8 * time.Second, ConfirmTimeout: time.Minute,
	}
}

func wallets() newPayer {
	return func(n *node, journal wallet.Journal) (payer, error) { return wallet.New(walletConfig(n, journal)) }
}

// walletRuns are the journals that the wallets are judged on. The memory journal
// stands for any that keeps its contract, and costs nothing.
func walletRuns() []payRun {
	all := []string{
		"closed", "Execute expired", "Execute failed", "Execute not sent", "Execute none", "Settle read",
		"Outcome nothing", "in the end confirmed",
	}
	return []payRun{
		{name: "memory", payers: wallets, open: inMemory, times: 20, needs: all},
		{name: "file", payers: wallets, open: inFile, times: 6},
		{name: "sqlite", payers: wallets, open: inSQLite, times: 1},
	}
}

func inMemory(*testing.T) func() wallet.Journal {
	journal := wallet.NewMemoryJournal()
	return func() wallet.Journal { return journal }
}

func inFile(t *testing.T) func() wallet.Journal {
	journal, err := wallet.OpenFileJournal(filepath.Join(fastFolder(t), "journal"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = journal.Close() })
	return func() wallet.Journal { return journal }
}

func inSQLite(t *testing.T) func() wallet.Journal {
	path := filepath.Join(fastFolder(t), "journal.db")
	return func() wallet.Journal { return openStore(t, sqlstore.Config{Path: path}) }
}

// fastFolder is a folder in memory, where there is one: in simulated time a disk costs
// nothing but patience.
func fastFolder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "linear-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// ledgerClient is the client of what the ledger does by itself.
const ledgerClient = 0

// payClient is a caller of one process, who wants one payment and asks until it is
// done, and after.
type payClient struct {
	id      int
	rng     *rand.Rand
	worker  *worker
	payment *payment
}

func (c *payClient) run(ops int) {
	for range ops {
		time.Sleep(time.Duration(c.rng.Int64N(int64(12 * time.Second))))
		if c.rng.IntN(8) == 0 { // past the life of what was signed
			time.Sleep(time.Duration(60+c.rng.IntN(60)) * time.Second)
		}
		switch n := c.rng.IntN(10); {
		case n == 0:
			c.settle()
		case n < 3:
			c.outcome()
		default:
			limit := time.Duration(1+c.rng.IntN(10)) * time.Second
			if c.rng.IntN(3) > 0 {
				limit = 5 * time.Minute
			}
			c.execute(c.pick(), limit)
		}
	}
}

// pick is a new build, or one that was tried before.
func (c *payClient) pick() int {
	l := c.worker.crew.ledger
	l.mu.Lock()
	known := len(c.payment.builds)
	l.mu.Unlock()
	if known > 0 && c.rng.IntN(4) == 0 {
		return c.rng.IntN(known)
	}
	return l.build(c.payment)
}

// ask lets a process do something, unless it dies, and records what it answers.
func (c *payClient) ask(in *payInput, limit time.Duration, call func(context.Context, payer) *payOutput) *payOutput {
	h := c.worker.crew.history
	p, g := c.worker.now()
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	in.size = c.payment.size
	faults, from := g.faults.Load(), h.now()
	answered := make(chan *payOutput, 1)
	go func() {
		answered <- call(ctx, p)
	}()
	out := &payOutput{answer: answerNone}
	select {
	case out = <-answered:
		in.excused = g.faults.Load() != faults || ctx.Err() != nil || g.closing.Load()
	case <-g.dead:
	}
	cancel()
	h.add(c.payment.key, porcupine.Operation{ClientId: c.id, Input: in, Output: out, Call: from, Return: h.now()})
	h.count(fmt.Sprintf("%s %s", in.call, out.answer))
	return out
}

func (c *payClient) execute(build int, limit time.Duration) *payOutput {
	l := c.worker.crew.ledger
	l.mu.Lock()
	u := c.payment.builds[build]
	l.mu.Unlock()
	in := &payInput{call: callExecute, build: build}
	return c.ask(in, limit, func(ctx context.Context, p payer) *payOutput {
		result, err := p.Execute(ctx, u, wallet.ExecuteOptions{Key: c.payment.key})
		out := &payOutput{answer: answerOf(err)}
		if err != nil {
			out.text = err.Error()
		}
		if result != nil {
			out.claims = c.claims(out, result.Steps)
			out.recorded = result.Unrecorded == nil
		}
		var unsettled *wallet.UnsettledError
		out.unsettled = errors.As(err, &unsettled)
		return out
	})
}

func (c *payClient) outcome() {
	c.ask(&payInput{call: callOutcome}, time.Minute, func(ctx context.Context, p payer) *payOutput {
		o, err := p.Outcome(ctx, c.payment.key)
		return c.read(o, err)
	})
}

func (c *payClient) settle() {
	c.ask(&payInput{call: callSettle}, 2*time.Minute, func(ctx context.Context, p payer) *payOutput {
		all, _ := p.Settle(ctx)
		for _, o := range all {
			if o.Key == c.payment.key {
				return c.read(o, nil)
			}
		}
		return &payOutput{answer: answerNone}
	})
}

// read is an Outcome as an output. One that failed says nothing.
func (c *payClient) read(o wallet.Outcome, err error) *payOutput {
	out := &payOutput{answer: answerRead}
	switch {
	case errors.Is(err, walletfi.ErrNotFound), err == nil && len(o.Steps) == 0:
		out.answer = answerNothing
	case err != nil:
		out.answer = answerNone
	default:
		out.claims = c.claims(out, o.Steps)
	}
	return out
}

// claims reads the steps of an answer. A signature that no build has is nonsense.
func (c *payClient) claims(out *payOutput, steps []wallet.Step) (all []claim) {
	l := c.worker.crew.ledger
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range steps {
		p, ok := l.pieces[s.Signature]
		switch {
		case ok && p.key == c.payment.key:
			all = append(all, claim{p.bit(), s.State})
		case s.Signature != "" || s.State != wallet.StateNotSent:
			out.answer = answerNonsense
			out.text = fmt.Sprintf("step %q of signature %q", s.State, s.Signature)
		}
	}
	return all
}

// answerOf is the one sentinel that an error answers to. wallet.ErrStopped may be there with it.
func answerOf(err error) answer {
	if err == nil {
		return answerConfirmed
	}
	var all []answer
	for sentinel, a := range map[error]answer{
		walletfi.ErrNotSent: answerNotSent, wallet.ErrExpired: answerExpired,
		wallet.ErrFailed: answerFailed, walletfi.ErrOutcomeUnknown: answerUnknown,
	} {
		if errors.Is(err, sentinel) {
			all = append(all, a)
		}
	}
	switch {
	case len(all) == 0 && errors.Is(err, wallet.ErrStopped):
		return answerStopped
	case len(all) != 1:
		return answerNonsense
	}
	return all[0]
}
