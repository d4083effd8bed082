package main

import (
	"encoding/json"
	"fmt"

	"github.com/walletfi/walletfi-go/webhooks"
)

// verified is the output of --json. Members may be added from version to version, and
// none is changed or removed.
type verified struct {
	Valid        bool     `json:"valid"`
	Kind         string   `json:"kind"` // ledger, evm or other
	Webhook      string   `json:"webhookId"`
	Network      string   `json:"network"`
	SignedAt     string   `json:"signedAt"` // the header, as it came
	Place        string   `json:"place,omitempty"`
	Transactions []string `json:"transactions"`
	Problem      string   `json:"problem,omitempty"` // what of the body could not be read
}

// verifiedOf says what a delivery holds whose signature is valid.
func verifiedOf(d *webhooks.Delivery, signedAt string) verified {
	all := verified{
		Valid:        true,
		Kind:         "other",
		Webhook:      d.WebhookID,
		Network:      d.Network,
		SignedAt:     signedAt,
		Transactions: []string{},
	}
	switch {
	case d.Ledger != nil:
		all.Kind, all.Place = "ledger", fmt.Sprintf("slot %d", d.Ledger.Slot)
		for _, tx := range d.Ledger.Transactions {
			all.Transactions = append(all.Transactions, tx.Signature)
		}
	case d.EVM != nil:
		all.Kind, all.Place = "evm", fmt.Sprintf("block %d %s", d.EVM.BlockNumber, d.EVM.BlockHash)
		for _, tx := range d.EVM.Transactions {
			all.Transactions = append(all.Transactions, tx.Hash)
		}
	}
	if d.DecodeErr != nil {
		all.Problem = oneLine(d.DecodeErr)
	}
	return all
}

func (v *verify) show(d *webhooks.Delivery, signedAt string) error {
	all := verifiedOf(d, signedAt)
	if v.asJSON {
		e := json.NewEncoder(v.out)
		e.SetIndent("", "  ")
		return e.Encode(all)
	}
	fmt.Fprintf(v.out, "The signature is valid: signed at %s.\n", all.SignedAt)
	// The body is the service's word: quoted, it cannot steer the terminal.
	fmt.Fprintf(v.out, "kind %s, webhook %q, network %q\n", all.Kind, all.Webhook, all.Network)
	if all.Place != "" {
		fmt.Fprintf(v.out, "%q, transactions %d\n", all.Place, len(all.Transactions))
	}
	for _, id := range all.Transactions {
		fmt.Fprintf(v.out, "  %q\n", id)
	}
	if all.Problem != "" {
		fmt.Fprintf(v.out, "not all of it could be read: %s\n", all.Problem)
	}
	return nil
}
