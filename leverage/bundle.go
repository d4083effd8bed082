package leverage

import (
	"cmp"
	"context"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/callopt"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/transport"
)

var (
	_ walletfi.Submitter       = (*Client)(nil)
	_ walletfi.BundleSubmitter = (*Client)(nil)
	_ walletfi.TipReader       = (*Client)(nil)
)

// BundleTip is the lowest tip with which a bundle is considered.
type BundleTip struct {
	TipLamports walletfi.Amount `json:"tipLamports" wire:"said"`

	// Raw is the answer as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

// GetBundleTip returns the lowest tip with which a bundle is considered now.
//
// GET /api/v1/bundle/tip.
func (c *Client) GetBundleTip(ctx context.Context, opts ...walletfi.CallOption) (*BundleTip, error) {
	return transport.Do[BundleTip](ctx, c.made().t, transport.Call{
		Op: "GetBundleTip", Effect: transport.Read, Method: http.MethodGet,
		Answer: transport.Says("tipLamports:number"),
		Path:   transport.Path("/api/v1/bundle/tip"),
	}, opts)
}

// TipAt returns the tip of [Client.GetBundleTip], whatever the percentile. It implements
// [walletfi.TipReader].
func (c *Client) TipAt(ctx context.Context, _ int) (walletfi.Amount, error) {
	tip, err := c.GetBundleTip(ctx)
	if err != nil {
		return 0, err
	}
	return tip.TipLamports, nil
}

// SendRequest holds a signed transaction to send.
type SendRequest struct {
	Transaction walletfi.Base58Transaction `json:"transaction"` // signed; required
	// MEVProtect keeps the transaction out of the public queue. Nil lets the
	// service decide.
	MEVProtect *bool `json:"mevProtect,omitempty"`
}

// SendTransaction sends one signed transaction. If it lacks a signature, nothing
// is sent, unless [walletfi.WithLateSigners] names the signer.
//
// POST /api/v1/bundle/submit. The same bytes may be sent again, because the
// ledger executes them once. Without a clear answer the error is
// [walletfi.ErrOutcomeUnknown] with the signature.
func (c *Client) SendTransaction(ctx context.Context, req SendRequest, opts ...walletfi.CallOption) (*Sent, error) {
	signature, _ := walletfi.TransactionSignature(req.Transaction)
	doc, err := transport.DoDocument(ctx, c.made().t, transport.Call{
		Op: "SendTransaction", Effect: transport.Relay, Method: http.MethodPost,
		Answer: transport.Silent("no answer is documented, and the signature is known before it is sent"),
		Echo:   ofSent(Sent.signature, signature),
		Path:   transport.Path("/api/v1/bundle/submit"), Body: req, Signature: signature,
		Secrets: []string{string(req.Transaction)},
		Invalid: check.All(
			check.Required("transaction", req.Transaction),
			check.Signed("transaction", req.Transaction, callopt.Of(opts).LateSigners),
		),
	}, opts)
	if err != nil {
		return nil, err
	}
	sent := sentIn(doc)
	sent.Signature = cmp.Or(signature, sent.signature())
	return &sent, nil
}

// SendBundle sends signed transactions that land together, in order, or not at
// all. If one lacks a signature, nothing is sent, unless
// [walletfi.WithLateSigners] names the signer.
//
// POST /api/v1/bundle. The same bytes may be sent again, because the ledger
// executes them once. Without a clear answer the error is
// [walletfi.ErrOutcomeUnknown] with the first transaction's signature.
func (c *Client) SendBundle(
	ctx context.Context, transactions []walletfi.Base58Transaction, opts ...walletfi.CallOption,
) (*Sent, error) {
	var signature string
	texts, signatures := make([]string, len(transactions)), make([]string, len(transactions))
	for i, tx := range transactions {
		texts[i] = string(tx)
		signatures[i], _ = walletfi.TransactionSignature(tx)
		signature = signatures[0]
	}
	doc, err := transport.DoDocument(ctx, c.made().t, transport.Call{
		Op: "SendBundle", Effect: transport.Relay, Method: http.MethodPost,
		Answer: transport.Silent("no answer is documented, and the signature is known before it is sent"),
		Echo:   ofSent(func(s Sent) string { return s.Signature }, signatures...),
		Path:   transport.Path("/api/v1/bundle"), Signature: signature, Secrets: texts,
		Body: struct {
			Transactions []walletfi.Base58Transaction `json:"transactions"`
		}{transactions},
		Invalid: check.All(
			check.That(len(transactions) > 0, "transactions", "must not be empty"),
			check.Each("transactions", transactions, check.Required[walletfi.Base58Transaction]),
			check.EachSigned("transactions", transactions, callopt.Of(opts).LateSigners),
		),
	}, opts)
	if err != nil {
		return nil, err
	}
	sent := sentIn(doc)
	sent.Signature = cmp.Or(signature, sent.Signature)
	sent.BundleID = cmp.Or(sent.BundleID, sent.text)
	return &sent, nil
}

// Submit sends tx with [Client.SendTransaction] and returns its signature. It
// implements [walletfi.Submitter].
func (c *Client) Submit(ctx context.Context, tx walletfi.Signed) (string, error) {
	encoded, err := tx.Transaction.Base58()
	if err != nil {
		return "", transport.Unsent(err)
	}
	sent, err := c.SendTransaction(ctx, SendRequest{Transaction: encoded}, walletfi.WithLateSigners(check.Late(tx)...))
	if err != nil {
		return "", transport.Unsent(err)
	}
	return cmp.Or(sent.Signature, tx.Signature), nil
}

// SubmitBundle sends txs with [Client.SendBundle] and returns the bundle's id,
// or "" if the service does not state one. It implements
// [walletfi.BundleSubmitter].
func (c *Client) SubmitBundle(ctx context.Context, txs []walletfi.Signed) (string, error) {
	encoded := make([]walletfi.Base58Transaction, len(txs))
	var late []string
	for i, tx := range txs {
		var err error
		if encoded[i], err = tx.Transaction.Base58(); err != nil {
			return "", transport.Unsent(err)
		}
		late = append(late, check.Late(tx)...)
	}
	sent, err := c.SendBundle(ctx, encoded, walletfi.WithLateSigners(late...))
	if err != nil {
		return "", transport.Unsent(err)
	}
	return sent.BundleID, nil
}
