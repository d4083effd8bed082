package providerswap

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/transport"
)

var _ walletfi.Submitter = (*Client)(nil)

// Bundle is a bundle that was sent. The names in the answer are not documented:
// what was found under the usual ones is filled, and everything is in Raw.
type Bundle struct {
	ID string // empty where not found
	// Signature is what the service names as the transaction's hash, base58;
	// where it was not found, the first signature of what was sent.
	Signature string
	Raw       walletfi.Document
}

// UnmarshalJSON keeps the answer as it came in Raw.
func (b *Bundle) UnmarshalJSON(data []byte) error {
	found := search(data)
	*b = Bundle{
		ID: found.text("bundleid", "bundleuuid", "bundle", "uuid", "id"),
		Signature: found.signature("transactionhash", "txhash", "transactionsignature", "txsignature", "signature",
			"transactionid", "txid", "hash", "transaction", "tx"),
		Raw: clone(data),
	}
	if data[0] == '"' {
		return json.Unmarshal(data, &b.ID) // a bare id
	}
	return nil
}

// MarshalJSON returns the answer as it came.
func (b Bundle) MarshalJSON() ([]byte, error) { return b.Raw.MarshalJSON() }

// SendBundle sends one signed transaction as a bundle, past the public queue.
// It should carry a tip: see BuildV1Request.MEVSafe.
//
// GET /api/v1/swap/bundle. It moves money although it is a GET. The same bytes
// may be sent again, since the ledger executes them once; without a clear
// answer, and after one that says error with a 2xx status, the error is
// walletfi.ErrOutcomeUnknown with the signature.
func (c *Client) SendBundle(ctx context.Context, signed walletfi.Base64Transaction, opts ...walletfi.CallOption) (*Bundle, error) {
	type query struct {
		Signed walletfi.Base64Transaction `url:"signedTransaction"`
	}
	signature, _ := walletfi.TransactionSignature(signed)
	bundle, err := transport.Do[Bundle](ctx, c.t, transport.Call{
		Op: "SendBundle", Effect: transport.Relay, Method: http.MethodGet,
		Path: transport.Path("/api/v1/swap/bundle"), Query: query{signed},
		Invalid:   check.That(isTransaction(string(signed)), "signedTransaction", "must be a transaction in base64"),
		Signature: signature,
		// Whoever reads it in a log could send it.
		Secrets: []string{string(signed)},
	}, opts)
	if err != nil {
		return nil, doubted(err, signature)
	}
	bundle.Signature = cmp.Or(bundle.Signature, signature)
	return bundle, nil
}

// Submit sends tx with SendBundle and returns its signature: it makes the
// client a walletfi.Submitter. It is no walletfi.BundleSubmitter, since the
// service takes a single transaction a bundle.
func (c *Client) Submit(ctx context.Context, tx walletfi.Signed) (string, error) {
	bundle, err := c.SendBundle(ctx, tx.Transaction)
	if err != nil {
		return "", err
	}
	// The ledger goes by what was signed, whatever the service calls it.
	own, _ := walletfi.TransactionSignature(tx.Transaction)
	return cmp.Or(own, bundle.Signature), nil
}
