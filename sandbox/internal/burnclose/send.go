package burnclose

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

type sendRequest struct {
	_      struct{} `rule:"exactly one of signedTransaction and transaction"`
	_      struct{} `rule:"it is a transaction, written as encoding says"`
	Signed *string  `body:"signedTransaction" open:"base58 or base64, as encoding says"`
	Alias  *string  `body:"transaction" open:"base58 or base64, as encoding says"` // the same by its other name
	relayRequest
}

// relayRequest is how a transaction, or each of a batch, is sent.
type relayRequest struct {
	Encoding       string  `body:"encoding" oneof:"base58 base64"`
	SkipPreflight  bool    `body:"skipPreflight"`
	MaxRetries     *int    `body:"maxRetries" min:"0" max:"100"` // of the broadcast; has no effect here
	MinContextSlot *uint64 `body:"minContextSlot"`
	Preflight      *string `body:"preflightCommitment" oneof:"processed confirmed finalized"`
	Wait           bool    `body:"waitForConfirmation"`
	Commitment     *string `body:"confirmationCommitment" oneof:"processed confirmed finalized"`
	TimeoutMs      *int    `body:"confirmationTimeoutMs" min:"1000" max:"180000"`
	PollMs         *int    `body:"pollIntervalMs" min:"100" max:"5000"`
}

func (in sendRequest) Problems(*kit.Call) []string {
	if (in.Signed == nil) == (in.Alias == nil) {
		return []string{"not exactly one of signedTransaction and transaction"}
	}
	return build.Malformed(cmp.Or(in.Encoding, "base58"), kit.Or(in.Signed, kit.Or(in.Alias, "")))
}

func (in relayRequest) options() relay {
	return relay{
		encoding: cmp.Or(in.Encoding, "base58"), skipPreflight: in.SkipPreflight, minContextSlot: in.MinContextSlot,
		preflight: kit.Or(in.Preflight, "finalized"), wait: in.Wait,
		commitment: kit.Or(in.Commitment, commitment),
		timeoutMs:  kit.Or(in.TimeoutMs, timeoutMs), pollMs: kit.Or(in.PollMs, pollMs),
	}
}

func (b *Service) send(c *kit.Call, in sendRequest) any {
	text := in.Signed
	if text == nil {
		text = in.Alias
	}
	o := in.options()
	tx, err := build.DecodeSigned(*text, o.encoding)
	kit.BadIf(err != nil, "%s", err)
	err = b.relay(tx, o)
	kit.BadIf(err != nil, "%s", err)
	signature := tx.Signatures[0]
	answer := map[string]any{"signature": signature, "sent": true}
	if o.wait {
		shape := c.Shape(2)
		b.await(c, o, []solana.Signature{signature}, func() {
			answer["confirmation"] = b.confirmation(signature, o.commitment, shape)
		})
	}
	return answer
}

// await lets time pass until all transactions have settled, looking every
// pollMs, at most timeoutMs. It calls see at each look: what that saw last is the
// answer, also if the clock has gone on since.
func (b *Service) await(c *kit.Call, o relay, signatures []solana.Signature, see func()) {
	c.WaitUntil(time.Duration(o.timeoutMs)*time.Millisecond, time.Duration(o.pollMs)*time.Millisecond, func() bool {
		see()
		for _, s := range signatures {
			if !b.settled(s, o.commitment) {
				return false
			}
		}
		return true
	})
}

// relay has the options of the relay routes.
type relay struct {
	encoding       string
	skipPreflight  bool
	minContextSlot *uint64
	preflight      string // commitment against which minContextSlot is held
	wait           bool
	commitment     string
	timeoutMs      int
	pollMs         int
}

// The defaults of a request.
const (
	commitment = "confirmed"
	timeoutMs  = 30_000
	pollMs     = 500
)

// relay submits a transaction as a node would: preflight refuses a transaction
// that would fail; without preflight it is submitted in any case.
func (b *Service) relay(tx *ledger.Transaction, o relay) error {
	if o.minContextSlot != nil && *o.minContextSlot > b.CurrentSlot()-b.Lag(o.preflight) {
		return errors.New("the minimum context slot has not been reached")
	}
	if !o.skipPreflight {
		simulation, err := b.Chain.Simulate(tx.Raw, true, false)
		if err == nil && simulation.Err != nil {
			err = simulation.Err
		}
		if err != nil {
			return fmt.Errorf("transaction simulation failed: %w", err)
		}
	}
	b.Submit(tx.Raw)
	return nil
}

// settled reports whether a transaction has landed and reached a commitment.
func (b *Service) settled(signature solana.Signature, commitment string) bool {
	r := b.Chain.Receipt(signature)
	return r != nil && r.Slot+b.Lag(commitment) <= b.CurrentSlot()
}
