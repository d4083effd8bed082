package wallet

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/clock"
	"github.com/walletfi/walletfi-go/internal/observing"
	"github.com/walletfi/walletfi-go/internal/proof"
	"github.com/walletfi/walletfi-go/observe"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet/internal/fees"
	"github.com/walletfi/walletfi-go/wallet/internal/intents"
)

// PrepareOptions says what the transactions to prepare do not.
type PrepareOptions struct {
	// Guard tells the guard what the transactions' builder does not.
	Guard []signing.Option
}

// Prepared has transactions to be signed by somebody else, such as the user's browser wallet.
type Prepared struct {
	Key string `json:"key"`
	// Transactions are to be signed all. Only Wallet.Submit may send them, in order.
	Transactions []walletfi.Base64Transaction `json:"transactions"`
	// Report is the guard's, Text that for the person who decides, Digest its identity.
	Report *signing.Report `json:"report"`
	Text   string          `json:"text"`
	Digest string          `json:"digest"`
	// LastValidBlockHeight is the last block height at which, as the service says, they can
	// land, 0 if it does not say. BlockHeight is the height now, 0 if no node tells it.
	LastValidBlockHeight uint64 `json:"lastValidBlockHeight,omitzero"`
	BlockHeight          uint64 `json:"blockHeight,omitzero"`
	// Until estimates when that height is reached, at 350 ms a block. Zero if it cannot be
	// estimated. It proves nothing.
	Until time.Time `json:"until,omitzero"`
	// Chain names the cluster as the Wallet Standard does: "solana:mainnet", "solana:devnet",
	// "solana:testnet", or "solana:localnet" of any other. Empty if no node has told which it is.
	Chain string `json:"chain,omitempty"`
	// Replayed says that the key was prepared before, and that these are the same bytes.
	Replayed bool `json:"replayed,omitempty"`
}

// clusters are the first blocks of the public clusters.
var clusters = map[string]string{
	"5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d": "solana:mainnet",
	"EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG": "solana:devnet",
	"4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY": "solana:testnet",
}

// Prepare checks what a builder answered, and gives it away to be signed by the intent's
// owner elsewhere, such as in the user's browser: see [Wallet.Submit] for how it comes back.
//
// The journal has the transactions before Prepare returns. From then on the key counts as
// sent, since whoever has them could sign and send them without a word: the wallet follows
// them until they are confirmed, have failed or have provably expired. [Wallet.Outcome] and
// [Wallet.Settle] tell which. The same key with the same request returns the same bytes as long
// as they can be signed, and other bytes only after those have provably expired.
//
// All of a set is signed at once, so that none is prepared that has to be signed step by step, nor
// one with a durable nonce, which would not end. The signer of the wallet is not used.
//
// The error answers to ErrReplayed if the key has paid; to walletfi.ErrOutcomeUnknown if
// earlier bytes of it may still land and cannot be signed any more, with ErrDeclined too if
// the owner said no to them; to ErrExpired if what was built has no time left; else to
// walletfi.ErrNotSent: nothing was given away. ErrKeyReused is among the last.
func (w *Wallet) Prepare(
	ctx context.Context, key string, u walletfi.Unsigned, opts PrepareOptions,
) (*Prepared, error) {
	ctx, end := clock.Enter(ctx, w.clock, "wallet Prepare")
	defer end()
	err := check.All(
		check.Required("key", key), checkKey(key),
		check.That(len(u.Transactions) > 0, "transactions", "are none, so that there is nothing to sign"),
	)
	if err != nil {
		return nil, notSent(err)
	}
	u = w.tips.Capped(w.market.capped(u))
	fresh := Entry{
		Schema: Schema, Key: callerKey + key, State: KeyClaimed, Holder: w.holder,
		Intent: intents.ID(u.Intent), Asked: u.Intent.Clone(), Since: w.now(), Prepared: &EntryPrepared{},
	}
	free, err := w.enter(ctx, fresh)
	if err != nil {
		return nil, err
	}
	e := &execution{w: w, free: free}
	defer e.release()
	switch earlier, err := e.claim(ctx, fresh, u, nil); {
	case earlier != nil:
		return nil, fmt.Errorf("%w: the key has paid", ErrReplayed)
	case errors.As(err, new(*UnsettledError)) && e.entry.Prepared != nil && len(e.entry.open()) > 0:
		return e.prepareAgain(ctx, opts, err)
	case err != nil:
		return nil, err
	}
	prepared, err := e.prepare(ctx, u, opts)
	if err != nil {
		e.giveUp()
		return nil, err
	}
	return prepared, nil
}

// prepare checks the transactions, records them and gives them away.
func (e *execution) prepare(ctx context.Context, u walletfi.Unsigned, opts PrepareOptions) (*Prepared, error) {
	if err := e.affordable(u, 0); err != nil {
		return nil, notSent(err)
	}
	head, txs, err := e.checked(ctx, u, opts.Guard)
	switch past, last := head.Height, u.LastValidBlockHeight; {
	case lifetimeOver(err) && last > 0 && past >= last:
		return nil, fmt.Errorf("%w: block height %d has reached %d", ErrExpired, past, last)
	case err != nil:
		return nil, notSent(err)
	}
	steps, set := []EntryStep{}, &EntrySet{LastValidBlockHeight: u.LastValidBlockHeight, Blockhash: u.Blockhash}
	for i, tx := range txs {
		s := e.givenStep(tx, i, u.LastValidBlockHeight)
		if s.NonceAccount != "" {
			return nil, notSent(&walletfi.ValidationError{
				Field: "transactions", Problem: "have a durable nonce: what is given away with one can be sent for ever",
			})
		}
		steps, set.Transactions = append(steps, s), append(set.Transactions, tx.Base64())
	}
	if err := e.begun(ctx, steps, head); err != nil {
		return nil, notSent(err)
	}
	if err := e.w.spend.reserve(ctx, reservation{debits: e.debits(txs, e.result.Report, 0)}); err != nil {
		return nil, notSent(err)
	}
	err = e.store(ctx, func(next *Entry) error {
		next.Steps, next.Set, next.Signing, next.SignedAt = steps, set, e.final, e.w.now()
		next.Prepared = &EntryPrepared{Digest: e.result.Report.Digest()}
		return next.move(evSign)
	})
	if err == nil {
		err = e.ownBytes(ctx, e.entry.Steps)
	}
	if err != nil {
		return nil, notSent(fmt.Errorf("nothing was given away: %w", err))
	}
	// Only the ledger can tell from here on. If the answer to this write is lost, they count as sent,
	// although this call gives none away.
	err = e.store(ctx, func(next *Entry) error {
		if err := next.move(evSend); err != nil {
			return err
		}
		return next.move(evDoubt)
	})
	if err != nil {
		return nil, notSent(fmt.Errorf("nothing was given away, because the journal did not take it: %w", err))
	}
	return e.prepared(head), nil
}

// prepareAgain gives the same bytes away, if they can still be signed.
func (e *execution) prepareAgain(ctx context.Context, opts PrepareOptions, unsettled error) (*Prepared, error) {
	given := e.entry.Prepared
	switch {
	case !given.Submitted.IsZero():
		return nil, fmt.Errorf("%w: %w", ErrReplayed, unsettled)
	case !given.Declined.IsZero():
		return nil, fmt.Errorf("%w: %w", ErrDeclined, unsettled)
	}
	head, _, err := e.checked(ctx, e.entry.given(), opts.Guard)
	if err != nil {
		return nil, stillOpen(fmt.Errorf("what was prepared cannot be signed any more, and may still land: %w", err))
	}
	p := e.prepared(head)
	p.Replayed = true
	return p, nil
}

// given is the set as it was given away.
func (e Entry) given() walletfi.Unsigned {
	u := walletfi.Unsigned{
		LastValidBlockHeight: e.Set.LastValidBlockHeight, Blockhash: e.Set.Blockhash, Intent: e.Asked.Clone(),
	}
	for _, tx := range e.Set.Transactions {
		u.Transactions = append(u.Transactions, tx)
	}
	return u
}

// checked has the guard judge a set, signed or not, at a head of now.
func (e *execution) checked(
	ctx context.Context, u walletfi.Unsigned, options []signing.Option,
) (head Head, txs []*signing.Transaction, err error) {
	if e.w.tracker.heads != nil {
		if head, err = e.headFor(ctx, u.LastValidBlockHeight, 0); err != nil {
			return Head{}, nil, fmt.Errorf("the block height is not known: %w", err)
		}
		options = append([]signing.Option{signing.AtBlockHeight(head.Height)}, options...)
	}
	if e.final, err = e.w.tracker.prover.BeforeSigning(ctx, head); err != nil {
		return Head{}, nil, err
	}
	if e.unsure = e.final.Slot == 0; e.unsure {
		e.final = head
	}
	e.result = &Result{}
	guarding, span := observing.Start(ctx, e.w.observer, observe.Guard{
		Service: u.Intent.Service, Owner: u.Intent.Owner, Transactions: len(u.Transactions),
	})
	err = observing.Through(span, func() (err error) {
		txs, e.result.Report, err = e.w.guard.CheckSet(guarding, u, options...)
		return err
	}, guardEnd)
	if err == nil {
		err = e.w.tips.Check(e.result.Report)
	}
	return head, txs, err
}

// givenStep is a transaction that was given away, or came back.
func (e *execution) givenStep(tx *signing.Transaction, i int, last uint64) EntryStep {
	s := EntryStep{
		State: KeyClaimed, Own: messageName(tx), Transaction: tx.Base64(), Blockhash: tx.Blockhash().String(),
		Last: last, Evidence: &walletfi.Evidence{After: e.final, Unsure: e.unsure, Told: last},
	}
	if first := tx.Signature(); !first.IsZero() && first.Verify(tx.FeePayer(), tx.Message()) {
		s.Signature = first.String()
	}
	if account, ok := proof.NonceAccount(tx.Bytes()); ok {
		s.NonceAccount = account.String()
	}
	cost := fees.Of(tx, e.result.Report.Owner)
	s.Fee, s.Price = walletfi.Amount(cost.Lamports()), cost.Price
	if e.w.tips != nil {
		s.Tip = fees.TipOf(e.result.Report, i)
	}
	if e.w.spend != nil {
		s.Debit = messageID(tx)
	}
	return s
}

// prepared is the answer.
func (e *execution) prepared(head Head) *Prepared {
	const block = 350 * time.Millisecond
	report := e.result.Report
	p := &Prepared{
		Key: e.entry.callersKey(), Transactions: slices.Clone(e.entry.Set.Transactions), Report: report,
		Text: report.Text(), Digest: report.Digest(), LastValidBlockHeight: e.entry.Set.LastValidBlockHeight,
		BlockHeight: head.Height, Chain: chainOf(e.w.tracker.prover.Genesis()),
	}
	if last := p.LastValidBlockHeight; head.Height > 0 && last > head.Height {
		p.Until = e.w.now().Add(time.Duration(last-head.Height) * block)
	}
	return p
}

// chainOf names the cluster of a first block.
func chainOf(genesis string) string {
	switch name, public := clusters[genesis]; {
	case genesis == "":
		return ""
	case public:
		return name
	}
	return "solana:localnet"
}

// stillOpen is the error of a call about transactions that others have: whatever came of the
// call, they may land.
func stillOpen(cause error) error { return &stillOpenError{cause} }

// stillOpenError answers to walletfi.ErrOutcomeUnknown, and to all that its cause answers to but
// walletfi.ErrNotSent.
type stillOpenError struct{ cause error }

func (e *stillOpenError) Error() string      { return e.cause.Error() }
func (e *stillOpenError) As(target any) bool { return errors.As(e.cause, target) }
func (e *stillOpenError) Is(target error) bool {
	return target == walletfi.ErrOutcomeUnknown || target != walletfi.ErrNotSent && errors.Is(e.cause, target)
}
