package webhooks

import (
	"github.com/gagliardetto/solana-go"
	"github.com/mr-tron/base58"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// batch gathers what a slot holds for a webhook.
type batch struct {
	slot     uint64
	receipts []*ledger.Receipt
}

type ledgerPayload struct {
	WebhookID    string              `json:"webhookId"`
	Network      string              `json:"network"`
	Timestamp    int64               `json:"timestamp"`
	Slot         uint64              `json:"slot"`
	Transactions []ledgerTransaction `json:"transactions"`
}

type ledgerTransaction struct {
	Signature   string     `json:"signature"`
	Meta        ledgerMeta `json:"meta"`
	Transaction struct {
		Message struct {
			AccountKeys  []string            `json:"accountKeys"`
			Instructions []ledgerInstruction `json:"instructions"`
		} `json:"message"`
		Signatures []string `json:"signatures"`
	} `json:"transaction"`
}

type ledgerMeta struct {
	Fee          uint64          `json:"fee"`
	PreBalances  []uint64        `json:"preBalances"`
	PostBalances []uint64        `json:"postBalances"`
	Err          *ledger.TxError `json:"err"`
}

type ledgerInstruction struct {
	ProgramIDIndex int    `json:"programIdIndex"`
	Accounts       []int  `json:"accounts"`
	Data           string `json:"data"` // base58
}

// landedOnLedger gathers a transaction, failed ones too, for the webhooks that
// watch one of its accounts. They are notified when the slot has ended.
func (w *Service) landedOnLedger(r *ledger.Receipt) {
	for _, h := range w.hooks {
		if h.template != LedgerWalletFilter || !h.live() || !h.concerned(r.Keys) {
			continue
		}
		if h.batch != nil && h.batch.slot == r.Slot {
			h.batch.receipts = append(h.batch.receipts, r)
			continue
		}
		batch := &batch{r.Slot, []*ledger.Receipt{r}}
		h.batch = batch
		end := w.TimeOf(w.BlockFrom(r.Slot + 1))
		w.At(end, func() {
			if h.live() {
				w.notify(h, h.ledgerPayload(batch))
			}
		})
	}
}

func (h *hook) concerned(keys []solana.PublicKey) bool {
	for _, k := range keys {
		if h.filter.watches(k.String()) {
			return true
		}
	}
	return false
}

func (h *hook) ledgerPayload(b *batch) *ledgerPayload {
	p := &ledgerPayload{WebhookID: h.id, Network: h.network, Timestamp: b.receipts[0].Time.Unix(), Slot: b.slot}
	for _, r := range b.receipts {
		p.Transactions = append(p.Transactions, ofReceipt(r))
	}
	return p
}

// ofReceipt writes the accounts that a lookup table added after the
// others, so that every index of an instruction leads somewhere.
func ofReceipt(r *ledger.Receipt) ledgerTransaction {
	t := ledgerTransaction{Signature: r.Signature.String(), Meta: ledgerMeta{r.Fee, r.Pre, r.Post, r.Err}}
	for _, k := range r.Keys {
		t.Transaction.Message.AccountKeys = append(t.Transaction.Message.AccountKeys, k.String())
	}
	for _, in := range r.Tx.Instructions {
		t.Transaction.Message.Instructions = append(t.Transaction.Message.Instructions, ledgerInstruction{
			in.Program, append([]int{}, in.Accounts...), base58.Encode(in.Data),
		})
	}
	for _, s := range r.Tx.Signatures {
		t.Transaction.Signatures = append(t.Transaction.Signatures, s.String())
	}
	return t
}

// ledgerSample is a transfer of one lamport from the first watched address.
func (w *Service) ledgerSample(h *hook) *ledgerPayload {
	signature := solana.SignatureFromBytes(w.Keypair("webhook sample")).String()
	to := build.PublicKey(w.Keypair("webhook sample")).String()
	var t ledgerTransaction
	t.Signature = signature
	t.Meta = ledgerMeta{5000, []uint64{1_000_000, 0, 1}, []uint64{994_999, 1, 1}, nil}
	t.Transaction.Signatures = []string{signature}
	t.Transaction.Message.AccountKeys = []string{h.filter.addresses[0], to, solana.SystemProgramID.String()}
	t.Transaction.Message.Instructions = []ledgerInstruction{
		{2, []int{0, 1}, base58.Encode([]byte{2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0})},
	}
	return &ledgerPayload{h.id, h.network, w.Now().Unix(), w.CurrentSlot(), []ledgerTransaction{t}}
}
