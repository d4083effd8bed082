package burnclose

import (
	"context"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/callopt"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/paging"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// The bounds of a batch.
const (
	MaxBatchSize            = 128 // transactions that the service takes at once
	MaxBatchConcurrency     = 32
	DefaultBatchConcurrency = 8 // the service's default
)

// SendBatchRequest holds signed transactions to send. They should not depend on
// each other: the service sends several at a time.
type SendBatchRequest struct {
	// Transactions must not be empty. If there are more than MaxBatchSize, they go
	// out in several calls, one after the other.
	Transactions []walletfi.EncodedTransaction
	RelayOptions
	// MaxConcurrency is how many the service sends at a time, 1 to
	// MaxBatchConcurrency; nil means DefaultBatchConcurrency.
	MaxConcurrency *int
}

// BatchResult is the relay's result for the transactions of a batch.
type BatchResult struct {
	Items []BatchItem         // one per transaction, in the order of the request
	Raw   []walletfi.Document // the answers, one per call; empty if a call failed
}

// SendBatch sends any number of signed transactions. If one lacks a signature,
// nothing is sent, unless [walletfi.WithLateSigners] names the signer.
//
// With an error, the result is not nil if anything was sent: it lists the
// signature of every transaction and the results of the calls that succeeded.
// If there was more than one call, a [*walletfi.PartialError] says which items
// failed. If the error is [walletfi.ErrOutcomeUnknown], they may have landed:
// ask for the status of each item that is not Answered.
//
// POST /transactions/send-batch. It relays signed bytes: the same bytes are
// sent again after a timeout or a 5xx.
func (c *Client) SendBatch(
	ctx context.Context, req SendBatchRequest, opts ...walletfi.CallOption,
) (*BatchResult, error) {
	if err := c.keyed(req.problem(callopt.Of(opts).LateSigners)); err != nil {
		return nil, err
	}
	texts, encoding, err := oneEncoding(req.Transactions)
	if err != nil {
		return nil, err
	}
	answers, err := paging.Split(ctx, texts, MaxBatchSize, 1,
		callopt.Of(opts).Progress, func(ctx context.Context, part []string) (*batchAnswer, error) {
			return c.sendPart(ctx, req, part, encoding, opts)
		})
	result := &BatchResult{Items: make([]BatchItem, len(texts)), Raw: make([]walletfi.Document, len(answers))}
	for i, tx := range req.Transactions {
		result.Items[i].Signature, _ = walletfi.TransactionSignature(tx)
	}
	for i, answer := range answers {
		if answer != nil {
			first := i * MaxBatchSize
			answer.assign(result.Items[first:min(first+MaxBatchSize, len(texts))])
			result.Raw[i] = answer.raw
		}
	}
	return result, err
}

// sendPart makes one call.
func (c *Client) sendPart(
	ctx context.Context, req SendBatchRequest, texts []string, encoding string, opts []walletfi.CallOption,
) (*batchAnswer, error) {
	lost, items := false, make([]BatchItem, len(texts))
	for i, text := range texts {
		items[i].Signature = signatureOf(text, encoding)
	}
	answer, err := transport.Do[batchAnswer](ctx, c.made().t, transport.Call{
		Op: "SendBatch", Effect: transport.Relay, Method: http.MethodPost,
		Answer:     transport.Says("*results"),
		Echo:       transport.Echo(func(a *batchAnswer) error { return a.mismatch(items) }),
		Path:       transport.Path("/transactions/send-batch"),
		Body:       batchBody{texts, req.MaxConcurrency, req.RelayOptions.body(encoding)},
		MinTimeout: req.answerWithin(req.rounds(len(texts))), Secrets: texts,
		BeforeRepeat: func(context.Context) error { lost = true; return nil },
	}, opts)
	if err == nil && lost {
		answer.doubt()
	}
	return answer, err
}

func signatureOf(text, encoding string) string {
	var tx walletfi.EncodedTransaction = walletfi.Base64Transaction(text)
	if encoding != tx.Encoding() {
		tx = walletfi.Base58Transaction(text)
	}
	signature, _ := walletfi.TransactionSignature(tx)
	return signature
}

// rounds returns how many rounds the service needs to send so many
// transactions.
func (r SendBatchRequest) rounds(transactions int) int {
	atOnce := DefaultBatchConcurrency
	if r.MaxConcurrency != nil {
		atOnce = *r.MaxConcurrency
	}
	return (transactions + atOnce - 1) / atOnce
}

func (r SendBatchRequest) problem(late []string) error {
	return check.All(
		check.That(len(r.Transactions) > 0, "signedTransactions", "must not be empty"),
		check.Each("signedTransactions", r.Transactions, serialised),
		check.EachSigned("signedTransactions", r.Transactions, late),
		r.RelayOptions.problem(),
		check.RangeOf("maxConcurrency", r.MaxConcurrency, 1, MaxBatchConcurrency),
	)
}

// batchBody is one call's part of a SendBatchRequest on the wire.
type batchBody struct {
	SignedTransactions []string `json:"signedTransactions"`
	MaxConcurrency     *int     `json:"maxConcurrency,omitempty"`
	relayBody
}

// oneEncoding returns the texts of transactions in one encoding, because a call
// can state only one: their own, or base64 if they differ.
func oneEncoding(txs []walletfi.EncodedTransaction) (texts []string, encoding string, err error) {
	encoding = txs[0].Encoding()
	for _, tx := range txs {
		if tx.Encoding() != encoding {
			encoding = walletfi.Base64Transaction("").Encoding()
		}
	}
	for _, tx := range txs {
		if short, ok := tx.(walletfi.Base58Transaction); ok && encoding != tx.Encoding() {
			if tx, err = short.Base64(); err != nil {
				return nil, "", err
			}
		}
		texts = append(texts, tx.String())
	}
	return texts, encoding, nil
}
