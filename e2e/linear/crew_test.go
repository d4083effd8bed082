package linear

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// payer is judged: it is a wallet, or a stand-in for one.
type payer interface {
	Execute(ctx context.Context, u walletfi.Unsigned, o wallet.ExecuteOptions) (*wallet.Result, error)
	Outcome(ctx context.Context, key string) (wallet.Outcome, error)
	Settle(ctx context.Context) ([]wallet.Outcome, error)
	Close() error
}

// newPayer makes the payer of a process.
type newPayer func(n *node, journal wallet.Journal) (payer, error)

// worker is a process with a wallet. When it has died, or was closed, another follows.
type worker struct {
	crew *crew
	rng  *rand.Rand

	mu    sync.Mutex
	payer payer
	gate  *gate
}

// crew is the processes that pay under the same keys.
type crew struct {
	ledger  *ledger
	history *history
	make    newPayer
	journal func() wallet.Journal // opens the store for a further process
	over    chan struct{}         // closed when the run is over
	workers []*worker
	retired []payer
}

// hire adds a process.
func (c *crew) hire(rng *rand.Rand) *worker {
	w := &worker{crew: c, rng: rng}
	c.workers = append(c.workers, w)
	w.start()
	return w
}

// start is a new process. Its store may fail at first.
func (w *worker) start() {
	c := w.crew
	for {
		g := &gate{dead: make(chan struct{}), over: c.over}
		journal := &gated{
			journal: c.journal(), gate: g, rng: rand.New(rand.NewPCG(w.rng.Uint64(), 1)),
			calm: c.ledger.isCalm,
		}
		p, err := c.make(&node{ledger: c.ledger, gate: g}, journal)
		if err == nil {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.payer, w.gate = p, g
			return
		}
		time.Sleep(time.Second)
	}
}

// now returns the process of the moment.
func (w *worker) now() (payer, *gate) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.payer, w.gate
}

// replace kills the process in the middle of whatever it does, or closes its wallet.
// Another takes its place after a while.
func (w *worker) replace(kill bool, after time.Duration) {
	p, g := w.now()
	if kill {
		w.crew.history.count("killed")
		close(g.dead)
	} else {
		w.crew.history.count("closed")
		g.closing.Store(true)
		_ = p.Close()
	}
	w.crew.ledger.mu.Lock()
	w.crew.retired = append(w.crew.retired, p)
	w.crew.ledger.mu.Unlock()
	time.Sleep(after)
	w.start()
}

// end lets everything go that the run has kept, and closes all wallets.
func (c *crew) end() {
	close(c.over)
	for _, w := range c.workers {
		p, g := w.now()
		select {
		case <-g.dead:
		default:
			close(g.dead)
		}
		c.retired = append(c.retired, p)
	}
	for _, p := range c.retired {
		_ = p.Close()
	}
}

const (
	setSize   = 2  // transactions in a build, at most
	maxBuilds = 32 // of a key, so that a build's transactions are two bits of a word
)

// payment is a key and what was built for it.
type payment struct {
	key       string
	size      int // transactions in each build
	recipient signing.PublicKey
	builds    []walletfi.Unsigned
}

// piece is a transaction of a build.
type piece struct {
	key          string
	build, index int
}

func (p piece) bit() uint64 { return 1 << (p.build*setSize + p.index) }

// buildBits are the bits of all transactions of a build.
func buildBits(build int) uint64 { return (1<<setSize - 1) << (build * setSize) }

var owner = mustKey(bytes.Repeat([]byte{7}, 32))

func mustKey(seed []byte) *signing.LocalKey {
	key, err := signing.NewLocalKeyFromSeed(seed)
	if err != nil {
		panic(err)
	}
	return key
}

// mostSpent is the amount requested under each key. The builds take less.
const mostSpent = 10_000

// build makes a further build of a payment on the blockhash of a slot: transfers of an
// amount that no other build has, so that each has a signature of its own. It returns
// the signatures that the owner's key will make.
func (p *payment) build(hash signing.PublicKey, last uint64) (u walletfi.Unsigned, signatures []string) {
	u.LastValidBlockHeight = last
	for i := range p.size {
		lamports := uint64(1_000 + len(p.builds)*setSize + i)
		message := transferMessage(owner.PublicKey(), p.recipient, hash, lamports)
		signature, err := owner.Sign(context.Background(), message)
		if err != nil {
			panic(err)
		}
		signatures = append(signatures, signature.String())
		raw := append(append([]byte{1}, make([]byte, 64)...), message...)
		u.Transactions = append(u.Transactions, walletfi.Base64Transaction(base64.StdEncoding.EncodeToString(raw)))
	}
	u.Intent = walletfi.Intent{
		Service: "linear", Owner: owner.PublicKey().String(), PayTo: []string{p.recipient.String()},
		Spend: []walletfi.Asset{{Mint: signing.NativeMint.String(), Amount: mostSpent}},
	}
	p.builds = append(p.builds, u)
	return u, signatures
}

// transferMessage is a message in the oldest form with one transfer of SOL.
func transferMessage(from, to, hash signing.PublicKey, lamports uint64) []byte {
	b := []byte{1, 0, 1, 3} // one signer, one account that is only read; three accounts
	b = append(b, from[:]...)
	b = append(b, to[:]...)
	b = append(b, signing.SystemProgram[:]...)
	b = append(b, hash[:]...)
	b = append(b, 1, 2, 2, 0, 1, 12) // one instruction: of account 2, with accounts 0 and 1
	b = binary.LittleEndian.AppendUint32(b, 2)
	return binary.LittleEndian.AppendUint64(b, lamports)
}
