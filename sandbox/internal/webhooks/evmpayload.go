package webhooks

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// EmitEVM does what sandbox.WebhooksHandle.EmitEVM says.
func (w *Service) EmitEVM(network string, transactions ...play.EVMTransaction) {
	w.Lock()
	defer w.Unlock()
	w.block++
	hash := w.hash()
	logs := 0
	var block []play.EVMTransaction
	for _, t := range transactions {
		t = w.complete(t, logs)
		logs += len(t.Logs)
		block = append(block, t)
	}
	for _, h := range w.hooks {
		matching := slices.DeleteFunc(slices.Clone(block), func(t play.EVMTransaction) bool { return !h.matchesEVM(t) })
		if h.live() && len(matching) > 0 && (network == "" || network == h.network) {
			w.notify(h, w.evmPayload(h, hash, matching))
		}
	}
}

func (w *Service) evmPayload(h *hook, hash string, transactions []play.EVMTransaction) any {
	return map[string]any{
		"webhookId": h.id, "network": h.network, "timestamp": w.Now().Unix(), "blockNumber": w.block, "blockHash": hash,
		"transactions": transactions,
	}
}

// hash makes up 32 bytes.
func (w *Service) hash() string {
	return fmt.Sprintf("0x%016x%016x%016x%016x", w.Random(), w.Random(), w.Random(), w.Random())
}

// complete fills in what is empty. Logs are counted through the block.
func (w *Service) complete(t play.EVMTransaction, logs int) play.EVMTransaction {
	if t.Hash == "" {
		t.Hash = w.hash()
	}
	t.Value, t.Gas = cmp.Or(t.Value, "0"), cmp.Or(t.Gas, "21000")
	t.GasPrice, t.Input = cmp.Or(t.GasPrice, "1000000000"), cmp.Or(t.Input, "0x")
	completed := []play.EVMLog{}
	for i, l := range t.Logs {
		topics := []string{}
		if l.Event != "" {
			topics = append(topics, Topic(l.Event))
		}
		l.Topics = append(topics, l.Topics...)
		l.Data, l.LogIndex = cmp.Or(l.Data, "0x"), logs+i
		completed = append(completed, l)
	}
	t.Logs = completed
	return t
}

func (h *hook) matchesEVM(t play.EVMTransaction) bool {
	switch h.template {
	case evmWallets:
		return h.filter.watches(strings.ToLower(t.From)) || h.filter.watches(strings.ToLower(t.To))
	case evmContracts:
		return slices.ContainsFunc(t.Logs, func(l play.EVMLog) bool {
			return h.filter.watches(strings.ToLower(l.Address)) && len(l.Topics) > 0 &&
				slices.Contains(h.filter.topics, strings.ToLower(l.Topics[0]))
		})
	case evmabi:
		return t.Input != "0x" || len(t.Logs) > 0
	}
	return false
}

// evmSample is a transaction that the webhook's filter lets through.
func (w *Service) evmSample(h *hook) any {
	const somebody = "0x00000000000000000000000000000000000000aa"
	t := play.EVMTransaction{From: somebody, To: somebody, Value: "1", Input: "0xa9059cbb"}
	switch h.template {
	case evmWallets:
		t.From = h.filter.addresses[0]
	case evmContracts:
		t.To = h.filter.addresses[0]
		t.Logs = []play.EVMLog{{Address: t.To, Topics: h.filter.topics[:1]}}
	}
	return w.evmPayload(h, w.hash(), []play.EVMTransaction{w.complete(t, 0)})
}

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
