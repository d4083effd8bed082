package paid

import (
	"context"
	"fmt"
	"time"

	"github.com/walletfi/walletfi-go/e2e/world"
	"github.com/walletfi/walletfi-go/signing"

	"github.com/walletfi/walletfi-go"
)

// key is a payment: it may be built many times, and paid once.
type key struct {
	n       int
	name    string
	dice    dice
	machine *machine
	owner   *person
	start   time.Duration // since the beginning of the run
	size    int           // transactions of a set
	amount  uint64        // lamports a transaction
	bundle  bool
	place   bool
	poor    bool
	nonce   world.Key // of its durable nonce, zero if it has none
	shared  bool      // it has a second name, under which it may be paid too

	stirred  chan struct{} // gets a value when a journal has taken something of the key
	claimed  moment        // when a journal last took a claim of the key
	numbered int           // builds, also those under way
	builds   []*build
	calls    []call
}

// nonceValue is a durable nonce as a caller read it.
type nonceValue struct {
	account world.Key
	value   world.Hash
}

// newKey draws a key. It goes by its number alone, whatever other keys there
// are.
func (s *stage) newKey(n int) {
	d, shares := s.dice.of("key", n), s.plan.Shares
	m := s.machines[n/s.plan.Crew]
	k := &key{n: n, name: fmt.Sprintf("key %d", n), dice: d, machine: m, owner: owner(n / 2), size: 1}
	k.stirred = make(chan struct{}, 1)
	k.amount = 2_000_000 + uint64(d.of("amount").int(0, 1_000_000))
	for i := n / s.plan.Crew * s.plan.Crew; i <= n; i++ {
		k.start += s.dice.of("gap", i).long(s.plan.GapMin, s.plan.GapMax)
	}
	switch x := d.of("form").float(); {
	case m.sponsored:
	case x < shares.Nonces:
		k.nonce = world.Key(d.of("nonce").seed())
		if d.of("shared").chance(0.15) {
			k.nonce = world.Key(s.dice.of("key", n-n%2).of("nonce").seed()) // with a neighbour
		}
		s.addNonce(k)
	case x < shares.Nonces+shares.Sets:
		k.size = d.of("size").int(2, 4)
		k.bundle = d.of("bundle").chance(shares.Bundles)
	}
	if k.nonce == (world.Key{}) && !m.sponsored && d.of("poor").chance(shares.Poor) {
		k.poor, k.owner = true, pauper(n)
	}
	k.place = k.nonce == (world.Key{}) && !k.bundle && d.of("place").chance(shares.Place)
	m.keys = append(m.keys, k)
	s.court.keys = append(s.court.keys, k)
	s.court.byName[k.name] = k
}

// stir wakes who waits for a change of the key.
func (k *key) stir() {
	select {
	case k.stirred <- struct{}{}:
	default:
	}
}

// addNonce makes the key's nonce account, unless a neighbour has.
func (s *stage) addNonce(k *key) {
	if _, ok := s.w.NonceValue(k.nonce); !ok {
		s.w.AddNonce(k.nonce, k.owner.address)
	}
}

// intent is what the key's request asks for.
func (k *key) intent() walletfi.Intent {
	i := walletfi.Intent{
		Service: service, Owner: k.owner.address.String(),
		Spend: []walletfi.Asset{{Mint: walletfi.NativeMint, Amount: walletfi.Amount(k.amount) * walletfi.Amount(k.size)}},
		PayTo: []string{payee(k.n).address.String()},
	}
	if k.machine.sponsored {
		i.Sponsor = sponsor().address.String()
	}
	return i
}

// readNonce reads the key's nonce through the node that the process uses.
func (k *key) readNonce(ctx context.Context, p *proc) (*nonceValue, []signing.Option, error) {
	if k.nonce == (world.Key{}) {
		return nil, nil, nil
	}
	read, err := p.nodes[0].DurableNonce(ctx, signing.PublicKey(k.nonce))
	if err != nil {
		return nil, nil, err
	}
	value := &nonceValue{k.nonce, world.Hash(read.Value)}
	return value, []signing.Option{signing.WithNonce(read.Nonce())}, nil
}

// advance is somebody else who uses the key's nonce, with the owner's leave: by
// a plain transaction, or by one on the nonce itself.
func (s *stage) advance(k *key, n int) {
	value, ok := s.w.NonceValue(k.nonce)
	if !ok {
		return
	}
	hash := value
	if k.dice.of("plain", n).chance(0.5) {
		var err error
		if hash, _, err = s.service.latest(context.Background(), "confirmed"); err != nil {
			return
		}
	}
	message, signers := compile(k.owner.address, hash,
		advanceNonce(k.nonce, k.owner.address), memo(fmt.Sprintf("%s advance %d", k.name, n)))
	s.diary.add("somebody advances the nonce of %s", k.name)
	s.bring(envelope(message, signers, k.owner.sign(message)), n >= 0 && k.dice.of("lost", n).chance(0.3))
}
