package sandbox

import (
	"cmp"
	"time"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// burnCloseMostSent is how many transactions one request may send.
const burnCloseMostSent = 128

type burnCloseSendRequest struct {
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

type burnCloseSendBatchRequest struct {
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

func (in burnCloseSendRequest) options() burnCloseRelay {
	return burnCloseRelay{
		encoding: cmp.Or(in.Encoding, "base58"), skipPreflight: in.SkipPreflight, minContextSlot: in.MinContextSlot,
		preflight: burnCloseOr(in.Preflight, "finalized"), wait: in.Wait,
		commitment: burnCloseOr(in.Commitment, burnCloseCommitment),
		timeoutMs:  burnCloseOr(in.TimeoutMs, burnCloseTimeoutMs), pollMs: burnCloseOr(in.PollMs, burnClosePollMs),
	}
}

func (in burnCloseSendBatchRequest) options() burnCloseRelay {
	return burnCloseSendRequest{
		Encoding: in.Encoding, SkipPreflight: in.SkipPreflight, MinContextSlot: in.MinContextSlot, Preflight: in.Preflight,
		Wait: in.Wait, Commitment: in.Commitment, TimeoutMs: in.TimeoutMs, PollMs: in.PollMs,
	}.options()
}

// burnCloseOr is what was sent, or else a default.
func burnCloseOr[T any](sent *T, otherwise T) T {
	if sent == nil {
		return otherwise
	}
	return *sent
}

func (b *burnClose) send(c *call, in burnCloseSendRequest) (any, error) {
	text := in.Signed
	if text == nil {
		text = in.Alias
	}
	if text == nil || in.Signed != nil && in.Alias != nil {
		c.violate("not exactly one of signedTransaction and transaction")
		return nil, burnCloseBad("one of signedTransaction and transaction is needed")
	}
	o := in.options()
	tx, err := decodeSigned(*text, o.encoding)
	if err != nil {
		return nil, burnCloseBad("%s", err)
	}
	if err := b.relay(tx, o); err != nil {
		return nil, burnCloseBad("%s", err)
	}
	signature := tx.Signatures[0]
	answer := map[string]any{"signature": signature, "sent": true}
	if o.wait {
		b.await(c, o, []solana.Signature{signature})
		answer["confirmation"] = b.confirmation(signature, o.commitment, c.shape(2))
	}
	return answer, nil
}

// sendBatch sends nothing where anything is malformed. After that each
// transaction has its own fate.
func (b *burnClose) sendBatch(c *call, in burnCloseSendBatchRequest) (any, error) {
	texts := in.Signed
	if texts == nil {
		texts = in.Alias
	}
	if len(texts) == 0 || len(texts) > burnCloseMostSent || in.Signed != nil && in.Alias != nil {
		c.violate("not 1 to 128 transactions in one of signedTransactions and transactions")
		return nil, burnCloseBad("signedTransactions must have 1 to %d elements", burnCloseMostSent)
	}
	o := in.options()
	transactions := make([]*ledger.Transaction, 0, len(texts))
	for i, text := range texts {
		tx, err := decodeSigned(text, o.encoding)
		if err != nil {
			return nil, burnCloseBad("transaction %d: %s", i, err)
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
func (b *burnClose) batchAnswer(c *call, o burnCloseRelay, transactions []*ledger.Transaction, failures []error) any {
	shape, sent := c.shape(2), 0
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
func (b *burnClose) await(c *call, o burnCloseRelay, signatures []solana.Signature) {
	next := b.now()
	c.waitUntil(time.Duration(o.timeoutMs)*time.Millisecond, func() bool {
		if b.now().Before(next) {
			return false
		}
		next = b.now().Add(time.Duration(o.pollMs) * time.Millisecond)
		for _, s := range signatures {
			if !b.settled(s, o.commitment) {
				return false
			}
		}
		return true
	})
}
