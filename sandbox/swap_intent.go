package sandbox

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

type swapIntentRequest struct {
	InputMint  string  `query:"inputMint,required"`
	OutputMint string  `query:"outputMint,required"`
	Amount     uint64  `query:"amount,required"`
	Slippage   *uint64 `query:"slippageBps" max:"10000"`
	User       string  `query:"userPublicKey,required"`
}

// swapIntent is an intent that was served: its order and the transaction that
// opens it.
type swapIntent struct {
	order *swapOrder
	tx    built
}

type swapIntentAnswer struct {
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
func (w *swap) intent(c *call, in swapIntentRequest) (any, error) {
	owner, err := c.key(in.User, "userPublicKey")
	if err != nil {
		return nil, err
	}
	from, to, err := w.pair(in.InputMint, in.OutputMint)
	if err != nil {
		return nil, err
	}
	q, ok := w.book.quote(poolRequest{from: from, to: to, amount: in.Amount, hops: swapHops})
	if !ok {
		return nil, refuse(http.StatusBadRequest, "", "no route for the pair and amount")
	}
	slippage := swapSlippageOf(&swapSlippage{in.Slippage}, q)
	order := &swapOrder{swap: w, owner: owner, from: from, to: to, in: in.Amount, least: q.limit(slippage), id: "ord_" + c.requestID}
	order.price = func(part uint64) (uint64, func()) { return w.fillOverPools(q, part) }
	tx, err := w.build(Swap, unsigned{
		owner: owner, unitLimit: swapUnitsFew, unitPrice: w.congestion() * 1_000_000 / swapUnitsFew,
		instructions: []solana.Instruction{order.opening()},
	})
	if err != nil {
		return nil, err
	}
	raw := poolDisguise(swapIntentAnswer{
		in.InputMint, in.OutputMint, swapText(in.Amount), swapText(order.least), swapText(q.out), slippage,
		tx.base64(), tx.LastValidBlockHeight,
	}, c.shape(poolDisguises))
	w.intents.keep(raw, &swapIntent{order, tx})
	return reply{raw: raw}, nil
}

// fillOverPools prices a part of an order at present, and says how the pools
// are changed by it.
func (w *swap) fillOverPools(q *poolQuote, part uint64) (uint64, func()) {
	fresh, ok := w.book.again(q, part)
	if !ok {
		return 0, nil
	}
	return fresh.out, func() {
		for _, l := range fresh.legs() {
			l.apply()
		}
		w.book.restock(Swap)
	}
}

type swapSubmitRequest struct {
	Signed string          `body:"signedTransaction,required"`
	Intent json.RawMessage `body:"intentResponse,required"`
}

// swapFillSeconds is about how long an order takes.
const swapFillSeconds = 2

// submitIntent sends the transaction that opens the order. The same one again
// is the same order.
func (w *swap) submitIntent(c *call, in swapSubmitRequest) (any, error) {
	served, ok := w.intents.find(in.Intent)
	if !ok {
		c.violate("intentResponse is not, to the byte, what was served")
		return nil, refuse(http.StatusBadRequest, "", "intentResponse is not the response of an intent")
	}
	raw, err := base64.StdEncoding.DecodeString(in.Signed)
	if err != nil {
		c.violate("signedTransaction is not base64")
		return nil, refuse(http.StatusBadRequest, "", "signedTransaction is not base64")
	}
	if err := served.matches(raw); err != nil {
		return nil, refuse(http.StatusBadRequest, "", "%s", err)
	}
	receipt, err := w.submit(raw)
	if err != nil && !errors.Is(err, ledger.ErrAlreadyProcessed) {
		return nil, refuse(http.StatusBadRequest, "", "the transaction was not accepted: %s", err)
	}
	return map[string]any{
		"orderId": served.order.id, "status": "submitted", "openSignature": receipt.Signature.String(),
		"estimatedFillTime": swapFillSeconds,
	}, nil
}

// matches holds a signed transaction against the one that was served.
func (i *swapIntent) matches(raw []byte) error {
	signed, err := ledger.Parse(raw)
	if err != nil {
		return fmt.Errorf("signedTransaction cannot be read: %w", err)
	}
	want, err := ledger.Parse(i.tx.raw)
	if err != nil || !bytes.Equal(signed.Message, want.Message) {
		return errors.New("signedTransaction is not the intent's transaction")
	}
	return nil
}
