package wallet_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"iter"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// counter is a page whose keys collide: what is asked for is always the same, on one blockhash, and the
// user signs any of a few messages for any key.
type counter struct {
	*page
	old      bool // entries are as the version before wrote them
	lock     sync.Mutex
	random   *rand.Rand
	journal  wallet.Journal
	first    *clerk
	wallets  [2]*wallet.Wallet
	messages []transaction
	signed   [][]byte
	told     map[string][]string // keys of which a call said that they are confirmed, by signature
	sent     map[string]bool     // signatures that left by a wallet's door
	sets     int                 // calls that went on to send
}

// clerk is one process's way to the journal. Others come between any two of its calls, answers are lost,
// and it dies.
type clerk struct {
	*counter
	wallet.Journal
	dead atomic.Bool
}

var errClerkGone = errors.New("the process is dead")

func (c *counter) under(n int) int {
	c.lock.Lock()
	defer c.lock.Unlock()
	return c.random.IntN(n)
}

// pause takes up to so many milliseconds, so that no two end at once.
func (c *counter) pause(most int) { time.Sleep(time.Duration(c.under(most*1e6) + 1)) }

// call waits, as any call of a journal does.
func (p *clerk) call() error {
	if p.pause(30); p.dead.Load() {
		return errClerkGone
	}
	return nil
}

func (p *clerk) Load(ctx context.Context, key string) (wallet.Entry, error) {
	if err := p.call(); err != nil {
		return wallet.Entry{}, err
	}
	e, err := p.Journal.Load(ctx, key)
	return e, errors.Join(err, p.call())
}

func (p *clerk) Store(ctx context.Context, was uint64, e wallet.Entry) error {
	if err := p.call(); err != nil {
		return err
	}
	if p.old {
		e.Steps = withoutHash(e.Steps)
	}
	if p.under(100) == 0 {
		return errors.New("the disk is full")
	}
	if err := p.Journal.Store(ctx, was, e); err != nil {
		return err
	}
	if p.under(100) == 0 {
		return errors.New("the answer is lost")
	}
	return p.call()
}

func (p *clerk) List(ctx context.Context, q wallet.Query) iter.Seq2[wallet.Entry, error] {
	return func(yield func(wallet.Entry, error) bool) {
		if err := p.call(); err != nil {
			yield(wallet.Entry{}, err)
			return
		}
		for e, err := range p.Journal.List(ctx, q) {
			if !yield(e, err) {
				return
			}
		}
	}
}

// withoutHash are steps as the version before wrote them.
func withoutHash(steps []wallet.EntryStep) []wallet.EntryStep {
	steps = slices.Clone(steps)
	for i := range steps {
		steps[i].Hash = ""
	}
	return steps
}

const messages = 4

// newCounter has two processes and four messages.
func newCounter(t *testing.T, seed uint64, old bool) *counter {
	t.Helper()
	c := &counter{
		old: old, random: rand.New(rand.NewPCG(seed, 28)), journal: wallet.NewMemoryJournal(),
		told: map[string][]string{}, sent: map[string]bool{},
	}
	c.first = c.clerk()
	c.page = newPage(t, func(cfg *wallet.Config) { cfg.Journal = c.first })
	c.wallets = [2]*wallet.Wallet{c.wallet, c.begins(t)}
	for price := range uint64(messages) {
		x := c.priced(t, price)
		c.messages, c.signed = append(c.messages, x), append(c.signed, sign(t, x.bytes(t), c.key))
	}
	lost := c.under(2 * messages) // most often all of them land
	c.lost = func(message []byte) bool {
		tx, err := signing.DecodeBytes(c.signed[lost%messages])
		return err == nil && lost < messages && bytes.Equal(message, tx.Message())
	}
	c.chain.submit = func(_ int, tx walletfi.Signed) error {
		c.sent[tx.Signature] = true
		return nil
	}
	return c
}

func (c *counter) clerk() *clerk { return &clerk{counter: c, Journal: c.journal} }

// begins starts a process.
func (c *counter) begins(t *testing.T) *wallet.Wallet {
	t.Helper()
	node := searched{c.chain, c.page}
	w, err := wallet.New(wallet.Config{
		Guard: signing.NewGuard(signing.Policy{}), Submitter: node, Confirmer: node, Heights: node, Journal: c.clerk(),
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, w.Close()) })
	return w
}

// dies ends the first process at some moment, and starts another one in its place.
func (c *counter) dies(t *testing.T) {
	t.Helper()
	c.pause(5_000)
	c.first.dead.Store(true)
	require.NoError(t, c.wallet.Close())
	w := c.begins(t)
	c.lock.Lock()
	defer c.lock.Unlock()
	c.wallets[0] = w
}

func (c *counter) any() *wallet.Wallet {
	n := c.under(len(c.wallets))
	c.lock.Lock()
	defer c.lock.Unlock()
	return c.wallets[n]
}

// order carries out one key, of one or two messages.
func (c *counter) order(t *testing.T, key string) {
	ctx, n := t.Context(), 1+c.under(4)/3
	c.pause([]int{50, 50, 1_000, 8_000}[c.under(4)])
	var set []transaction
	for range n {
		set = append(set, c.messages[c.under(messages)])
	}
	u := c.asked(t, set...)
	if c.under(3) == 0 {
		result, err := c.any().Execute(ctx, u, wallet.ExecuteOptions{Key: key, Signer: c.key})
		c.ended(key, result, err)
		return
	}
	if _, err := c.any().Prepare(ctx, key, u, wallet.PrepareOptions{}); err != nil {
		return
	}
	var all sync.WaitGroup
	for range 1 + c.under(3) {
		all.Go(func() {
			c.pause(1_000)
			var signed [][]byte
			for range n {
				signed = append(signed, c.signed[c.under(messages)])
			}
			switch c.under(8) {
			case 0:
				_ = c.any().Decline(ctx, key)
			case 1: // the page sends it without a word
				c.slips(t, signed[0])
			default:
				result, err := c.any().Submit(ctx, key, signed, wallet.SubmitOptions{})
				c.ended(key, result, err)
				if err != nil && strings.Contains(err.Error(), "byte for byte") && n == 1 && c.under(2) == 0 {
					signature := c.slips(t, signed[0])
					c.lock.Lock()
					c.sent[signature] = true // a wallet has been told of it
					c.lock.Unlock()
				}
			}
		})
	}
	all.Wait()
}

// slips is a message that the page sends by itself.
func (c *counter) slips(t *testing.T, signed []byte) (signature string) {
	tx, err := signing.DecodeBytes(signed)
	require.NoError(t, err)
	c.page.mu.Lock()
	defer c.page.mu.Unlock()
	c.page.sent = append(c.page.sent, tx.Signed())
	return tx.Signed().Signature
}

func (c *counter) ended(key string, result *wallet.Result, err error) {
	c.lock.Lock()
	defer c.lock.Unlock()
	if c.sets++; err == nil {
		for _, signature := range result.Signatures() {
			c.told[signature] = append(c.told[signature], key)
		}
	}
}

// run has all keys of a page carried out at once, and says what is wrong.
func (c *counter) run(t *testing.T) (wrong []string, executions int) {
	t.Helper()
	var all sync.WaitGroup
	for i := range 2 + c.under(3) {
		all.Go(func() { c.order(t, fmt.Sprint("key ", i)) })
	}
	if c.under(3) == 0 {
		all.Go(func() { c.dies(t) })
	}
	all.Wait()
	open := 1
	for try := 0; open > 0 && try < 30; try++ {
		time.Sleep(20 * time.Second) // leases end
		_, _ = c.wallets[1].Settle(t.Context())
		open = 0
		for range c.journal.List(t.Context(), wallet.Query{Open: true}) {
			open++
		}
	}
	if open > 0 {
		wrong = append(wrong, "not settled")
	}
	return append(wrong, c.judge(t)...), c.executions()
}

// executions are the messages that the ledger has executed.
func (c *counter) executions() int {
	all := map[string]bool{}
	for _, tx := range c.gone() {
		all[tx.Signature] = true
	}
	return len(all)
}

// judge holds the journal, and what callers were told, against the ledger.
func (c *counter) judge(t *testing.T) (wrong []string) {
	t.Helper()
	paid, followed, confirmed := maps.Clone(c.told), map[string]bool{}, 0
	how := map[string]string{}
	for e, err := range c.journal.List(t.Context(), wallet.Query{}) {
		require.NoError(t, err)
		if e.Spent() {
			confirmed++
		}
		if how[e.Key[len("key:"):]] = "executed"; e.Prepared != nil {
			how[e.Key[len("key:"):]] = "prepared"
		}
		for _, s := range e.Steps {
			for _, name := range []string{s.Signature, s.Own} { // the message, if it was given away
				followed[name] = followed[name] || e.Spent()
			}
			if key := e.Key[len("key:"):]; s.State == wallet.KeyConfirmed && !slices.Contains(paid[s.Signature], key) {
				paid[s.Signature] = append(slices.Clone(paid[s.Signature]), key)
			}
		}
	}
	if confirmed > c.executions() {
		wrong = append(wrong, "more keys are confirmed than were executed")
	}
	for signature, keys := range paid {
		slices.Sort(keys)
		if keys = slices.Compact(keys); len(keys) > 1 {
			kinds := []string{how[keys[0]], how[keys[1]]}
			slices.Sort(kinds)
			wrong = append(wrong, fmt.Sprintf("one execution confirms two keys, %s and %s", kinds[0], kinds[1]))
		}
		if !slices.ContainsFunc(c.gone(), func(tx walletfi.Signed) bool { return tx.Signature == signature }) {
			wrong = append(wrong, "a key is confirmed by what was not executed")
		}
	}
	for _, tx := range c.gone() {
		sent, err := signing.Decode(tx.Transaction)
		require.NoError(t, err)
		digest := sha256.Sum256(sent.Message())
		if c.sent[tx.Signature] && !followed[tx.Signature] && !followed[base58.Encode(digest[:])] {
			wrong = append(wrong, "what a wallet has sent was executed, and counts for no key")
		}
	}
	return wrong
}

// TestAnExecutionPaysForOneKey: two to four keys over two processes, of which one may die, Execute, Prepare,
// Submit and Decline messages that collide, at once.
func TestAnExecutionPaysForOneKey(t *testing.T) {
	for name, old := range map[string]bool{"entries of now": false, "entries of the version before": true} {
		t.Run(name, func(t *testing.T) {
			const seeds = 300
			executions, sets, faults := 0, 0, map[string][]uint64{}
			for seed := range uint64(seeds) {
				synctest.Test(t, func(t *testing.T) {
					c := newCounter(t, seed, old)
					wrong, n := c.run(t)
					for _, one := range wrong {
						faults[one] = append(faults[one], seed)
					}
					executions, sets = executions+n, sets+c.sets
				})
			}
			for fault, of := range faults {
				t.Errorf("%d pages, seeds %v: %s", len(of), of[:min(len(of), 10)], fault)
			}
			t.Logf("pages=%d sets=%d executions=%d faults=%d", seeds, sets, executions, len(faults))
			require.Greater(t, sets, seeds)
			require.Greater(t, executions, seeds/2)
		})
	}
}
