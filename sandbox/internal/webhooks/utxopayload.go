package webhooks

import (
	"slices"
	"strings"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// EmitUTXO does what sandbox.WebhooksHandle.EmitUTXO says.
func (w *Service) EmitUTXO(network string, transactions ...play.UTXOTransaction) {
	w.Lock()
	defer w.Unlock()
	w.block++
	block := slices.Clone(transactions)
	for i := range block {
		if block[i].TxID == "" {
			block[i].TxID = strings.TrimPrefix(w.hash(), "0x")
		}
	}
	for _, h := range w.hooks {
		matching := slices.DeleteFunc(slices.Clone(block), func(t play.UTXOTransaction) bool { return !h.matchesUTXO(t) })
		if h.live() && len(matching) > 0 && (network == "" || network == h.network) {
			w.notify(h, w.utxoPayload(h, matching))
		}
	}
}

func (h *hook) matchesUTXO(t play.UTXOTransaction) bool {
	return h.template == UTXOWalletFilter &&
		slices.ContainsFunc(slices.Concat(t.Inputs, t.Outputs), func(a play.UTXOAmount) bool {
			return h.filter.watches(a.Address)
		})
}

// utxoPayload is in an envelope like that of the other chains or a bare array,
// in turn: the payload of such a chain is not documented.
func (w *Service) utxoPayload(h *hook, transactions []play.UTXOTransaction) any {
	if w.Turn("webhooks utxo payload", 2) == 1 {
		return transactions
	}
	return map[string]any{
		"webhookId": h.id, "network": h.network, "timestamp": w.Now().Unix(),
		"blockHeight": w.block, "transactions": transactions,
	}
}

// sample is the body of a test delivery.
func (w *Service) sample(h *hook) []byte {
	switch h.template {
	case LedgerWalletFilter:
		return kit.MustJSON(w.ledgerSample(h))
	case UTXOWalletFilter:
		address := h.filter.addresses[0]
		return kit.MustJSON(w.utxoPayload(h, []play.UTXOTransaction{{
			TxID:    strings.Repeat("ab", 32),
			Inputs:  []play.UTXOAmount{{Address: address, Value: 1000}},
			Outputs: []play.UTXOAmount{{Address: address, Value: 900}},
		}}))
	}
	return kit.MustJSON(w.evmSample(h))
}
