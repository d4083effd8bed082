package signing

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing/internal/judge"
)

// Guard checks transactions against what was asked for, and signs those that
// pass. It is safe for concurrent use; the zero Guard has the zero Policy.
type Guard struct {
	policy      Policy
	judge       judge.Judge
	fingerprint func() []byte
	likes       func() map[string][]PublicKey // of a TokenList
	lent        bool                          // the simulator is one of WithNode
	decimals    sync.Map                      // uint8 by PublicKey, of mints of which they never change
}

// NewGuard returns a guard of a policy, of which it keeps a copy.
func NewGuard(p Policy) *Guard {
	p = p.clone()
	g := &Guard{policy: p, judge: judge.Judge{Policy: p.judged()}, fingerprint: sync.OnceValue(p.fingerprint)}
	if list, ok := p.Tokens.(TokenList); ok {
		g.likes = sync.OnceValue(list.bySkeleton)
	}
	return g
}

// Check holds a transaction against the intent of the request that it answers,
// without signing. Where it is refused the error is a *GuardError, and the
// report says what was seen until then. Any other error is an intent that
// cannot be read (*walletfi.ValidationError), or a resolver or simulator that
// did not answer.
func (g *Guard) Check(ctx context.Context, tx *Transaction, intent walletfi.Intent, opts ...Option) (*Report, error) {
	if tx == nil || len(tx.wire.Raw) == 0 {
		return nil, errNil("transaction")
	}
	return g.check(ctx, []*Transaction{tx}, &intent, circumstances{}, nil, opts)
}

// CheckSet decodes what a builder answered and checks all of it together:
// caps hold over the whole set. The intent, the blockhash and the last valid
// block height are those of u. An empty set is an error.
func (g *Guard) CheckSet(ctx context.Context, u walletfi.Unsigned, opts ...Option) ([]*Transaction, *Report, error) {
	return g.checkSet(ctx, u, nil, opts)
}

func (g *Guard) checkSet(
	ctx context.Context, u walletfi.Unsigned, step *Step, opts []Option,
) ([]*Transaction, *Report, error) {
	if len(u.Transactions) == 0 {
		return nil, nil, &walletfi.ValidationError{Field: "Transactions", Problem: "is empty: there is nothing to sign"}
	}
	txs, err := DecodeAll(u)
	if err != nil {
		report := refused(err)
		report.Intent = u.Intent
		return nil, report, err
	}
	if err := step.of(txs); err != nil {
		return nil, nil, err
	}
	report, err := g.check(ctx, txs, &u.Intent, circumstances{Circumstances: judge.Circumstances{
		Blockhash:            u.Blockhash,
		LastValidBlockHeight: u.LastValidBlockHeight,
	}}, step, opts)
	if err != nil {
		return nil, report, err
	}
	return txs, report, nil
}

// SignSet checks what a builder answered as CheckSet does, and signs all of it
// or nothing. The signer is the intent's owner. Only a whole set is signed, so
// that no cap is spent again by each of its transactions.
func (g *Guard) SignSet(
	ctx context.Context, u walletfi.Unsigned, signer Signer, opts ...Option,
) ([]*Transaction, *Report, error) {
	if missing(signer) {
		return nil, nil, errNil("signer")
	}
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
	asked := report.before
	report.before = nil
	for _, before := range asked {
		if err := before(ctx, report); err != nil {
			return err
		}
	}
	var room [4]slotSignature
	made := room[:0]
	if together, ok := signer.(SetSigner); ok {
		var err error
		if made, err = signTogether(ctx, txs, together, report); err != nil {
			return err
		}
	} else {
		for _, tx := range txs {
			s, err := sign(ctx, tx, signer)
			if err != nil {
				return err
			}
			made = append(made, s)
		}
	}
	for _, s := range made {
		s.write()
	}
	report.shed()
	return nil
}

func (g *Guard) check(
	ctx context.Context, txs []*Transaction, intent *walletfi.Intent, about circumstances, step *Step, opts []Option,
) (*Report, error) {
	if ctx == nil {
		return nil, errNil("ctx")
	}
	c := g.judge.Open()
	defer c.Close()
	if len(opts) > 0 {
		about = about.with(opts)
	}
	c.About = about.Circumstances
	c.About.NetworkFee = capOr(g.policy.MaxNetworkFeeLamports, DefaultMaxNetworkFeeLamports)
	c.About.Rent = capOr(g.policy.MaxRentLamports, DefaultMaxRentLamports)
	c.About.ForeignRent = uint64(g.policy.ForeignRentLamports)
	if step != nil {
		c.About.Executed = len(step.Executed)
	}
	for _, tx := range txs {
		c.Add(&tx.wire)
	}
	var ledger judge.Node
	var asked *node
	if g.policy.Resolver != nil || g.policy.Simulator != nil || step != nil {
		asks := g.policy.Simulator != nil && !(g.lent && g.tellsAll(txs, intent))
		hidden := slices.Contains(g.policy.Unsimulated, intent.Service)
		asked = &node{policy: &g.policy, txs: txs, asks: asks, hidden: hidden, step: step, owner: intent.Owner}
		ledger = asked
	}
	if err := c.Run(ctx, intent, ledger); err != nil {
		return nil, err
	}
	report := reportOf(&c.Findings)
	report.before = about.before
	report.txs, report.Intent, report.guard, report.blockhash = txs, *intent, g, c.About.Blockhash
	if err := g.hold(ctx, report, asked); err != nil {
		return nil, err
	}
	g.describeTokens(report, &c.Findings)
	if err := g.readDecimals(ctx, report); err != nil {
		return nil, err
	}
	g.policy.IDLs.name(report)
	if report.Refusal != nil {
		return report, report.Refusal
	}
	return report, nil
}

// missing reports whether there is no signer, or a LocalKey that no constructor
// made.
func missing(signer Signer) bool {
	if key, local := signer.(*LocalKey); local {
		return key == nil || key.secret == nil
	}
	return signer == nil
}

// errNil is the error of an argument that is nil.
func errNil(argument string) error {
	return &walletfi.ValidationError{Field: argument, Problem: "is nil"}
}

// refused is the report of a set that could not even be read.
func refused(err error) *Report {
	refusal, _ := err.(*GuardError)
	return &Report{Refusal: refusal}
}

// Option adds what the caller knows in addition to the transaction and its
// intent. The zero Option adds nothing.
type Option struct{ set func(*circumstances) }

// MarshalJSON returns an error: an Option cannot be stored.
func (Option) MarshalJSON() ([]byte, error) {
	return nil, errors.New("signing: an Option cannot be stored")
}

// circumstances is the sum of a check's options.
type circumstances struct {
	judge.Circumstances
	before []func(context.Context, *Report) error // are asked before the signer
}

// with is a copy, which takes room, so that it is made for options alone.
func (c circumstances) with(opts []Option) circumstances {
	for _, opt := range opts {
		if opt.set != nil {
			opt.set(&c)
		}
	}
	return c
}

// Nonce is a durable nonce in a blockhash's place. A transaction with one
// does not expire, so that a signature over it stays good until the nonce is
// used: it is refused unless the caller names it.
type Nonce struct {
	Account PublicKey // its authority is the owner
	Value   PublicKey // as the caller fetched it
}

// WithBlockhash gives the blockhash that the service named, base58. The
// transaction must have the same.
func WithBlockhash(blockhash string) Option {
	return Option{func(c *circumstances) { c.Blockhash = blockhash }}
}

// WithLastValidBlockHeight gives the last block height at which, as the service
// says, the transaction can land.
func WithLastValidBlockHeight(height uint64) Option {
	return Option{func(c *circumstances) { c.LastValidBlockHeight = height }}
}

// AtBlockHeight gives the ledger's block height. A transaction that has expired
// is refused, and so is a last valid height that is too far away to be true.
func AtBlockHeight(height uint64) Option {
	return Option{func(c *circumstances) { c.BlockHeight = height }}
}

// WithNonce opts in to a durable nonce.
func WithNonce(n Nonce) Option {
	return Option{func(c *circumstances) {
		c.Nonce = &judge.Nonce{Account: judge.Key(n.Account), Value: judge.Key(n.Value)}
	}}
}

// BeforeSigning has f asked with the report before the signer is, where the guard lets the
// transactions pass. An error of f is returned, and nothing is signed. What only checks does
// not ask f. Of several, each is asked, in order, until one returns an error.
func BeforeSigning(f func(ctx context.Context, r *Report) error) Option {
	return Option{func(c *circumstances) { c.before = append(slices.Clip(c.before), f) }}
}
