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
	Preflight      string  `body:"preflightCommitment" oneof:"processed confirmed finalized"` // of minContextSlot
	Wait           bool    `body:"waitForConfirmation"`
	Commitment     string  `body:"confirmationCommitment" oneof:"processed confirmed finalized"`
	TimeoutMs      int     `body:"confirmationTimeoutMs" min:"1000" max:"180000"`
	PollMs         int     `body:"pollIntervalMs" min:"100" max:"5000"`
}

func (in sendRequest) Problems(*kit.Call) []string {
	if (in.Signed == nil) == (in.Alias == nil) {
		return []string{"not exactly one of signedTransaction and transaction"}
	}
	return build.Malformed(cmp.Or(in.Encoding, "base58"), kit.Or(in.Signed, kit.Or(in.Alias, "")))
}

// withDefaults fills in what was not sent.
func (in relayRequest) withDefaults() relayRequest {
	in.Encoding, in.Preflight = cmp.Or(in.Encoding, "base58"), cmp.Or(in.Preflight, "finalized")
	in.Commitment, in.TimeoutMs = cmp.Or(in.Commitment, "confirmed"), cmp.Or(in.TimeoutMs, 30_000)
	in.PollMs = cmp.Or(in.PollMs, 500)
	return in
}

func (b *Service) send(c *kit.Call, in sendRequest) any {
	text := in.Signed
	if text == nil {
		text = in.Alias
	}
	o := in.withDefaults()
	tx, err := build.DecodeSigned(*text, o.Encoding)
	kit.BadIf(err != nil, "%s", err)
	err = b.relay(tx, o)
	kit.BadIf(err != nil, "%s", err)
	signature := tx.Signatures[0]
	answer := map[string]any{"signature": signature, "sent": true}
	if o.Wait {
		shape := c.Shape(2)
		b.await(c, o, []solana.Signature{signature}, func() {
			answer["confirmation"] = b.confirmation(signature, o.Commitment, shape)
		})
	}
	return answer
}

// await lets time pass until all transactions have settled, looking every
// pollMs, at most timeoutMs. It calls see at each look: what that saw last is the
// answer, also if the clock has gone on since.
func (b *Service) await(c *kit.Call, o relayRequest, signatures []solana.Signature, see func()) {
	c.WaitUntil(time.Duration(o.TimeoutMs)*time.Millisecond, time.Duration(o.PollMs)*time.Millisecond, func() bool {
		see()
		for _, s := range signatures {
			if !b.settled(s, o.Commitment) {
				return false
			}
		}
		return true
	})
}

// relay submits a transaction as a node would: preflight refuses a transaction
// that would fail; without preflight it is submitted in any case.
func (b *Service) relay(tx *ledger.Transaction, o relayRequest) error {
	if o.MinContextSlot != nil && *o.MinContextSlot > b.CurrentSlot()-b.Lag(o.Preflight) {
		return errors.New("the minimum context slot has not been reached")
	}
	if !o.SkipPreflight {
		if err := b.Refusal(tx.Raw); err != nil {
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
