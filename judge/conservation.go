package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"

	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/signingtest/corpus"
	"github.com/walletfi/walletfi-go/signing/signingtest/corpus/hold"
)

// conservation draws sets, has a guard sign them, and carries out on the runtime those that it signs. The owner
// loses no more than the intent allows.
type conservation struct {
	*guarded
	court
	config  corpus.Config
	grammar *corpus.Grammar
	moves   *moves
	key     *signing.LocalKey
	r       *rand.Rand
	out     io.Writer

	signed, refused, landed, failed, costly, lost, robbed, attacks int
	moved, taken, seen                                             int // sets in which pinned programs move value
}

// conserve reports whether nobody lost anything, and whether the court sees losses where there is no guard.
func conserve(out io.Writer, folder string, sets int, seed uint64) (good bool, err error) {
	owner := sha256.Sum256([]byte("owner of the judge"))
	k, err := signing.NewLocalKeyFromSeed(owner[:])
	if err != nil {
		return false, err
	}
	c := &conservation{
		config: corpus.Config{Owner: k.PublicKey(), Seed: seed, Blockhash: corpus.Key{31: 1}}, key: k,
		r: rand.New(rand.NewPCG(seed, 1)), court: newCourt(key(k.PublicKey())), out: out,
	}
	c.grammar = corpus.NewGrammar(c.config)
	c.moves = newMoves(c.config, c.grammar, c.r)
	if c.guarded, err = startGuarded(folder, c.config, c.grammar); err != nil {
		return false, err
	}
	defer c.close()
	if err := c.corpus(); err != nil {
		return false, err
	}
	policies := c.grammar.Policies()
	fmt.Fprintf(out, "corpus on the runtime: cases signed=%d refused=%d losses=%d\n", c.signed, c.refused, c.lost)
	c.signed, c.refused, c.landed, c.failed, c.costly = 0, 0, 0, 0, 0
	for c.signed < sets {
		policy := policies[c.r.IntN(len(policies))]
		if err := c.draw(c.grammar.Draw(c.r, policy)); err != nil {
			return false, err
		}
	}
	fmt.Fprintf(out, "guard: refused=%d transactions landed=%d failed=%d sets that cost something=%d\n",
		c.refused, c.landed, c.failed, c.costly)
	fmt.Fprintf(out, "pinned programs that move value: sets=%d that cost something=%d, by a simulation=%d\n",
		c.moved, c.taken, c.seen)
	fmt.Fprintf(out, "without a guard: attacks=%d of which rob=%d\n", c.attacks, c.robbed)
	fmt.Fprintf(out, "conservation on the runtime: sets=%d losses=%d\n", c.signed, c.lost)
	tells := 2*c.landed > c.signed && 10*c.costly > c.signed && 10*c.robbed > c.attacks && 20*c.seen > c.signed
	return c.lost == 0 && tells, nil
}

// draw has a guard judge a set: one that has no node and may sign blind, or one whose node is the runtime and that
// may not. In every other set a pinned program moves value.
func (c *conservation) draw(drawn corpus.Case) error {
	var reached []key
	moves := drawn.Nonce == nil && c.r.IntN(2) == 0
	if moves {
		drawn, reached = c.moves.pin(drawn, c.config.Blockhash)
	}
	drawn.Policy.Simulations = nil
	policy := hold.Policy(drawn)
	if c.r.IntN(2) == 0 {
		policy.Simulator, policy.AllowBlind, reached = c.guarded, nil, nil
	}
	signed, costly := c.signed, c.costly
	err := c.set(drawn, signing.NewGuard(policy), reached...)
	if moves {
		c.moved += c.signed - signed
		c.taken += c.costly - costly
		if policy.Simulator != nil {
			c.seen += c.costly - costly
		}
	}
	return err
}

// corpus has the guard judge every attack and every honest case, and carries out the attacks without it.
func (c *conservation) corpus() error {
	for _, a := range corpus.Attacks(c.config) {
		if err := c.set(a.Case, hold.Guard(a.Case)); err != nil {
			return err
		}
		txs, err := signing.DecodeAll(a.Unsigned)
		if err != nil || len(txs) == 0 {
			continue
		}
		found, err := c.carryOut(a.Case, txs)
		if err != nil {
			return err
		}
		c.attacks++
		if len(found) > 0 {
			c.robbed++
		}
	}
	for _, b := range corpus.Benigns(c.config) {
		if err := c.set(b.Case, hold.Guard(b.Case)); err != nil {
			return err
		}
		if err := c.set(b.Spoiled, hold.Guard(b.Spoiled)); err != nil {
			return err
		}
	}
	return nil
}

// set has a guard judge a set, and carries out what it signs.
func (c *conservation) set(drawn corpus.Case, guard *signing.Guard, risk ...key) error {
	signed, _, err := guard.SignSet(context.Background(), drawn.Unsigned, c.key, hold.Options(drawn)...)
	if err != nil {
		c.refused++
		if _, ok := errors.AsType[*signing.GuardError](err); !ok {
			return fmt.Errorf("%s: the guard errs: %w", drawn.Name, err)
		}
		return nil
	}
	c.signed++
	found, err := c.carryOut(drawn, signed, risk...)
	if len(found) > 0 {
		c.lost++
		fmt.Fprintf(c.out, "a loss: %s: %v\n", drawn.Name, found)
	}
	return err
}

// carryOut executes a set, says what the owner lost beyond the caps, and puts everything back.
func (c *conservation) carryOut(
	drawn corpus.Case, txs []*signing.Transaction, risk ...key,
) (found []string, err error) {
	names := c.keys(txs...)
	before, err := c.get(names)
	if err != nil {
		return nil, err
	}
	for _, tx := range txs {
		e, err := c.run("send", tx, nil)
		if err != nil {
			return nil, err
		}
		c.landed++
		if e.err() != "null" {
			c.failed++
		}
	}
	after, err := c.get(names)
	if err != nil {
		return nil, err
	}
	found, cost := c.judge(drawn.Unsigned.Intent, before, after, risk...)
	if cost {
		c.costly++
	}
	return found, c.restore(names, before)
}
