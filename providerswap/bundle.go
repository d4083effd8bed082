package providerswap

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/callopt"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/echo"
	"github.com/walletfi/walletfi-go/internal/transport"
)

var _ walletfi.Submitter = (*Client)(nil)

// Sent is the answer to a bundle. The field names of the answer are not
// documented: the typed fields are looked up under usual names, and everything
// is in Raw.
type Sent struct {
	BundleID string // the service's id of the bundle, empty if not found
	// Signature is that of the transaction, base58. It is read from the signed
	// bytes, whatever the answer says. Only if the fee payer has not signed yet is
	// it taken from the answer.
	Signature string
	Raw       walletfi.Document
}

// signatureNames are the members that may hold the signature, folded.
var signatureNames = []string{
	"transactionhash", "txhash", "transactionsignature", "txsignature", "signature", "transactionid", "txid", "hash",
	"transaction", "tx",
}

// UnmarshalJSON keeps the answer as it arrived in Raw.
func (b *Sent) UnmarshalJSON(data []byte) error {
	found := search(data)
	*b = Sent{BundleID: found.text("bundleid", "bundleuuid", "bundle", "uuid", "id"), Raw: clone(data)}
	if named := found.signatures(signatureNames...); len(named) > 0 {
		b.Signature = named[0]
	}
	if data[0] == '"' {
		return json.Unmarshal(data, &b.BundleID) // a bare id
	}
	return nil
}

// MarshalJSON returns the answer as it arrived.
func (b Sent) MarshalJSON() ([]byte, error) { return b.Raw.MarshalJSON() }

// SendBundle sends one signed transaction as a bundle, which bypasses the
// public queue. The transaction should pay a tip: see BuildV1Request.MEVSafe. If
// it lacks a signature, nothing is sent, unless [walletfi.WithLateSigners] names
// the signer, such as the sponsor of a Gasless swap.
//
// GET /api/v1/swap/bundle. It moves money although it is a GET. The same bytes
// may be sent again, because the ledger executes them once. Without a clear
// answer, after an error with a 2xx status, and if the answer names the signature of
// another transaction, the error is [walletfi.ErrOutcomeUnknown] with the signature.
func (c *Client) SendBundle(
	ctx context.Context, signed walletfi.Base64Transaction, opts ...walletfi.CallOption,
) (*Sent, error) {
	type query struct {
		Signed walletfi.Base64Transaction `url:"signedTransaction"`
	}
	signature, _ := walletfi.TransactionSignature(signed)
	bundle, err := transport.Do[Sent](ctx, c.made().t, transport.Call{
		Op: "SendBundle", Effect: transport.Relay, Method: http.MethodGet,
		Answer: transport.Open(transport.NoNames),
		Echo: transport.Echo(func(b *Sent) error {
			named := search(b.Raw).signatures(signatureNames...)
			return echo.Each(named, func(is string) error { return echo.Text("signature", signature, is) })
		}),
		Path: transport.Path("/api/v1/swap/bundle"), Query: query{signed},
		Invalid: check.All(
			check.That(isTransaction(string(signed)), "signedTransaction", "must be a transaction in base64"),
			check.Signed("signedTransaction", signed, callopt.Of(opts).LateSigners),
		),
		Signature: signature,
		// Anyone who reads it in a log could send it.
		Secrets: []string{string(signed)},
	}, opts)
	if err != nil {
		return nil, err
	}
	bundle.Signature = cmp.Or(signature, bundle.Signature)
	return bundle, nil
}

// Submit sends tx with [Client.SendBundle] and returns its signature. It
// implements [walletfi.Submitter]. Client is not a [walletfi.BundleSubmitter],
// because the service takes one transaction per bundle.
func (c *Client) Submit(ctx context.Context, tx walletfi.Signed) (string, error) {
	bundle, err := c.SendBundle(ctx, tx.Transaction, walletfi.WithLateSigners(check.Late(tx)...))
	if err != nil {
		return "", transport.Unsent(err)
	}
	// The ledger knows the transaction by the signature over it, not by what the
	// service returns.
	own, _ := walletfi.TransactionSignature(tx.Transaction)
	return cmp.Or(own, bundle.Signature), nil
}
