package paid

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/sha512"
	"errors"
	"sync"

	"filippo.io/edwards25519"

	"github.com/walletfi/walletfi-go/e2e/world"
	"github.com/walletfi/walletfi-go/signing"
)

// person holds a key pair.
type person struct {
	private ed25519.PrivateKey
	address world.Key
}

// persons are made once: making keys costs more than most of a run.
var persons = sync.OnceValue(func() (all [96]*person) {
	for i := range all {
		seed := dice(0).of("person", i).seed()
		private := ed25519.NewKeyFromSeed(seed[:])
		all[i] = &person{private, world.Key(private.Public().(ed25519.PublicKey))}
	}
	return all
})

// The persons of a run: those who pay, the payees, the relay, who brings money,
// and those who have too little.
func owner(i int) *person  { return persons()[i%64] }
func payee(i int) *person  { return persons()[64+i%8] }
func sponsor() *person     { return persons()[80] }
func treasury() *person    { return persons()[81] }
func pauper(i int) *person { return persons()[82+i%14] }

func (p *person) sign(message []byte) world.Signature {
	return world.Signature(ed25519.Sign(p.private, message))
}

// signAnew signs with another signature than sign: a signer may choose it freely.
func (p *person) signAnew(message []byte, d dice) (signature world.Signature) {
	digest := func(parts ...[]byte) []byte {
		sum := sha512.Sum512(bytes.Join(parts, nil))
		return sum[:]
	}
	scalar := func(uniform []byte) *edwards25519.Scalar {
		s, err := edwards25519.NewScalar().SetUniformBytes(uniform)
		if err != nil {
			panic(err)
		}
		return s
	}
	secret, err := edwards25519.NewScalar().SetBytesWithClamping(digest(p.private.Seed())[:32])
	if err != nil {
		panic(err)
	}
	chosen := d.of("chosen").seed()
	once := scalar(digest(chosen[:], message))
	point := new(edwards25519.Point).ScalarBaseMult(once).Bytes()
	challenge := scalar(digest(point, p.address[:], message))
	copy(signature[:], point)
	copy(signature[32:], edwards25519.NewScalar().MultiplyAdd(challenge, secret, once).Bytes())
	return signature
}

// pen signs for an owner in one process, and tells the court.
type pen struct {
	owner *person
	p     *proc
	name  string // of the payment that it signs for, empty if that has none
}

var errDead = errors.New("the process is dead")

func (s pen) PublicKey() signing.PublicKey { return signing.PublicKey(s.owner.address) }

func (s pen) Sign(_ context.Context, message []byte) (signing.Signature, error) {
	if !s.p.pass() {
		return signing.Signature{}, errDead
	}
	signature := s.owner.sign(message)
	s.p.s.court.sign(message, signature, s.name)
	return signing.Signature(signature), nil
}

// fund gives everybody money, and the poor too little: theirs comes from the
// treasury at about the time at which they pay.
func (s *stage) fund() {
	const sol = 1_000_000_000
	rich := map[world.Key]bool{sponsor().address: true, treasury().address: true}
	for i := range 8 {
		rich[payee(i).address] = true
	}
	for _, k := range s.court.keys {
		if k.poor {
			s.w.Fund(k.owner.address, 1_000_000)
		} else {
			rich[k.owner.address] = true
		}
	}
	for address := range rich {
		s.w.Fund(address, 100_000*sol)
	}
}

// endow sends a poor owner the money from elsewhere.
func (s *stage) endow(k *key, n int) {
	hash, _, err := s.service.latest(context.Background(), "confirmed")
	if err != nil {
		return
	}
	message, signers := compile(treasury().address, hash,
		transfer(treasury().address, k.owner.address, 50_000_000), memo(k.name+" money "+string(rune('a'+n%26))))
	raw := envelope(message, signers, treasury().sign(message))
	s.diary.add("money for %s is on its way", k.name)
	s.bring(raw, k.dice.of("lost", n).chance(0.5))
}

// bring brings a transaction from elsewhere to the leaders, who may drop it, or
// into the next block.
func (s *stage) bring(raw []byte, lost bool) {
	var err error
	if lost {
		err = s.w.Leak(raw)
	} else {
		err = s.w.LeakBundle([][]byte{raw})
	}
	if err != nil {
		panic(err)
	}
}
