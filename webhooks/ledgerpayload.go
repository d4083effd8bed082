package webhooks

import (
	"slices"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// LedgerPayload is the payload of the account-based ledger chain: those
// transactions of one slot that the webhook watches.
type LedgerPayload struct {
	WebhookID    string              `json:"webhookId" wire:"said"`
	Network      string              `json:"network" wire:"said"`
	Timestamp    walletfi.Time       `json:"timestamp" wire:"free"`
	Slot         Number              `json:"slot" wire:"said,min=1"`
	Transactions []LedgerTransaction `json:"transactions" wire:"records,said"`
}

// LedgerTransaction is one transaction of the ledger chain.
type LedgerTransaction struct {
	Signature   string        `json:"signature" wire:"said,signature,opaque"`
	Meta        LedgerMeta    `json:"meta" wire:"said"`
	Transaction LedgerContent `json:"transaction" wire:"said"`

	// Raw is the record as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

func init() {
	wire.Reader(readLedgerTransaction)
	wire.Reader(readLedgerMeta)
}

// readLedgerTransaction reads a transaction, and keeps one whose parts do not fit each other.
func readLedgerTransaction(s *wire.Scanner, t *LedgerTransaction) error {
	from, strange := s.Offset(), s.Strange()
	err := wire.Fields(s, t)
	if err != nil {
		return err
	}
	isUneven := t.isUneven(s, from)
	if strange != s.Strange() && !t.Meta.Failed() {
		if sign := failedIn(s.Kept(from)); sign != nil {
			isUneven, t.Meta.Err = true, sign
			wire.Breaks[LedgerMeta](s, "err", contradicted)
		}
	}
	if first := t.Transaction.Signatures; t.Signature != "" && len(first) > 0 && first[0] != t.Signature {
		isUneven = true
		wire.Breaks[LedgerTransaction](s, "signature", wire.OutOfRange)
	}
	if isUneven {
		t.Raw = s.Kept(from)
	}
	return nil
}

// isUneven holds the parts of a transaction, which begins at from, against each other: each
// account has a balance before and after, and an instruction names accounts that there are. The
// message leaves out the addresses that it loads from tables, which are no programs and have the
// last balances, if any.
func (t *LedgerTransaction) isUneven(s *wire.Scanner, from int) (isUneven bool) {
	message, pre, post := t.Transaction.Message, t.Meta.PreBalances, t.Meta.PostBalances
	if message.AccountKeys == nil || pre == nil || post == nil {
		return false // which was said
	}
	keys, all := len(message.AccountKeys), message.AccountKeys
	accounts, fits := keys, len(pre) == keys
	if named := reach(message.Instructions, keys); len(pre) > keys || named > keys {
		loads := loadingOf(s.Kept(from))
		accounts, fits = loads.fit(keys, len(pre), named)
		all = append(loads.keys(), all...)
	}
	if keys == 0 && len(message.Instructions)+len(pre) > 0 {
		isUneven = true
		wire.Breaks[LedgerMessage](s, "accountKeys", wire.OfNoLength)
	}
	if hasTwice(all) {
		isUneven = true
		wire.Breaks[LedgerMessage](s, "accountKeys", wire.Repeated)
	}
	for _, i := range message.Instructions {
		if i.ProgramIDIndex >= keys {
			isUneven = true
			wire.Breaks[LedgerInstruction](s, "programIdIndex", wire.OutOfRange)
		}
		if len(i.Accounts) > 0 && slices.Max(i.Accounts) >= accounts {
			isUneven = true
			wire.Breaks[LedgerInstruction](s, "accounts", wire.OutOfRange)
		}
	}
	if len(pre) != len(post) {
		isUneven = true
		wire.Breaks[LedgerMeta](s, "postBalances", wire.OfNoLength)
	}
	if !fits {
		isUneven = true
		wire.Breaks[LedgerMeta](s, "preBalances", wire.OfNoLength)
	}
	return isUneven
}

// readLedgerMeta holds that a meta says whether the transaction failed.
func readLedgerMeta(s *wire.Scanner, m *LedgerMeta) error {
	err := wire.Fields(s, m)
	if err == nil && len(m.Err) == 0 {
		wire.Lacks[LedgerMeta](s, "err")
	}
	return err
}

// LedgerMeta is the effect of a transaction. The balances are lamports, in the
// order of the message's account keys.
type LedgerMeta struct {
	Fee          walletfi.Amount   `json:"fee" wire:"said"`
	PreBalances  []walletfi.Amount `json:"preBalances" wire:"said"`
	PostBalances []walletfi.Amount `json:"postBalances" wire:"said"`
	// Err is null if the transaction succeeded, else in the ledger's form. If it is null and
	// another member says that the transaction failed, it is that one's value.
	Err walletfi.Document `json:"err,omitzero" wire:"once"`
}

// Failed reports whether the transaction failed. One whose meta or error is missing does not
// say that it succeeded, and is taken for one that failed.
func (m LedgerMeta) Failed() bool { return string(m.Err) != "null" }

// LedgerContent is a transaction as it was sent.
type LedgerContent struct {
	Message    LedgerMessage `json:"message" wire:"said"`
	Signatures []string      `json:"signatures" wire:"said,signature,opaque"` // base58
}

// LedgerMessage is the signed part of a transaction.
type LedgerMessage struct {
	AccountKeys  []string            `json:"accountKeys" wire:"said,key,opaque"`
	Instructions []LedgerInstruction `json:"instructions" wire:"said"`
}

// LedgerInstruction is one instruction, by indexes into the account keys.
type LedgerInstruction struct {
	ProgramIDIndex int    `json:"programIdIndex" wire:"said,min=0,max=255"`
	Accounts       []int  `json:"accounts" wire:"said,min=0,max=255"`
	Data           string `json:"data" wire:"said,code"`
}
