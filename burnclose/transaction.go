package burnclose

import (
	"strings"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/echo"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// Transaction is a burn or a close to check and sign.
type Transaction struct {
	Transaction walletfi.Base58Transaction `json:"serializedTransaction" wire:"required"`
	// LastValidBlockHeight and Blockhash are not documented. They are 0 and empty
	// if the answer does not hold them.
	LastValidBlockHeight uint64 `json:"lastValidBlockHeight" wire:"strict,decides,optional"`
	Blockhash            string `json:"blockhash" wire:"strict"`

	Reclaimed `json:"-"`
	Operation string            `json:"-"` // type of operation, as the service names it
	Raw       walletfi.Document `json:"-"`

	intent walletfi.Intent
}

// decode reads the known fields and keeps the answer in Raw.
func (t *Transaction) decode(b []byte, waive func(wire.Breach) bool) error {
	t.Raw = wire.Keep(b)
	if err := wire.DecodeFields(b, t, waive); err != nil {
		return err
	}
	answer, err := readDeciding(b)
	if err != nil {
		return err
	}
	t.Operation = operationIn(answer)
	t.Reclaimed, err = reclaimedIn(answer)
	return err
}

// Unsigned returns the transaction with the intent of the request.
func (t *Transaction) Unsigned() walletfi.Unsigned {
	return walletfi.Unsigned{
		Transactions:         []walletfi.EncodedTransaction{t.Transaction},
		Intent:               t.intent,
		LastValidBlockHeight: t.LastValidBlockHeight,
		Blockhash:            t.Blockhash,
	}
}

// Preview says how much a burn or a close would cost and reclaim. The shape of the
// fee breakdown is not documented: it is in Raw.
type Preview struct {
	Reclaimed `json:"-"`
	Operation string            `json:"-"` // type of operation, as the service names it
	Raw       walletfi.Document `json:"-"`
}

// UnmarshalJSON reads the known fields and keeps the answer in Raw.
func (p *Preview) UnmarshalJSON(b []byte) error {
	answer, reclaimed, err := previewed(b)
	if err != nil {
		return err
	}
	p.Reclaimed = reclaimed
	p.Operation = operationIn(answer)
	return p.Raw.UnmarshalJSON(b)
}

// MarshalJSON returns the preview as it arrived.
func (p Preview) MarshalJSON() ([]byte, error) { return p.Raw.MarshalJSON() }

// mismatch holds a preview against the asset and the amount that were asked for. An asset is
// a mint or an account: one of those that the preview has must be it.
func (p *Preview) mismatch(asset string, amount *walletfi.Amount) error {
	var others []string
	isAsked := false
	found := echo.Walk(p.Raw, func(path, said string) error {
		switch path {
		case "assetid", "mint", "account", "tokenaccount", "asset.mint", "asset.account", "asset.tokenaccount":
			isAsked = isAsked || echo.Mint("", asset, said) == nil
			others = append(others, said)
		case "burnamount", "asset.burnamount":
			return echo.That(amount == nil || amount.String() == said, path, amount, said)
		}
		return nil
	})
	named := strings.Join(others, ", ")
	return echo.All(found, echo.That(isAsked || named == "", "assetId, mint or account", asset, named))
}

func operationIn(answer members) string { return answer.text("operationType", "operation", "type") }
