package wallet

import (
	"context"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/signing"
)

// Config configures a Wallet.
type Config struct {
	// Signer holds the owner's key. Required.
	Signer signing.Signer
	// Guard decides what may be signed. It holds the caller's pins. Required.
	Guard *signing.Guard
	// Submitter sends signed transactions. Required.
	Submitter walletfi.Submitter
	// Confirmer returns the status of a sent transaction. Required.
	Confirmer walletfi.Confirmer
	// Heights returns the block height, after which a transaction cannot land any
	// more. If nil, an outcome is unknown after ConfirmTimeout.
	Heights walletfi.BlockHeighter

	// Commitment is the commitment at which a transaction counts as confirmed.
	// Empty means walletfi.CommitmentConfirmed.
	Commitment walletfi.Commitment
	// PollEvery is the time between the first two polls of a transaction's status;
	// it doubles each time, up to 4 s. 0 means 500 ms.
	PollEvery time.Duration
	// ConfirmTimeout bounds the wait for a transaction. It starts when the ledger
	// was last seen at a height at which the transaction can land, or when the
	// transaction was sent if its last height is not known or Heights is nil. 0
	// means 90 seconds.
	ConfirmTimeout time.Duration
	// OnSigned receives all transactions of a set after they are signed and before
	// the first is sent. A program that must not do anything twice stores them,
	// and passes them to Remember after a restart. If OnSigned fails, nothing is
	// sent. Nil disables the callback.
	OnSigned func(ctx context.Context, pending []Unsettled) error
}

// Wallet guards, signs, submits and confirms. It is safe for concurrent use.
type Wallet struct {
	signer     signing.Signer
	guard      *signing.Guard
	submitter  walletfi.Submitter
	confirmer  walletfi.Confirmer
	heights    walletfi.BlockHeighter
	commitment walletfi.Commitment
	pollEvery  time.Duration
	timeout    time.Duration
	onSigned   func(context.Context, []Unsettled) error
	records    records
}

// maxPoll is the longest time between two polls of a status.
const maxPoll = 4 * time.Second

// New checks cfg and returns a wallet.
func New(cfg Config) (*Wallet, error) {
	err := check.All(
		check.That(cfg.Signer != nil, "signer", "is required"),
		check.That(cfg.Guard != nil, "guard", "is required"),
		check.That(cfg.Submitter != nil, "submitter", "is required"),
		check.That(cfg.Confirmer != nil, "confirmer", "is required"),
		check.OptionalOneOf("commitment", cfg.Commitment,
			walletfi.CommitmentProcessed, walletfi.CommitmentConfirmed, walletfi.CommitmentFinalized),
		check.NotNegative("pollEvery", cfg.PollEvery),
		check.NotNegative("confirmTimeout", cfg.ConfirmTimeout),
	)
	if err != nil {
		return nil, err
	}
	w := &Wallet{
		signer: cfg.Signer, guard: cfg.Guard, submitter: cfg.Submitter, confirmer: cfg.Confirmer, heights: cfg.Heights,
		commitment: cfg.Commitment, pollEvery: cfg.PollEvery, timeout: cfg.ConfirmTimeout, onSigned: cfg.OnSigned,
	}
	if w.commitment == "" {
		w.commitment = walletfi.CommitmentConfirmed
	}
	if w.pollEvery == 0 {
		w.pollEvery = 500 * time.Millisecond
	}
	if w.timeout == 0 {
		w.timeout = 90 * time.Second
	}
	return w, nil
}
