package smartaccount

import (
	"cmp"
	"crypto/ed25519"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// wallet is a smart account: a wallet on the ledger with its sessions, policies
// and mandates.
type wallet struct {
	id       string
	owner    *user
	signer   ed25519.PrivateKey
	key      solana.PublicKey
	name     string
	kind     string
	created  time.Time
	sequence int

	sessions      []*session
	policies      []*policy
	transactions  []*transaction // oldest first
	debits        []*debit
	subscriptions map[string]*subscription
	spent         []spend // by what the caller executed
}

func (w *wallet) answer() map[string]any {
	return map[string]any{"id": w.id, "address": w.key.String(), "name": w.name, "type": w.kind, "status": "active"}
}

type createRequest struct {
	Name string `body:"name,required" open:"any text"`
	Type string `body:"type,required" oneof:"personal business"`
}

func (b *Service) createAccount(c *kit.Call, in createRequest) any {
	id := b.id("acc")
	signer := b.Keypair("smartaccount " + id)
	w := &wallet{
		id: id, owner: b.caller(c), signer: signer, key: build.PublicKey(signer), name: in.Name, kind: in.Type,
		created: b.Now(), sequence: len(b.wallets), subscriptions: map[string]*subscription{},
	}
	b.wallets[id] = w
	a := w.answer()
	a["createdAt"] = kit.Stamp(w.created)
	return a
}

// wallet returns an account of the caller's.
func (b *Service) wallet(c *kit.Call, id string) *wallet {
	w := kit.Found(b.wallets[id], "there is no account %s", id)
	kit.RefuseIf(w.owner != b.caller(c), http.StatusForbidden, "", "the account %s is somebody else's", id)
	return w
}

type request struct {
	Account string `path:"accountId" open:"an identifier"`
}

func (b *Service) getAccount(c *kit.Call, in request) any {
	w := b.wallet(c, in.Account)
	a := w.answer()
	a["createdAt"], a["balance"] = kit.Stamp(w.created), b.balance(w)
	return a
}

// balance is the account's balance on the ledger, in smallest units: SOL
// always, a token if it has an account for it. Wrapped SOL counts as SOL.
func (b *Service) balance(w *wallet) map[string]string {
	balance := map[string]string{}
	for _, t := range b.Chain.Tokens {
		held := b.Holding(w.key, t)
		if t.Key == solana.WrappedSol {
			held += b.Chain.Balance(w.key)
		} else if _, has := ledger.AsToken(b.Chain.Account(t.Account(w.key))); !has {
			continue
		}
		balance[t.Symbol] = strconv.FormatUint(held, 10)
	}
	return balance
}

func (b *Service) listAccounts(c *kit.Call, _ kit.Nothing) any {
	var own []*wallet
	for _, w := range b.wallets {
		if w.owner == b.caller(c) {
			own = append(own, w)
		}
	}
	slices.SortFunc(own, func(a, b *wallet) int { return cmp.Compare(a.sequence, b.sequence) })
	return map[string]any{"accounts": kit.List(own, (*wallet).answer), "total": len(own)}
}

// retire leaves an entry in its list, marked, or takes it out, in turn: what becomes of
// it there is not documented.
func retire[T comparable](c *kit.Call, all []T, one T) []T {
	if c.Shape(2) == 0 {
		return all
	}
	return slices.DeleteFunc(all, func(x T) bool { return x == one })
}

type renameRequest struct {
	Account string `path:"accountId" open:"an identifier"`
	Name    string `body:"name,required" open:"any text"`
}

func (b *Service) renameAccount(c *kit.Call, in renameRequest) map[string]any {
	w := b.wallet(c, in.Account)
	w.name = in.Name
	return map[string]any{}
}
