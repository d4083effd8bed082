package paid

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/walletfi/walletfi-go/e2e/world"
	"github.com/walletfi/walletfi-go/wallet"
)

// court keeps what was built, signed and said, and holds it against what the
// world knows to be true. What a wallet says is judged at the moment at which
// it is said, and again when all is over.
type court struct {
	w     *world.World
	diary *diary

	mu        sync.Mutex
	turn      int
	keys      []*key
	byName    map[string]*key
	byMessage map[string]*tx
	bySig     map[string]*tx // by the owner's signature and by the one that the ledger uses
	denials   []denial
	looks     []look
	losses    []Loss
	found     map[string]bool // losses that are in the list
}

// build is what the service built once: a set of transactions.
type build struct {
	key *key
	n   int
	txs []*tx
}

// tx is a transaction of a build.
type tx struct {
	build   *build
	i       int
	knocks  int // at the doors of the stage
	away    int // how often it was turned away there
	message []byte
	signers int
	hash    world.Hash
	nonce   world.Key // zero if the hash is a blockhash
	payer   *person   // who pays the fee; the owner, or a sponsor

	// From signing on:
	signed    time.Time
	under     []string          // the names of the payments that it was signed for
	own, wire world.Signature   // the owner's, and the one that the ledger knows it by
	more      []world.Signature // in place of wire, if the sponsor signed more than once
	raw       []byte            // with all signatures, wire among them

	denied bool           // somebody was told that it will not land
	asked  moment         // when the build was last given to a wallet, or later: when that claimed the key for it
	keys   []string       // for which it was told confirmed
	words  []wallet.State // the final states that were told, each once
	told   time.Time      // when a wallet first knew that it has expired
}

// moment is a time with its place among the moments of that instant.
type moment struct {
	time.Time
	turn int
}

// denial is a word that a transaction will not land.
type denial struct {
	tx     *tx
	from   moment // of the call, or of the word if it is the result of an execution
	at     time.Time
	held   bool // a door had got the transaction by then
	source string
}

// look is a word that a key is settled, with the signatures that it calls
// confirmed.
type look struct {
	key       *key
	from, at  time.Time // of the call
	source    string
	confirmed map[*tx]bool
}

func newCourt(w *world.World, d *diary) *court {
	return &court{
		w: w, diary: d,
		byName: map[string]*key{}, byMessage: map[string]*tx{}, bySig: map[string]*tx{}, found: map[string]bool{},
	}
}

// name is how a transaction is called in reports.
func (x *tx) name() string {
	if len(x.build.txs) == 1 {
		return fmt.Sprintf("%s build %d", x.build.key.name, x.build.n)
	}
	return fmt.Sprintf("%s build %d transaction %d", x.build.key.name, x.build.n, x.i)
}

// built records what the service built.
func (c *court) built(b *build) {
	c.mu.Lock()
	defer c.mu.Unlock()
	b.key.builds = append(b.key.builds, b)
	for _, x := range b.txs {
		c.byMessage[string(x.message)] = x
	}
}

// moment is now, after all that has had a moment before.
func (c *court) moment() moment {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now()
}

// now is moment for who holds the lock.
func (c *court) now() moment {
	c.turn++
	return moment{time.Now(), c.turn}
}

// given notes that a build is given to a wallet, once more perhaps.
func (c *court) given(b *build) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, x := range b.txs {
		x.asked = c.now()
	}
}

// sign records the owner's signature of a message, for the payment of a name. From
// now on the transaction is in the world.
func (c *court) sign(message []byte, own world.Signature, name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	x := c.byMessage[string(message)]
	if x == nil {
		c.lose(nil, "unknown message", "a signature was asked for over a message that nobody built")
		return
	}
	if !slices.Contains(x.under, name) {
		x.under = append(x.under, name)
	}
	if x.raw != nil {
		return
	}
	x.signed, x.own, x.wire = time.Now(), own, own
	signatures := []world.Signature{own}
	if x.payer != x.build.key.owner {
		x.wire = x.payer.sign(message)
		signatures = []world.Signature{x.wire, own}
		c.bySig[x.wire.String()] = x
	}
	x.raw = envelope(x.message, x.signers, signatures...)
	c.bySig[own.String()] = x
	c.diary.add("signed: %s is %.12s", x.name(), x.wire)
}

// number is the number of the key's next build.
func (c *court) number(k *key) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	k.numbered++
	return k.numbered
}

// count is how often the key was built.
func (c *court) count(k *key) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return k.numbered
}

// accuse records a loss of a transaction's key, once of each kind.
func (c *court) accuse(x *tx, kind, format string, args ...any) {
	if id := fmt.Sprint(kind, " ", x.name()); !c.found[id] {
		c.found[id] = true
		c.lose(x.build.key, kind, format, args...)
	}
}

// lose records a loss once. The caller holds the lock.
func (c *court) lose(k *key, kind, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if c.found[kind+text] {
		return
	}
	c.found[kind+text] = true
	l := Loss{Seed: c.w.Config().Seed, Key: -1, Kind: kind, Text: text}
	if k != nil {
		l.Key = k.n
	}
	c.losses = append(c.losses, l)
	c.diary.add("LOSS: %s: %s", kind, text)
}

// lost records a loss that is no key's.
func (c *court) lost(kind, format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lose(nil, kind, format, args...)
}

// transactions are all that were signed, by key and build.
func (c *court) transactions() (list []*tx) {
	for _, k := range c.keys {
		list = append(list, k.signed()...)
	}
	return list
}

// signed are the key's transactions that were signed.
func (k *key) signed() (list []*tx) {
	for _, b := range k.builds {
		for _, x := range b.txs {
			if x.raw != nil {
				list = append(list, x)
			}
		}
	}
	return list
}

// kindsOf counts losses by kind.
func kindsOf(losses []Loss) map[string]int {
	kinds := map[string]int{}
	for _, l := range losses {
		kinds[l.Kind]++
	}
	return kinds
}
