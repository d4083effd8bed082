package burnclose

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// account is a token account of the user's.
type account struct {
	address, program, mint solana.PublicKey
	decimals               uint8
	amount                 uint64
	lamports               uint64 // all that closing it reclaims
	deposit                uint64 // the rent in it
	withheld               bool   // to be harvested before it can be closed
	native, frozen         bool
	closer                 solana.PublicKey
}

// account reads the token account at an address, if the user owns it.
func (b *Service) account(user, address solana.PublicKey, a *ledger.Account) (account, bool) {
	t, ok := ledger.AsToken(a)
	if !ok || t.Owner() != user {
		return account{}, false
	}
	closer, ok := t.CloseAuthority()
	if !ok {
		closer = user
	}
	m, _ := ledger.AsMint(b.Chain.Account(t.Mint()))
	x := account{
		address: address, program: a.Owner, mint: t.Mint(), amount: t.Amount(),
		lamports: a.Lamports, deposit: min(a.Lamports, ledger.Rent(len(a.Data))),
		withheld: t.Withheld() > 0, native: t.Native(), frozen: t.Frozen(), closer: closer,
	}
	if m != nil {
		x.decimals = m.Decimals()
	}
	return x, true
}

// accounts returns the user's accounts for which keep is true, sorted by
// address, the order of a batch.
func (b *Service) accounts(user solana.PublicKey, keep func(account) bool) []account {
	var found []account
	b.Chain.Each(func(key solana.PublicKey, a *ledger.Account) bool {
		if x, ok := b.account(user, key, a); ok && keep(x) {
			found = append(found, x)
		}
		return true
	})
	slices.SortFunc(found, func(x, y account) int { return bytes.Compare(x.address[:], y.address[:]) })
	return found
}

// closable reports whether the user can close the account as it is.
func (x account) closable(user solana.PublicKey) bool { return x.amount == 0 && x.closer == user }

// asset finds the token account that an asset names: a mint of which the user
// has one, or the account itself.
func (b *Service) asset(c *kit.Call, user solana.PublicKey, id string) account {
	key := c.Key(id, "assetId")
	if x, ok := b.account(user, key, b.Chain.Account(key)); ok {
		return x
	}
	found := b.accounts(user, func(x account) bool { return x.mint == key })
	kit.RefuseIf(len(found) == 0, http.StatusNotFound, "", "the wallet has no token account of %s", id)
	for _, x := range found {
		if x.address == ledger.Associated(user, key, x.program) {
			return x
		}
	}
	return found[0]
}

// OpenEmptyAccounts gives a wallet n more empty token accounts, each of a mint
// of its own: for a close to find. It returns their addresses, base58.
func (b *Service) OpenEmptyAccounts(wallet string, n int) ([]string, error) {
	owner, err := solana.PublicKeyFromBase58(wallet)
	if err != nil {
		return nil, fmt.Errorf("sandbox: %q is no address", wallet)
	}
	if n < 0 || n > 10_000 {
		return nil, fmt.Errorf("sandbox: n must be from 0 to 10,000, not %d", n)
	}
	b.Lock()
	defer b.Unlock()
	addresses := make([]string, 0, n)
	for range n {
		mint := build.PublicKey(b.Keypair(fmt.Sprintf("mint of an empty account %016x", b.Random())))
		b.PutMint(mint, ledger.NewMint{Authority: build.PublicKey(b.Keypair("mint authority"))})
		account, ok := b.MintTo(owner, mint, 0)
		if !ok {
			return nil, fmt.Errorf("sandbox: no account of %s could be made", mint)
		}
		addresses = append(addresses, account.String())
	}
	return addresses, nil
}
