package webhooks

import (
	"slices"
	"strings"
)

// UTXOTransaction is a transaction of a made-up chain of unspent outputs.
type UTXOTransaction struct {
	TxID    string       `json:"txid"` // filled in where it is empty
	Inputs  []UTXOAmount `json:"vin"`
	Outputs []UTXOAmount `json:"vout"`
}

// UTXOAmount is an input or an output.
type UTXOAmount struct {
	Address string `json:"address"`
	Value   uint64 `json:"value"` // smallest units
}

// EmitUTXO adds a block with the transactions to a chain of unspent outputs.
// Each webhook of UTXOWalletFilter on that network gets those that touch one of
// its addresses in one delivery. An empty network means all.
func (w *Service) EmitUTXO(network string, transactions ...UTXOTransaction) {
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
		matching := slices.DeleteFunc(slices.Clone(block), func(t UTXOTransaction) bool { return !h.matchesUTXO(t) })
		if h.live() && len(matching) > 0 && (network == "" || network == h.network) {
			w.notify(h, w.utxoPayload(h, matching))
		}
	}
}

func (h *hook) matchesUTXO(t UTXOTransaction) bool {
	return h.template == UTXOWalletFilter && slices.ContainsFunc(slices.Concat(t.Inputs, t.Outputs), func(a UTXOAmount) bool {
		return h.filter.watches(a.Address)
	})
}

// utxoPayload is in an envelope like that of the other chains or a bare array,
// in turn: the payload of such a chain is not documented.
func (w *Service) utxoPayload(h *hook, transactions []UTXOTransaction) any {
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
		return body(w.ledgerSample(h))
	case UTXOWalletFilter:
		address := h.filter.addresses[0]
		return body(w.utxoPayload(h, []UTXOTransaction{{
			TxID: strings.Repeat("ab", 32), Inputs: []UTXOAmount{{address, 1000}}, Outputs: []UTXOAmount{{address, 900}},
		}}))
	}
	return body(w.evmSample(h))
}
