package burnclose

import (
	"cmp"
	"slices"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

type sendBatchRequest struct {
	_           struct{} `rule:"exactly one of signedTransactions and transactions, not empty"`
	_           struct{} `rule:"each is a transaction, written as encoding says"`
	Signed      []string `body:"signedTransactions" open:"base58 or base64, as encoding says" most:"128"`
	Alias       []string `body:"transactions" open:"base58 or base64, as encoding says" most:"128"`
	Concurrency *int     `body:"maxConcurrency" min:"1" max:"32"`
	relayRequest
}

func (in sendBatchRequest) Problems(*kit.Call) []string {
	if (in.Signed == nil) == (in.Alias == nil) || len(in.Signed)+len(in.Alias) == 0 {
		return []string{"not one or more transactions in exactly one of signedTransactions and transactions"}
	}
	return build.Malformed(cmp.Or(in.Encoding, "base58"), slices.Concat(in.Signed, in.Alias)...)
}

// sendBatch sends nothing if any transaction is malformed. Otherwise each
// transaction succeeds or fails on its own.
func (b *Service) sendBatch(c *kit.Call, in sendBatchRequest) any {
	texts := in.Signed
	if texts == nil {
		texts = in.Alias
	}
	o := in.withDefaults()
	transactions := make([]*ledger.Transaction, 0, len(texts))
	for i, text := range texts {
		tx, err := build.DecodeSigned(text, o.Encoding)
		kit.BadIf(err != nil, "transaction %d: %s", i, err)
		transactions = append(transactions, tx)
	}
	failures := make([]error, len(transactions))
	var sent []solana.Signature
	for i, tx := range transactions {
		if failures[i] = b.relay(tx, o); failures[i] == nil {
			sent = append(sent, tx.Signatures[0])
		}
	}
	shape := c.Shape(2)
	answer := b.batchAnswer(shape, o, transactions, failures)
	if o.Wait {
		b.await(c, o, sent, func() { answer = b.batchAnswer(shape, o, transactions, failures) })
	}
	return answer
}

// batchAnswer returns the outcomes in the order of the request, in one of two
// shapes.
func (b *Service) batchAnswer(shape int, o relayRequest, transactions []*ledger.Transaction, failures []error) any {
	sent := 0
	results := []any{}
	for i, tx := range transactions {
		signature := tx.Signatures[0]
		result := map[string]any{"signature": signature, "sent": failures[i] == nil}
		if failures[i] != nil {
			result["error"] = failures[i].Error()
		} else {
			sent++
			if o.Wait {
				result["confirmation"] = b.confirmation(signature, o.Commitment, shape)
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
