package swap

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

type submitRequest struct {
	_      struct{}        `rule:"signedTransaction is a transaction in base64"`
	_      struct{}        `rule:"intentResponse is the entire response of an intent"`
	Signed string          `body:"signedTransaction,required" open:"its signatures"`
	Intent json.RawMessage `body:"intentResponse,required" form:"object"`
}

// intentLife is how long an intent is of use: well past the last block that its
// transaction can land in.
const intentLife = 10 * time.Minute

// fillSeconds is about how long an order takes.
const fillSeconds = 2

// Problems checks what the fields do not. The handler compares intentResponse.
func (in submitRequest) Problems(*kit.Call) []string { return build.Malformed("base64", in.Signed) }

// submitIntent sends the transaction that opens the order. The same one again
// is the same order.
func (w *Service) submitIntent(c *kit.Call, in submitRequest) any {
	served := w.intents.Returned(c, in.Intent, "intentResponse", "an intent")
	raw, err := base64.StdEncoding.DecodeString(in.Signed)
	kit.BadIf(err != nil, "signedTransaction is not base64")
	err = served.matches(raw)
	kit.BadIf(err != nil, "%s", err)
	receipt, err := w.Submit(raw)
	kit.BadIf(err != nil && !errors.Is(err, ledger.ErrAlreadyProcessed), "the transaction was not accepted: %s", err)
	return map[string]any{
		"orderId": served.order.id, "status": "submitted", "openSignature": receipt.Signature.String(),
		"estimatedFillTime": fillSeconds,
	}
}

// matches compares a signed transaction with the served transaction.
func (i *intent) matches(raw []byte) error {
	signed, err := ledger.Parse(raw)
	if err != nil {
		return fmt.Errorf("signedTransaction cannot be read: %w", err)
	}
	want, err := ledger.Parse(i.tx.Raw)
	if err != nil || !bytes.Equal(signed.Message, want.Message) {
		return errors.New("signedTransaction is not the intent's transaction")
	}
	return nil
}
