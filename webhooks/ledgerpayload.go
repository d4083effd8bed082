package webhooks

import "github.com/walletfi/walletfi-go"

// LedgerPayload is the payload of the account-based ledger chain: those
// transactions of one slot that the webhook watches.
type LedgerPayload struct {
	WebhookID    string              `json:"webhookId" wire:"strict"`
	Network      string              `json:"network" wire:"strict"`
	Timestamp    walletfi.Time       `json:"timestamp" wire:"free"`
	Slot         Number              `json:"slot" wire:"strict,decides"`
	Transactions []LedgerTransaction `json:"transactions" wire:"records"`
}

// LedgerTransaction is one transaction of the ledger chain.
type LedgerTransaction struct {
	Signature   string        `json:"signature" wire:"strict"` // base58
	Meta        LedgerMeta    `json:"meta"`
	Transaction LedgerContent `json:"transaction"`

	// Raw is the record as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

// LedgerMeta is the effect of a transaction. The balances are lamports, in the
// order of the message's account keys.
type LedgerMeta struct {
	Fee          walletfi.Amount   `json:"fee" wire:"decides"`
	PreBalances  []walletfi.Amount `json:"preBalances" wire:"decides"`
	PostBalances []walletfi.Amount `json:"postBalances" wire:"decides"`
	Err          walletfi.Document `json:"err,omitzero"` // null if the transaction succeeded, else in the ledger's form
}

// Failed reports whether the transaction failed. One whose meta or error is missing does not
// say that it succeeded, and is taken for one that failed.
func (m LedgerMeta) Failed() bool { return string(m.Err) != "null" }

// LedgerContent is a transaction as it was sent.
type LedgerContent struct {
	Message    LedgerMessage `json:"message"`
	Signatures []string      `json:"signatures"` // base58
}

// LedgerMessage is the signed part of a transaction.
type LedgerMessage struct {
	AccountKeys  []string            `json:"accountKeys"` // base58
	Instructions []LedgerInstruction `json:"instructions"`
}

// LedgerInstruction is one instruction, by indexes into the account keys.
type LedgerInstruction struct {
	ProgramIDIndex int    `json:"programIdIndex" wire:"decides"`
	Accounts       []int  `json:"accounts" wire:"decides"`
	Data           string `json:"data"`
}
