package services

import (
	"context"
	"encoding/binary"
	"github.com/walletfi/walletfi-go/rpcnode/solanago"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
)

// Holding is how much of a token a wallet has, in all its accounts.
type Holding struct {
	Mint     string          `json:"mint"`
	Symbol   string          `json:"symbol"`
	Decimals int             `json:"decimals"`
	Amount   walletfi.Amount `json:"amount"`
	Known    bool            `json:"known"` // whether the list of tokens has it
}

// Text is the amount for people.
func (h Holding) Text() string { return h.Amount.UI(h.Decimals) }

// Holdings lists what a wallet has: SOL first, then its tokens.
func (c *Clients) Holdings(ctx context.Context, wallet string) ([]Holding, error) {
	owner, err := solana.PublicKeyFromBase58(wallet)
	if err != nil {
		return nil, err
	}
	lamports, err := solanago.RPC(c.Node).GetBalance(ctx, owner, rpc.CommitmentConfirmed)
	if err != nil {
		return nil, err
	}
	all := []Holding{
		{Mint: walletfi.NativeMint, Symbol: "SOL", Decimals: 9, Amount: walletfi.Amount(lamports.Value), Known: true},
	}
	at := map[string]int{}
	for _, program := range []signing.PublicKey{signing.TokenProgram, signing.Token2022Program} {
		accounts, err := solanago.RPC(c.Node).GetTokenAccountsByOwner(ctx, owner,
			&rpc.GetTokenAccountsConfig{ProgramId: new(solana.PublicKey(program))},
			&rpc.GetTokenAccountsOpts{Encoding: solana.EncodingBase64, Commitment: rpc.CommitmentConfirmed})
		if err != nil {
			return nil, err
		}
		for _, account := range accounts.Value {
			mint, amount, ok := tokenAccount(account.Account.Data.GetBinary())
			if !ok {
				continue
			}
			if _, ok := at[mint]; !ok {
				at[mint] = len(all)
				all = append(all, c.holding(mint))
			}
			all[at[mint]].Amount += amount
		}
	}
	return all, nil
}

func (c *Clients) holding(mint string) Holding {
	token, known := c.Tokens.Find(mint)
	h := Holding{Mint: mint, Symbol: token.Symbol, Decimals: token.Decimals, Known: known}
	switch {
	case mint == walletfi.NativeMint:
		h.Symbol = "wrapped SOL"
	case !known:
		h.Symbol = Short(mint)
	}
	return h
}

// tokenAccount reads the layout that both token programs share: the mint, the
// owner, the amount.
func tokenAccount(data []byte) (mint string, amount walletfi.Amount, ok bool) {
	const amountAt, amountEnd = 64, 72
	if len(data) < amountEnd {
		return "", 0, false
	}
	return signing.PublicKey(data[:32]).String(),
		walletfi.Amount(binary.LittleEndian.Uint64(data[amountAt:amountEnd])), true
}
