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
	// Guard decides what may be signed. Required: it holds the caller's pins.
	Guard *signing.Guard
	// Submitter sends what was signed. Required.
	Submitter walletfi.Submitter
	// Confirmer tells what became of it. Required.
	Confirmer walletfi.Confirmer
	// Heights tells when a transaction cannot land any more. Nil leaves that to
	// ConfirmTimeout, after which an outcome stays unknown.
	Heights walletfi.BlockHeighter

	// Commitment is how settled a transaction must be to count as confirmed.
	// Empty means walletfi.CommitmentConfirmed.
	Commitment walletfi.Commitment
	// PollEvery is the time between two questions after a transaction's status.
	// 0 means 500 ms; it doubles up to 4 s.
	PollEvery time.Duration
	// ConfirmTimeout bounds the wait for one transaction after the ledger was
	// last seen at a height at which it can land, or after it was sent where its
	// last height is not known or Heights is nil. 0 means 90 seconds.
	ConfirmTimeout time.Duration
	// OnSigned is told of all transactions of a set after they were signed and
	// before the first is sent, so that a program that must not do anything twice
	// can keep them: what it kept goes to Remember after a restart. An error
	// means that nothing is sent. Nil means that nobody is told.
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

// maxPoll is the longest time between two questions after a status.
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
