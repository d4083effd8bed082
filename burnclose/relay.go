package burnclose

import (
	"encoding/base64"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
)

// The bounds of RelayOptions.
const (
	MaxRelayRetries        = 100
	MinConfirmationTimeout = time.Second
	MaxConfirmationTimeout = 3 * time.Minute
	MinPollInterval        = 100 * time.Millisecond
	MaxPollInterval        = 5 * time.Second
)

// relaySlack is the time for sending, in addition to the wait for the
// confirmation.
const relaySlack = 15 * time.Second

// RelayOptions says how the service sends a signed transaction. The zero value
// lets the service decide everything.
type RelayOptions struct {
	SkipPreflight       *bool               `json:"skipPreflight,omitempty"`      // no simulation before it is sent
	MaxRetries          *int                `json:"maxRetries,omitempty"`         // by the node; 0 to MaxRelayRetries
	MinContextSlot      *uint64             `json:"minContextSlot,omitempty"`     // earliest slot that the node may use
	PreflightCommitment walletfi.Commitment `json:"preflightCommitment,omitzero"` // state that the simulation uses

	// WaitForConfirmation makes the service answer only once the transaction has
	// reached ConfirmationCommitment, or after ConfirmationTimeout. The timeout of
	// the attempt is extended to cover that, up to MaxConfirmationTimeout if
	// ConfirmationTimeout is not set.
	WaitForConfirmation    *bool               `json:"waitForConfirmation,omitempty"`
	ConfirmationCommitment walletfi.Commitment `json:"confirmationCommitment,omitzero"`
	// ConfirmationTimeout is MinConfirmationTimeout to MaxConfirmationTimeout in
	// whole milliseconds; 0 lets the service decide.
	ConfirmationTimeout time.Duration `json:"-"`
	// PollInterval is how often the service asks the ledger: MinPollInterval to
	// MaxPollInterval in whole milliseconds; 0 lets the service decide.
	PollInterval time.Duration `json:"-"`
}

// relayBody holds the options of both relay routes.
type relayBody struct {
	Encoding string `json:"encoding"`
	RelayOptions
	ConfirmationTimeoutMs int64 `json:"confirmationTimeoutMs,omitzero"`
	PollIntervalMs        int64 `json:"pollIntervalMs,omitzero"`
}

func (o RelayOptions) body(encoding string) relayBody {
	return relayBody{encoding, o, o.ConfirmationTimeout.Milliseconds(), o.PollInterval.Milliseconds()}
}

func (o RelayOptions) problem() error {
	return check.All(
		check.RangeOf("maxRetries", o.MaxRetries, 0, MaxRelayRetries),
		commitment("preflightCommitment", o.PreflightCommitment),
		commitment("confirmationCommitment", o.ConfirmationCommitment),
		milliseconds("confirmationTimeoutMs", o.ConfirmationTimeout, MinConfirmationTimeout, MaxConfirmationTimeout),
		milliseconds("pollIntervalMs", o.PollInterval, MinPollInterval, MaxPollInterval),
	)
}

func commitment(field string, c walletfi.Commitment) error {
	return check.OptionalOneOf(field, c, walletfi.CommitmentProcessed,
		walletfi.CommitmentConfirmed, walletfi.CommitmentFinalized)
}

// milliseconds checks an optional time that is sent in milliseconds.
func milliseconds(field string, d, low, high time.Duration) error {
	if d == 0 {
		return nil
	}
	return check.All(
		check.Range(field, d, low, high),
		check.That(d%time.Millisecond == 0, field, "must be whole milliseconds"),
	)
}

// answerWithin returns how long the service may take to answer if it waits for
// so many confirmations in turn; 0 if it does not wait.
func (o RelayOptions) answerWithin(rounds int) time.Duration {
	wait := o.ConfirmationTimeout
	switch {
	case o.WaitForConfirmation != nil && !*o.WaitForConfirmation:
		return 0
	case o.WaitForConfirmation == nil && wait == 0:
		return 0
	case wait == 0:
		wait = MaxConfirmationTimeout
	}
	return time.Duration(rounds)*wait + relaySlack
}

// serialised checks the encoding of a signed transaction. Whether it is signed
// is left to the service, which may know formats that this package does not.
func serialised(field string, tx walletfi.EncodedTransaction) error {
	var err error
	switch t := tx.(type) {
	case nil:
		return check.That(false, field, "is required")
	case walletfi.Base64Transaction:
		if t != "" {
			_, err = base64.StdEncoding.Strict().DecodeString(string(t))
		}
	case walletfi.Base58Transaction:
		if t != "" {
			_, err = t.Base64()
		}
	}
	return check.All(
		check.Required(field, tx.String()),
		check.That(err == nil, field, "is not "+tx.Encoding()),
	)
}
