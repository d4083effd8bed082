package sandbox

import (
	"cmp"
	"crypto/ed25519"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// smartAccountWallet is a smart account: a wallet of the ledger and what its
// owner arranged for it.
type smartAccountWallet struct {
	id       string
	owner    *smartAccountUser
	signer   ed25519.PrivateKey
	key      solana.PublicKey
	name     string
	kind     string
	created  time.Time
	sequence int

	sessions      []*smartAccountSession
	policies      []*smartAccountPolicy
	transactions  []*smartAccountTransaction // oldest first
	debits        []*smartAccountDebit
	subscriptions map[string]*smartAccountSubscription
	spent         []smartAccountSpend // by what the caller executed
}

// smartAccountStamp writes a time as the service does.
func smartAccountStamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

type smartAccountAnswer struct {
	ID        string            `json:"id"`
	Address   string            `json:"address"`
	Name      string            `json:"name"`
	Type      string            `json:"type"`
	Status    string            `json:"status"`
	Balance   map[string]string `json:"balance,omitempty"`
	CreatedAt string            `json:"createdAt,omitempty"`
}

func (w *smartAccountWallet) answer() smartAccountAnswer {
	return smartAccountAnswer{ID: w.id, Address: w.key.String(), Name: w.name, Type: w.kind, Status: "active"}
}

type smartAccountCreateRequest struct {
	Name string `body:"name,required"`
	Type string `body:"type,required" oneof:"personal business"`
}

func (b *smartAccount) createAccount(c *call, in smartAccountCreateRequest) (*smartAccountAnswer, error) {
	if in.Name == "" {
		return nil, refuse(http.StatusBadRequest, "", "name is empty")
	}
	id := b.id("acc")
	signer := b.keypair("smartaccount " + id)
	w := &smartAccountWallet{
		id: id, owner: b.caller(c), signer: signer, key: publicKey(signer), name: in.Name, kind: in.Type,
		created: b.now(), sequence: len(b.wallets), subscriptions: map[string]*smartAccountSubscription{},
	}
	b.wallets[id] = w
	a := w.answer()
	a.CreatedAt = smartAccountStamp(w.created)
	return &a, nil
}

// wallet returns an account of the caller's.
func (b *smartAccount) wallet(c *call, id string) (*smartAccountWallet, error) {
	w, ok := b.wallets[id]
	switch {
	case !ok:
		return nil, refuse(http.StatusNotFound, "", "there is no account %s", id)
	case w.owner != b.caller(c):
		return nil, refuse(http.StatusForbidden, "", "the account %s is somebody else's", id)
	}
	return w, nil
}

type smartAccountRequest struct {
	Account string `path:"accountId"`
}

func (b *smartAccount) getAccount(c *call, in smartAccountRequest) (*smartAccountAnswer, error) {
	w, err := b.wallet(c, in.Account)
	if err != nil {
		return nil, err
	}
	a := w.answer()
	a.CreatedAt, a.Balance = smartAccountStamp(w.created), b.balance(w)
	return &a, nil
}

// balance is what the account holds on the ledger, in smallest units: SOL
// always, a token where it has an account for it. Wrapped SOL counts as SOL.
func (b *smartAccount) balance(w *smartAccountWallet) map[string]string {
	balance := map[string]string{}
	for _, t := range b.chain.tokens {
		held := b.holding(w.key, t)
		if t.key == solana.WrappedSol {
			held += b.chain.Balance(w.key)
		} else if _, has := ledger.AsToken(b.chain.Account(t.account(w.key))); !has {
			continue
		}
		balance[t.Symbol] = strconv.FormatUint(held, 10)
	}
	return balance
}

func (b *smartAccount) listAccounts(c *call, _ nothing) (any, error) {
	var own []*smartAccountWallet
	for _, w := range b.wallets {
		if w.owner == b.caller(c) {
			own = append(own, w)
		}
	}
	slices.SortFunc(own, func(a, b *smartAccountWallet) int { return cmp.Compare(a.sequence, b.sequence) })
	accounts := []smartAccountAnswer{}
	for _, w := range own {
		accounts = append(accounts, w.answer())
	}
	return map[string]any{"accounts": accounts, "total": len(accounts)}, nil
}

type smartAccountRenameRequest struct {
	Account string `path:"accountId"`
	Name    string `body:"name,required"`
}

func (b *smartAccount) renameAccount(c *call, in smartAccountRenameRequest) (map[string]any, error) {
	w, err := b.wallet(c, in.Account)
	if err != nil {
		return nil, err
	}
	if in.Name == "" {
		return nil, refuse(http.StatusBadRequest, "", "name is empty")
	}
	w.name = in.Name
	return map[string]any{}, nil
}
