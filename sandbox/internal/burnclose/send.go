package burnclose

import (
	"cmp"
	"time"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// mostSent is how many transactions one request may send.
const mostSent = 128

type sendRequest struct {
	Signed         *string `body:"signedTransaction"`
	Alias          *string `body:"transaction"` // the same by its other name
	Encoding       string  `body:"encoding" oneof:"base58 base64"`
	SkipPreflight  bool    `body:"skipPreflight"`
	MaxRetries     *int    `body:"maxRetries" min:"0" max:"100"` // of the broadcast, of which the ledger needs none
	MinContextSlot *uint64 `body:"minContextSlot"`
	Preflight      *string `body:"preflightCommitment" oneof:"processed confirmed finalized"`
	Wait           bool    `body:"waitForConfirmation"`
	Commitment     *string `body:"confirmationCommitment" oneof:"processed confirmed finalized"`
	TimeoutMs      *int    `body:"confirmationTimeoutMs" min:"1000" max:"180000"`
	PollMs         *int    `body:"pollIntervalMs" min:"100" max:"5000"`
}

type sendBatchRequest struct {
	Signed         []string `body:"signedTransactions"`
	Alias          []string `body:"transactions"`
	Concurrency    *int     `body:"maxConcurrency" min:"1" max:"32"`
	Encoding       string   `body:"encoding" oneof:"base58 base64"`
	SkipPreflight  bool     `body:"skipPreflight"`
	MaxRetries     *int     `body:"maxRetries" min:"0" max:"100"`
	MinContextSlot *uint64  `body:"minContextSlot"`
	Preflight      *string  `body:"preflightCommitment" oneof:"processed confirmed finalized"`
	Wait           bool     `body:"waitForConfirmation"`
	Commitment     *string  `body:"confirmationCommitment" oneof:"processed confirmed finalized"`
	TimeoutMs      *int     `body:"confirmationTimeoutMs" min:"1000" max:"180000"`
	PollMs         *int     `body:"pollIntervalMs" min:"100" max:"5000"`
}

func (in sendRequest) options() relay {
	return relay{
		encoding: cmp.Or(in.Encoding, "base58"), skipPreflight: in.SkipPreflight, minContextSlot: in.MinContextSlot,
		preflight: or(in.Preflight, "finalized"), wait: in.Wait,
		commitment: or(in.Commitment, commitment),
		timeoutMs:  or(in.TimeoutMs, timeoutMs), pollMs: or(in.PollMs, pollMs),
	}
}

func (in sendBatchRequest) options() relay {
	return sendRequest{
		Encoding: in.Encoding, SkipPreflight: in.SkipPreflight, MinContextSlot: in.MinContextSlot, Preflight: in.Preflight,
		Wait: in.Wait, Commitment: in.Commitment, TimeoutMs: in.TimeoutMs, PollMs: in.PollMs,
	}.options()
}

// or is what was sent, or else a default.
func or[T any](sent *T, otherwise T) T {
	if sent == nil {
		return otherwise
	}
	return *sent
}

func (b *Service) send(c *kit.Call, in sendRequest) (any, error) {
	text := in.Signed
	if text == nil {
		text = in.Alias
	}
	if text == nil || in.Signed != nil && in.Alias != nil {
		c.Violate("not exactly one of signedTransaction and transaction")
		return nil, bad("one of signedTransaction and transaction is needed")
	}
	o := in.options()
	tx, err := build.DecodeSigned(*text, o.encoding)
	if err != nil {
		return nil, bad("%s", err)
	}
	if err := b.relay(tx, o); err != nil {
		return nil, bad("%s", err)
	}
	signature := tx.Signatures[0]
	answer := map[string]any{"signature": signature, "sent": true}
	if o.wait {
		b.await(c, o, []solana.Signature{signature})
		answer["confirmation"] = b.confirmation(signature, o.commitment, c.Shape(2))
	}
	return answer, nil
}

// sendBatch sends nothing where anything is malformed. After that each
// transaction has its own fate.
func (b *Service) sendBatch(c *kit.Call, in sendBatchRequest) (any, error) {
	texts := in.Signed
	if texts == nil {
		texts = in.Alias
	}
	if len(texts) == 0 || len(texts) > mostSent || in.Signed != nil && in.Alias != nil {
		c.Violate("not 1 to 128 transactions in one of signedTransactions and transactions")
		return nil, bad("signedTransactions must have 1 to %d elements", mostSent)
	}
	o := in.options()
	transactions := make([]*ledger.Transaction, 0, len(texts))
	for i, text := range texts {
		tx, err := build.DecodeSigned(text, o.encoding)
		if err != nil {
			return nil, bad("transaction %d: %s", i, err)
		}
		transactions = append(transactions, tx)
	}
	failures := make([]error, len(transactions))
	var sent []solana.Signature
	for i, tx := range transactions {
		if failures[i] = b.relay(tx, o); failures[i] == nil {
			sent = append(sent, tx.Signatures[0])
		}
	}
	if o.wait {
		b.await(c, o, sent)
	}
	return b.batchAnswer(c, o, transactions, failures), nil
}

// batchAnswer tells the fates in the order of the request, in one of two
// shapes.
func (b *Service) batchAnswer(c *kit.Call, o relay, transactions []*ledger.Transaction, failures []error) any {
	shape, sent := c.Shape(2), 0
	results := []any{}
	for i, tx := range transactions {
		signature := tx.Signatures[0]
		result := map[string]any{"signature": signature, "sent": failures[i] == nil}
		if failures[i] != nil {
			result["error"] = failures[i].Error()
		} else {
			sent++
			if o.wait {
				result["confirmation"] = b.confirmation(signature, o.commitment, shape)
			}
		}
		if shape == 0 {
			result["index"] = i
		}
		results = append(results, result)
	}
	if shape == 0 {
		return map[string]any{"results": results, "sent": sent, "failed": len(transactions) - sent}
	}
	return results
}

// await lets time pass until all transactions have settled, looking every
// pollMs, at most timeoutMs.
func (b *Service) await(c *kit.Call, o relay, signatures []solana.Signature) {
	next := b.Now()
	c.WaitUntil(time.Duration(o.timeoutMs)*time.Millisecond, func() bool {
		if b.Now().Before(next) {
			return false
		}
		next = b.Now().Add(time.Duration(o.pollMs) * time.Millisecond)
		for _, s := range signatures {
			if !b.settled(s, o.commitment) {
				return false
			}
		}
		return true
	})
}
