package swap

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
	"github.com/walletfi/walletfi-go/sandbox/internal/market"
)

type intentRequest struct {
	InputMint  string  `query:"inputMint,required"`
	OutputMint string  `query:"outputMint,required"`
	Amount     uint64  `query:"amount,required"`
	Slippage   *uint64 `query:"slippageBps" max:"10000"`
	User       string  `query:"userPublicKey,required"`
}

// intent is an intent that was served: its order and the transaction that
// opens it.
type intent struct {
	order *order
	tx    build.Built
}

type intentAnswer struct {
	InputMint            string `json:"inputMint"`
	OutputMint           string `json:"outputMint"`
	InAmount             string `json:"inAmount"`
	GuaranteedOutAmount  string `json:"guaranteedOutAmount"`
	EstimatedOutAmount   string `json:"estimatedOutAmount"`
	SlippageBps          uint64 `json:"slippageBps"`
	Transaction          string `json:"transaction"`
	LastValidBlockHeight uint64 `json:"lastValidBlockHeight"`
}

// intent answers bytes that must come back as they are, as quote does.
func (w *Service) intent(c *kit.Call, in intentRequest) (any, error) {
	owner, err := c.Key(in.User, "userPublicKey")
	if err != nil {
		return nil, err
	}
	from, to, err := w.pair(in.InputMint, in.OutputMint)
	if err != nil {
		return nil, err
	}
	q, ok := w.book.Quote(market.Request{From: from, To: to, Amount: in.Amount, Hops: hops})
	if !ok {
		return nil, kit.Refuse(http.StatusBadRequest, "", "no route for the pair and amount")
	}
	slippage := slippageOf(&slippage{in.Slippage}, q)
	order := &order{Service: w, owner: owner, from: from, to: to, in: in.Amount, least: q.Limit(slippage), id: "ord_" + c.RequestID}
	order.price = func(part uint64) (uint64, filling) { return w.fillOverPools(q, part) }
	tx, err := w.Build(kit.Swap, build.Unsigned{
		Owner: owner, UnitLimit: unitsFew, UnitPrice: w.Congestion() * 1_000_000 / unitsFew,
		Instructions: []solana.Instruction{order.opening()},
	})
	if err != nil {
		return nil, err
	}
	raw := market.Disguise(intentAnswer{
		in.InputMint, in.OutputMint, text(in.Amount), text(order.least), text(q.Out), slippage,
		tx.Base64(), tx.LastValidBlockHeight,
	}, c.Shape(market.Disguises))
	w.intents.Keep(raw, &intent{order, tx})
	return kit.Reply{Raw: raw}, nil
}

// fillOverPools prices a part of an order at present.
func (w *Service) fillOverPools(q *market.Quote, part uint64) (uint64, filling) {
	fresh, ok := w.book.Again(q, part)
	if !ok {
		return 0, filling{}
	}
	book := func() {
		for _, l := range fresh.Legs() {
			l.Apply()
		}
		w.book.Restock(kit.Swap)
	}
	return fresh.Out, filling{book, fresh.Legs()}
}

type submitRequest struct {
	Signed string          `body:"signedTransaction,required"`
	Intent json.RawMessage `body:"intentResponse,required"`
}

// fillSeconds is about how long an order takes.
const fillSeconds = 2

// submitIntent sends the transaction that opens the order. The same one again
// is the same order.
func (w *Service) submitIntent(c *kit.Call, in submitRequest) (any, error) {
	served, ok := w.intents.Find(in.Intent)
	if !ok {
		c.Violate("intentResponse is not, to the byte, what was served")
		return nil, kit.Refuse(http.StatusBadRequest, "", "intentResponse is not the response of an intent")
	}
	raw, err := base64.StdEncoding.DecodeString(in.Signed)
	if err != nil {
		c.Violate("signedTransaction is not base64")
		return nil, kit.Refuse(http.StatusBadRequest, "", "signedTransaction is not base64")
	}
	if err := served.matches(raw); err != nil {
		return nil, kit.Refuse(http.StatusBadRequest, "", "%s", err)
	}
	receipt, err := w.Submit(raw)
	if err != nil && !errors.Is(err, ledger.ErrAlreadyProcessed) {
		return nil, kit.Refuse(http.StatusBadRequest, "", "the transaction was not accepted: %s", err)
	}
	return map[string]any{
		"orderId": served.order.id, "status": "submitted", "openSignature": receipt.Signature.String(),
		"estimatedFillTime": fillSeconds,
	}, nil
}

// matches holds a signed transaction against the one that was served.
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
