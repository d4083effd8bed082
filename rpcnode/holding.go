package rpcnode

import (
	"fmt"
	"strconv"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
)

// holding is a line of preTokenBalances or postTokenBalances.
type holding struct {
	Index  *int   `json:"accountIndex"`
	Mint   string `json:"mint"`
	Owner  string `json:"owner"`
	Amount *struct {
		Amount   string `json:"amount"`
		Decimals *uint8 `json:"decimals"`
	} `json:"uiTokenAmount"`
}

// held is a holding that was read.
type held struct {
	mint, owner string
	amount      walletfi.Amount
}

// tokenChanges compares the token accounts before and after. One of which only the
// lamports have changed is listed too, with the tokens that it holds: its rent is its
// owner's.
func tokenChanges(
	pre, post []holding, keys []string, lamports *walletfi.Effects,
) (changes []walletfi.TokenChange, problem string) {
	decimals := map[string]int{}
	before, problem := readHoldings(pre, len(keys), decimals)
	if problem != "" {
		return nil, problem
	}
	after, problem := readHoldings(post, len(keys), decimals)
	if problem != "" {
		return nil, problem
	}
	changes = []walletfi.TokenChange{}
	add := func(i int, h held, was, is walletfi.Amount) {
		if was != is || lamports.Lamport(keys[i]) != (walletfi.Change{}) && h.mint != "" {
			changes = append(changes, walletfi.TokenChange{
				Account: keys[i], Owner: h.owner, Mint: h.mint, Decimals: decimals[h.mint],
				Change: walletfi.Change{Before: was, After: is},
			})
		}
	}
	for i := range keys {
		was, is := before[i], after[i]
		if was.mint == is.mint && was.owner == is.owner {
			add(i, is, was.amount, is.amount)
			continue
		}
		// Opened, closed, or in other hands.
		add(i, was, was.amount, 0)
		add(i, is, 0, is.amount)
	}
	return changes, ""
}

// readHoldings reads the token accounts of one moment by their number, and the
// decimals of their mints. All tokens of a mint are at most 2^64-1.
func readHoldings(list []holding, accounts int, decimals map[string]int) (all map[int]held, problem string) {
	all = map[int]held{}
	sums := map[string]walletfi.Amount{}
	for _, h := range list {
		if h.Index == nil || *h.Index < 0 || *h.Index >= accounts {
			return nil, "a token balance is of no account of the transaction"
		}
		if _, twice := all[*h.Index]; twice {
			return nil, fmt.Sprintf("account %d has two token balances", *h.Index)
		}
		for _, address := range []string{h.Mint, h.Owner} {
			if _, err := signing.ParsePublicKey(address); err != nil {
				return nil, fmt.Sprintf("account %d has a token balance without a mint or an owner", *h.Index)
			}
		}
		if h.Amount == nil || h.Amount.Decimals == nil {
			return nil, fmt.Sprintf("account %d has a token balance without an amount", *h.Index)
		}
		amount, err := strconv.ParseUint(h.Amount.Amount, 10, 64)
		if err != nil {
			return nil, fmt.Sprintf("the amount %.30q is not one of smallest units", h.Amount.Amount)
		}
		if known, ok := decimals[h.Mint]; ok && known != int(*h.Amount.Decimals) {
			return nil, fmt.Sprintf("mint %s has %d decimals and %d", h.Mint, known, *h.Amount.Decimals)
		}
		decimals[h.Mint] = int(*h.Amount.Decimals)
		sum := sums[h.Mint] + walletfi.Amount(amount)
		if sum < sums[h.Mint] {
			return nil, "the token balances are more than there can be"
		}
		sums[h.Mint] = sum
		all[*h.Index] = held{h.Mint, h.Owner, walletfi.Amount(amount)}
	}
	return all, ""
}
