package sandbox

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

// EmitUTXO makes a block with the transactions happen on a chain of unspent
// outputs. Each webhook of UTXOWalletFilter on that network gets those that
// touch one of its addresses in one delivery. An empty network stands for all.
func (s *Sandbox) EmitUTXO(network string, transactions ...UTXOTransaction) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w := s.webhooks
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

func (h *webhooksHook) matchesUTXO(t UTXOTransaction) bool {
	return h.template == UTXOWalletFilter && slices.ContainsFunc(slices.Concat(t.Inputs, t.Outputs), func(a UTXOAmount) bool {
		return h.filter.watches(a.Address)
	})
}

// utxoPayload is in an envelope like that of the other chains or a bare array,
// in turn: the payload of such a chain is not documented.
func (w *webhooks) utxoPayload(h *webhooksHook, transactions []UTXOTransaction) any {
	if w.turn("webhooks utxo payload", 2) == 1 {
		return transactions
	}
	return map[string]any{
		"webhookId": h.id, "network": h.network, "timestamp": w.now().Unix(),
		"blockHeight": w.block, "transactions": transactions,
	}
}

// sample is the body of a test delivery.
func (w *webhooks) sample(h *webhooksHook) []byte {
	switch h.template {
	case LedgerWalletFilter:
		return webhooksBody(w.ledgerSample(h))
	case UTXOWalletFilter:
		address := h.filter.addresses[0]
		return webhooksBody(w.utxoPayload(h, []UTXOTransaction{{
			TxID: strings.Repeat("ab", 32), Inputs: []UTXOAmount{{address, 1000}}, Outputs: []UTXOAmount{{address, 900}},
		}}))
	}
	return webhooksBody(w.evmSample(h))
}
