package sandbox

import (
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/mr-tron/base58"

	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// webhooksBatch gathers what a slot holds for a webhook.
type webhooksBatch struct {
	slot     uint64
	receipts []*ledger.Receipt
}

type webhooksLedgerPayload struct {
	WebhookID    string                      `json:"webhookId"`
	Network      string                      `json:"network"`
	Timestamp    int64                       `json:"timestamp"`
	Slot         uint64                      `json:"slot"`
	Transactions []webhooksLedgerTransaction `json:"transactions"`
}

type webhooksLedgerTransaction struct {
	Signature   string             `json:"signature"`
	Meta        webhooksLedgerMeta `json:"meta"`
	Transaction struct {
		Message struct {
			AccountKeys  []string                    `json:"accountKeys"`
			Instructions []webhooksLedgerInstruction `json:"instructions"`
		} `json:"message"`
		Signatures []string `json:"signatures"`
	} `json:"transaction"`
}

type webhooksLedgerMeta struct {
	Fee          uint64          `json:"fee"`
	PreBalances  []uint64        `json:"preBalances"`
	PostBalances []uint64        `json:"postBalances"`
	Err          *ledger.TxError `json:"err"`
}

type webhooksLedgerInstruction struct {
	ProgramIDIndex int    `json:"programIdIndex"`
	Accounts       []int  `json:"accounts"`
	Data           string `json:"data"` // base58
}

// landedOnLedger gathers a transaction, failed ones too, for the webhooks that
// watch one of its accounts. They are notified when the slot has ended.
func (w *webhooks) landedOnLedger(r *ledger.Receipt) {
	for _, h := range w.hooks {
		if h.template != LedgerWalletFilter || !h.live() || !h.concerned(r.Keys) {
			continue
		}
		if h.batch != nil && h.batch.slot == r.Slot {
			h.batch.receipts = append(h.batch.receipts, r)
			continue
		}
		batch := &webhooksBatch{r.Slot, []*ledger.Receipt{r}}
		h.batch = batch
		end := w.chain.start.Add(time.Duration(r.Slot-firstSlot+1) * w.config.SlotTime)
		w.at(end, func() {
			if h.live() {
				w.notify(h, h.ledgerPayload(batch))
			}
		})
	}
}

func (h *webhooksHook) concerned(keys []solana.PublicKey) bool {
	for _, k := range keys {
		if h.filter.watches(k.String()) {
			return true
		}
	}
	return false
}

func (h *webhooksHook) ledgerPayload(b *webhooksBatch) *webhooksLedgerPayload {
	p := &webhooksLedgerPayload{WebhookID: h.id, Network: h.network, Timestamp: b.receipts[0].Time.Unix(), Slot: b.slot}
	for _, r := range b.receipts {
		p.Transactions = append(p.Transactions, webhooksOfReceipt(r))
	}
	return p
}

// webhooksOfReceipt writes the accounts that a lookup table added behind the
// others, so that every index of an instruction leads somewhere.
func webhooksOfReceipt(r *ledger.Receipt) webhooksLedgerTransaction {
	t := webhooksLedgerTransaction{Signature: r.Signature.String(), Meta: webhooksLedgerMeta{r.Fee, r.Pre, r.Post, r.Err}}
	for _, k := range r.Keys {
		t.Transaction.Message.AccountKeys = append(t.Transaction.Message.AccountKeys, k.String())
	}
	for _, in := range r.Tx.Instructions {
		t.Transaction.Message.Instructions = append(t.Transaction.Message.Instructions, webhooksLedgerInstruction{
			in.Program, append([]int{}, in.Accounts...), base58.Encode(in.Data),
		})
	}
	for _, s := range r.Tx.Signatures {
		t.Transaction.Signatures = append(t.Transaction.Signatures, s.String())
	}
	return t
}

// ledgerSample is a transfer of one lamport from the first watched address.
func (w *webhooks) ledgerSample(h *webhooksHook) *webhooksLedgerPayload {
	signature := solana.SignatureFromBytes(w.keypair("webhook sample")).String()
	to := publicKey(w.keypair("webhook sample")).String()
	var t webhooksLedgerTransaction
	t.Signature = signature
	t.Meta = webhooksLedgerMeta{5000, []uint64{1_000_000, 0, 1}, []uint64{994_999, 1, 1}, nil}
	t.Transaction.Signatures = []string{signature}
	t.Transaction.Message.AccountKeys = []string{h.filter.addresses[0], to, solana.SystemProgramID.String()}
	t.Transaction.Message.Instructions = []webhooksLedgerInstruction{
		{2, []int{0, 1}, base58.Encode([]byte{2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0})},
	}
	return &webhooksLedgerPayload{h.id, h.network, w.now().Unix(), w.slot(), []webhooksLedgerTransaction{t}}
}
