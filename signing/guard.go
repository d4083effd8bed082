package signing

import (
	"context"

	"github.com/walletfi/walletfi-go"
)

// Guard checks transactions against what was asked for, and signs those that
// pass. It is safe for concurrent use; the zero Guard has the zero Policy.
type Guard struct {
	policy  Policy
	derived derivations
	off     Rule // not applied; only the package's own tests set it
}

// NewGuard returns a guard of a policy, of which it keeps a copy.
func NewGuard(p Policy) *Guard { return &Guard{policy: p.clone()} }

// Check holds a transaction against the intent of the request that it answers,
// without signing. Where it is refused the error is a *GuardError, and the
// report says what was seen until then. Any other error is an intent that
// cannot be read (*walletfi.ValidationError), or a resolver or simulator that
// did not answer.
func (g *Guard) Check(ctx context.Context, tx *Transaction, intent walletfi.Intent, opts ...Option) (*Report, error) {
	txs := [1]*Transaction{tx}
	return g.check(ctx, txs[:], intent, circumstances{}, opts)
}

// Sign checks a transaction as Check does and, if it passes, writes the
// signer's signature into its slot. The signer is the intent's owner. A
// transaction that is refused, or that the signer fails to sign, is left as it
// was.
func (g *Guard) Sign(ctx context.Context, tx *Transaction, signer Signer, intent walletfi.Intent, opts ...Option) (*Report, error) {
	txs := [1]*Transaction{tx}
	report, err := g.check(ctx, txs[:], intent, circumstances{}, opts)
	if err != nil {
		return report, err
	}
	return report, g.signAll(ctx, txs[:], signer, report)
}

// CheckSet decodes what a builder answered and checks all of it together:
// caps hold over the whole set. The intent, the blockhash and the last valid
// block height are those of u.
func (g *Guard) CheckSet(ctx context.Context, u walletfi.Unsigned, opts ...Option) ([]*Transaction, *Report, error) {
	txs, err := DecodeAll(u)
	if err != nil {
		return nil, refused(err), err
	}
	report, err := g.check(ctx, txs, u.Intent, circumstances{Blockhash: u.Blockhash, LastValidBlockHeight: u.LastValidBlockHeight}, opts)
	if err != nil {
		return nil, report, err
	}
	return txs, report, nil
}

// SignSet checks what a builder answered as CheckSet does, and signs all of it
// or nothing.
func (g *Guard) SignSet(ctx context.Context, u walletfi.Unsigned, signer Signer, opts ...Option) ([]*Transaction, *Report, error) {
	txs, report, err := g.CheckSet(ctx, u, opts...)
	if err != nil {
		return nil, report, err
	}
	if err := g.signAll(ctx, txs, signer, report); err != nil {
		return nil, report, err
	}
	return txs, report, nil
}

// signAll makes every signature before it writes any.
func (g *Guard) signAll(ctx context.Context, txs []*Transaction, signer Signer, report *Report) error {
	if key := signer.PublicKey(); key != report.Owner {
		err := &GuardError{Rule: RuleSigners, Instruction: EnvelopeInstruction,
			Found: "signer " + key.String(), Allowed: "the intent's owner, " + report.Owner.String()}
		report.Refusal = err
		return err
	}
	var room [4]slotSignature
	made := room[:0]
	for _, tx := range txs {
		s, err := sign(ctx, tx, signer)
		if err != nil {
			return err
		}
		made = append(made, s)
	}
	for _, s := range made {
		s.write()
	}
	return nil
}

func (g *Guard) check(ctx context.Context, txs []*Transaction, intent walletfi.Intent, about circumstances, opts []Option) (*Report, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	space := workspaces.Get().(*workspace)
	defer space.release()
	want, l, c := &space.want, &space.ledger, &space.checker
	space.about = about
	for _, opt := range opts {
		opt(&space.about)
	}
	if err := want.fill(g, &intent, &space.about); err != nil {
		return nil, err
	}
	report := newReport(want)
	l.want, l.off = want, g.off
	for i, tx := range txs {
		if i > 0 {
			c.reset()
		}
		c.guard, c.want, c.ledger, c.report = g, want, l, report
		c.tx, c.index, c.pins = tx, i, g.policy.Pins[want.service]
		if err := c.run(ctx, i == len(txs)-1); err != nil {
			if refusal, ok := err.(*GuardError); ok {
				report.Refusal = refusal
			}
			return report, err
		}
	}
	report.settled(l)
	return report, nil
}

// run is the order in which a transaction is checked.
func (c *checker) run(ctx context.Context, last bool) error {
	var err error
	if c.loaded, err = resolve(ctx, c.guard.policy.Resolver, c.tx); err != nil {
		return err
	}
	c.report.begin(c)
	c.ledger.begin()
	if err := c.envelope(); err != nil {
		return err
	}
	outcome, err := c.simulate(ctx)
	if err != nil {
		return err
	}
	if err := c.rules(last); err != nil {
		return err
	}
	if err := c.outcome(outcome, last); err != nil {
		return err
	}
	return nil
}

// rules makes both passes over the operations, and settles what leaves.
func (c *checker) rules(last bool) error {
	if err := c.each(learn); err != nil {
		return err
	}
	c.ledger.credited = append(append(c.ledger.credited, c.facts.credited...), c.simulatedFacts.credited...)
	if err := c.each(judge); err != nil {
		return err
	}
	c.spendExcess()
	if err := c.networkFee(); err != nil {
		return err
	}
	if err := c.ledger.settle(last); err != nil {
		return err
	}
	return nil
}
