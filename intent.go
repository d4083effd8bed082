package walletfi

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"time"

	"github.com/walletfi/walletfi-go/internal/jsontext"
)

// Asset is an amount of a token. The mint of SOL, wrapped or not, is
// [NativeMint].
type Asset struct {
	Mint   string `json:"mint"`   // base58
	Amount Amount `json:"amount"` // smallest units
}

// NativeMint is the mint of wrapped SOL. An [Intent] counts SOL, wrapped SOL and
// Token-2022's native mint as the same asset under this name.
const NativeMint = "So11111111111111111111111111111111111111112"

// Intent says what a request asked for, in terms that package signing compares a
// transaction with before it is signed. Every builder fills it from its request,
// so the caller need not be an expert. A caller may narrow it, or widen it if
// more was agreed than the request says.
//
// Whatever an Intent does not allow is refused: the zero Intent with an owner
// allows a transaction that spends nothing but its network fee.
type Intent struct {
	// Service is the package name of the client that built the transaction. The
	// transaction may call the program ids that the caller pinned under this name.
	Service string `json:"service"`
	// Owner is the wallet that is to sign, base58.
	Owner string `json:"owner"`
	// Spend is the most that may leave the owner, an entry per mint. Two entries
	// of a mint add up.
	Spend []Asset `json:"spend,omitempty"`
	// Burn is the most that may be burned, an entry per mint.
	Burn []Asset `json:"burn,omitempty"`
	// BurnAll names mints (or token accounts) whose whole balance may be burned.
	BurnAll []string `json:"burnAll,omitempty"`
	// Receive is the least that should arrive, an entry per mint. Checking it
	// takes a simulator.
	Receive []Asset `json:"receive,omitempty"`
	// ReceiveAfter says that Receive arrives later than with these transactions, with an
	// order's fill or after a cooldown: no sooner than so long after they have landed, 0
	// if the service states no time. The guard then does not expect it of them. Nil means
	// that they deliver it themselves. In JSON it counts nanoseconds.
	ReceiveAfter *time.Duration `json:"receiveAfter,omitempty"`
	// TipLamports is the most that may be tipped, in one transfer, to a recipient
	// that the request does not name (a relay's or a bundle's tip account).
	TipLamports Amount `json:"tipLamports,omitzero"`
	// ServiceFee is the most that a service may take from the owner, for itself or
	// a partner, in one transfer to a recipient that the request does not name.
	ServiceFee []Asset `json:"serviceFee,omitempty"`
	// MaxNetworkFeeLamports caps the base fees and the priority fees of all
	// transactions together. Nil means the policy's default.
	MaxNetworkFeeLamports *Amount `json:"maxNetworkFeeLamports,omitempty"`
	// MaxTransactions is the most transactions that the set may have. 0 means 16.
	MaxTransactions int `json:"maxTransactions,omitzero"`
	// MaxRentLamports caps the rent of the accounts that the transactions create
	// for the owner. Nil means the policy's default.
	MaxRentLamports *Amount `json:"maxRentLamports,omitempty"`
	// MaxForeignRentLamports caps the rent that the owner pays for token accounts
	// of other wallets. 0 allows none.
	MaxForeignRentLamports Amount `json:"maxForeignRentLamports,omitzero"`
	// Sponsor pays the network fee, base58: a transaction of which the owner pays it is
	// refused. Empty means that the owner pays, or a sponsor of the policy's.
	Sponsor string `json:"sponsor,omitempty"`
	// PayTo are the payees of a payment: base58 addresses of wallets, which
	// include their associated token accounts, or of token accounts. If it is not
	// empty, what the transactions spend themselves goes there and nowhere else.
	// What a program moves in its own calls is not bound.
	PayTo []string `json:"payTo,omitempty"`
	// OutputTo are wallets or token accounts that may get what the transactions
	// produce, and SOL within Spend. It does not bind anything else.
	OutputTo []string `json:"outputTo,omitempty"`
	// FeeTo are the receivers of ServiceFee that the request named: base58 addresses of
	// wallets, which include their associated token accounts, or of token accounts. If it
	// is not empty, what the transactions themselves pay as ServiceFee goes there and
	// nowhere else. What a program moves in its own calls is not bound.
	FeeTo []string `json:"feeTo,omitempty"`
	// CoSigners are other signers that the request named, base58.
	CoSigners []string `json:"coSigners,omitempty"`
	// Delegates may be approved to take what Spend allows, base58. An approval of
	// any other address must be revoked in the same transaction.
	Delegates []string `json:"delegates,omitempty"`
	// CloseAccounts are token accounts of the owner, base58, that the request
	// asked to close. Closing to the owner is always allowed; this list is for
	// the report.
	CloseAccounts []string `json:"closeAccounts,omitempty"`
	// Asked holds the caller's request to the builder, field by field, as [Asker] says
	// it. It allows nothing, and the guard does not read it: package wallet tells by it
	// whether two builds are of the same payment. Empty means that it is not stated; the
	// amounts of Spend and Burn then count as asked for.
	Asked map[string]string `json:"asked,omitempty"`
}

// Clone returns a copy that shares nothing with i.
func (i Intent) Clone() Intent {
	c := i
	c.Spend, c.Burn, c.Receive = slices.Clone(i.Spend), slices.Clone(i.Burn), slices.Clone(i.Receive)
	c.BurnAll, c.PayTo = slices.Clone(i.BurnAll), slices.Clone(i.PayTo)
	c.OutputTo, c.FeeTo = slices.Clone(i.OutputTo), slices.Clone(i.FeeTo)
	c.ServiceFee, c.CoSigners = slices.Clone(i.ServiceFee), slices.Clone(i.CoSigners)
	c.CloseAccounts, c.Delegates = slices.Clone(i.CloseAccounts), slices.Clone(i.Delegates)
	c.Asked = maps.Clone(i.Asked)
	if i.ReceiveAfter != nil {
		c.ReceiveAfter = new(*i.ReceiveAfter)
	}
	if i.MaxNetworkFeeLamports != nil {
		c.MaxNetworkFeeLamports = new(*i.MaxNetworkFeeLamports)
	}
	if i.MaxRentLamports != nil {
		c.MaxRentLamports = new(*i.MaxRentLamports)
	}
	return c
}

// Unsigned is the answer of a builder: transactions to be checked, signed and
// submitted in order, and the intent of the request that asked for them.
type Unsigned struct {
	// Transactions are in the order in which they must land.
	Transactions []EncodedTransaction
	// Intent says what the request asked for, over all transactions.
	Intent Intent
	// LastValidBlockHeight is the block height after which the transactions
	// cannot land any more, 0 if the service does not say.
	LastValidBlockHeight uint64
	// Blockhash is the blockhash that the service stated with the transactions,
	// base58, empty if it does not.
	Blockhash string
}

// unsignedJSON is an Unsigned as MarshalJSON writes it.
type unsignedJSON struct {
	Transactions         []encodedJSON `json:"transactions"`
	Intent               *Intent       `json:"intent"`
	LastValidBlockHeight uint64        `json:"lastValidBlockHeight,omitzero"`
	Blockhash            string        `json:"blockhash,omitempty"`
}

type encodedJSON struct {
	Encoding    string `json:"encoding"` // base64 or base58
	Transaction string `json:"transaction"`
}

// MarshalJSON writes the transactions and their intent, so that one process can
// build and another check, sign and send.
func (u Unsigned) MarshalJSON() ([]byte, error) {
	j := unsignedJSON{[]encodedJSON{}, &u.Intent, u.LastValidBlockHeight, u.Blockhash}
	for i, tx := range u.Transactions {
		if tx == nil {
			return nil, fmt.Errorf("walletfi: transaction %d is nil", i)
		}
		j.Transactions = append(j.Transactions, encodedJSON{tx.Encoding(), tx.String()})
	}
	return json.Marshal(j)
}

// UnmarshalJSON reads what MarshalJSON wrote. Without its transactions or its intent
// it is [ErrDecode], never one that allows nothing. So it is with a member that is unknown,
// differs in case or comes twice, in it or its intent: another reader of the text, such as
// the page that shows it, could take it for something else.
func (u *Unsigned) UnmarshalJSON(b []byte) error {
	var j unsignedJSON
	if err := json.Unmarshal(b, &j); err != nil {
		return err
	}
	if err := jsontext.Exact(b, reflect.TypeFor[unsignedJSON]()); err != nil {
		return fmt.Errorf("walletfi: stored transactions: %w: %w", err, ErrDecode)
	}
	if j.Intent == nil || j.Transactions == nil {
		return fmt.Errorf("walletfi: stored transactions without transactions or intent: %w", ErrDecode)
	}
	*u = Unsigned{Intent: *j.Intent, LastValidBlockHeight: j.LastValidBlockHeight, Blockhash: j.Blockhash}
	for i, tx := range j.Transactions {
		switch tx.Encoding {
		case Base64Transaction("").Encoding():
			u.Transactions = append(u.Transactions, Base64Transaction(tx.Transaction))
		case Base58Transaction("").Encoding():
			u.Transactions = append(u.Transactions, Base58Transaction(tx.Transaction))
		default:
			return fmt.Errorf("walletfi: transaction %d has the encoding %.20q: %w", i, tx.Encoding, ErrDecode)
		}
	}
	return nil
}
