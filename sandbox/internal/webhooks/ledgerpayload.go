package webhooks

import (
	"slices"

	"github.com/gagliardetto/solana-go"
	"github.com/mr-tron/base58"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
	"github.com/walletfi/walletfi-go/sandbox/internal/snapshot"
)

// batch gathers what a slot holds for a webhook.
type batch struct {
	slot     uint64
	receipts []*ledger.Receipt
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
		w.At(end, telling{w, h, batch})
	}
}

// telling is when a webhook is told of a slot.
type telling struct {
	w *Service
	h *hook
	b *batch
}

var _ = snapshot.Keep(telling{}, (*letter)(nil))

// Happen tells it.
func (x telling) Happen() {
	if x.h.live() {
		x.w.notify(x.h, x.h.ledgerPayload(x.b))
	}
}

func (h *hook) concerned(keys []solana.PublicKey) bool {
	return slices.ContainsFunc(keys, func(k solana.PublicKey) bool { return h.filter.watches(k.String()) })
}

func (h *hook) ledgerPayload(b *batch) any {
	return h.ledgerBlock(b.receipts[0].Time.Unix(), b.slot, kit.List(b.receipts, ofReceipt))
}

func (h *hook) ledgerBlock(second int64, slot uint64, transactions []any) any {
	return map[string]any{
		"webhookId": h.id, "network": h.network, "timestamp": second, "slot": slot, "transactions": transactions,
	}
}

// ledgerTransaction has its instructions with indexes into the keys.
func ledgerTransaction(
	signatures []solana.Signature, meta map[string]any, keys []solana.PublicKey, all []ledger.Compiled,
) any {
	instructions := kit.List(all, func(in ledger.Compiled) any {
		return map[string]any{
			"programIdIndex": in.Program, "accounts": append([]int{}, in.Accounts...), "data": base58.Encode(in.Data),
		}
	})
	return map[string]any{
		"signature": signatures[0], "meta": meta,
		"transaction": map[string]any{
			"signatures": signatures, "message": map[string]any{"accountKeys": keys, "instructions": instructions},
		},
	}
}

// ofReceipt writes the accounts that a lookup table added after the
// others, so that every index of an instruction leads somewhere.
func ofReceipt(r *ledger.Receipt) any {
	meta := map[string]any{"fee": r.Fee, "preBalances": r.Pre, "postBalances": r.Post, "err": r.Err}
	return ledgerTransaction(r.Tx.Signatures, meta, r.Keys, r.Tx.Instructions)
}

// ledgerSample is a transfer of one lamport from the first watched address.
func (w *Service) ledgerSample(h *hook) any {
	key := w.Keypair("webhook sample")
	watched := solana.MustPublicKeyFromBase58(h.filter.addresses[0])
	meta := map[string]any{
		"fee": 5000, "preBalances": []uint64{1_000_000, 0, 1}, "postBalances": []uint64{994_999, 1, 1}, "err": nil,
	}
	transfer := ledger.Compiled{Program: 2, Accounts: []int{0, 1}, Data: []byte{2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0}}
	t := ledgerTransaction([]solana.Signature{solana.SignatureFromBytes(key)}, meta,
		[]solana.PublicKey{watched, build.PublicKey(key), solana.SystemProgramID}, []ledger.Compiled{transfer})
	return h.ledgerBlock(w.Now().Unix(), w.CurrentSlot(), []any{t})
}
