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
	key     *signing.LocalKey
	r       *rand.Rand
	out     io.Writer

	signed, refused, landed, failed, costly, lost, robbed, attacks int
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
		drawn := c.grammar.Draw(c.r, policy)
		if err := c.set(drawn, c.guard(drawn)); err != nil {
			return false, err
		}
	}
	fmt.Fprintf(out, "guard: refused=%d transactions landed=%d failed=%d sets that cost something=%d\n",
		c.refused, c.landed, c.failed, c.costly)
	fmt.Fprintf(out, "without a guard: attacks=%d of which rob=%d\n", c.attacks, c.robbed)
	fmt.Fprintf(out, "conservation on the runtime: sets=%d losses=%d\n", c.signed, c.lost)
	tells := 2*c.landed > c.signed && 10*c.costly > c.signed && 10*c.robbed > c.attacks
	return c.lost == 0 && tells, nil
}

// guard is one that has no node and may sign blind, or one whose node is the runtime and that may not.
func (c *conservation) guard(drawn corpus.Case) *signing.Guard {
	drawn.Policy.Simulations = nil
	policy := hold.Policy(drawn)
	if c.r.IntN(2) == 0 {
		policy.Simulator, policy.AllowBlind = c.guarded, nil
	}
	return signing.NewGuard(policy)
}

// corpus has the guard judge every attack and every honest case, and carries out the attacks without it.
func (c *conservation) corpus() error {
	for _, a := range corpus.Attacks(c.config) {
		if err := c.set(a.Case, hold.Guard(a.Case)); err != nil {
			return err
		}
		txs, err := signing.DecodeAll(a.Unsigned)
		if err != nil || !readable(txs) {
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

// readable reports whether LiteSVM reads all of a set: it knows no transactions of version 1.
func readable(txs []*signing.Transaction) bool {
	for _, tx := range txs {
		if tx.Version() == signing.V1 {
			return false
		}
	}
	return len(txs) > 0
}

// set has a guard judge a set, and carries out what it signs.
func (c *conservation) set(drawn corpus.Case, guard *signing.Guard) error {
	txs, err := signing.DecodeAll(drawn.Unsigned)
	if err == nil && !readable(txs) {
		return nil
	}
	signed, _, err := guard.SignSet(context.Background(), drawn.Unsigned, c.key, hold.Options(drawn)...)
	if err != nil {
		c.refused++
		if _, ok := errors.AsType[*signing.GuardError](err); !ok {
			return fmt.Errorf("%s: the guard errs: %w", drawn.Name, err)
		}
		return nil
	}
	c.signed++
	found, err := c.carryOut(drawn, signed)
	if len(found) > 0 {
		c.lost++
		fmt.Fprintf(c.out, "a loss: %s: %v\n", drawn.Name, found)
	}
	return err
}

// carryOut executes a set, says what the owner lost beyond the caps, and puts everything back.
func (c *conservation) carryOut(drawn corpus.Case, txs []*signing.Transaction) (found []string, err error) {
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
	found, cost := c.judge(drawn.Unsigned.Intent, before, after)
	if cost {
		c.costly++
	}
	return found, c.restore(names, before)
}
