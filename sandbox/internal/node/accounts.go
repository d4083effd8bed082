package node

import (
	"bytes"
	"slices"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// keyed is an account with its address.
type keyed struct {
	key     solana.PublicKey
	account *ledger.Account
}

// accounts lists those of a program, or of all if program is zero, in the order of the
// addresses.
func (c *call) accounts(config config, program solana.PublicKey, wanted func(a *ledger.Account) bool) (all []keyed) {
	add := func(key solana.PublicKey, a *ledger.Account) bool {
		if (program.IsZero() || a.Owner == program) && wanted(a) {
			all = append(all, keyed{key, a})
		}
		return true
	}
	c.EachAt(c.slotAt(config.Commitment), add)
	if program.IsZero() || program == ledger.SysvarProgram {
		for _, key := range ledger.Sysvars() {
			add(key, config.look(key))
		}
	}
	slices.SortFunc(all, func(a, b keyed) int { return bytes.Compare(a.key[:], b.key[:]) })
	return all
}

// list writes accounts with their addresses. Parsed, it leaves out what a token program has
// and its parser does not know.
func list(accounts []keyed, config config) any {
	if config.Encoding == "jsonParsed" {
		accounts = slices.DeleteFunc(accounts, func(k keyed) bool {
			return tokenProgram(k.account.Owner) && parsedAccount(k.key, k.account, config.look) == nil
		})
	}
	return kit.List(accounts, func(k keyed) any {
		return map[string]any{"pubkey": k.key, "account": accountJSON(k.key, k.account, config)}
	})
}

func (c *call) getProgramAccounts() any {
	program, config := c.addressAndConfig()
	var more struct {
		Filters     []filter `json:"filters"`
		WithContext bool     `json:"withContext"`
	}
	c.param(1, false, &more)
	verify(more.Filters)
	accounts := list(c.accounts(config, program, func(a *ledger.Account) bool { return matches(a, more.Filters) }), config)
	if more.WithContext {
		return c.inContext(config.Commitment, accounts)
	}
	return accounts
}

func everyAccount(*ledger.Account) bool { return true }

func balance(a *ledger.Account) uint64 { return a.Lamports }

// getSupply counts all lamports. None are out of circulation.
func (c *call) getSupply() any {
	config, total := c.configAt(0), uint64(0)
	for _, k := range c.accounts(config, solana.PublicKey{}, everyAccount) {
		total += k.account.Lamports
	}
	return c.inContext(config.Commitment, map[string]any{
		"total": total, "circulating": total, "nonCirculating": 0, "nonCirculatingAccounts": []any{},
	})
}

func (c *call) getLargestAccounts() any {
	config := c.configAt(0)
	var more struct {
		Filter string `json:"filter"`
	}
	c.param(0, false, &more)
	var accounts []keyed
	if more.Filter != "nonCirculating" {
		accounts = largest(balance, c.accounts(config, solana.PublicKey{}, everyAccount))
	}
	return c.inContext(config.Commitment, kit.List(accounts, func(k keyed) any {
		return map[string]any{"address": k.key, "lamports": k.account.Lamports}
	}))
}
