package paid

import (
	"context"
	"fmt"
	"time"

	"github.com/walletfi/walletfi-go/e2e/world"
)

// liken gives the key's nonce and one of a stranger the same value: what is
// advanced in one block has it from the block before. Then the stranger uses
// its own, in transactions that name the key's nonce.
func (s *stage) liken(k *key) {
	if k.nonce == (world.Key{}) || !k.dice.of("alike").chance(s.plan.Shares.Alike) {
		return
	}
	other := world.Key(k.dice.of("stranger's nonce").seed())
	s.w.AddNonce(other, treasury().address)
	hash, _, err := s.service.latest(context.Background(), "confirmed")
	if err != nil {
		return
	}
	plain := func(by *person, nonce world.Key) []byte {
		message, signers := compile(by.address, hash, advanceNonce(nonce, by.address), memo(k.name+" alike"))
		return envelope(message, signers, by.sign(message))
	}
	if s.w.LeakBundle([][]byte{plain(k.owner, k.nonce), plain(treasury(), other)}) != nil {
		return
	}
	s.diary.add("the nonce of %s and a stranger's get the same value", k.name)
	time.Sleep(k.dice.of("known").long(2*time.Second, 20*time.Second))
	for i := range k.dice.of("mentions").int(1, 3) {
		time.AfterFunc(k.dice.of("mention", i).long(100*time.Millisecond, 2*time.Minute), func() { s.mention(k, other, i) })
	}
}

// mention is a stranger who names the key's nonce account in a transaction that
// does not advance it: on a nonce of the stranger's, or on a blockhash. Some
// fail, and advance the stranger's nonce all the same.
func (s *stage) mention(k *key, other world.Key, n int) {
	d := k.dice.of("how it is mentioned", n)
	hash, ok := s.w.NonceValue(other)
	if !ok {
		return
	}
	by, amount := treasury(), uint64(1)
	if d.of("fails").chance(0.3) {
		amount = 1 << 62
	}
	list := []instruction{
		advanceNonce(other, by.address), transfer(by.address, k.nonce, amount),
		memo(fmt.Sprintf("%s mention %d", k.name, n)),
	}
	if d.of("plain").chance(0.2) {
		var err error
		if hash, _, err = s.service.latest(context.Background(), "confirmed"); err != nil {
			return
		}
		list = list[1:]
	}
	message, signers := compile(by.address, hash, list...)
	s.diary.add("a stranger mentions the nonce of %s", k.name)
	s.bring(envelope(message, signers, by.sign(message)), d.of("lost").chance(0.3) || amount > 1)
}
